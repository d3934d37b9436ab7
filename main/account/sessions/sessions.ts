import type {
  LoginCredentials,
  RegistrationResult,
  Registration,
  Handlers,
} from '../../../preload/contract/contract.ts';
import type {
  EndedSessions,
  LogoutAllResult,
  SessionNotice,
  AuthState,
  UserProfile,
} from '../../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../../preload/contract/result.ts';
import type { ClientResult } from '../../client/client.ts';
import type { RedactedJson } from '../../client/reading/json-text.ts';
import { knownIdentifiers, toUserProfile } from '../../client/user-profile.ts';
import type { StoredSession } from '../config/config.ts';
import { ExclusiveOperation, type RunningOperation } from './exclusive-operation.ts';
import { resolveSessionEnd, parseTokenId } from './expiry-timer.ts';
import { hasLogout, isServerUnchanged } from './session-store.ts';
import { LoginFlow, type PastedToken } from './login-flow.ts';
import type { SessionsOptions } from './sessions-options.ts';
import { isLogoutImpossible, PendingLogouts, type LogoutResult } from './pending-logouts.ts';
import { TokenRefresher } from './token-refresher.ts';
import { SessionTokens, type SessionCredential } from './session-tokens.ts';
import { toStoredUser, SessionPresenter } from './session-presenter.ts';

/**
 * Knows who is logged in where: it logs in, registers, checks, logs out and tells servers later, with one call at a time,
 * and shows the session of the active server. A doubtful answer never ends a session. A token goes from the vault to a
 * client of the address it came from, and nowhere else.
 */
