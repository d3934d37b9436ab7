import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { credentialSecrets, type Credential } from '../../interface/credential.ts';
import {
  builtInId,
  isMockServerId,
  withoutSecretVariables,
  type Config,
  type ConfigStore,
  type StoredSession,
} from '../config/config.ts';
import { vaultService, type EntryState, type Vault } from '../vault/vault.ts';
import type { SessionStore } from './session-store.ts';
import type { SessionsOptions } from './sessions-options.ts';

const Values = z.record(z.string(), z.string());
const Kept = z.strictObject({
  token: z.string(),
  address: z.string(),
  outputs: Values.optional(),
  cookies: Values.optional(),
  typed: z.array(z.string()).optional(),
});

/** What a session is kept by, always with a token: a cookie's value stands for it. */
export type SessionCredential = Credential & { token: string };

type Where = Pick<StoredSession, 'serverId' | 'baseUrl' | 'interface'>;
type Entry = Pick<StoredSession, 'serverId' | 'vaultAccount'>;

/**
 * The built-in server and a double are wherever they listen now; no file says where that is. A double's token is for that
 * double alone. By another description it would go elsewhere at the same address.
 */
function addressOf({ serverId, baseUrl, interface: digest }: Where): string {
  if (serverId === builtInId) return '';
  if (isMockServerId(serverId)) return serverId;
  return digest === undefined ? baseUrl : `${baseUrl} ${digest}`;
}

/**
 * What a session is kept by with the address that gave it, as it rests in the vault: `config.json` says the same, and
 * anybody can write it.
 */
export const serializeCredential = ({ token, outputs, cookies, typed }: SessionCredential, where: Where): string =>
  JSON.stringify({ token, address: addressOf(where), outputs, cookies, typed: typed && [...typed] } satisfies z.input<
    typeof Kept
  >);

/** What is for an address out of what the vault kept; undefined when it came from another one. */
export function parseCredentialFor(text: string, where: Where): SessionCredential | undefined {
  const { data } = Kept.safeParse(parsed(text));
  if (data?.address !== addressOf(where)) return undefined;
  const { token, outputs, cookies, typed } = data;
  return { token, ...(outputs && { outputs }), ...(cookies && { cookies }), ...(typed && { typed }) };
}

