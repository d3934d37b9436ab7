import type { HeldSession } from '../../preload/contract/models.ts';
import { builtInId, type Config, type ConfigStore, type StoredSession } from '../config/config.ts';

export type HeldSessions = ReturnType<typeof createHeldSessions>;

/**
 * Whether a session may be used in its server as that is now: a token is sent to the address it came from and to
 * no other. The built-in server is the one this application started, wherever it listens.
 */
export function isUsable(session: StoredSession, { servers }: Config): boolean {
  if (session.loggedOutAt !== undefined) return false;
  if (session.serverId === builtInId) return true;
  return servers.find(({ id }) => id === session.serverId)?.baseUrl === session.baseUrl;
}

/** The id part of a token of the form `<number>|<opaque>`; of any other form nothing is told. */
export function tokenIdOf(token: string): string | undefined {
  return /^(\d{1,20})\|./.exec(token)?.[1];
}

/**
 * All sessions this application holds, and which one each server shows. Those whose token is in memory only are
 * in memory only too; the others are in the configuration.
 * @param demoEmail whose sessions at the built-in server are the demo's
 */
export function createHeldSessions(config: ConfigStore, demoEmail: string) {
  const inMemory = new Map<string, StoredSession>();
  const currentInMemory = new Map<string, string>();
  let listener = (): void => undefined;

  const all = (): StoredSession[] => [...Object.values(config.get().sessions), ...inMemory.values()];
  function find(id: string | undefined): StoredSession | undefined {
    if (id === undefined) return undefined;
    const { sessions } = config.get();
    // The page may ask for any name, such as one that every object has.
    return inMemory.get(id) ?? (Object.hasOwn(sessions, id) ? sessions[id] : undefined);
  }
  const without = <T>(record: Record<string, T>, id: string): Record<string, T> => {
    const { [id]: _removed, ...others } = record;
    return others;
  };

  function makeCurrent(serverId: string, sessionId: string | undefined): void {
    const persisted = sessionId !== undefined && !inMemory.has(sessionId);
    if (sessionId === undefined || persisted) currentInMemory.delete(serverId);
    else currentInMemory.set(serverId, sessionId);
    const others = without(config.get().currentSessions, serverId);
    config.change({ currentSessions: persisted ? { ...others, [serverId]: sessionId } : others });
    listener();
  }

  function current(serverId: string): StoredSession | undefined {
    const session = find(currentInMemory.get(serverId) ?? config.get().currentSessions[serverId]);
    return session?.loggedOutAt === undefined ? session : undefined;
  }

  return {
    all,
    find,
    makeCurrent,

    current,

    /** Whether it is gone when the application ends. */
    isInMemory: ({ id }: StoredSession): boolean => inMemory.has(id),

    /** `sealed` says whether the system keeps the token: only then may the session outlive the application. */
    put(session: StoredSession, sealed: boolean): void {
      const wasCurrent = current(session.serverId)?.id === session.id;
      if (sealed) inMemory.delete(session.id);
      else inMemory.set(session.id, session);
      const others = without(config.get().sessions, session.id);
      config.change({ sessions: sealed ? { ...others, [session.id]: session } : others });
      if (wasCurrent) makeCurrent(session.serverId, session.id);
      listener();
    },

    /** Changes what is known of a session, where it is kept. One that is gone stays gone. */
    update(session: StoredSession): void {
      if (inMemory.has(session.id)) inMemory.set(session.id, session);
      else if (session.id in config.get().sessions)
        config.change({ sessions: { ...config.get().sessions, [session.id]: session } });
      listener();
    },

    remove(session: StoredSession): void {
      const { id, serverId } = session;
      inMemory.delete(id);
      if (currentInMemory.get(serverId) === id) currentInMemory.delete(serverId);
      const { currentSessions, sessions } = config.get();
      config.change({
        sessions: without(sessions, id),
        ...(currentSessions[serverId] === id && { currentSessions: without(currentSessions, serverId) }),
      });
      listener();
    },

    /** Told after each change: what is in memory only is not in the configuration. */
    onChange: (next: () => void): void => void (listener = next),

    list: (): HeldSession[] => all().map((session) => shown(session, config.get(), demoEmail)),
  };
}

/** As the screens see it: no part of a token but its number. */
function shown(session: StoredSession, config: Config, demoEmail: string): HeldSession {
  const usable = isUsable(session, config) ? 'usable' : 'other-address';
  return {
    id: session.id,
    serverId: session.serverId,
    account: session.account,
    name: session.user.name,
    tokenId: session.tokenId,
    madeAt: session.madeAt,
    checkedAt: session.checkedAt,
    baseUrl: session.baseUrl,
    isDemo: session.serverId === builtInId && session.account === demoEmail,
    state: session.loggedOutAt === undefined ? usable : 'to-revoke',
  };
}
