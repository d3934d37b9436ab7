import type { ShownAcceptance } from '../../../preload/contract/accepted-faults.ts';
import { useTexts } from '../../texts.tsx';
import classes from './document.module.css';
import { sayDay } from './say-moment.ts';

/** Says why something is accepted and until when, or that this has ended. */
export function AcceptanceNote({ acceptance }: { acceptance: ShownAcceptance }) {
  const { t, i18n } = useTexts();
  const { state, until, reason } = acceptance;
  const key =
    state === 'ended'
      ? 'contract.accepted.ended'
      : until === undefined
        ? 'contract.accepted.forever'
        : 'contract.accepted.until';
  return (
    <span className={classes.accepted}>
      {t(key, { day: until === undefined ? '' : sayDay(until, i18n.language) })} <bdi>{reason}</bdi>
    </span>
  );
}