/** Has what is secret of a session looked for in everything that is recorded, and answers what stands for its token. */
export function registerSecrets(
  { token, ...others }: SessionCredential,
  secretRegistry: Pick<SessionsOptions['secretRegistry'], 'register'>,
): { id: string } {
  for (const value of credentialSecrets(others))
    if (value !== '' && value !== token) secretRegistry.register(value, 'token');
  return secretRegistry.register(token, 'token');
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** The name of a token in the vault. Those of connections have no identifier at their end, or begin with what they are. */
const nameOfToken = / [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;
const isOfToken = (account: string): boolean => nameOfToken.test(account) && !account.startsWith('connection ');

type Options = {
  secretRegistry: SessionsOptions['secretRegistry'];
  config: ConfigStore;
  sessionStore: SessionStore;
  vault: Vault;
  /** Lets go of what is known of a session that is over. */
  onForgotten: (id: string) => void;
  warn: (what: string, error: unknown) => void;
};

/** The tokens of the held sessions, which rest in the vault. A session outlives the application only while the system keeps its token. */
export class SessionTokens {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves once it is sealed and outlives a power cut, or is in memory only; {@link entryState} tells. Rejects while the vault is closed. */
  save(session: Entry & Where, held: SessionCredential, mayRest: boolean): Promise<void> {
    const { serverId, vaultAccount } = session;
    const service = vaultService(serverId);
    return this.#options.vault.setPassword(service, vaultAccount, serializeCredential(held, session), { mayRest });
  }

  /** Null when no token is kept, when it is for another address, or while the vault does not give it; `where` tells. */
  async read(stored: StoredSession): Promise<SessionCredential | null> {
    const text = await this.#options.vault.getPassword(vaultService(stored.serverId), stored.vaultAccount);
    const held = text === null ? undefined : parseCredentialFor(text, stored);
    if (held) this.#know(stored, held);
    return held ?? null;
  }

  /**
   * Seals what a session is kept by from an answer on, if the answer changed that. Answers what is kept now, which is what
   * was there before while the vault is closed.
   */
  async rotate(stored: StoredSession, before: SessionCredential, next?: Credential): Promise<SessionCredential> {
    const { token } = next ?? {};
    if (token === undefined || isDeepStrictEqual(next, before)) return before;
    const { config, sessionStore, warn } = this.#options;
    const turned = { ...next, token };
    this.#know(stored, turned);
    try {
      const mayRest = !stored.memoryOnly && !config.get().settings.clearOnQuit;
      await this.save(stored, turned, mayRest);
    } catch (error) {
      warn('what a session is kept by now could not be sealed', error);
      return before;
    }
    // It may have been forgotten meanwhile.
    if (!sessionStore.find(stored.id)) await this.remove(stored);
    return turned;
  }

  #know({ id }: StoredSession, held: SessionCredential): void {
    const { secretRegistry: references } = this.#options;
    registerSecrets(held, references);
    references.bindToSession(held.token, id);
  }

  entryState({ serverId, vaultAccount }: Entry): EntryState {
    return this.#options.vault.entryState(vaultService(serverId), vaultAccount);
  }

  async remove({ serverId, vaultAccount }: Entry): Promise<void> {
    try {
      await this.#options.vault.deletePassword(vaultService(serverId), vaultAccount);
    } catch (error) {
      this.#options.warn('the token of an ended session could not be removed from the vault', error);
    }
  }

  /**
   * Removes sessions with their tokens. No server is told. The settings come first: where a kill comes between the two, the
   * next start finds a token that nobody has, and no session without one.
   */
  async removeSessions(sessions: readonly StoredSession[], more: Partial<Config> = {}): Promise<void> {
    if (sessions.length === 0) return;
    const { config, sessionStore, onForgotten } = this.#options;
    sessionStore.change({ remove: sessions }, more);
    for (const { id } of sessions) onForgotten(id);
    await config.flush();
    for (const stored of sessions) await this.remove(stored);
  }

  /**
   * Seals a new session's token and writes the session, in this order. It resolves when both outlive a power cut, or when
   * they are in memory only. {@link rollBackNewSession} undoes it.
   */
  async saveNewSession(
    session: StoredSession,
    held: SessionCredential,
    mayRest: boolean,
    isForScreen: boolean,
  ): Promise<void> {
    const { config, sessionStore: sessions } = this.#options;
    sessions.addPending(session);
    await this.save(session, held, mayRest);
    if (this.entryState(session) !== 'sealed') return;
    sessions.persistPending(session, isForScreen);
    // It may have been shown meanwhile, as one in memory.
    this.persistSealedSessions();
    await config.flush();
  }

  /** Leaves nothing of a session that was written and is of no use. */
  async rollBackNewSession(session: StoredSession): Promise<void> {
    const { config, sessionStore } = this.#options;
    sessionStore.discardPending(session);
    await config.flush();
    await this.remove(session);
  }

  /** Removes tokens that no session has, as a kill leaves them. */
  async removeOrphanedTokens(): Promise<void> {
    const { config, sessionStore, vault, warn } = this.#options;
    // A session that the file did not say may still be in what was set aside of it.
    if (!config.isComplete) return;
    const services = new Map(config.get().servers.map(({ id }) => [vaultService(id), id]));
    try {
      await vault.removeAll((service, account) => {
        const serverId = services.get(service);
        return isOfToken(account) && (serverId === undefined || !sessionStore.hasVaultEntry(serverId, account));
      });
    } catch (error) {
      warn('a token that no session has could not be removed from the vault', error);
    }
  }

  /** Takes note that what could be sealed meanwhile outlives the application from now on. */
  persistSealedSessions(): void {
    const { sessionStore } = this.#options;
    const sealed = sessionStore
      .all()
      .filter((stored) => sessionStore.isInMemory(stored) && this.entryState(stored) === 'sealed');
    if (sealed.length > 0) sessionStore.change({ put: sealed.map((session) => ({ session, sealed: true })) });
  }

  /**
   * Lets no session outlive the application from now on, or lets those that may. Sessions whose tokens cannot be read
   * now are dropped by {@link clearPersistedSessions} at the end.
   */
  async setClearOnQuit(clear: boolean): Promise<void> {
    const { config, sessionStore, vault } = this.#options;
    if (clear) config.change({ lastEmails: {} });
    for (const { id, serverId, vaultAccount, memoryOnly } of sessionStore.all()) {
      const service = vaultService(serverId);
      const token = memoryOnly ? null : await vault.getPassword(service, vaultAccount);
      // During each wait the session may have been forgotten or changed.
      if (token === null || !sessionStore.find(id)) continue;
      await vault.setPassword(service, vaultAccount, token, { mayRest: !clear });
      const session = sessionStore.find(id);
      if (session) sessionStore.change({ put: [{ session, sealed: this.entryState(session) === 'sealed' }] });
      else await vault.deletePassword(service, vaultAccount);
    }
  }

  /** Drops what a crash or a locked keyring left in files although nothing was to outlive the application. */
  async clearPersistedSessions(): Promise<void> {
    const { config, sessionStore } = this.#options;
    if (config.get().settings.clearOnQuit)
      await this.removeSessions(sessionStore.all().filter((each) => !sessionStore.isInMemory(each)));
  }

  /** Drops every session, and every secret that the vault holds. No server is told. */
  async dropAll(): Promise<void> {
    const { config, sessionStore, vault, onForgotten } = this.#options;
    const sessions = sessionStore.all();
    const servers = config.get().servers.map((server) => {
      const extraHeaders = server.extraHeaders.map(({ name }) => ({ name, isSet: false }));
      const described = server.interface && { interface: withoutSecretVariables(server.interface) };
      return Object.assign({}, server, { secrets: [], extraHeaders }, described);
    });
    sessionStore.clear({ servers, lastEmails: {} });
    for (const { id } of sessions) onForgotten(id);
    await vault.clear();
    void vault.open();
  }
}
