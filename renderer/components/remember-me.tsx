import { Checkbox } from '@mantine/core';
import { useApp, useServer } from '../api.ts';
import { isUnencrypted } from '../is-unencrypted.ts';
import { WarningIcon } from './icons.tsx';
import classes from './remember-me.module.css';
import { t } from '../i18n.ts';

interface RememberMeProps {
  /** It is false where no session outlives the application anyway. */
  may: boolean;
  remember: boolean;
  onChange: (remember: boolean) => void;
  /** Where the password goes, if that is not the server in use. */
  serverId?: string;
}

/**
 * Asks whether the session that begins may outlive the application; no tick promises what this computer cannot do, and
 * the sentence that says so has the height of one, since it may come by itself. Below the tick, right above the button, stands what
 * that means, and a warning where the password would cross the network in clear.
 */
export function RememberMe({ may, remember, onChange, serverId }: RememberMeProps) {
  const state = useApp();
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
