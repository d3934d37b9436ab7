import type { AppState } from '../../preload/contract/models.ts';
import { useTranslation } from 'react-i18next';
import { ShieldIcon } from '../components/icons.tsx';
import { sayVault } from '../components/vault-text.tsx';
import classes from './status-bar.module.css';

/** Says in one line who protects the sessions and what else a person should know. Its height never changes. */
export function StatusBar({ state }: { state: AppState }) {
  const { t } = useTranslation();
  return (
    <footer className={classes.bar} aria-label={t('status.label')} data-region>
      <span className={classes.fact}>
        <ShieldIcon size={14} />
        {sayVault(state.vault, t)}
      </span>
      <span className={classes.grow} />
      <span className={classes.fact}>{t('status.version', { version: state.version })}</span>
    </footer>
  );
}
