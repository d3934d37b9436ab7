import { randomUUID } from 'node:crypto';
import type { Credentials, Registration } from '../../preload/contract/contract.ts';
import type { AppState, Server, Notice, Session, Understanding, User } from '../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../preload/contract/result.ts';
import type { Operation } from '../client/base-url.ts';
import { userOf, type Client, type ClientResult } from '../client/client.ts';
import type { Reading } from '../client/read-answer.ts';
import type { ConfigStore, StoredServer, StoredSession } from '../config/config.ts';
import type { ProductionGuard } from '../servers/production-guard.ts';
import type { SecretReferences } from '../calls/secret-references.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { vaultService, type Vault } from '../vault/vault.ts';
import { isUsable, tokenIdOf, type HeldSessions } from './held-sessions.ts';
import { understandingOf } from './understanding.ts';

type BoundClient = { client: Client; baseUrl: string };

/**
 * A client of a server, bound to the address given or else to the one the server has now. Fails while the
 * embedded service, which is wherever it listens, is not there.
 */
export type ClientFor = (serverId: string, baseUrl?: string) => Promise<Result<BoundClient>>;

export type SessionService = ReturnType<typeof createSession>;

type Kind = 'login' | 'register' | 'check' | 'logout';
type Turn = { kind: Kind; serverId: string; controller: AbortController };

const withoutSecrets = <E extends StoredServer | Server>(server: E): E => Object.assign({}, server, { secrets: [] });

/** Its answer to a logout was that there is none: only whoever runs the server can change that. */
const isWithoutLogout = (error: AppError): boolean =>
  error.kind === 'unexpected' && error.reason === 'operation-missing';

/**
 * Who is logged in: registers, logs in, restores, checks, logs out, and shows the session of the active server.
 * One call at a time. A doubtful answer never ends a session; a token goes from the vault to a client of the address it
 * came from, and nowhere else.
 */
