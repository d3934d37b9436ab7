import { connectionSecrets, type ConnectionSecret } from '../../preload/contract/connection.ts';
import { vaultService, type Vault } from '../vault/vault.ts';
import type { SecretChanges } from './entered-connection.ts';

/** No token has such a name: the names of tokens begin with what was typed to log in, and end with an identifier. */
const accountOf = (secret: ConnectionSecret): string => `connection ${secret}`;

export type ConnectionSecrets = ReturnType<typeof createConnectionSecrets>;

/** Keeps the proxy passwords and passphrases of the servers, in the vault beside their tokens. */
export function createConnectionSecrets(vault: Pick<Vault, 'getPassword' | 'setPassword' | 'deletePassword'>) {
  async function read(serverId: string, secret: ConnectionSecret): Promise<string | undefined> {
    return (await vault.getPassword(vaultService(serverId), accountOf(secret))) ?? undefined;
  }

  async function change(serverId: string, changes: SecretChanges): Promise<void> {
    const service = vaultService(serverId);
    for (const secret of connectionSecrets) {
      const value = changes[secret];
      if (value === '') await vault.deletePassword(service, accountOf(secret));
      else if (value !== undefined) await vault.setPassword(service, accountOf(secret), value);
    }
  }

  return {
    /** Gives another server the same secrets, as far as they can be read. It answers which it gave. */
    async copy(
      { id, secrets }: { id: string; secrets: readonly ConnectionSecret[] },
      to: string,
    ): Promise<SecretChanges> {
      const copied: SecretChanges = {};
      for (const secret of secrets) {
        const value = await read(id, secret);
        if (value !== undefined) copied[secret] = value;
      }
      await change(to, copied);
      return copied;
    },

    /** Answers undefined when there is none, or when the system does not give it now. */
    read,
    change,
    removeAll: (serverId: string) => change(serverId, { proxyPassword: '', passphrase: '' }),
  };
}
