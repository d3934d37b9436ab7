import type { Handlers } from '../../../preload/contract/contract.ts';
import type {
  EndedSessions,
  LogoutAllResult,
  SessionNotice,
  AuthState,
  UserProfile,
} from '../../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../../preload/contract/result.ts';
import type { ClientResult } from '../../client/client.ts';
import { knownIdentifiers, toUserProfile } from '../../client/user-profile.ts';
import type { StoredSession } from '../config/config.ts';
import { ExclusiveOperation, type RunningOperation } from './exclusive-operation.ts';
import { resolveSessionEnd, parseTokenId } from './session-end.ts';
import { hasLogout, isServerUnchanged } from './session-store.ts';
import { AccountActions } from './account-actions.ts';
import { Logins } from './logins.ts';
import type { SessionsOptions } from './sessions-options.ts';
import { isLogoutImpossible, PendingLogouts, type LogoutResult } from './pending-logouts.ts';
import { TokenRefresher } from './token-refresher.ts';
import { CredentialStore, type SessionCredential } from './credential-store.ts';
import { toStoredUser, SessionPresenter } from './session-presenter.ts';

/**
 * Logs in, checks and logs out, one operation at a time, and shows the session of the active server. An unclear response
 * never ends a session. A token is sent by a client of the address that issued it, and nowhere else.
 */