export class Sessions implements Disposable {
  readonly #options: SessionsOptions;
  readonly #attempts: ExclusiveOperation;
  readonly #tokens: SessionTokens;
  readonly #view: SessionPresenter;
  readonly #logIn: LoginFlow;
  readonly #owed: PendingLogouts;
  readonly #renewals: TokenRefresher;
  #restored: Promise<Result<null>> | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.#attempts = new ExclusiveOperation(options);
    this.#view = new SessionPresenter(options, this.#attempts);
    const onForgotten = (id: string): void => {
      this.#view.deleteRawProfile(id);
      options.secretRegistry.unbindSession(id);
    };
    this.#tokens = new SessionTokens({ ...options, onForgotten });
    this.#logIn = new LoginFlow(options, this.#attempts, this.#tokens, this.#view);
    this.#renewals = new TokenRefresher({
      ...options,
      tokens: this.#tokens,
      checkAgain: (id) => this.#checkQuietly(id),
    });
    this.#owed = new PendingLogouts({ ...options, tokens: this.#tokens, renewals: this.#renewals });
  }

  login(credentials: LoginCredentials): Promise<Result<null>> {
    return this.#logIn.login(credentials);
  }

  /** Logs in at a server, whichever is the active one, in place of the account's sessions that are near their end. */
  logInAgain(credentials: LoginCredentials & { serverId: string }): Promise<Result<null>> {
    return this.#logIn.logInAgain(credentials);
  }

  register(registration: Registration): Promise<Result<RegistrationResult>> {
    return this.#logIn.register(registration);
  }

  /** Makes a session of a token that was got elsewhere, if the active server knows it. Those that are held stay. */
  loginWithToken(pasted: PastedToken): Promise<Result<null>> {
    return this.#logIn.loginWithToken(pasted);
  }

  /** Asks about any held session. If it is on the screen, what comes of it is shown there too. */
  async check(id: string): Promise<Result<null>> {
    const stored = this.#options.sessionStore.find(id);
    if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
    return this.#checkAs('check', stored);
  }

  /** Confirms the stored session of the active server, at the start and after a switch. What kept it from being confirmed is on the screen. */
  restore(): Promise<Result<null>> {
    this.#restored = this.#attempts.run('check', this.#view.activeServerId(), async (attempt) => {
      const stored = this.#options.sessionStore.current(attempt.serverId);
      if (stored) await this.#confirm(attempt, stored, { ...stored.user, rest: [] });
      // The session was dropped after it was shown, so nothing would ever come of it.
      else if (this.#view.session().step === 'restoring')
        this.#view.showIfCurrent(attempt, this.#view.initial(attempt.serverId));
      return ok(null);
    });
    return this.#restored;
  }

  /** Waits for the last {@link restore}, where something is to follow on it. */
  async restored(): Promise<void> {
    await this.#restored;
  }

  /** Ends a session. The notice says whether the server was told. Until it is, the token is kept for that. */
  async logout(id: string, tellServer: boolean): Promise<Result<null>> {
    const { config, sessionStore, production } = this.#options;
    const stored = sessionStore.find(id);
    if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
    const { serverId } = stored;
    const allowed = tellServer ? production.check(serverId) : ok(null);
    if (!allowed.ok) return allowed;
    return this.#attempts.run('logout', serverId, async (attempt) => {
      const wasShown = this.#view.isShown(stored);
      const error = tellServer ? await this.#owed.revokeOnServer(attempt.signal, stored) : undefined;
      const isOver = (tellServer && !error) || !hasLogout(stored, config.get());
      if (isOver) await this.#tokens.removeSessions([stored]);
      else {
        this.#endHere(stored, error);
        await this.#options.config.flush();
      }
      const notice: SessionNotice = tellServer ? noticeOf(error) : { kind: 'logged-out-untold' };
      if (wasShown) this.#view.showIfCurrent(attempt, this.#view.signedOut(serverId, notice));
      return ok(null);
    });
  }

  /** Tells the server of a logout that it was not told of; only then is the token let go. */
  async revoke(id: string): Promise<Result<null>> {
    const stored = this.#options.sessionStore.find(id);
    if (stored?.loggedOutAt === undefined) return fail({ kind: 'not-now' });
    const allowed = this.#options.production.check(stored.serverId);
    if (!allowed.ok) return allowed;
    return this.#attempts.run('logout', stored.serverId, async (attempt) => {
      const error = await this.#owed.revokeOnServer(attempt.signal, stored);
      if (error) return fail(error);
      await this.#tokens.removeSessions([stored]);
      this.#view.replaceLogoutNotice(stored, { kind: 'logged-out' });
      return ok(null);
    });
  }

  /** Removes a session with its token, or gives up telling its server. */
  async forget(id: string): Promise<Result<null>> {
    const stored = this.#options.sessionStore.find(id);
    if (!stored) return fail({ kind: 'not-now' });
    const wasShown = this.#view.isShown(stored);
    if (wasShown) this.#attempts.abandon();
    await this.#tokens.removeSessions([stored]);
    if (wasShown) this.#view.setSession(this.#view.signedOut(stored.serverId));
    else this.#view.replaceLogoutNotice(stored, undefined);
    return ok(null);
  }

  /**
   * Ends every session of every server here at once, and then tells each server. Those that cannot be told now are
   * told later. Fails, and ends none, while the host of a production server among them was not typed.
   */
  async logoutEverywhere(): Promise<Result<LogoutAllResult>> {
    const { sessionStore, production } = this.#options;
    for (const { serverId } of sessionStore.all()) {
      const allowed = production.check(serverId);
      if (!allowed.ok) return allowed;
    }
    return this.#attempts.run('logout', this.#view.activeServerId(), async (attempt) => {
      const shown = this.#view.shownSession();
      const at = this.#options.now().toISOString();
      const endedAt = (loggedOutAt = at) => ({ loggedOutAt, tellLater: true as const });
      const ended = sessionStore.all().map((each) => Object.assign({}, each, endedAt(each.loggedOutAt)));
      const current = Object.fromEntries(ended.map(({ serverId }) => [serverId, undefined]));
      sessionStore.change({ put: ended.map((session) => ({ session })), current });
      if (shown) this.#view.setSession(this.#view.signedOut(shown.stored.serverId));
      const told = await this.#owed.revokeAllOnServers(attempt.signal, ended);
      this.#owed.scheduleFirstRetry();
      const ofShown = told.find(({ stored }) => stored.id === shown?.stored.id);
      if (ofShown)
        this.#view.showIfCurrent(attempt, this.#view.signedOut(ofShown.stored.serverId, noticeOf(ofShown.error)));
      return ok(counted(told));
    });
  }

  /** Drops every session of a server, with its token. */
  async removeServerSessions(serverId: string): Promise<void> {
    if (this.#attempts.current()?.serverId === serverId) this.#attempts.abandon();
    await this.#tokens.removeSessions(this.#options.sessionStore.ofServer(serverId));
  }

  /** Removes what a kill left in the vault: tokens that no session has. */
  removeOrphanedTokens(): Promise<void> {
    return this.#tokens.removeOrphanedTokens();
  }

  /** Drops sessions whose server is gone or has another address, and answers how many there were. */
  async removeOrphanedSessions(): Promise<number> {
    const { config, sessionStore } = this.#options;
    const strays = sessionStore.all().filter((each) => !isServerUnchanged(each, config.get()));
    await this.#tokens.removeSessions(strays);
    return strays.length;
  }

  /** Ends every session of a server, which is told of each over its connection as far as it can be. */
  async endServerSessions(serverId: string): Promise<EndedSessions> {
    if (this.#attempts.current()?.serverId === serverId) this.#attempts.abandon();
    const told = await this.#owed.revokeAllOnServers(
      new AbortController().signal,
      this.#options.sessionStore.ofServer(serverId),
    );
    await this.removeServerSessions(serverId);
    return { ended: told.length, pendingLogouts: told.filter(({ error }) => error).length };
  }

  /** Drops every session of every server, and every secret of their connections. No server is told. */
  async dropAll(why: 'sessions-dropped' | 'pin-forgotten' = 'sessions-dropped'): Promise<void> {
    this.#attempts.abandon();
    await this.#tokens.dropAll();
    this.#view.setSession(this.#view.signedOut(this.#view.activeServerId(), { kind: why }));
  }

  /** Shows the log-in form. The sessions stay as they are. */
  addAccount(): Result<null> {
    const underWay = this.#attempts.current();
    if (underWay && underWay.kind !== 'check' && underWay.kind !== 'retry') return fail({ kind: 'not-now' });
    this.#attempts.abandon();
    this.#view.setSession({ step: 'signed-out' });
    return ok(null);
  }

  cancel(): void {
    this.#attempts.cancel();
  }

  /** Ends what is under way, since another server is chosen. */
  abandonOperation(): void {
    this.#attempts.abandon();
  }

  /** Shows what is stored of the active server, before that was asked anything. */
  showStoredSession(): void {
    this.#view.setSession(this.#view.initial(this.#view.activeServerId()));
  }

  /** Resumes what waited for the keyring to unlock. */
  async vaultOpened(): Promise<void> {
    this.#tokens.persistSealedSessions();
    this.#owed.scheduleFirstRetry();
    const session = this.#view.session();
    const waits = session.step === 'signed-out' && session.notice?.kind.startsWith('vault-');
    if (!waits || this.#attempts.current()) return;
    this.showStoredSession();
    await this.restore();
  }

  /** Looks for the session of the active server again, after the application was locked. */
  reopen(): void {
    // Nobody opened the vault while a start waited for the PIN.
    void this.#options.vault.open();
    this.showStoredSession();
    void this.restore();
    void this.startRetries();
  }

  /** Tells servers of the logouts that wait for them, and renews sessions that could not be renewed, now and later. */
  startRetries(): Promise<void> {
    this.#renewals.startRetries();
    return this.#owed.begin();
  }

  /** Tells no server anything by itself until {@link startRetries}. */
  stopRetries(): void {
    this.#renewals[Symbol.dispose]();
    this.#owed[Symbol.dispose]();
  }

  setClearOnQuit(clear: boolean): Promise<void> {
    return this.#tokens.setClearOnQuit(clear);
  }

  clearPersistedSessions(): Promise<void> {
    return this.#tokens.clearPersistedSessions();
  }

  /** Returns the token for a command that is to hold it; undefined when the vault does not give it. */
  async tokenOf(sessionId: string): Promise<string | undefined> {
    return (await this.credentialOf(sessionId))?.token;
  }

  /** What a session is kept by; undefined when the vault does not give it. */
  async credentialOf(sessionId: string): Promise<SessionCredential | undefined> {
    const stored = this.#options.sessionStore.find(sessionId);
    return (stored && (await this.#tokens.read(stored))) ?? undefined;
  }

  /** What the server sent to a session. It is undefined until it has sent something in this run. */
  rawProfileOf(sessionId: string): RedactedJson | undefined {
    return this.#view.rawProfileOf(sessionId);
  }

  [Symbol.dispose](): void {
    this.stopRetries();
  }

  /** Asks about a session that nobody asked for. Answers whether that could be done: what a person does goes first. */
  async #checkQuietly(id: string): Promise<boolean> {
    const stored = this.#options.sessionStore.find(id);
    if (!stored || this.#attempts.current()) return false;
    const checked = await this.#checkAs('retry', stored);
    return checked.ok || (checked.error.kind !== 'not-now' && checked.error.kind !== 'cancelled');
  }

  #checkAs(kind: 'check' | 'retry', stored: StoredSession): Promise<Result<null>> {
    const shown = this.#view.shownSession();
    return this.#attempts.run(kind, stored.serverId, (attempt) =>
      this.#confirm(attempt, stored, shown?.stored.id === stored.id ? shown.user : undefined),
    );
  }

  /**
   * Asks about a session, and fails with what kept it from being confirmed.
   * @param shown what is on the screen, if it is this session
   */
  async #confirm(
    attempt: RunningOperation,
    stored: StoredSession,
    shown: UserProfile | undefined,
  ): Promise<Result<null>> {
    const { sessionStore } = this.#options;
    const showIf = (session: AuthState): void => (shown ? this.#view.showIfCurrent(attempt, session) : undefined);
    const kept = await this.#tokens.read(stored);
    if (!this.#attempts.isRunning(attempt)) return fail({ kind: 'cancelled' });
    if (kept === null) {
      const where = this.#tokens.entryState(stored);
      const isKept = where === 'unreadable' || where === 'locked';
      if (!isKept) await this.#tokens.removeSessions([stored]);
      showIf(this.#view.signedOut(stored.serverId, isKept ? { kind: `vault-${where}` } : undefined));
      return fail({ kind: isKept ? 'token-unreadable' : 'not-now' });
    }
    const { answer, token } = await this.#ask(attempt, stored, kept);
    // Somebody logged out meanwhile, so the answer is about a session that is no longer there.
    const there = sessionStore.find(stored.id);
    if (!this.#attempts.isRunning(attempt) || !there) return fail({ kind: 'cancelled' });
    if (answer.reading) attempt.learned.push({ reading: answer.reading });
    this.#view.saveRawProfile(stored.id, answer.reading);
    if (answer.ok) {
      // A profile that tells of nobody takes nothing back of what is known.
      const user = answer.reading.summary.user ? toUserProfile(answer.reading) : { ...there.user, rest: [] };
      const now = this.#options.now().toISOString();
      const end = resolveSessionEnd({ token, readings: [answer.reading], known: there.end, now });
      const tokenId = parseTokenId(token) ?? there.tokenId;
      const session = { ...there, user: toStoredUser(user), checkedAt: now, tokenId, end };
      sessionStore.change({ put: [{ session }] }, this.#attempts.takeLearnedChanges(attempt));
      showIf(this.#view.signedIn(session, user));
      return ok(null);
    }
    if (answer.error.kind === 'unauthenticated') {
      await this.#tokens.removeSessions([stored], this.#attempts.takeLearnedChanges(attempt));
      const isLost = stored.renewing ?? there.renewing;
      const at = this.#options.now().toISOString();
      showIf(this.#view.signedOut(stored.serverId, isLost ? { kind: 'renewal-lost' } : { kind: 'session-ended', at }));
    } else if (shown) {
      this.#view.showIfCurrent(attempt, this.#view.signedIn(there, shown, answer.error));
    }
    return fail(answer.error);
  }

  /** Asks for the profile, and seals what the answer turned before that counts. */
  async #ask(
    attempt: RunningOperation,
    stored: StoredSession,
    kept: SessionCredential,
  ): Promise<{ answer: ClientResult; token: string }> {
    const { token } = kept;
    const bound = await this.#options.clientFor(stored.serverId, stored);
    if (!bound.ok) return { answer: bound, token };
    const { client } = bound.value;
    const { loopbackAddress, account, user } = stored;
    const who = knownIdentifiers([account, user?.id, user?.email, user?.name], undefined);
    const profile = (held: SessionCredential) => client.profile(held, attempt.signal, loopbackAddress, who);
    const asked = await this.#renewals.callWithRefresh(stored, kept, bound.value, profile);
    const { held, isRenewable } = asked;
    const isRefused = ({ answer }: { answer: ClientResult }): boolean =>
      !answer.ok && answer.error.kind === 'unauthenticated';
    // It is asked twice before a session is ended, since a proxy or a restart may refuse once.
    const answer = isRefused(asked) && !isRenewable ? await profile(held) : asked.answer;
    const turned = isRefused({ answer }) ? held : await this.#tokens.rotate(stored, held, answer.credential);
    return { answer, token: turned.token };
  }

  #endHere(stored: StoredSession, error: AppError | undefined): void {
    const { sessionStore } = this.#options;
    const { id, serverId } = stored;
    const session = {
      ...(sessionStore.find(id) ?? stored),
      loggedOutAt: this.#options.now().toISOString(),
      tellLater: undefined,
    };
    const isOwed = error !== undefined && !isLogoutImpossible(error);
    if (sessionStore.find(id))
      sessionStore.change({
        put: [{ session: isOwed ? { ...session, tellLater: true as const } : session }],
        current: sessionStore.current(serverId)?.id === id ? { [serverId]: undefined } : {},
      });
    if (isOwed) this.#owed.scheduleFirstRetry();
  }
}

const noticeOf = (error: AppError | undefined): SessionNotice =>
  error
    ? { kind: isLogoutImpossible(error) ? 'logged-out-no-way-to-tell' : 'logged-out-here-only', error }
    : { kind: 'logged-out' };

function counted(all: readonly LogoutResult[]): LogoutAllResult {
  const untold = all.flatMap(({ error }) => error ?? []);
  const noLogout = untold.filter(isLogoutImpossible).length;
  return { serverNotified: all.length - untold.length, pendingLogouts: untold.length - noLogout, noLogout };
}

/** Makes what the window may ask of sessions. To show one is a matter of its server (`main/account/servers/`). */
export function sessionHandlers(session: Sessions) {
  return {
    session: {
      login: (credentials) => session.login(credentials),
      register: (registration) => session.register(registration),
      adoptToken: (pasted) => session.loginWithToken(pasted),
      addAccount: () => session.addAccount(),
      cancel() {
        session.cancel();
        return ok(null);
      },
    },
    sessions: {
      check: ({ id }) => session.check(id),
      logout: ({ id, tellServer }) => session.logout(id, tellServer),
      forget: ({ id }) => session.forget(id),
      revoke: ({ id }) => session.revoke(id),
      logoutEverywhere: () => session.logoutEverywhere(),
      logInAgain: (credentials) => session.logInAgain(credentials),
    },
  } satisfies { session: Handlers['session']; sessions: Partial<Handlers['sessions']> };
}
