import type { AppState } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { answerState } from '../ipc/answer-state.ts';
import type { Handlers } from '../ipc/answer.ts';
import { createCheckSession } from './check-session.ts';
import { createLogIn } from './log-in.ts';
import { createLogOut } from './log-out.ts';
import type { SessionOptions, SessionParts } from './session-parts.ts';
import { createSessionTokens } from './session-tokens.ts';
import { createSessionView } from './session-view.ts';
import { createTellLater } from './tell-later.ts';
import { createTellServers } from './tell-servers.ts';
import { createTurns } from './turns.ts';

export type SessionService = ReturnType<typeof createSession>;

/**
 * Knows who is logged in: it registers, logs in, restores, checks, logs out, and shows the session of the active
 * server, with one call at a time. A doubtful answer never ends a session. A token goes from the vault to a client of
 * the address it came from, and nowhere else.
 */
export function createSession(options: SessionOptions) {
  const { config, vault, state, held, learn, now = () => new Date() } = options;
  const timestamp = (): string => now().toISOString();
  const turns = createTurns(({ serverId, learned }) => {
    if (learned.length > 0) learn(serverId, learned);
  });
  const view = createSessionView({ config, held, state, turns, timestamp });
  const tokens = createSessionTokens({ ...options, forgetters: [view.forgetSent, options.references.release] });
  const parts: SessionParts = { ...options, turns, view, tokens, timestamp };
  const checking = createCheckSession(parts);
  const servers = createTellServers(parts);
  const later = createTellLater(parts, servers);

  /** Shows what is stored of the active server, before that was asked anything. */
  const showStored = (): void => view.put(view.initial(state.get().activeServerId));

  return {
    ...createLogIn(parts),
    ...checking,
    ...createLogOut(parts, servers, later),
    showStored,
    /** Tells servers of the logouts that wait for them, now and later. */
    beginTelling: () => later.begin(),
    stopTelling: () => later.stop(),
    leave: () => turns.leave(),
    setClearOnQuit: (clear: boolean) => tokens.setClearOnQuit(clear),
    clearKept: () => tokens.clearKept(),

    /** Goes on with what waited for the system's store, which has opened or says anew what it is. */
    async vaultOpened(): Promise<void> {
      tokens.keepSealed();
      later.added();
      const { session } = state.get();
      const waits = session.step === 'signed-out' && session.notice?.kind.startsWith('vault-');
      if (!waits || turns.current()) return;
      showStored();
      await checking.restore();
    },

    /** Looks anew for the session of the active server, after the application was locked. */
    reopen(): void {
      // Nobody opened the vault while a start waited for the PIN.
      void vault.open();
      showStored();
      void checking.restore();
      void later.begin();
    },

    /** Drops every session of every server, and every secret of their connections. No server is told. */
    async dropAll(): Promise<void> {
      turns.leave();
      await tokens.dropAll();
      view.put(view.signedOut(state.get().activeServerId, { kind: 'sessions-dropped' }));
    },

    /** Drops every session of a server, with its token. */
    async forgetServer(serverId: string): Promise<void> {
      if (turns.current()?.serverId === serverId) turns.leave();
      await tokens.forgetAll(held.all().filter((each) => each.serverId === serverId));
    },

    /** Shows the log-in form. The sessions stay as they are. */
    addAccount(): Result<null> {
      const underway = turns.current();
      if (underway && underway.kind !== 'check') return fail({ kind: 'not-now' });
      turns.leave();
      view.put({ step: 'signed-out' });
      return ok(null);
    },

    /** Returns the token for a command that is to hold it; undefined when the vault does not give it. */
    async tokenOf(sessionId: string): Promise<string | undefined> {
      const stored = held.find(sessionId);
      return stored && ((await tokens.read(stored)) ?? undefined);
    },

    sentTo: view.sentTo,
    cancel: turns.cancel,
  };
}

/** Makes what the window may ask of sessions. To show one is a matter of its server (`main/servers`). */
export function sessionHandlers(session: SessionService, state: () => AppState) {
  const then = answerState(state);
  return {
    session: {
      login: (credentials) => then(session.login(credentials)),
      register: (registration) => then(session.register(registration)),
      addAccount: () => then(session.addAccount()),
      cancel() {
        session.cancel();
        return ok(state());
      },
    },
    sessions: {
      check: ({ id }) => then(session.check(id)),
      logout: ({ id, tellServer }) => then(session.logout(id, tellServer)),
      forget: ({ id }) => then(session.forget(id)),
      revoke: ({ id }) => then(session.revoke(id)),
      logoutEverywhere: () => session.logoutEverywhere(),
      logInAgain: (credentials) => then(session.logInAgain(credentials)),
    },
  } satisfies { session: Handlers['session']; sessions: Partial<Handlers['sessions']> };
}
