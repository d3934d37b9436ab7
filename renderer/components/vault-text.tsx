import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import type { VaultStatus } from '../../preload/contract/models.ts';
import { api } from '../api.ts';

const backendNames = ['keychain', 'dpapi', 'gnome_libsecret', 'kwallet', 'secret-service'] as const;

/** Names a store of the system as people know it. A store that has no name here keeps its own. */
export function backendName(backend: string, t: TFunction): string {
  const known = backendNames.find((name) => (name === 'kwallet' ? /^kwallet\d?$/.test(backend) : name === backend));
  return known === undefined ? backend : t(`vault.backends.${known}`);
}

/** Says in one sentence where tokens rest. */
export function sayVault(vault: VaultStatus, t: TFunction): string {
  switch (vault.state) {
    case 'protected':
      return t('vault.protected', { backend: backendName(vault.backend, t) });
    case 'memory-only':
      return t(`vault.${vault.reason}`);
    case 'asking':
    case 'not-asked':
    case 'locked':
      return t(`vault.${vault.state}`);
    default:
      return vault satisfies never;
  }
}

/** Says what else there is to know of the vault: entries that cannot be read, or what to do about a locked keyring. */
export function sayMoreOfVault(vault: VaultStatus, t: TFunction, language: string): string | undefined {
  if (vault.state === 'locked') return t('vault.lockedHelp');
  if (vault.state !== 'protected' || vault.unreadable === 0) return undefined;
  const { backend, before, unreadable: number } = vault;
  if (before.length === 0) return t('vault.changed', { number });
  const names = new Intl.ListFormat(language).format(before.map((name) => backendName(name, t)));
  return t('vault.changedFrom', { number, before: names, backend: backendName(backend, t) });
}

/** Asks the system's store again, where that can help. */
export function VaultRetry({ vault }: { vault: VaultStatus }) {
  const { t } = useTranslation();
  if (vault.state !== 'locked' && vault.state !== 'memory-only') return null;
  return (
    <Button variant="default" size="compact-sm" flex="none" w="fit-content" onClick={() => void api.vault.retry()}>
      {t('vault.tryAgain')}
    </Button>
  );
}
