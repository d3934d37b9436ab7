import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { credentialSecrets, type Credential } from '../../interface/credential.ts';
import { withoutSecretVariables, type Config, type StoredSession } from '../config/config.ts';
import { builtInId, isMockServerId } from '../config/server-ids.ts';
import { vaultService, type EntryState } from '../vault/vault.ts';
import type { SessionsOptions } from './sessions-options.ts';

const Values = z.record(z.string(), z.string());
const StoredCredential = z.strictObject({
  token: z.string(),
  address: z.string(),
  outputs: Values.optional(),
  cookies: Values.optional(),
  typed: z.array(z.string()).optional(),
});

/** The credential of a session. It always has a token, which may be the value of a cookie. */
export type SessionCredential = Credential & { token: string };

type Origin = Pick<StoredSession, 'serverId' | 'baseUrl' | 'interface'>;
type Entry = Pick<StoredSession, 'serverId' | 'vaultAccount'>;

/**
 * What a credential is bound to: the address, and the API description, by which it could go elsewhere at that address.
 * Servers that run here change their port, so that their id stands for it.
 */
function addressOf({ serverId, baseUrl, interface: digest }: Origin): string {
  if (serverId === builtInId) return '';
  if (isMockServerId(serverId)) return serverId;
  return digest === undefined ? baseUrl : `${baseUrl} ${digest}`;
}

/** The credential as the vault has it, bound to where it was issued: anybody can change the address in `config.json`. */
export const serializeCredential = ({ token, outputs, cookies, typed }: SessionCredential, origin: Origin): string =>
  JSON.stringify({ token, address: addressOf(origin), outputs, cookies, typed: typed && [...typed] } satisfies z.input<
    typeof StoredCredential
  >);

/** Undefined if the credential was issued elsewhere. */
export function parseCredentialFor(text: string, origin: Origin): SessionCredential | undefined {
  const { data } = StoredCredential.safeParse(parsed(text));
  if (data?.address !== addressOf(origin)) return undefined;
  const { token, outputs, cookies, typed } = data;
  return { token, ...(outputs && { outputs }), ...(cookies && { cookies }), ...(typed && { typed }) };
}

/** Registers all secrets of a credential for redaction. Returns the reference of its token. */
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

