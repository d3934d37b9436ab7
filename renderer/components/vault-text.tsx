import { Button } from '@mantine/core';
import type { VaultStatus } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { language, t } from '../i18n.ts';

const backendNames = ['keychain', 'dpapi', 'gnome_libsecret', 'kwallet', 'secret-service'] as const;

/** Returns the common name of a secret store of the system. One without a name here keeps its own. */
export function backendName(backend: string): string {
  const known = backendNames.find((name) => (name === 'kwallet' ? /^kwallet\d?$/.test(backend) : name === backend));
  return known === undefined ? backend : t(`vault.backends.${known}`);
}

/** Says in one sentence where tokens are stored. */
export function vaultText(vault: VaultStatus): string {
  switch (vault.state) {
    case 'protected':
      return t('vault.protected', { backend: backendName(vault.backend) });
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

/** Returns further details, if any: unreadable entries, or what to do about a locked keyring. */
export function vaultDetails(vault: VaultStatus): string | undefined {
  if (vault.state === 'locked') return t('vault.lockedHelp');
  if (vault.state !== 'protected' || vault.unreadable === 0) return undefined;
  const { backend, before, unreadable: number } = vault;
  if (before.length === 0) return t('vault.changed', { number });
  const names = new Intl.ListFormat(language()).format(before.map((name) => backendName(name)));
  return t('vault.changedFrom', { number, before: names, backend: backendName(backend) });
}

/** Retries the secret store of the system, where that can help. */
export function VaultRetry({ vault }: { vault: VaultStatus }) {
  if (vault.state !== 'locked' && vault.state !== 'memory-only') return null;
  return (
    <Button variant="default" size="compact-sm" flex="none" w="fit-content" onClick={() => void api.vault.retry()}>
      {t('vault.tryAgain')}
    </Button>
  );
}
