import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, VaultStatus } from '../../preload/contract/models.ts';
import classes from '../app.module.css';
import { ServerIcon, ShieldIcon, WarningIcon } from './icons.tsx';

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

/** What always holds: where tokens rest, the built-in service, the Electron that runs. */
export function StatusBar({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const { service, electron } = state;
  return (
    <footer className={classes.footer}>
      <VaultFact vault={state.vault} />
      <Fact
        icon={service.state === 'failed' ? <WarningIcon /> : <ServerIcon />}
        {...(service.state === 'failed' ? { tone: 'warning' } : {})}
      >
        {service.state === 'running'
          ? t('service.running', { baseUrl: service.baseUrl })
          : t(`service.${service.state}`)}
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

function VaultFact({ vault }: { vault: VaultStatus }) {
  const { t } = useTranslation();
  switch (vault.state) {
    case 'asking':
      return <Fact icon={<ShieldIcon />}>{t('vault.asking')}</Fact>;
    case 'protected':
      return (
        <Fact tone="good" icon={<ShieldIcon />}>
          {t('vault.protected', { backend: vault.backend })}
        </Fact>
      );
    case 'memory-only':
      return (
        <Fact tone="warning" icon={<WarningIcon />}>
          {t(`vault.${vault.reason}`)}
        </Fact>
      );
    default:
      return vault satisfies never;
  }
}
