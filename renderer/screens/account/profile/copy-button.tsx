import { useContext } from 'react';
import { CopyIcon, DoneIcon } from '../../../components/icons.tsx';
import classes from './facts.module.css';
import { keyOf, ProfileActionsContext, type ValuePlace } from './profile-actions.ts';
import { t } from '../../../i18n.ts';

export function CopyButton({ label, place }: { label: string; place: ValuePlace }) {
  const actions = useContext(ProfileActionsContext);
  const name = t('profile.copy', { label });
  return (
    <button
      type="button"
      className={`mantine-active ${classes.copy}`}
      aria-label={name}
      title={name}
      onClick={() => actions?.copy(place, label)}
    >
      {actions?.copied === keyOf(place) ? <DoneIcon /> : <CopyIcon />}
    </button>
  );
}
