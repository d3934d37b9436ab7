import { Checkbox } from '@mantine/core';
import { useApp, useServer } from '../api.ts';
import { isUnencrypted } from '../is-unencrypted.ts';
import { WarningIcon } from './icons.tsx';
import classes from './remember-me.module.css';
import { t } from '../i18n.ts';

interface RememberMeProps {
  remember: boolean;
  onChange: (remember: boolean) => void;
  /** The server that the password is sent to; the active one by default. */
  serverId?: string;
}

/**
 * Asks whether the session may be stored, and warns if the password is sent unencrypted. Where sessions cannot be
 * stored, a sentence of the checkbox's height replaces it, since that may become known late.
 */
export function RememberMe({ remember, onChange, serverId }: RememberMeProps) {
  const state = useApp();
  const may = !state.settings.clearOnQuit;
  const server = useServer(serverId ?? state.activeServerId);
  const isMemoryOnly = state.vault.state === 'memory-only';
  const isPlain = server !== undefined && isUnencrypted(server.baseUrl);
  return (
    <div className={classes.place}>
      {may && isMemoryOnly && <p className="flush text soft">{t('remember.memoryOnly')}</p>}
      {may && !isMemoryOnly && (
        <Checkbox
          classNames={{ label: 'normal' }}
          size="sm"
          label={t('remember.label')}
          checked={remember}
          aria-describedby={remember ? undefined : 'remember-not'}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      )}
      {!may && <p className="flush text soft">{t('remember.never')}</p>}
      <div className={classes.lines}>
        {may && !isMemoryOnly && !remember && <p id="remember-not">{t('remember.not')}</p>}
        {isPlain && (
          <p className={classes.plain}>
            <WarningIcon size={14} />
            {t('form.plain')}
          </p>
        )}
      </div>
    </div>
  );
}