/** Vault entries of tokens end with an id. Those of connections do not, or begin with `connection`. */
const tokenEntryPattern = / [\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;
const isTokenEntry = (account: string): boolean =>
  tokenEntryPattern.test(account) && !account.startsWith('connection ');

type Options = Pick<SessionsOptions, 'secretRegistry' | 'config' | 'sessionStore' | 'vault' | 'warn'> & {
  onRemoved: (sessionId: string) => void;
};

/** The credentials of sessions, in the vault. A session outlives the application only if its token is sealed on disk. */
export class CredentialStore {
  readonly #options: Options;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Resolves once it is on disk, or in memory only: see {@link entryState}. Rejects while the vault is locked. */
  save(session: Entry & Origin, credential: SessionCredential, mayPersist: boolean): Promise<void> {
    const { serverId, vaultAccount } = session;
    const service = vaultService(serverId);
    return this.#options.vault.setPassword(service, vaultAccount, serializeCredential(credential, session), {
      mayPersist,
    });
  }

  /** Null if no usable credential can be read; {@link entryState} says why. */
  async read(stored: StoredSession): Promise<SessionCredential | null> {
    const text = await this.#options.vault.getPassword(vaultService(stored.serverId), stored.vaultAccount);
    const credential = text === null ? undefined : parseCredentialFor(text, stored);
    if (credential) this.#register(stored, credential);
    return credential ?? null;
  }

  /** Undefined if the session is gone, or its credential cannot be read. */
  async ofSession(sessionId: string): Promise<SessionCredential | undefined> {
    const stored = this.#options.sessionStore.find(sessionId);
    return (stored && (await this.read(stored))) ?? undefined;
  }

  /** Stores the credential if the response rotated it. Returns what is stored now: `before` while the vault is locked. */
  async rotate(stored: StoredSession, before: SessionCredential, next?: Credential): Promise<SessionCredential> {
    const { token } = next ?? {};
    if (token === undefined || isDeepStrictEqual(next, before)) return before;
    const { config, sessionStore, warn } = this.#options;
    const rotated = { ...next, token };
    this.#register(stored, rotated);
    try {
      const mayPersist = !stored.memoryOnly && !config.get().settings.clearOnQuit;
      await this.save(stored, rotated, mayPersist);
    } catch (error) {
      warn('a rotated credential could not be sealed', error);
      return before;
    }
    // The session may have been removed meanwhile.
    if (!sessionStore.find(stored.id)) await this.remove(stored);
    return rotated;
  }

  #register({ id }: StoredSession, credential: SessionCredential): void {
    const { secretRegistry } = this.#options;
    registerSecrets(credential, secretRegistry);
    secretRegistry.bindToSession(credential.token, id);
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
   * Removes sessions with their tokens, without a request. The configuration comes first: after a kill in between, the
   * next start finds an orphaned token, and no session without one.
   */
  async removeSessions(sessions: readonly StoredSession[], more: Partial<Config> = {}): Promise<void> {
    if (sessions.length === 0) return;
    const { config, sessionStore, onRemoved } = this.#options;
    sessionStore.change({ remove: sessions }, more);
    for (const { id } of sessions) onRemoved(id);
    await config.flush();
    for (const stored of sessions) await this.remove(stored);
  }

  /**
   * Seals the token of a new session, then writes the session. Resolves when both are on disk, or in memory only.
   * {@link rollBackNewSession} undoes it.
   */
  async saveNewSession(
    session: StoredSession,
    credential: SessionCredential,
    mayPersist: boolean,
    isForScreen: boolean,
  ): Promise<void> {
    const { config, sessionStore: sessions } = this.#options;
    sessions.addPending(session);
    await this.save(session, credential, mayPersist);
    if (this.entryState(session) !== 'sealed') return;
    sessions.persistPending(session, isForScreen);
    // It may be listed already, as one in memory.
    this.persistSealedSessions();
    await config.flush();
  }

  async rollBackNewSession(session: StoredSession): Promise<void> {
    const { config, sessionStore } = this.#options;
    sessionStore.discardPending(session);
    await config.flush();
    await this.remove(session);
  }

  /** Removes tokens without a session, which a kill may leave. */
  async removeOrphanedTokens(): Promise<void> {
    const { config, sessionStore, vault, warn } = this.#options;
    // Sessions that could not be read may still be in the quarantined file.
    if (!config.isComplete) return;
    const services = new Map(config.get().servers.map(({ id }) => [vaultService(id), id]));
    try {
      await vault.removeAll((service, account) => {
        const serverId = services.get(service);
        return isTokenEntry(account) && (serverId === undefined || !sessionStore.hasVaultEntry(serverId, account));
      });
    } catch (error) {
      warn('a token that no session has could not be removed from the vault', error);
    }
  }

  /** Writes sessions whose token could be sealed only now. */
  persistSealedSessions(): void {
    const { sessionStore } = this.#options;
    const sealed = sessionStore
      .all()
      .filter((stored) => sessionStore.isInMemory(stored) && this.entryState(stored) === 'sealed');
    if (sealed.length > 0) sessionStore.change({ put: sealed.map((session) => ({ session, sealed: true })) });
  }

  /**
   * Takes sessions off the disk, or writes them again. Those whose tokens cannot be read now are removed by
   * {@link clearPersistedSessions} on quit.
   */
  async setClearOnQuit(clear: boolean): Promise<void> {
    const { config, sessionStore, vault } = this.#options;
    if (clear) config.change({ lastEmails: {} });
    for (const { id, serverId, vaultAccount, memoryOnly } of sessionStore.all()) {
      const service = vaultService(serverId);
      const token = memoryOnly ? null : await vault.getPassword(service, vaultAccount);
      // Each wait may see the session removed or changed.
      if (token === null || !sessionStore.find(id)) continue;
      await vault.setPassword(service, vaultAccount, token, { mayPersist: !clear });
      const session = sessionStore.find(id);
      if (session) sessionStore.change({ put: [{ session, sealed: this.entryState(session) === 'sealed' }] });
      else await vault.deletePassword(service, vaultAccount);
    }
  }

  /** With `clearOnQuit`, removes what a crash or a locked keyring left on disk. */
  async clearPersistedSessions(): Promise<void> {
    const { config, sessionStore } = this.#options;
    if (config.get().settings.clearOnQuit)
      await this.removeSessions(sessionStore.all().filter((each) => !sessionStore.isInMemory(each)));
  }

  /** Removes every session and every secret in the vault, without a request. */
  async removeAll(): Promise<void> {
    const { config, sessionStore, vault, onRemoved } = this.#options;
    const sessions = sessionStore.all();
    const servers = config.get().servers.map((server) => {
      const extraHeaders = server.extraHeaders.map(({ name }) => ({ name, isSet: false }));
      const described = server.interface && { interface: withoutSecretVariables(server.interface) };
      return Object.assign({}, server, { secrets: [], extraHeaders }, described);
    });
    sessionStore.clear({ servers, lastEmails: {} });
    for (const { id } of sessions) onRemoved(id);
    await vault.clear();
    void vault.open();
  }
}
