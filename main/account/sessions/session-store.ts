import type { SessionInfo } from '../../../preload/contract/models.ts';
import type { Config, StoredServer, StoredSession } from '../config/config.ts';
import type { ConfigStore } from '../config/config-store.ts';
import { builtInId, isLocalServerId } from '../config/server-ids.ts';
import { expiryState } from './expiry.ts';

/** `sealed` is whether the token is encrypted on disk; without it, that stays as it is. */
type SessionStoreChange = {
  put?: readonly { session: StoredSession; sealed?: boolean }[];
  remove?: readonly StoredSession[];
  /** The current session by server id. */
  current?: Readonly<Record<string, string | undefined>>;
};

/**
 * True while the server has the address that issued the token and the API description by which it was issued: the token
 * is sent nowhere else. The built-in server and mock servers are started by this application, on any port.
 */
export function isServerUnchanged(
  session: Pick<StoredSession, 'serverId' | 'baseUrl' | 'interface'>,
  { servers }: { servers: readonly StoredServer[] },
): boolean {
  const server = servers.find(({ id }) => id === session.serverId);
  if (!server || isLocalServerId(server.id)) return server !== undefined;
  return server.baseUrl === session.baseUrl && server.interface?.digest === session.interface;
}

/** False if the API description of the server has no logout. */
export const hasLogout = ({ serverId }: Pick<StoredSession, 'serverId'>, { servers }: Config): boolean =>
  servers.find(({ id }) => id === serverId)?.interface?.logout ?? true;

/** All sessions, and the current one of each server. Only those with a sealed token are written to `config.json`. */
export class SessionStore {
  readonly #config: ConfigStore;
  readonly #demoEmail: string;
  readonly #now: () => Date;
  readonly #sessions: Map<string, StoredSession>;
  readonly #inMemory = new Set<string>();
  /** Of running logins: written once their token is sealed, and not listed. */
  readonly #pending = new Map<string, { session: StoredSession; isSealed: boolean; isCurrent: boolean }>();
  readonly #current: Map<string, string>;
  #listener = (): void => undefined;

  /** @param demoEmail of the demo's account at the built-in server */
  constructor(config: ConfigStore, demoEmail: string, now: () => Date) {
    const { sessions, currentSessions } = config.get();
    this.#config = config;
    this.#demoEmail = demoEmail;
    this.#now = now;
    this.#sessions = new Map(Object.entries(sessions));
    this.#current = new Map(Object.entries(currentSessions));
  }

  all(): StoredSession[] {
    return [...this.#sessions.values()];
  }

  /** All sessions of a server, including logged-out ones whose logout is pending. */
  ofServer(serverId: string): StoredSession[] {
    return this.all().filter((each) => each.serverId === serverId);
  }

  find(id: string | undefined): StoredSession | undefined {
    return id === undefined ? undefined : this.#sessions.get(id);
  }

  current(serverId: string): StoredSession | undefined {
    const session = this.find(this.#current.get(serverId));
    if (!session || session.loggedOutAt !== undefined) return undefined;
    return isServerUnchanged(session, this.#config.get()) ? session : undefined;
  }

  /** True if the session is gone when the application quits. */
  isInMemory({ id }: StoredSession): boolean {
    return this.#inMemory.has(id);
  }

  /** Adds a session that is not listed yet. {@link change} lists it, or {@link discardPending} removes it. */
  addPending(session: StoredSession): void {
    this.#pending.set(session.id, { session, isSealed: false, isCurrent: false });
  }

  /** Writes a pending session whose token is sealed, so that it is on disk before it is shown. */
  persistPending({ id }: StoredSession, isCurrent: boolean): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.set(id, { ...pending, isSealed: true, isCurrent });
    this.change({});
  }

  discardPending({ id }: StoredSession): void {
    if (this.#pending.delete(id)) this.change({});
  }

  /** Removes every session, also pending ones: a running login then finds no token. */
  clear(more: Partial<Config>): void {
    this.#pending.clear();
    this.change({ remove: this.all() }, more);
  }

  /** True if a session, listed or pending, owns this vault entry. */
  hasVaultEntry(serverId: string, vaultAccount: string): boolean {
    const pending = [...this.#pending.values()].map(({ session }) => session);
    return [...this.all(), ...pending].some((each) => each.serverId === serverId && each.vaultAccount === vaultAccount);
  }

  /** Applies all of this and `more` in one change of the configuration. */
  change({ put = [], remove = [], current = {} }: SessionStoreChange, more: Partial<Config> = {}): void {
    for (const { session, sealed = !this.isInMemory(session) } of put) {
      this.#pending.delete(session.id);
      this.#sessions.set(session.id, session);
      if (sealed) this.#inMemory.delete(session.id);
      else this.#inMemory.add(session.id);
    }
    for (const { id, serverId } of remove) {
      this.#sessions.delete(id);
      this.#inMemory.delete(id);
      if (this.#current.get(serverId) === id) this.#current.delete(serverId);
    }
    for (const [serverId, id] of Object.entries(current)) {
      if (id === undefined) this.#current.delete(serverId);
      else this.#current.set(serverId, id);
    }
    const isPersisted = (id: string): boolean => this.#sessions.has(id) && !this.#inMemory.has(id);
    const pending = [...this.#pending.values()].filter(({ isSealed }) => isSealed);
    const pendingCurrent = pending.filter(({ isCurrent }) => isCurrent);
    this.#config.change({
      sessions: Object.fromEntries([
        ...[...this.#sessions].filter(([id]) => isPersisted(id)),
        ...pending.map(({ session }) => [session.id, session] as const),
      ]),
      currentSessions: Object.fromEntries([
        ...[...this.#current].filter(([, id]) => isPersisted(id)),
        ...pendingCurrent.map(({ session }) => [session.serverId, session.id] as const),
      ]),
      ...more,
    });
    this.#listener();
  }

  /** Calls the listener: expiry states follow the clock. */
  notifyTimePassed(): void {
    this.#listener();
  }

  /** Replaces the one listener. Sessions in memory only cause no change of the configuration, so that it tells of them. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** The sessions for the window. Of a token it has the id only. */
  list(): SessionInfo[] {
    const { sessions: onDisk } = this.#config.persisted();
    return this.all().map((session) => {
      const { id, serverId, account, baseUrl, user, tokenId, end, loggedOutAt, tellLater } = session;
      const { madeAt, checkedAt, renewedAt, renewing } = session;
      // After a lost renewal, the session ends at its expiry.
      const renews = renewing ? undefined : session.renews;
      return {
        id,
        serverId,
        account,
        name: user.name,
        tokenId,
        madeAt,
        checkedAt,
        renewedAt,
        end,
        renews,
        expiryState: renews ? undefined : expiryState(session, this.#now().getTime()),
        logoutPending: loggedOutAt === undefined ? undefined : tellLater,
        baseUrl,
        isDemo: serverId === builtInId && account === this.#demoEmail,
        state: loggedOutAt === undefined ? 'usable' : 'to-revoke',
        inMemory: this.isInMemory(session) || !Object.hasOwn(onDisk, id) || undefined,
      };
    });
  }
}