export function createSession(options: {
  config: ConfigStore;
  vault: Vault;
  state: AppStateHolder;
  held: HeldSessions;
  clientFor: ClientFor;
  production: ProductionGuard;
  /** What stands for tokens in recorded calls. */
  references: Pick<SecretReferences, 'watch' | 'name'>;
  /** Told of every answer, to learn where its parts are. */
  learn: (serverId: string, reading: Reading) => void;
  warn: (what: string, error: unknown) => void;
  now?: () => Date;
}) {
  const {
    config,
    vault,
    state,
    held,
    clientFor,
    production,
    references,
    learn,
    warn,
    now = () => new Date(),
  } = options;
  /** By session id, newest answer of each operation. */
  const understood = new Map<string, Understanding[]>();
  let underway: Turn | undefined;

  const timestamp = (): string => now().toISOString();
  const isActive = (serverId: string): boolean => state.get().activeServerId === serverId;

  /** A call that was left, or whose server is no longer the active one, changes nothing on the screen. */
  function show(turn: Turn, session: Session): void {
    if (underway === turn && isActive(turn.serverId)) state.change({ session, sessions: held.list() });
    else tellList();
  }

  const tellList = (): AppState => state.change({ sessions: held.list() });

  function signedOut(serverId: string, notice?: Notice): Session {
    const email = config.get().lastEmails[serverId];
    return { step: 'signed-out', ...(notice && { notice }), ...(email !== undefined && { email }) };
  }

  /** The session on the screen; none while the log-in form is there. */
  function shownSession(): StoredSession | undefined {
    const { session } = state.get();
    return session.step === 'signed-out' ? undefined : held.find(session.sessionId);
  }

  const isShown = ({ id }: StoredSession): boolean => shownSession()?.id === id;

  /** Logging out may interrupt a check; nothing else may interrupt anything. */
  async function inTurn(
    kind: Kind,
    serverId: string,
    work: (turn: Turn) => Promise<Result<null>>,
  ): Promise<Result<AppState>> {
    if (underway) {
      if (kind !== 'logout' || underway.kind !== 'check') return fail({ kind: 'not-now' });
      underway.controller.abort();
    }
    const turn: Turn = { kind, serverId, controller: new AbortController() };
    underway = turn;
    try {
      const result = await work(turn);
      return result.ok ? ok(state.get()) : result;
    } finally {
      if (underway === turn) underway = undefined;
    }
  }

  /** Removes a session with its token; the server is not told. */
  async function forget(stored: StoredSession): Promise<void> {
    held.remove(stored);
    understood.delete(stored.id);
    try {
      await vault.deletePassword(vaultService(stored.serverId), stored.vaultAccount);
    } catch (error) {
      warn('the token of an ended session could not be removed from the vault', error);
    }
  }

  const known = ({ id, name, email }: User): StoredSession['user'] => ({
    ...(id !== undefined && { id }),
    ...(name !== undefined && { name }),
    ...(email !== undefined && { email }),
  });

  function understand(sessionId: string, operation: Exclude<Operation, 'salir'>, reading: Reading | undefined): void {
    if (!reading) return;
    const others = (understood.get(sessionId) ?? []).filter((each) => each.operation !== operation);
    understood.set(sessionId, [...others, understandingOf(operation, reading)]);
  }

  /** Takes a token into use: asks for the profile with it while the system seals it. */
  async function adopt(
    turn: Turn,
    bound: BoundClient,
    account: string,
    from: { operation: Exclude<Operation, 'salir'>; reading: Reading; loopbackAddress?: string },
    token: string,
    remember: boolean,
  ): Promise<Result<null>> {
    const { serverId } = turn;
    const mayRest = remember && !config.get().settings.clearOnQuit;
    // Locked in the meantime: what is under the PIN takes no token, and none may stay about.
    if (vault.pin.isClosed()) return fail({ kind: 'cancelled' });
    // Its calls name it by the same id. A server that gives one token twice means two sessions all the same.
    const { id: referenceId } = references.watch(token, 'token');
    const id = held.find(referenceId) ? randomUUID() : referenceId;
    const vaultAccount = `${account} ${id}`;
    const [profile, kept] = await Promise.all([
      bound.client.profile(token, turn.controller.signal, from.loopbackAddress),
      vault.setPassword(vaultService(serverId), vaultAccount, token, { mayRest }).then(
        () => true,
        () => false,
      ),
    ]);
    if (!kept) return fail({ kind: 'cancelled' });
    if (profile.reading) learn(serverId, profile.reading);
    const refused = !profile.ok && profile.error.kind === 'unauthenticated';
    const serverGone = config.get().servers.every((server) => server.id !== serverId);
    if (refused || serverGone) {
      await vault.deletePassword(vaultService(serverId), vaultAccount);
      if (!refused) return fail({ kind: 'cancelled' });
      const message = profile.error.kind === 'unauthenticated' ? profile.error.message : undefined;
      return fail({ kind: 'unexpected', reason: 'fresh-token-refused', ...(message !== undefined && { message }) });
    }
    const read = userOf(from.reading);
    const user = profile.ok ? userOf(profile.reading) : { ...read, email: read.email ?? account };
    const tokenId = tokenIdOf(token);
    const stored: StoredSession = {
      id,
      serverId,
      vaultAccount,
      account,
      baseUrl: bound.baseUrl,
      ...(from.loopbackAddress !== undefined && { loopbackAddress: from.loopbackAddress }),
      user: known(user),
      ...(tokenId !== undefined && { tokenId }),
      madeAt: timestamp(),
      ...(profile.ok && { checkedAt: timestamp() }),
      ...(!remember && { memoryOnly: true }),
    };
    held.put(stored, vault.entryState(vaultService(serverId), vaultAccount) === 'sealed');
    held.makeCurrent(serverId, id);
    if (mayRest) config.change({ lastEmails: { ...config.get().lastEmails, [serverId]: account } });
    understand(id, from.operation, from.reading);
    understand(id, 'perfil', profile.reading);
    show(turn, signedIn(stored, user, profile.ok ? undefined : profile.error));
    return ok(null);
  }

  function signedIn(stored: StoredSession, user: User, error: AppError | undefined): Session {
    return {
      step: 'signed-in',
      sessionId: stored.id,
      user,
      check: error ? { state: 'unchecked', error } : { state: 'checked', at: timestamp() },
      understood: understood.get(stored.id) ?? [],
    };
  }

  function login({ email, password, remember = true }: Credentials): Promise<Result<AppState>> {
    return inTurn('login', state.get().activeServerId, async (turn) => {
      const bound = await clientFor(turn.serverId);
      return bound.ok ? logInAt(turn, bound.value, { email, password, remember }) : bound;
    });
  }

  async function logInAt(
    turn: Turn,
    bound: BoundClient,
    { email, password, remember }: Credentials & { remember: boolean },
  ): Promise<Result<null>> {
    const answer = await bound.client.login({ email, password }, turn.controller.signal);
    if (answer.reading) learn(turn.serverId, answer.reading);
    return answer.ok ? withToken(turn, bound, { email, remember }, 'login', answer) : fail(answer.error);
  }

  async function register(registration: Registration): Promise<Result<AppState>> {
    const { activeServerId } = state.get();
    const allowed = production.check(activeServerId);
    if (!allowed.ok) return allowed;
    return inTurn('register', activeServerId, async (turn) => {
      const bound = await clientFor(turn.serverId);
      if (!bound.ok) return bound;
      const { email, password, path, remember = true } = registration;
      const answer = await bound.value.client.register(registration, turn.controller.signal);
      if (answer.reading) learn(turn.serverId, answer.reading);
      if (!answer.ok) return fail(answer.error);
      if (answer.reading.meaning.token !== undefined) {
        const used = await withToken(turn, bound.value, { email, remember }, path, answer);
        // What looked like a bearer token may be for something else, as a key of the account is: then it logs in.
        if (used.ok || used.error.kind !== 'unexpected' || used.error.reason !== 'fresh-token-refused') return used;
      }

      const used = await logInAt(turn, bound.value, { email, password, remember });
      if (!used.ok) {
        // The account exists: a second try of the registration could only confuse.
        show(turn, signedOut(turn.serverId, { kind: 'registered-not-logged-in', email, error: used.error }));
      }
      return ok(null);
    });
  }

  function withToken(
    turn: Turn,
    bound: BoundClient,
    { email, remember }: { email: string; remember: boolean },
    operation: Exclude<Operation, 'salir'>,
    answer: Extract<ClientResult, { ok: true }>,
  ): Promise<Result<null>> {
    const { token } = answer.reading.meaning;
    if (token === undefined) return Promise.resolve(fail({ kind: 'unexpected', reason: 'no-token' }));
    return adopt(turn, bound, email.trim(), { ...answer, operation }, token, remember);
  }

  /**
   * Asks the server about a session; what is doubtful keeps it. Fails with what kept it from being confirmed.
   * @param shown what is on the screen, if it is this session
   */
  async function confirm(turn: Turn, stored: StoredSession, shown: User | undefined): Promise<Result<null>> {
    const service = vaultService(stored.serverId);
    const showIf = (session: Session): void => (shown ? show(turn, session) : void tellList());
    const token = await vault.getPassword(service, stored.vaultAccount);
    if (underway !== turn) return fail({ kind: 'cancelled' });
    if (token === null) {
      const where = vault.entryState(service, stored.vaultAccount);
      const kept = where === 'unreadable' || where === 'locked';
      if (!kept) await forget(stored);
      showIf(signedOut(stored.serverId, kept ? { kind: `vault-${where}` } : undefined));
      return fail({ kind: kept ? 'token-unreadable' : 'not-now' });
    }
    references.name(token, stored.id);
    const bound = await clientFor(stored.serverId, stored.baseUrl);
    const ask = async (): Promise<ClientResult> =>
      bound.ok ? bound.value.client.profile(token, turn.controller.signal, stored.loopbackAddress) : bound;
    const first = await ask();
    // Asked twice before a session is ended: a proxy or a restart may refuse once.
    const answer = !first.ok && first.error.kind === 'unauthenticated' ? await ask() : first;
    // Somebody logged out meanwhile: the answer is about a session that is no longer there.
    if (underway !== turn || !held.find(stored.id)) return fail({ kind: 'cancelled' });
    if (answer.reading) {
      learn(stored.serverId, answer.reading);
      understand(stored.id, 'perfil', answer.reading);
    }
    if (answer.ok) {
      const user = userOf(answer.reading);
      const tokenId = tokenIdOf(token);
      const checked = {
        ...stored,
        user: known(user),
        checkedAt: timestamp(),
        ...(tokenId !== undefined && { tokenId }),
      };
      held.update(checked);
      showIf(signedIn(checked, user, undefined));
      return ok(null);
    }
    if (answer.error.kind === 'unauthenticated') {
      await forget(stored);
      showIf(signedOut(stored.serverId, { kind: 'session-ended' }));
    } else if (shown) {
      show(turn, signedIn(stored, shown, answer.error));
    }
    return fail(answer.error);
  }

  /** What is shown of a server before its server was asked anything. */
  function initial(serverId: string): Session {
    const stored = held.current(serverId);
    if (!stored) return signedOut(serverId);
    return isUsable(stored, config.get())
      ? { step: 'restoring', sessionId: stored.id, user: { ...stored.user, rest: [] } }
      : signedOut(serverId, { kind: 'other-address', baseUrl: stored.baseUrl });
  }

  /** Tells the server, at the address the token came from. A server that no longer knows it has nothing left to end. */
  async function tell(turn: Turn, stored: StoredSession): Promise<AppError | undefined> {
    const service = vaultService(stored.serverId);
    const token = await vault.getPassword(service, stored.vaultAccount);
    if (token === null) return { kind: 'token-unreadable' };
    references.name(token, stored.id);
    const bound = await clientFor(stored.serverId, stored.baseUrl);
    if (!bound.ok) return bound.error;
    const answer = await bound.value.client.logout(token, turn.controller.signal, stored.loopbackAddress);
    return answer.ok || answer.error.kind === 'unauthenticated' ? undefined : answer.error;
  }

  /** Always ends the session here; the notice says whether the server was told. Until it is, the token is kept for that. */
  async function logout(stored: StoredSession | undefined, tellServer: boolean): Promise<Result<AppState>> {
    if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
    const allowed = tellServer ? production.check(stored.serverId, stored.baseUrl) : ok(null);
    if (!allowed.ok) return allowed;
    const { serverId } = stored;
    return inTurn('logout', serverId, async (turn) => {
      const wasShown = isShown(stored);
      const error = tellServer ? await tell(turn, stored) : undefined;
      if (tellServer && !error) {
        await forget(stored);
      } else {
        held.update({ ...stored, loggedOutAt: timestamp() });
        if (held.current(serverId) === undefined) held.makeCurrent(serverId, undefined);
      }
      const notice: Notice = error
        ? { kind: isWithoutLogout(error) ? 'logged-out-no-way-to-tell' : 'logged-out-here-only', error }
        : { kind: tellServer ? 'logged-out' : 'logged-out-untold' };
      if (wasShown) show(turn, signedOut(serverId, notice));
      else tellList();
      return ok(null);
    });
  }

  /** Leaves the notice of an untold logout behind once it is settled. */
  function settle({ serverId }: StoredSession, notice: Notice | undefined): void {
    const { session } = state.get();
    if (isActive(serverId) && session.step === 'signed-out')
      state.change({ session: signedOut(serverId, notice), sessions: held.list() });
    else tellList();
  }

  /** What could be sealed meanwhile outlives the application from now on. */
  function keepSealed(): void {
    for (const stored of held.all()) {
      const isSealed = vault.entryState(vaultService(stored.serverId), stored.vaultAccount) === 'sealed';
      if (isSealed && held.isInMemory(stored)) held.put(stored, true);
    }
    tellList();
  }

  /** Confirms the stored session of the active server, at start and after a switch. */
  function restore(): Promise<Result<AppState>> {
    return inTurn('check', state.get().activeServerId, async (turn) => {
      const stored = held.current(turn.serverId);
      // What kept it from being confirmed is on the screen.
      if (stored && isUsable(stored, config.get())) await confirm(turn, stored, { ...stored.user, rest: [] });
      // It was dropped since the state was made: nothing would ever come of it.
      else if (state.get().session.step === 'restoring') show(turn, initial(turn.serverId));
      return ok(null);
    });
  }

  function showInitial(): void {
    state.change({ session: initial(state.get().activeServerId), sessions: held.list() });
  }

  /** Ends whatever is under way and waits for nothing: the call finds that it was left. */
  function leave(): void {
    underway?.controller.abort();
    underway = undefined;
  }

  return {
    initial,
    login,
    register,
    leave,

    restore,

    /** The system's store opened, or says anew what it is: what waited for it goes on. */
    async vaultOpened(): Promise<void> {
      keepSealed();
      const { session } = state.get();
      const waits = session.step === 'signed-out' && session.notice?.kind.startsWith('vault-');
      if (!waits || underway) return;
      showInitial();
      await restore();
    },

    /** After the application was locked: the session of the active server is looked for anew. */
    reopen(): void {
      // Nobody asked for it while a start waited for the PIN.
      void vault.open();
      showInitial();
      void restore();
    },

    /**
     * From now on no session outlives the application, or those do that may. Sessions whose tokens cannot be read now
     * are dropped by {@link clearKept} at the end.
     */
    async setClearOnQuit(clear: boolean): Promise<void> {
      if (clear) config.change({ lastEmails: {} });
      for (const { id, serverId, vaultAccount, memoryOnly } of held.all()) {
        const service = vaultService(serverId);
        const token = memoryOnly ? null : await vault.getPassword(service, vaultAccount);
        // Each wait may have seen it forgotten, or changed.
        if (token === null || !held.find(id)) continue;
        await vault.setPassword(service, vaultAccount, token, { mayRest: !clear });
        const stored = held.find(id);
        if (stored) held.put(stored, vault.entryState(service, vaultAccount) === 'sealed');
        else await vault.deletePassword(service, vaultAccount);
      }
      tellList();
    },

    /** Drops what was left in files although nothing was to outlive the application: by a crash, or a locked keyring. */
    async clearKept(): Promise<void> {
      if (!config.get().settings.clearOnQuit) return;
      for (const stored of held.all().filter((each) => !held.isInMemory(each))) await forget(stored);
      tellList();
    },

    /** Every session of every server goes, and every secret of their connections; no server is told. */
    async dropAll(): Promise<void> {
      leave();
      for (const stored of held.all()) {
        held.remove(stored);
        understood.delete(stored.id);
      }
      await vault.clear();
      void vault.open();
      config.change({ servers: config.get().servers.map(withoutSecrets), lastEmails: {} });
      state.change({
        servers: state.get().servers.map(withoutSecrets),
        sessions: held.list(),
        session: signedOut(state.get().activeServerId, { kind: 'sessions-dropped' }),
      });
    },

    /** Asks about the session on the screen, which then says what came of it. */
    check(): Promise<Result<AppState>> {
      const { session } = state.get();
      const stored = shownSession();
      if (!stored || session.step !== 'signed-in') return Promise.resolve(fail({ kind: 'not-now' }));
      return inTurn('check', stored.serverId, async (turn) => {
        await confirm(turn, stored, session.user);
        return ok(null);
      });
    },

    /** Asks about any session of the list. */
    async checkHeld(id: string): Promise<Result<AppState>> {
      const stored = held.find(id);
      if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
      if (!isUsable(stored, config.get())) return fail({ kind: 'other-address', baseUrl: stored.baseUrl });
      const { session } = state.get();
      return inTurn('check', stored.serverId, (turn) =>
        confirm(turn, stored, session.step !== 'signed-out' && isShown(stored) ? session.user : undefined),
      );
    },

    logout: (tellServer: boolean): Promise<Result<AppState>> => logout(shownSession(), tellServer),
    logoutHeld: (id: string, tellServer: boolean): Promise<Result<AppState>> => logout(held.find(id), tellServer),

    /** Tells the server of a logout that it was not told of; only then is the token let go. */
    async revoke(id: string): Promise<Result<AppState>> {
      const stored = held.find(id);
      if (stored?.loggedOutAt === undefined) return fail({ kind: 'not-now' });
      const allowed = production.check(stored.serverId, stored.baseUrl);
      if (!allowed.ok) return allowed;
      return inTurn('logout', stored.serverId, async (turn) => {
        const error = await tell(turn, stored);
        if (error) return fail(error);
        await forget(stored);
        settle(stored, { kind: 'logged-out' });
        return ok(null);
      });
    },

    /** Removes a session with its token, or gives up telling its server. */
    async forgetHeld(id: string): Promise<Result<AppState>> {
      const stored = held.find(id);
      if (!stored) return fail({ kind: 'not-now' });
      const wasShown = isShown(stored);
      if (wasShown) leave();
      await forget(stored);
      if (wasShown) return ok(state.change({ session: signedOut(stored.serverId), sessions: held.list() }));
      settle(stored, undefined);
      return ok(state.get());
    },

    /** Every session of a server goes, with its token. */
    async forgetServer(serverId: string): Promise<void> {
      if (underway?.serverId === serverId) leave();
      for (const stored of held.all().filter((each) => each.serverId === serverId)) await forget(stored);
      tellList();
    },

    /** Shows the log-in form; the sessions stay as they are. */
    addAccount(): Result<AppState> {
      if (underway && underway.kind !== 'check') return fail({ kind: 'not-now' });
      leave();
      return ok(state.change({ session: { step: 'signed-out' } }));
    },

    /** For a command that is to hold it; undefined when the vault does not give it. */
    async tokenOf(sessionId: string): Promise<string | undefined> {
      const stored = held.find(sessionId);
      return stored && ((await vault.getPassword(vaultService(stored.serverId), stored.vaultAccount)) ?? undefined);
    },

    cancel(): Result<AppState> {
      underway?.controller.abort();
      return ok(state.get());
    },
  };
}