export class Sessions implements Disposable {
  readonly #options: SessionsOptions;
  readonly operations: ExclusiveOperation;
  readonly presenter: SessionPresenter;
  readonly credentials: CredentialStore;
  readonly logins: Logins;
  readonly actions: AccountActions;
  readonly #pendingLogouts: PendingLogouts;
  readonly #refresher: TokenRefresher;
  #restored: Promise<Result<null>> | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
    this.operations = new ExclusiveOperation(options);
    this.presenter = new SessionPresenter(options, this.operations);
    const onRemoved = (id: string): void => {
      this.presenter.deleteRawProfile(id);
      options.secretRegistry.unbindSession(id);
    };
    this.credentials = new CredentialStore({ ...options, onRemoved });
    this.logins = new Logins(options, this.operations, this.credentials, this.presenter);
    const { credentials, operations, presenter } = this;
    this.actions = new AccountActions({
      options,
      operations,
      credentials,
      presenter,
      requestProfile: (...of) => this.#requestProfile(...of),
    });
    this.#refresher = new TokenRefresher({ ...options, credentials, checkAgain: (id) => this.#retryCheck(id) });
    this.#pendingLogouts = new PendingLogouts({ ...options, credentials, refresher: this.#refresher });
  }

  /** Requests the profile of any session. */
  async check(id: string): Promise<Result<null>> {
    const stored = this.#options.sessionStore.find(id);
    if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
    return this.#checkAs('check', stored);
  }

  /** Checks the stored session of the active server, at the start and after a switch, and shows the result. */
  restore(): Promise<Result<null>> {
    this.#restored = this.operations.run('check', this.presenter.activeServerId(), async (running) => {
      const stored = this.#options.sessionStore.current(running.serverId);
      if (stored) await this.#confirm(running, stored, { ...stored.user, rest: [] });
      // It was removed after it was shown, and `restoring` would never end.
      else if (this.presenter.session().step === 'restoring')
        this.presenter.showIfCurrent(running, this.presenter.initial(running.serverId));
      return ok(null);
    });
    return this.#restored;
  }

  /** Resolves with the last {@link restore}. */
  async restored(): Promise<void> {
    await this.#restored;
  }

  /** Ends a session. With `tellServer`, its token is kept until the server confirmed the logout. */
  async logout(id: string, tellServer: boolean): Promise<Result<null>> {
    const { config, sessionStore, production } = this.#options;
    const stored = sessionStore.find(id);
    if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
    const { serverId } = stored;
    const allowed = tellServer ? production.check(serverId) : ok(null);
    if (!allowed.ok) return allowed;
    return this.operations.run('logout', serverId, async (running) => {
      const wasShown = this.presenter.isShown(stored);
      const error = tellServer ? await this.#pendingLogouts.revokeOnServer(running.signal, stored) : undefined;
      const isOver = (tellServer && !error) || !hasLogout(stored, config.get());
      if (isOver) await this.credentials.removeSessions([stored]);
      else {
        this.#markLoggedOut(stored, error);
        await this.#options.config.flush();
      }
      const notice: SessionNotice = tellServer ? noticeOf(error) : { kind: 'logged-out-untold' };
      if (wasShown) this.presenter.showIfCurrent(running, this.presenter.signedOut(serverId, notice));
      return ok(null);
    });
  }

  /** Retries a pending logout. */
  async revoke(id: string): Promise<Result<null>> {
    const stored = this.#options.sessionStore.find(id);
    if (stored?.loggedOutAt === undefined) return fail({ kind: 'not-now' });
    const allowed = this.#options.production.check(stored.serverId);
    if (!allowed.ok) return allowed;
    return this.operations.run('logout', stored.serverId, async (running) => {
      const error = await this.#pendingLogouts.revokeOnServer(running.signal, stored);
      if (error) return fail(error);
      await this.credentials.removeSessions([stored]);
      this.presenter.replaceNotice(stored, { kind: 'logged-out' });
      return ok(null);
    });
  }

  /** Removes a session with its token, or gives up its pending logout. */
  async forget(id: string): Promise<Result<null>> {
    const stored = this.#options.sessionStore.find(id);
    if (!stored) return fail({ kind: 'not-now' });
    const wasShown = this.presenter.isShown(stored);
    if (wasShown) this.operations.abandon();
    await this.credentials.removeSessions([stored]);
    if (wasShown) this.presenter.setSession(this.presenter.signedOut(stored.serverId));
    else this.presenter.replaceNotice(stored, undefined);
    return ok(null);
  }

  /**
   * Ends all sessions of all servers, then logs out on each server, now or by retries. Fails, and ends none, while the
   * host of a production server among them was not typed.
   */
  async logoutEverywhere(): Promise<Result<LogoutAllResult>> {
    const { sessionStore, production } = this.#options;
    for (const { serverId } of sessionStore.all()) {
      const allowed = production.check(serverId);
      if (!allowed.ok) return allowed;
    }
    return this.operations.run('logout', this.presenter.activeServerId(), async (running) => {
      const shown = this.presenter.shownSession();
      const at = this.#options.now().toISOString();
      const endedAt = (loggedOutAt = at) => ({ loggedOutAt, tellLater: true as const });
      const ended = sessionStore.all().map((each) => Object.assign({}, each, endedAt(each.loggedOutAt)));
      const current = Object.fromEntries(ended.map(({ serverId }) => [serverId, undefined]));
      sessionStore.change({ put: ended.map((session) => ({ session })), current });
      if (shown) this.presenter.setSession(this.presenter.signedOut(shown.stored.serverId));
      const results = await this.#pendingLogouts.revokeAllOnServers(running.signal, ended);
      this.#pendingLogouts.scheduleFirstRetry();
      const ofShown = results.find(({ stored }) => stored.id === shown?.stored.id);
      if (ofShown)
        this.presenter.showIfCurrent(
          running,
          this.presenter.signedOut(ofShown.stored.serverId, noticeOf(ofShown.error)),
        );
      return ok(countResults(results));
    });
  }

  /** Removes all sessions of a server with their tokens, without a request. */
  async removeServerSessions(serverId: string): Promise<void> {
    if (this.operations.current()?.serverId === serverId) this.operations.abandon();
    await this.credentials.removeSessions(this.#options.sessionStore.ofServer(serverId));
  }

  /** Removes sessions whose server is gone or has another address or API description. Returns how many. */
  async removeOrphanedSessions(): Promise<number> {
    const { config, sessionStore } = this.#options;
    const orphaned = sessionStore.all().filter((each) => !isServerUnchanged(each, config.get()));
    await this.credentials.removeSessions(orphaned);
    return orphaned.length;
  }

  /** Logs out on a server as far as it can be reached, and removes all its sessions. */
  async endServerSessions(serverId: string): Promise<EndedSessions> {
    if (this.operations.current()?.serverId === serverId) this.operations.abandon();
    const results = await this.#pendingLogouts.revokeAllOnServers(
      new AbortController().signal,
      this.#options.sessionStore.ofServer(serverId),
    );
    await this.removeServerSessions(serverId);
    return { ended: results.length, pendingLogouts: results.filter(({ error }) => error).length };
  }

  /** Removes all sessions and all secrets of connections, without a request. */
  async removeAll(notice: 'sessions-dropped' | 'pin-forgotten' = 'sessions-dropped'): Promise<void> {
    this.operations.abandon();
    await this.credentials.removeAll();
    this.presenter.setSession(this.presenter.signedOut(this.presenter.activeServerId(), { kind: notice }));
  }

  /** Shows the login form. Existing sessions stay. */
  addAccount(): Result<null> {
    const running = this.operations.current();
    if (running && running.kind !== 'check' && running.kind !== 'retry') return fail({ kind: 'not-now' });
    this.operations.abandon();
    this.presenter.setSession({ step: 'signed-out' });
    return ok(null);
  }

  /** Continues what needed the keyring. */
  async vaultOpened(): Promise<void> {
    this.credentials.persistSealedSessions();
    this.#pendingLogouts.scheduleFirstRetry();
    const session = this.presenter.session();
    const isWaiting = session.step === 'signed-out' && session.notice?.kind.startsWith('vault-');
    if (!isWaiting || this.operations.current()) return;
    this.presenter.showStored();
    await this.restore();
  }

  /** Shows and checks the session of the active server after an unlock. */
  reopen(): void {
    // After a start with a PIN, the vault was not opened yet.
    void this.#options.vault.open();
    this.presenter.showStored();
    void this.restore();
    void this.startRetries();
  }

  /** Retries pending logouts and failed refreshes, now and on timers. */
  startRetries(): Promise<void> {
    this.#refresher.startRetries();
    return this.#pendingLogouts.startRetries();
  }

  /** Stops the timers until {@link startRetries}, and gives up a login that waits for its code. */
  [Symbol.dispose](): void {
    this.logins.pending[Symbol.dispose]();
    this.#refresher[Symbol.dispose]();
    this.#pendingLogouts[Symbol.dispose]();
  }

  /** Checks a session that no user asked about. False if that was not possible: operations of the user go first. */
  async #retryCheck(id: string): Promise<boolean> {
    const stored = this.#options.sessionStore.find(id);
    if (!stored || this.operations.current()) return false;
    const checked = await this.#checkAs('retry', stored);
    return checked.ok || (checked.error.kind !== 'not-now' && checked.error.kind !== 'cancelled');
  }

  #checkAs(kind: 'check' | 'retry', stored: StoredSession): Promise<Result<null>> {
    const shown = this.presenter.shownSession();
    return this.operations.run(kind, stored.serverId, (running) =>
      this.#confirm(running, stored, shown?.stored.id === stored.id ? shown.user : undefined),
    );
  }

  /** @param shown the profile on the screen, if it is of this session */
  async #confirm(
    running: RunningOperation,
    stored: StoredSession,
    shown: UserProfile | undefined,
  ): Promise<Result<null>> {
    const { sessionStore } = this.#options;
    const showIf = (session: AuthState): void => (shown ? this.presenter.showIfCurrent(running, session) : undefined);
    const credential = await this.credentials.read(stored);
    if (!this.operations.isRunning(running)) return fail({ kind: 'cancelled' });
    if (credential === null) {
      const entry = this.credentials.entryState(stored);
      const mayBeReadLater = entry === 'unreadable' || entry === 'locked';
      if (!mayBeReadLater) await this.credentials.removeSessions([stored]);
      showIf(this.presenter.signedOut(stored.serverId, mayBeReadLater ? { kind: `vault-${entry}` } : undefined));
      return fail({ kind: mayBeReadLater ? 'token-unreadable' : 'not-now' });
    }
    const { answer, token } = await this.#requestProfile(running, stored, credential);
    // The user may have logged out meanwhile.
    const current = sessionStore.find(stored.id);
    if (!this.operations.isRunning(running) || !current) return fail({ kind: 'cancelled' });
    if (answer.reading) running.learned.push({ reading: answer.reading });
    this.presenter.saveRawProfile(stored.id, answer.reading);
    if (answer.ok) {
      // A profile without a user does not overwrite the known one.
      const user = answer.reading.summary.user ? toUserProfile(answer.reading) : { ...current.user, rest: [] };
      const now = this.#options.now().toISOString();
      const end = resolveSessionEnd({ token, readings: [answer.reading], known: current.end, now });
      const tokenId = parseTokenId(token) ?? current.tokenId;
      const session = { ...current, user: toStoredUser(user), checkedAt: now, tokenId, end };
      sessionStore.change({ put: [{ session }] }, this.operations.takeLearnedChanges(running));
      showIf(this.presenter.signedIn(session, user));
      return ok(null);
    }
    if (answer.error.kind === 'unauthenticated') {
      await this.credentials.removeSessions([stored], this.operations.takeLearnedChanges(running));
      const isLost = stored.renewing ?? current.renewing;
      const at = this.#options.now().toISOString();
      showIf(
        this.presenter.signedOut(stored.serverId, isLost ? { kind: 'renewal-lost' } : { kind: 'session-ended', at }),
      );
    } else if (shown) {
      this.presenter.showIfCurrent(running, this.presenter.signedIn(current, shown, answer.error));
    }
    return fail(answer.error);
  }

  /** Returns once a rotated credential is stored. */
  async #requestProfile(
    running: RunningOperation,
    stored: StoredSession,
    initial: SessionCredential,
  ): Promise<{ answer: ClientResult; token: string }> {
    const bound = await this.#options.clientFor(stored.serverId, stored);
    if (!bound.ok) return { answer: bound, token: initial.token };
    const { client } = bound.value;
    const { loopbackAddress, account, user } = stored;
    const who = knownIdentifiers([account, user?.id, user?.email, user?.name], undefined);
    const profile = (each: SessionCredential) => client.profile(each, running.signal, loopbackAddress, who);
    const first = await this.#refresher.callWithRefresh(stored, initial, bound.value, profile);
    const { credential, isRefreshable } = first;
    const isRefused = (answer: ClientResult): boolean => !answer.ok && answer.error.kind === 'unauthenticated';
    // Two refusals end a session, since a proxy or a restart may refuse once.
    const answer = isRefused(first.answer) && !isRefreshable ? await profile(credential) : first.answer;
    if (isRefused(answer)) return { answer, token: credential.token };
    const rotated = await this.credentials.rotate(stored, credential, answer.credential);
    return { answer, token: rotated.token };
  }

  #markLoggedOut(stored: StoredSession, error: AppError | undefined): void {
    const { sessionStore } = this.#options;
    const { id, serverId } = stored;
    const session = {
      ...(sessionStore.find(id) ?? stored),
      loggedOutAt: this.#options.now().toISOString(),
      tellLater: undefined,
    };
    const isPending = error !== undefined && !isLogoutImpossible(error);
    if (sessionStore.find(id))
      sessionStore.change({
        put: [{ session: isPending ? { ...session, tellLater: true as const } : session }],
        current: sessionStore.current(serverId)?.id === id ? { [serverId]: undefined } : {},
      });
    if (isPending) this.#pendingLogouts.scheduleFirstRetry();
  }
}

