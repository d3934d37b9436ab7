import type { ConfigStore, StoredSession } from '../config/config.ts';
import { vaultService, type EntryState, type Vault } from '../vault/vault.ts';
import type { HeldSessions } from './held-sessions.ts';
import { createRestingTokens } from './token-text.ts';

export type SessionTokens = ReturnType<typeof createSessionTokens>;

/**
 * Keeps the tokens of the held sessions, which rest in the vault. A session outlives the application only while the
 * system keeps its token.
 * @param options.forgetters let go of what they know of a session that is over
 */
export function createSessionTokens(options: {
  config: ConfigStore;
  held: HeldSessions;
  vault: Vault;
  forgetters: readonly ((id: string) => void)[];
  warn: (what: string, error: unknown) => void;
}) {
  const { config, held, vault, forgetters, warn } = options;
  const whereOf = ({ serverId, vaultAccount }: Pick<StoredSession, 'serverId' | 'vaultAccount'>): EntryState =>
    vault.entryState(vaultService(serverId), vaultAccount);

  /** Removes a session with its token. The server is not told. */
  async function forget(stored: StoredSession): Promise<void> {
    held.remove(stored);
    for (const forgetAbout of forgetters) forgetAbout(stored.id);
    try {
      await vault.deletePassword(vaultService(stored.serverId), stored.vaultAccount);
    } catch (error) {
      warn('the token of an ended session could not be removed from the vault', error);
    }
  }

  async function forgetAll(sessions: readonly StoredSession[]): Promise<void> {
    for (const stored of sessions) await forget(stored);
  }

  return {
    ...createRestingTokens(vault),
    where: whereOf,
    forget,
    forgetAll,

    /** Holds a session whose token is in the vault by now. */
    hold: (stored: StoredSession): void => held.put(stored, whereOf(stored) === 'sealed'),

    /** Takes note that what could be sealed meanwhile outlives the application from now on. */
    keepSealed(): void {
      const inMemory = held.all().filter((stored) => held.isInMemory(stored));
      for (const stored of inMemory) if (whereOf(stored) === 'sealed') held.put(stored, true);
    },

    /**
     * Lets no session outlive the application from now on, or lets those that may. Sessions whose tokens cannot be read
     * now are dropped by {@link clearKept} at the end.
     */
    async setClearOnQuit(clear: boolean): Promise<void> {
      if (clear) config.change({ lastEmails: {} });
      for (const { id, serverId, vaultAccount, memoryOnly } of held.all()) {
        const service = vaultService(serverId);
        const token = memoryOnly ? null : await vault.getPassword(service, vaultAccount);
        // During each wait the session may have been forgotten or changed.
        if (token === null || !held.find(id)) continue;
        await vault.setPassword(service, vaultAccount, token, { mayRest: !clear });
        const stored = held.find(id);
        if (stored) held.put(stored, whereOf(stored) === 'sealed');
        else await vault.deletePassword(service, vaultAccount);
      }
    },

    /** Drops what a crash or a locked keyring left in files although nothing was to outlive the application. */
    async clearKept(): Promise<void> {
      if (config.get().settings.clearOnQuit) await forgetAll(held.all().filter((each) => !held.isInMemory(each)));
    },

    /** Drops every session, and every secret that the vault holds. No server is told. */
    async dropAll(): Promise<void> {
      for (const stored of held.all()) {
        held.remove(stored);
        for (const forgetAbout of forgetters) forgetAbout(stored.id);
      }
      await vault.clear();
      void vault.open();
      const servers = config.get().servers.map((server) => {
        const extraHeaders = server.extraHeaders.map(({ name }) => ({ name, isSet: false }));
        return Object.assign({}, server, { secrets: [], extraHeaders });
      });
      config.change({ servers, lastEmails: {} });
    },
  };
}
