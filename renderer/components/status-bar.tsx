import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, VaultStatus } from '../../preload/contract/models.ts';
import classes from '../app.module.css';
import type { OpenDialog } from '../dialogs.tsx';
import { ServerIcon, ShieldIcon, WarningIcon } from './icons.tsx';
import { sayMoreOfVault, sayVault, VaultRetry } from './vault-text.tsx';

interface FactProps {
  tone?: 'good' | 'warning' | undefined;
  /** The place that the footer holds for this fact from the start. */
  place?: 'builtIn' | 'thirdParty' | 'version';
  icon?: ReactNode;
  /** It holds the whole text, since the line may be too short for it. */
  title?: string;
  children: ReactNode;
}

const Fact = ({ tone, place, icon, title, children }: FactProps) => (
  <p className={[classes.fact, tone && classes[tone], place && classes[place]].filter(Boolean).join(' ')} title={title}>
    {icon}
    <span>{children}</span>
  </p>
);

interface StatusBarProps {
  state: AppState;
  onOpen: (dialog: OpenDialog) => void;
}

/** Says what always holds: where tokens rest, the built-in server, the Electron that runs. Its height never changes. */
export function StatusBar({ state, onOpen }: StatusBarProps) {
  const { t } = useTranslation();
  const { builtIn, electron } = state;
  return (
    <footer className={classes.footer}>
      <div className={classes.vault}>
        <VaultFact vault={state.vault} onOpen={onOpen} />
      </div>
      <Fact
        place="builtIn"
        icon={builtIn.state === 'failed' ? <WarningIcon /> : <ServerIcon />}
        tone={builtIn.state === 'failed' ? 'warning' : undefined}
      >
        {builtIn.state === 'running'
          ? t('builtIn.state.running', { baseUrl: builtIn.baseUrl })
          : t(`builtIn.state.${builtIn.state}`)}
      </Fact>
      {electron.thirdParty && (
        <Fact place="thirdParty" tone="warning" icon={<WarningIcon />}>
          {t('status.thirdParty', { version: electron.version })}
        </Fact>
      )}
      <Fact place="version">{t('status.version', { version: state.version })}</Fact>
    </footer>
  );
}

/** Says where tokens rest, and what is wrong with that. */
function VaultFact({ vault, onOpen }: { vault: VaultStatus; onOpen: (dialog: OpenDialog) => void }) {
  const { t, i18n } = useTranslation();
  const said = sayVault(vault, t);
  const isGood = vault.state === 'protected' && sayMoreOfVault(vault, t, i18n.language) === undefined;
  if (vault.state === 'asking') return <Fact icon={<ShieldIcon />}>{said}</Fact>;
  return (
    <>
      <Fact tone={isGood ? 'good' : 'warning'} icon={isGood ? <ShieldIcon /> : <WarningIcon />} title={said}>
        <button type="button" className={classes.factButton} onClick={() => onOpen({ kind: 'security' })}>
          {said}
        </button>
      </Fact>
      <VaultRetry vault={vault} />
    </>
  );
}