const noticeOf = (error: AppError | undefined): SessionNotice =>
  error
    ? { kind: isLogoutImpossible(error) ? 'logged-out-no-way-to-tell' : 'logged-out-here-only', error }
    : { kind: 'logged-out' };

function countResults(all: readonly LogoutResult[]): LogoutAllResult {
  const errors = all.flatMap(({ error }) => error ?? []);
  const noLogout = errors.filter(isLogoutImpossible).length;
  return { serverNotified: all.length - errors.length, pendingLogouts: errors.length - noLogout, noLogout };
}

/** Choosing a session is a handler of its server (`main/account/servers/`). */
export function sessionHandlers(session: Sessions) {
  const { logins, operations, actions } = session;
  return {
    session: {
      login: (credentials) => logins.login(credentials),
      register: (registration) => logins.register(registration),
      adoptToken: (pasted) => logins.loginWithToken(pasted),
      addAccount: () => session.addAccount(),
      cancel() {
        operations.cancel();
        return ok(null);
      },
      sendCode: ({ method, code }) => logins.pending.sendCode(method, code),
      requestCode: ({ method }) => logins.pending.requestCode(method),
      cancelCode() {
        operations.cancel();
        logins.pending.end();
        return ok(null);
      },
      forgotPassword: ({ account }) => actions.requestEmail('forgotPassword', account),
      resendConfirmation: ({ account }) => actions.requestEmail('resendConfirmation', account),
    },
    sessions: {
      check: ({ id }) => session.check(id),
      logout: ({ id, tellServer }) => session.logout(id, tellServer),
      forget: ({ id }) => session.forget(id),
      changePassword: (change) => actions.changePassword(change),
      deleteAccount: (of) => actions.deleteAccount(of),
      revoke: ({ id }) => session.revoke(id),
      logoutEverywhere: () => session.logoutEverywhere(),
      logInAgain: (credentials) => logins.logInAgain(credentials),
    },
  } satisfies { session: Handlers['session']; sessions: Partial<Handlers['sessions']> };
}
