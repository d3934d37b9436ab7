import type { ShownAcceptance } from '../../../preload/contract/accepted-faults.ts';
import { useTexts } from '../../texts.tsx';
import classes from './document.module.css';

/** Says why something is accepted. */
export function AcceptanceNote({ acceptance: { reason } }: { acceptance: ShownAcceptance }) {
  const { t } = useTexts();
  return (
    <span className={classes.accepted}>
      {t('contract.accepted.because')} <bdi>{reason}</bdi>
    </span>
  );
}
