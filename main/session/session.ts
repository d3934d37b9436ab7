import type { Credentials, Registration } from '../../preload/contract/contract.ts';
import type { AppState, Notice, Session, User } from '../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../preload/contract/result.ts';
import { userOf, type Client } from '../client/client.ts';
import type { Reading } from '../client/read-answer.ts';
import { builtInId, type ConfigStore, type StoredSession } from '../config/config.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';

/** A client bound to the address a server has now; fails while the embedded service is not there. */
export type ClientFor = (serverId: string) => Promise<Result<{ client: Client; baseUrl: string }>>;

export type SessionService = ReturnType<typeof createSession>;

type Kind = 'login' | 'register' | 'check' | 'logout';
type Turn = { kind: Kind; serverId: string; controller: AbortController };

/**
 * Who is logged in, on the active server: registers, logs in, restores, checks, logs out. One call at a time. A doubtful
 * answer never ends a session; the token goes from the vault to the client and nowhere else.
 */
export function createSession(options: {
  config: ConfigStore;
  vault: Vault;
  state: AppStateHolder;
  clientFor: ClientFor;
  warn: (what: string, error: unknown) => void;
  now?: () => Date;
}) {
  const { config, vault, state, clientFor, warn, now = () => new Date() } = options;
  /** Sessions whose token is in memory only; the others are in the config too. */
  const unsealed = new Map<string, StoredSession>();
  let underway: Turn | undefined;

  const vaultService = (serverId: string): string => `app.llavero.desktop/${serverId}`;
  const storedFor = (serverId: string): StoredSession | undefined =>
    unsealed.get(serverId) ?? config.get().sessions[serverId];

  /** A call whose server is no longer the active one changes nothing on the screen. */
  function show(turn: Turn, session: Session): void {
    if (state.get().activeServerId === turn.serverId) state.change({ session });
  }

  function signedOut(serverId: string, notice?: Notice): Session {
    const email = config.get().lastEmails[serverId];
    return { step: 'signed-out', ...(notice && { notice }), ...(email !== undefined && { email }) };
  }

  /** Logging out may interrupt a check; nothing else may interrupt anything. */
  async function inTurn(kind: Kind, work: (turn: Turn) => Promise<Result<null>>): Promise<Result<AppState>> {
    if (underway) {
      if (kind !== 'logout' || underway.kind !== 'check') return fail({ kind: 'not-now' });
      underway.controller.abort();
    }
    const turn: Turn = { kind, serverId: state.get().activeServerId, controller: new AbortController() };
    underway = turn;
    try {
      const result = await work(turn);
      return result.ok ? ok(state.get()) : result;
    } finally {
      if (underway === turn) underway = undefined;
    }
  }

  function remember(serverId: string, session: StoredSession): void {
    const previous = storedFor(serverId)?.account;
    if (previous !== undefined && previous !== session.account) {
      // Another account took its place after its token could not be read: nothing else would ever remove that.
      vault
        .deletePassword(vaultService(serverId), previous)
        .catch((error: unknown) => warn('a replaced token could not be removed from the vault', error));
    }
    const sealed = vault.entryState(vaultService(serverId), session.account) === 'sealed';
    if (sealed) unsealed.delete(serverId);
    else unsealed.set(serverId, session);
    const { [serverId]: _previous, ...others } = config.get().sessions;
    const lastEmails = { ...config.get().lastEmails, [serverId]: session.account };
    config.change({ sessions: sealed ? { ...others, [serverId]: session } : others, lastEmails });
  }

  async function forget(serverId: string): Promise<void> {
    const stored = storedFor(serverId);
    unsealed.delete(serverId);
    const { [serverId]: _ended, ...others } = config.get().sessions;
    config.change({ sessions: others });
    if (!stored) return;
    try {
      await vault.deletePassword(vaultService(serverId), stored.account);
    } catch (error) {
      warn('the token of an ended session could not be removed from the vault', error);
    }
  }

  const known = ({ id, name, email }: User): StoredSession['user'] => ({
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  });

  /** Takes a token into use: asks for the profile with it while the system seals it. */
  async function adopt(
    turn: Turn,
    server: { client: Client; baseUrl: string },
    account: string,
    reading: Reading,
    token: string,
  ): Promise<Result<null>> {
    const [profile] = await Promise.all([
      server.client.profile(token, turn.controller.signal),
      vault.setPassword(vaultService(turn.serverId), account, token),
    ]);
    if (!profile.ok && profile.error.kind === 'unauthenticated') {
      await vault.deletePassword(vaultService(turn.serverId), account);
      const { message } = profile.error;
      return fail({ kind: 'unexpected', reason: 'fresh-token-refused', ...(message !== undefined && { message }) });
    }
    const user = profile.ok ? userOf(profile.reading) : { ...userOf(reading), email: userOf(reading).email ?? account };
    remember(turn.serverId, { account, baseUrl: server.baseUrl, user: known(user) });
    show(turn, { step: 'signed-in', user, check: checkOf(profile.ok ? undefined : profile.error) });
    return ok(null);
  }

  function checkOf(error: AppError | undefined): Extract<Session, { step: 'signed-in' }>['check'] {
    return error ? { state: 'unchecked', error } : { state: 'checked', at: now().toISOString() };
  }

  /** A server that no longer knows the token has nothing left to end; one that was sent none still knows it. */
  function noticeOf(token: string | null, error: AppError | undefined): Notice {
    if (token === null) return { kind: 'logged-out-here-only', error: { kind: 'token-unreadable' } };
    if (error === undefined || error.kind === 'unauthenticated') return { kind: 'logged-out' };
    return { kind: 'logged-out-here-only', error };
  }

  function login({ email, password }: Credentials): Promise<Result<AppState>> {
    return inTurn('login', async (turn) => {
      const server = await clientFor(turn.serverId);
      if (!server.ok) return server;
      const answer = await server.value.client.login({ email, password }, turn.controller.signal);
      if (!answer.ok) return fail(answer.error);
      return withToken(turn, server.value, email, answer.reading);
    });
  }

  function register(registration: Registration): Promise<Result<AppState>> {
    return inTurn('register', async (turn) => {
      const server = await clientFor(turn.serverId);
      if (!server.ok) return server;
      const { email, password } = registration;
      const answer = await server.value.client.register(registration, turn.controller.signal);
      if (!answer.ok) return fail(answer.error);
      if (answer.reading.meaning.token !== undefined) return withToken(turn, server.value, email, answer.reading);

      const loggedIn = await server.value.client.login({ email, password }, turn.controller.signal);
      const used = loggedIn.ok ? await withToken(turn, server.value, email, loggedIn.reading) : loggedIn;
      if (!used.ok) {
        // The account exists: a second try of the registration could only confuse.
        show(turn, signedOut(turn.serverId, { kind: 'registered-not-logged-in', email, error: used.error }));
      }
      return ok(null);
    });
  }

  function withToken(
    turn: Turn,
    server: { client: Client; baseUrl: string },
    email: string,
    reading: Reading,
  ): Promise<Result<null>> {
    const { token } = reading.meaning;
    if (token === undefined) return Promise.resolve(fail({ kind: 'unexpected', reason: 'no-token' }));
    return adopt(turn, server, email.trim(), reading, token);
  }

  /** Asks the server about a session that is already shown; what is doubtful keeps it. */
  async function confirm(turn: Turn, stored: StoredSession, shown: User): Promise<void> {
    const token = await vault.getPassword(vaultService(turn.serverId), stored.account);
    // A locked keyring can take long, and somebody may have logged out meanwhile.
    if (underway !== turn) return;
    if (token === null) {
      const unreadable = vault.entryState(vaultService(turn.serverId), stored.account) === 'unreadable';
      if (!unreadable) await forget(turn.serverId);
      show(turn, signedOut(turn.serverId, unreadable ? { kind: 'vault-unreadable' } : undefined));
      return;
    }
    const server = await clientFor(turn.serverId);
    // The embedded service may have moved to another port; any other address is another server.
    if (server.ok && turn.serverId !== builtInId && server.value.baseUrl !== stored.baseUrl) {
      show(turn, signedOut(turn.serverId));
      return;
    }
    const answer = server.ok ? await server.value.client.profile(token, turn.controller.signal) : server;
    // Somebody logged out meanwhile: the answer is about a session that is no longer there.
    if (underway !== turn) return;
    if (answer.ok) {
      const user = userOf(answer.reading);
      remember(turn.serverId, { ...stored, user: known(user) });
      show(turn, { step: 'signed-in', user, check: checkOf(undefined) });
    } else if (answer.error.kind === 'unauthenticated') {
      await forget(turn.serverId);
      show(turn, signedOut(turn.serverId, { kind: 'session-ended' }));
    } else {
      show(turn, { step: 'signed-in', user: shown, check: checkOf(answer.error) });
    }
  }

  /** What is shown of a server before it was asked anything. */
  function initial(serverId: string): Session {
    const stored = storedFor(serverId);
    return stored ? { step: 'restoring', user: { ...stored.user, rest: [] } } : signedOut(serverId);
  }

  return {
    initial,
    login,
    register,

    /** Confirms the stored session of the active server, at start and after a change of server. */
    restore(): Promise<Result<AppState>> {
      return inTurn('check', async (turn) => {
        const stored = storedFor(turn.serverId);
        if (stored) await confirm(turn, stored, { ...stored.user, rest: [] });
        return ok(null);
      });
    },

    check(): Promise<Result<AppState>> {
      return inTurn('check', async (turn) => {
        const stored = storedFor(turn.serverId);
        const { session } = state.get();
        if (!stored || session.step !== 'signed-in') return fail({ kind: 'not-now' });
        await confirm(turn, stored, session.user);
        return ok(null);
      });
    },

    /** Always ends the session here; the notice says whether the server was told. */
    logout(): Promise<Result<AppState>> {
      return inTurn('logout', async (turn) => {
        const stored = storedFor(turn.serverId);
        if (!stored) return fail({ kind: 'not-now' });
        const token = await vault.getPassword(vaultService(turn.serverId), stored.account);
        const server = await clientFor(turn.serverId);
        const answer =
          server.ok && token !== null ? await server.value.client.logout(token, turn.controller.signal) : undefined;
        const error = answer?.ok === false ? answer.error : server.ok ? undefined : server.error;
        await forget(turn.serverId);
        show(turn, signedOut(turn.serverId, noticeOf(token, error)));
        return ok(null);
      });
    },

    cancel(): Result<AppState> {
      underway?.controller.abort();
      return ok(state.get());
    },

    /** Ends whatever is under way and waits for nothing: the call finds its server inactive. */
    leave(): void {
      underway?.controller.abort();
      underway = undefined;
    },

    forget,
  };
}
