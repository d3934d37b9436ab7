import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyIcon, DoneIcon } from '../../../components/icons.tsx';
import classes from './facts.module.css';
import { keyOf, ProfileActionsContext, type ValuePlace } from './profile-actions.ts';

export function CopyButton({ label, place }: { label: string; place: ValuePlace }) {
  const { t } = useTranslation();
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
