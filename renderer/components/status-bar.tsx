import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, VaultStatus } from '../../preload/contract/models.ts';
import classes from '../app.module.css';
import type { OpenDialog } from '../open-dialog.ts';
import { ServerIcon, ShieldIcon, WarningIcon } from './icons.tsx';
import { sayMoreOfVault, sayVault, VaultRetry } from './vault-text.tsx';

interface FactProps {
  tone?: 'good' | 'warning';
  icon?: ReactNode;
  children: ReactNode;
}

const Fact = ({ tone, icon, children }: FactProps) => (
  <p className={tone ? `${classes.fact} ${classes[tone]}` : classes.fact}>
    {icon}
    <span>{children}</span>
  </p>
);

interface StatusBarProps {
  state: AppState;
  onOpen: (dialog: OpenDialog) => void;
}

/** What always holds: where tokens rest, the built-in service, the Electron that runs. */
export function StatusBar({ state, onOpen }: StatusBarProps) {
  const { t } = useTranslation();
  const { builtIn, electron } = state;
  return (
    <footer className={classes.footer}>
      <VaultFact vault={state.vault} onOpen={onOpen} />
      <Fact
        icon={builtIn.state === 'failed' ? <WarningIcon /> : <ServerIcon />}
        {...(builtIn.state === 'failed' ? { tone: 'warning' } : {})}
      >
        {builtIn.state === 'running'
          ? t('builtIn.state.running', { baseUrl: builtIn.baseUrl })
          : t(`builtIn.state.${builtIn.state}`)}
      </Fact>
      {electron.thirdParty && (
        <Fact tone="warning" icon={<WarningIcon />}>
          {t('status.thirdParty', { version: electron.version })}
        </Fact>
      )}
      <Fact>{t('status.version', { version: state.version })}</Fact>
    </footer>
  );
}

/** Where tokens rest, and what is wrong with it. */
function VaultFact({ vault, onOpen }: { vault: VaultStatus; onOpen: (dialog: OpenDialog) => void }) {
  const { t, i18n } = useTranslation();
  const more = sayMoreOfVault(vault, t, i18n.language);
  const isGood = vault.state === 'protected' && more === undefined;
  if (vault.state === 'asking') return <Fact icon={<ShieldIcon />}>{sayVault(vault, t)}</Fact>;
  return (
    <>
      <Fact tone={isGood ? 'good' : 'warning'} icon={isGood ? <ShieldIcon /> : <WarningIcon />}>
        <button type="button" className={classes.factButton} onClick={() => onOpen({ kind: 'security' })}>
          {sayVault(vault, t)}
        </button>
      </Fact>
      {vault.state === 'protected' && more !== undefined && <Fact tone="warning">{more}</Fact>}
      <VaultRetry vault={vault} />
    </>
  );
}
