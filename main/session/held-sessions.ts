import type { Way } from '../../preload/contract/connection.ts';
import type { HeldSession } from '../../preload/contract/models.ts';
import { builtInId, isRunHere, type Config, type ConfigStore, type StoredSession } from '../config/config.ts';
import { endingOf } from './session-ends.ts';

export type HeldSessions = ReturnType<typeof createHeldSessions>;

/**
 * Says whether a session may be used at its server as that is now: a token is sent to the address it came from and to
 * no other. The built-in server and doubles are those that this application started, wherever they listen.
 */
export function isUsable(session: StoredSession, { servers }: Config): boolean {
  if (session.loggedOutAt !== undefined) return false;
  if (isRunHere(session.serverId)) return true;
  return servers.find(({ id }) => id === session.serverId)?.baseUrl === session.baseUrl;
}

/** Where the token of a session goes, and by which way: whatever else is set for its server is not for it. */
export const addressOf = ({ baseUrl, way }: StoredSession): { baseUrl: string; way: Way } => ({
  baseUrl,
  way,
});

/** The id part of a token of the form `<number>|<opaque>`; of any other form nothing is told. */
export function tokenIdOf(token: string): string | undefined {
  return /^(\d{1,20})\|./.exec(token)?.[1];
}

/**
 * Keeps all sessions of this application, and which one each server shows. Those whose token is in memory only are in
 * memory only too; the others are in the configuration.
 * @param demoEmail whose sessions at the built-in server are the demo's
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- Its functions are short, and all of them look at both places.
export function createHeldSessions(config: ConfigStore, demoEmail: string, now: () => Date = () => new Date()) {
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
  function replace(session: StoredSession): void {
    if (inMemory.has(session.id)) inMemory.set(session.id, session);
    else config.change({ sessions: { ...config.get().sessions, [session.id]: session } });
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

    /** Says whether the session is gone when the application ends. */
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

    /** Changes what is known of a session, where it is kept, but not its way. One that is gone stays gone. */
    update(session: StoredSession): void {
      const now = find(session.id);
      if (now) replace({ ...session, way: now.way });
      listener();
    },

    /** Those of a server, with those that it is still to be told of. */
    of: (serverId: string): StoredSession[] => all().filter((each) => each.serverId === serverId),

    /** Ends every session here at once, in one write. Each waits for its server to be told, and no server shows one. */
    endAll(at: string): void {
      const ended = (session: StoredSession): StoredSession => ({
        ...session,
        loggedOutAt: session.loggedOutAt ?? at,
        tellLater: true,
      });
      for (const session of inMemory.values()) inMemory.set(session.id, ended(session));
      currentInMemory.clear();
      const { sessions } = config.get();
      const all = Object.entries(sessions).map(([id, session]) => [id, ended(session)] as const);
      config.change({ sessions: Object.fromEntries(all), currentSessions: {} });
      listener();
    },

    /** From now on these sessions go by another way, if they belong to this address. The person agreed to it. */
    moveTo(sessions: readonly StoredSession[], baseUrl: string, way: Way): void {
      for (const { id } of sessions) {
        const session = find(id);
        if (session?.baseUrl !== baseUrl) continue;
        replace({ ...session, way });
      }
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

    /** Says that the sessions may be shown otherwise, since time has passed. */
    timePassed: (): void => listener(),

    /** Calls after each change, since what is in memory only is not in the configuration. */
    onChange: (next: () => void): void => void (listener = next),

    list: (): HeldSession[] =>
      all().map((session) => {
        const held = shown(session, config.get(), demoEmail);
        const ending = endingOf(session, now().getTime());
        return Object.assign(held, { ending }, inMemory.has(session.id) && ({ inMemory: true } as const));
      }),
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
    end: session.end,
    toldLater: session.loggedOutAt === undefined ? undefined : session.tellLater,
    baseUrl: session.baseUrl,
    isDemo: session.serverId === builtInId && session.account === demoEmail,
    state: session.loggedOutAt === undefined ? usable : 'to-revoke',
  };
}
