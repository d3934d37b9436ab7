import type { SessionInfo } from '../../../preload/contract/models.ts';
import { builtInId, isLocalServerId, type Config, type ConfigStore, type StoredSession } from '../config/config.ts';
import { expiryState } from './expiry.ts';

/** What changes at once. `sealed` says whether the system keeps the token; where it is absent, that stays as it is. */
export type SessionStoreChange = {
  put?: readonly { session: StoredSession; sealed?: boolean }[];
  remove?: readonly StoredSession[];
  /** The session that each of these servers shows from now on, by the id of the server. */
  current?: Readonly<Record<string, string | undefined>>;
};

/**
 * Says whether a session's server still has the address that the token came from, and the description by which the session
 * was made: it is sent nowhere else. The built-in server and doubles are those that this application started, wherever
 * they listen.
 */
export function isServerUnchanged(
  session: Pick<StoredSession, 'serverId' | 'baseUrl' | 'interface'>,
  { servers }: Config,
): boolean {
  const server = servers.find(({ id }) => id === session.serverId);
  if (!server || isLocalServerId(server.id)) return server !== undefined;
  return server.baseUrl === session.baseUrl && server.interface?.digest === session.interface;
}

/** Whether a server has a logout: one whose description has none cannot be told of any. */
export const hasLogout = ({ serverId }: Pick<StoredSession, 'serverId'>, { servers }: Config): boolean =>
  servers.find(({ id }) => id === serverId)?.interface?.logout ?? true;

/** All sessions of this application, and which one each server shows. Only those whose token is sealed are in the configuration. */
export class SessionStore {
  readonly #config: ConfigStore;
  readonly #demoEmail: string;
  readonly #now: () => Date;
  readonly #sessions: Map<string, StoredSession>;
  readonly #inMemory = new Set<string>();
  /** Those of log-ins that are under way: in the configuration once their token is sealed, and shown nowhere. */
  readonly #arriving = new Map<string, { session: StoredSession; isSealed: boolean; isForScreen: boolean }>();
  readonly #shown: Map<string, string>;
  #listener = (): void => undefined;

  /** @param demoEmail whose sessions at the built-in server are the demo's */
  constructor(config: ConfigStore, demoEmail: string, now: () => Date) {
    const { sessions, currentSessions } = config.get();
    this.#config = config;
    this.#demoEmail = demoEmail;
    this.#now = now;
    this.#sessions = new Map(Object.entries(sessions));
    this.#shown = new Map(Object.entries(currentSessions));
  }

  all(): StoredSession[] {
    return [...this.#sessions.values()];
  }

  /** Those of a server, with those that it is still to be told of. */
  ofServer(serverId: string): StoredSession[] {
    return this.all().filter((each) => each.serverId === serverId);
  }

  find(id: string | undefined): StoredSession | undefined {
    return id === undefined ? undefined : this.#sessions.get(id);
  }

  /** The session that a server shows. */
  current(serverId: string): StoredSession | undefined {
    const session = this.find(this.#shown.get(serverId));
    if (!session || session.loggedOutAt !== undefined) return undefined;
    return isServerUnchanged(session, this.#config.get()) ? session : undefined;
  }

  /** Whether the session is gone when the application ends. */
  isInMemory({ id }: StoredSession): boolean {
    return this.#inMemory.has(id);
  }

  /** Takes note of a session before it is shown. Either {@link change} puts it, or {@link discardPending} follows. */
  addPending(session: StoredSession): void {
    this.#arriving.set(session.id, { session, isSealed: false, isForScreen: false });
  }

  /** Writes an expected session, whose token is sealed: it is kept by the time when it is shown. */
  persistPending({ id }: StoredSession, isForScreen: boolean): void {
    const arriving = this.#arriving.get(id);
    if (!arriving) return;
    this.#arriving.set(id, { ...arriving, isSealed: true, isForScreen });
    this.change({});
  }

  discardPending({ id }: StoredSession): void {
    if (this.#arriving.delete(id)) this.change({});
  }

  /** Lets every session go, also those that are expected: what is under way finds no token any more. */
  clear(more: Partial<Config>): void {
    this.#arriving.clear();
    this.change({ remove: this.all() }, more);
  }

  /** Whether somebody has this entry of the vault. */
  hasVaultEntry(serverId: string, vaultAccount: string): boolean {
    const arriving = [...this.#arriving.values()].map(({ session }) => session);
    return [...this.all(), ...arriving].some(
      (each) => each.serverId === serverId && each.vaultAccount === vaultAccount,
    );
  }

  /** Makes all of this in one change of the configuration, together with `more`. */
  change({ put = [], remove = [], current = {} }: SessionStoreChange, more: Partial<Config> = {}): void {
    for (const { session, sealed = !this.isInMemory(session) } of put) {
      this.#arriving.delete(session.id);
      this.#sessions.set(session.id, session);
      if (sealed) this.#inMemory.delete(session.id);
      else this.#inMemory.add(session.id);
    }
    for (const { id, serverId } of remove) {
      this.#sessions.delete(id);
      this.#inMemory.delete(id);
      if (this.#shown.get(serverId) === id) this.#shown.delete(serverId);
    }
    for (const [serverId, id] of Object.entries(current)) {
      if (id === undefined) this.#shown.delete(serverId);
      else this.#shown.set(serverId, id);
    }
    const isKept = (id: string): boolean => this.#sessions.has(id) && !this.#inMemory.has(id);
    const arriving = [...this.#arriving.values()].filter(({ isSealed }) => isSealed);
    const forScreen = arriving.filter(({ isForScreen }) => isForScreen);
    this.#config.change({
      sessions: Object.fromEntries([
        ...[...this.#sessions].filter(([id]) => isKept(id)),
        ...arriving.map(({ session }) => [session.id, session] as const),
      ]),
      currentSessions: Object.fromEntries([
        ...[...this.#shown].filter(([, id]) => isKept(id)),
        ...forScreen.map(({ session }) => [session.serverId, session.id] as const),
      ]),
      ...more,
    });
    this.#listener();
  }

  /** Says that the sessions may be shown otherwise, since time has passed. */
  notifyTimePassed(): void {
    this.#listener();
  }

  /** Calls after each change, since what is in memory only is not in the configuration. */
  onChange(listener: () => void): void {
    this.#listener = listener;
  }

  /** The sessions as the screens see them: no part of a token but its number. */
  list(): SessionInfo[] {
    const { sessions: onDisk } = this.#config.persisted();
    return this.all().map((session) => {
      const { id, serverId, account, baseUrl, user, tokenId, end, loggedOutAt, tellLater } = session;
      const { madeAt, checkedAt, renewedAt, renewing } = session;
      // Once a renewal was lost, the session ends as it said.
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
