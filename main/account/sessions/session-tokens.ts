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
  references: Pick<SessionsOptions['references'], 'watch'>,
): { id: string } {
  for (const value of credentialSecrets(others)) if (value !== '' && value !== token) references.watch(value, 'token');
  return references.watch(token, 'token');
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
  references: SessionsOptions['references'];
  config: ConfigStore;
  held: SessionStore;
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

  /** Resolves once it is sealed and outlives a power cut, or is in memory only; {@link where} tells. Rejects while the vault is closed. */
  keep(session: Entry & Where, held: SessionCredential, mayRest: boolean): Promise<void> {
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
  async turn(stored: StoredSession, before: SessionCredential, next?: Credential): Promise<SessionCredential> {
    const { token } = next ?? {};
    if (token === undefined || isDeepStrictEqual(next, before)) return before;
    const { config, held, warn } = this.#options;
    const turned = { ...next, token };
    this.#know(stored, turned);
    try {
      const mayRest = !stored.memoryOnly && !config.get().settings.clearOnQuit;
      await this.keep(stored, turned, mayRest);
    } catch (error) {
      warn('what a session is kept by now could not be sealed', error);
      return before;
    }
    // It may have been forgotten meanwhile.
    if (!held.find(stored.id)) await this.remove(stored);
    return turned;
  }

  #know({ id }: StoredSession, held: SessionCredential): void {
    const { references } = this.#options;
    registerSecrets(held, references);
    references.name(held.token, id);
  }

  where({ serverId, vaultAccount }: Entry): EntryState {
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
  async forget(sessions: readonly StoredSession[], more: Partial<Config> = {}): Promise<void> {
    if (sessions.length === 0) return;
    const { config, held, onForgotten } = this.#options;
    held.change({ remove: sessions }, more);
    for (const { id } of sessions) onForgotten(id);
    await config.written();
    for (const stored of sessions) await this.remove(stored);
  }

  /**
   * Seals a new session's token and writes the session, in this order. It resolves when both outlive a power cut, or when
   * they are in memory only. {@link withdraw} undoes it.
   */
  async write(session: StoredSession, held: SessionCredential, mayRest: boolean, isForScreen: boolean): Promise<void> {
    const { config, held: sessions } = this.#options;
    sessions.expect(session);
    await this.keep(session, held, mayRest);
    if (this.where(session) !== 'sealed') return;
    sessions.writeExpected(session, isForScreen);
    // It may have been shown meanwhile, as one in memory.
    this.keepSealed();
    await config.written();
  }

  /** Leaves nothing of a session that was written and is of no use. */
  async withdraw(session: StoredSession): Promise<void> {
    const { config, held } = this.#options;
    held.withdraw(session);
    await config.written();
    await this.remove(session);
  }

  /** Removes tokens that no session has, as a kill leaves them. */
  async forgetOrphans(): Promise<void> {
    const { config, held, vault, warn } = this.#options;
    // A session that the file did not say may still be in what was set aside of it.
    if (!config.isComplete) return;
    const services = new Map(config.get().servers.map(({ id }) => [vaultService(id), id]));
    try {
      await vault.removeAll((service, account) => {
        const serverId = services.get(service);
        return isOfToken(account) && (serverId === undefined || !held.hasEntry(serverId, account));
      });
    } catch (error) {
      warn('a token that no session has could not be removed from the vault', error);
    }
  }

  /** Takes note that what could be sealed meanwhile outlives the application from now on. */
  keepSealed(): void {
    const { held } = this.#options;
    const sealed = held.all().filter((stored) => held.isInMemory(stored) && this.where(stored) === 'sealed');
    if (sealed.length > 0) held.change({ put: sealed.map((session) => ({ session, sealed: true })) });
  }

  /**
   * Lets no session outlive the application from now on, or lets those that may. Sessions whose tokens cannot be read
   * now are dropped by {@link clearKept} at the end.
   */
  async setClearOnQuit(clear: boolean): Promise<void> {
    const { config, held, vault } = this.#options;
    if (clear) config.change({ lastEmails: {} });
    for (const { id, serverId, vaultAccount, memoryOnly } of held.all()) {
      const service = vaultService(serverId);
      const token = memoryOnly ? null : await vault.getPassword(service, vaultAccount);
      // During each wait the session may have been forgotten or changed.
      if (token === null || !held.find(id)) continue;
      await vault.setPassword(service, vaultAccount, token, { mayRest: !clear });
      const session = held.find(id);
      if (session) held.change({ put: [{ session, sealed: this.where(session) === 'sealed' }] });
      else await vault.deletePassword(service, vaultAccount);
    }
  }

  /** Drops what a crash or a locked keyring left in files although nothing was to outlive the application. */
  async clearKept(): Promise<void> {
    const { config, held } = this.#options;
    if (config.get().settings.clearOnQuit) await this.forget(held.all().filter((each) => !held.isInMemory(each)));
  }

  /** Drops every session, and every secret that the vault holds. No server is told. */
  async dropAll(): Promise<void> {
    const { config, held, vault, onForgotten } = this.#options;
    const sessions = held.all();
    const servers = config.get().servers.map((server) => {
      const extraHeaders = server.extraHeaders.map(({ name }) => ({ name, isSet: false }));
      const described = server.interface && { interface: withoutSecretVariables(server.interface) };
      return Object.assign({}, server, { secrets: [], extraHeaders }, described);
    });
    held.drop({ servers, lastEmails: {} });
    for (const { id } of sessions) onForgotten(id);
    await vault.clear();
    void vault.open();
  }
}
