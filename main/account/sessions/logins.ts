import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { cleanEmail, stripInvisible } from '../../../preload/contract/clean-email.ts';
import type {
  LoginCredentials,
  Handlers,
  RegistrationResult,
  Registration,
} from '../../../preload/contract/contract.ts';
import type { SessionNotice, AuthState, UserProfile } from '../../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../../preload/contract/result.ts';
import type { Operation } from '../../../preload/contract/names.ts';
import type { ClientResult } from '../../client/client.ts';
import { freshTokenRefused } from '../../client/map-error.ts';
import { canBeSent } from '../../client/header-text.ts';
import { knownIdentifiers, toUserProfile } from '../../client/user-profile.ts';
import type { StoredSession } from '../config/config.ts';
import { withoutProvenGuesses } from '../servers/proven-guesses.ts';
import type { RunningOperation, ExclusiveOperation } from './exclusive-operation.ts';
import { PendingLogins } from './pending-logins.ts';
import { expiryState } from './expiry.ts';
import { resolveSessionEnd, parseTokenId } from './session-end.ts';
import { isServerUnchanged } from './session-store.ts';
import type { BoundClient } from '../servers/clients.ts';
import type { SessionsOptions } from './sessions-options.ts';
import { refreshFlag } from './token-refresher.ts';
import { registerSecrets, type SessionCredential, type CredentialStore } from './credential-store.ts';
import { toStoredUser, type SessionPresenter } from './session-presenter.ts';

/** A response that may hold a token, with its request. */
type TokenResponse = {
  running: RunningOperation;
  bound: BoundClient;
  /** The typed email or user name. */
  account: string;
  /** Absent where nobody typed one. */
  password?: string | undefined;
  remember: boolean;
  /** `perfil` for a pasted token. */
  operation: Exclude<Operation, 'logout'>;
  answer: Extract<ClientResult, { ok: true }>;
  /** Sessions near their end that the new one replaces, without a logout. */
  replaces?: readonly StoredSession[] | undefined;
};

/** In characters. The name may come from the server. */
const longestAccount = 254;

type PastedToken = Parameters<Handlers['session']['adoptToken']>[0];

/** So long a login waits for the disk. Without it, the session is shown as one in memory. */
const writeWaitMs = 2000;

/** After so long the form tells that the login was accepted and the profile is still missing. */
const acceptedAfterMs = 1000;

/** Failures that show that the token of a registration is not one of a session. */
const notASessionToken: ReadonlySet<string> = new Set(['fresh-token-refused', 'token-unsendable']);

/** The email as it is sent and stored, without invisible characters of a copied text. */
const cleaned = <T extends { email: string }>(typed: T, byUsername = false): T => ({
  ...typed,
  email: byUsername ? stripInvisible(typed.email).trim() : cleanEmail(typed.email),
});

/** Creates sessions: by login, registration or a pasted token. */
export class Logins {
  readonly #options: SessionsOptions;
  readonly #operations: ExclusiveOperation;
  readonly #credentials: CredentialStore;
  readonly #presenter: SessionPresenter;
  readonly pending: PendingLogins;

  constructor(
    options: SessionsOptions,
    operations: ExclusiveOperation,
    credentials: CredentialStore,
    presenter: SessionPresenter,
  ) {
    this.#options = options;
    this.#operations = operations;
    this.#credentials = credentials;
    this.#presenter = presenter;
    this.pending = new PendingLogins(
      options,
      operations,
      presenter,
      (login, { reading, credential, ...address }, running) =>
        this.#withToken({
          ...login,
          running,
          operation: 'login',
          answer: { ok: true, reading, credential, ...address },
        }),
    );
  }

  login(credentials: LoginCredentials): Promise<Result<null>> {
    return this.#atServer('login', this.#presenter.activeServerId(), (running, bound) =>
      this.#logInAt(running, bound, cleaned(credentials, bound.adapter.features.byUsername)),
    );
  }

  /** Logs in at any server, and replaces the sessions of that account that are near their end. */
  logInAgain({ serverId, ...credentials }: LoginCredentials & { serverId: string }): Promise<Result<null>> {
    return this.#atServer('login', serverId, (running, bound) => {
      const typed = cleaned(credentials, bound.adapter.features.byUsername);
      const { email } = typed;
      const at = this.#options.now().getTime();
      const ofServer = this.#options.sessionStore.ofServer(serverId);
      const ending = ofServer.filter((each) => each.account === email && expiryState(each, at) !== undefined);
      return this.#logInAt(running, bound, typed, ending);
    });
  }

  async register(registration: Registration): Promise<Result<RegistrationResult>> {
    const allowed = this.#options.production.check(this.#presenter.activeServerId());
    if (!allowed.ok) return allowed;
    return this.#atServer('register', this.#presenter.activeServerId(), (running, bound) =>
      this.#registerAt(running, bound, cleaned(registration)),
    );
  }

  /** Creates a session from a token of another program, if the profile confirms it. Existing sessions stay. */
  loginWithToken({ token: pasted, remember = true }: PastedToken): Promise<Result<null>> {
    return this.#atServer('login', this.#presenter.activeServerId(), async (running, bound) => {
      const { parsePastedCredential } = await import('./token-details.ts');
      const parsed = parsePastedCredential(bound.adapter, pasted);
      if (!parsed) return fail({ kind: 'unexpected', reason: 'token-unsendable' });
      registerSecrets(parsed, this.#options.secretRegistry);
      const answer = await bound.client.profile(parsed, running.signal);
      if (answer.reading) running.learned.push({ reading: answer.reading });
      if (!answer.ok) return fail(pastedRefusal(answer.error));
      const { email, name, id } = toUserProfile(answer.reading);
      const account = (email ?? name ?? id ?? new URL(bound.baseUrl).host).slice(0, longestAccount);
      const credential = { ...parsed, ...answer.credential };
      return this.#withToken({
        running,
        bound,
        account,
        remember,
        operation: 'profile',
        answer: { ...answer, credential },
      });
    });
  }

  #atServer<T>(
    kind: 'login' | 'register',
    serverId: string,
    work: (running: RunningOperation, bound: BoundClient) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    return this.#operations.run(kind, serverId, async (running) => {
      if (kind === 'register') this.#presenter.clearRegistrationNotice(running);
      const bound = await this.#options.clientFor(serverId);
      return bound.ok ? work(running, bound.value) : bound;
    });
  }

  async #logInAt(
    running: RunningOperation,
    bound: BoundClient,
    { email, password, code = '', remember = true }: LoginCredentials,
    replaces?: readonly StoredSession[],
  ): Promise<Result<null>> {
    const login = { serverId: running.serverId, bound, account: email, password, remember, replaces };
    const answer =
      code === ''
        ? await bound.client.login({ email, password }, running.signal)
        : await loginWithCode(bound, { email, password, code }, running.signal);
    if (answer.reading) running.learned.push({ reading: answer.reading });
    if (answer.ok) return this.#withToken({ ...login, running, operation: 'login', answer });
    const { pending, loopbackAddress } = answer;
    return pending ? this.pending.hold({ ...login, pending, loopbackAddress }) : fail(answer.error);
  }

  async #registerAt(
    running: RunningOperation,
    bound: BoundClient,
    registration: Registration,
  ): Promise<Result<RegistrationResult>> {
    const { email, username = '', path, remember = true } = registration;
    const account = bound.adapter.features.byUsername && username !== '' ? username : email;
    const answer = await bound.client.register(registration, running.signal);
    if (answer.reading) running.learned.push({ reading: answer.reading, registeredAt: answer.ok ? path : undefined });
    if (!answer.ok) return fail(answer.error);
    const notice = await this.#useRegistered(
      { running, bound, account, remember, operation: path, answer },
      registration,
    );
    if (!notice) return ok('logged-in');
    // The account exists, so that no second registration is offered.
    this.#presenter.showIfCurrent(running, this.#presenter.signedOut(running.serverId, notice));
    return ok('not-logged-in');
  }

  /** Logs in after a registration. Returns the notice to show if that failed. */
  async #useRegistered(response: TokenResponse, registration: Registration): Promise<SessionNotice | undefined> {
    const { running, bound, account: email, answer } = response;
    const notLoggedIn = (result: Result<null>): SessionNotice | undefined =>
      result.ok ? undefined : { kind: 'registered-not-logged-in', email, error: result.error };
    if (answer.credential?.token !== undefined) {
      const result = await this.#withToken(response);
      // The token may be for something else, such as an API key. Then it logs in with the password.
      if (result.ok || result.error.kind !== 'unexpected' || !notASessionToken.has(result.error.reason))
        return notLoggedIn(result);
    }
    const { summary, trace } = answer.reading;
    if (trace.confirmFirst && summary.message) return { kind: 'confirm-first', email, serverMessage: summary.message };
    return notLoggedIn(await this.#logInAt(running, bound, { ...registration, email }));
  }

  async #withToken(response: TokenResponse): Promise<Result<null>> {
    const { token } = response.answer.credential ?? {};
    if (token === undefined) return fail({ kind: 'unexpected', reason: 'no-token' });
    if (!canBeSent(token)) return fail({ kind: 'unexpected', reason: 'token-unsendable' });
    return this.#startSession(response, { ...response.answer.credential, token });
  }

  /**
   * Requests the profile while the session is being written, and lists the session unless the server refuses the token.
   * Without a profile the session is shown as unchecked; without a write in time, as one in memory.
   */
  async #startSession(response: TokenResponse, given: SessionCredential): Promise<Result<null>> {
    const { config, vault, sessionStore, secretRegistry } = this.#options;
    const { running, bound, remember, answer } = response;
    const mayPersist = remember && !config.get().settings.clearOnQuit;
    // Locked meanwhile: the token cannot be encrypted, and may not stay in memory.
    if (vault.isPinClosed()) return fail({ kind: 'cancelled' });
    // Recorded calls name the token by the same id. A server that issues one token twice has two sessions all the same.
    const { id: referenceId } = registerSecrets(given, secretRegistry);
    const id = sessionStore.find(referenceId) ? randomUUID() : referenceId;
    const { pending, unconfirmed } = this.#pendingSession(response, given, id);
    // It rejects if the vault is locked, which `entryState` shows below.
    const write = (credential: SessionCredential): Promise<void> =>
      this.#credentials
        .saveNewSession(pending, credential, mayPersist, this.#isForScreen(response))
        .catch(() => undefined);
    let written: Promise<unknown> = write(given);
    const withdraw = async (error: AppError): Promise<Result<null>> => {
      const undo = async (): Promise<void> => {
        await written;
        await this.#credentials.rollBackNewSession(pending);
      };
      await within(writeWaitMs, undo());
      return fail(error);
    };
    const profile = await this.#profileOf(response, given);
    if (profile.reading) running.learned.push({ reading: profile.reading });
    if (!profile.ok && profile.pending && response.operation === 'login') {
      await withdraw(profile.error);
      const { account, password = '', replaces } = response;
      const { pending: asked, loopbackAddress } = profile;
      const { serverId } = running;
      return this.pending.hold({
        serverId,
        bound,
        account,
        password,
        remember,
        replaces,
        pending: asked,
        loopbackAddress,
      });
    }
    // A redirect may lead to the same page with and without a login: only the profile proves it.
    const isProved = profile.ok || response.operation !== 'login' || !bound.adapter.description.calls.login.success;
    const refused = refusalOf(profile) ?? (isProved ? undefined : profile.error);
    if (refused) return withdraw(refused);
    const { token = given.token } = profile.credential ?? {};
    const rotated = { ...given, ...profile.credential, token };
    if (!isDeepStrictEqual(rotated, given)) {
      registerSecrets(rotated, secretRegistry);
      written = Promise.all([written, write(rotated)]);
    }
    await within(writeWaitMs, written);
    // The server may have been removed meanwhile, or the vault locked or cleared.
    if (!isServerUnchanged(pending, config.get()) || this.#credentials.entryState(pending) === 'absent')
      return withdraw({ kind: 'cancelled' });
    const user = profile.ok && profile.reading.summary.user ? toUserProfile(profile.reading) : unconfirmed;
    const readings = [answer.reading, profile.reading];
    const session: StoredSession = {
      ...pending,
      user: toStoredUser(user),
      tokenId: parseTokenId(token),
      checkedAt: profile.ok ? this.#options.now().toISOString() : undefined,
      end: resolveSessionEnd({ token, readings, now: pending.madeAt }),
      ...refreshFlag(bound.adapter, rotated),
    };
    for (const reading of readings) this.#presenter.saveRawProfile(id, reading);
    await this.#list(
      response,
      session,
      mayPersist,
      this.#presenter.signedIn(session, user, profile.ok ? undefined : profile.error),
      profile.ok && response.operation !== 'profile',
    );
    return ok(null);
  }

  /** The session as the response of the login alone shows it. */
  #pendingSession({ running, bound, account, remember, answer }: TokenResponse, given: SessionCredential, id: string) {
    const { serverId } = running;
    const madeAt = this.#options.now().toISOString();
    const profileInAnswer = toUserProfile(answer.reading);
    const { name = account, email = account } = profileInAnswer;
    const unconfirmed: UserProfile = {
      ...profileInAnswer,
      ...(bound.adapter.features.byUsername ? { name } : { email }),
    };
    const pending = {
      serverId,
      vaultAccount: `${account} ${id}`,
      baseUrl: bound.baseUrl,
      interface: bound.interface,
      id,
      account,
      loopbackAddress: answer.loopbackAddress,
      user: toStoredUser(unconfirmed),
      tokenId: parseTokenId(given.token),
      madeAt,
      end: resolveSessionEnd({ token: given.token, readings: [answer.reading], now: madeAt }),
      memoryOnly: remember ? undefined : true,
      ...refreshFlag(bound.adapter, given),
    } satisfies StoredSession;
    return { pending, unconfirmed };
  }

  /** Lists the new session instead of those it replaces, in one change, and shows it if one of them was shown. */
  async #list(
    response: TokenResponse,
    session: StoredSession,
    mayPersist: boolean,
    shown: AuthState,
    isProof: boolean,
  ) {
    const { config, sessionStore } = this.#options;
    const { running, replaces } = response;
    const { serverId, account } = session;
    const isForScreen = this.#isForScreen(response);
    const { lastEmails, servers } = config.get();
    const learned = this.#operations.takeLearnedChanges(running);
    const calls = response.operation === 'login' ? [] : ['register'];
    const proven = isProof && withoutProvenGuesses(learned.servers ?? servers, serverId, session.interface, calls);
    sessionStore.change(
      {
        put: [{ session, sealed: this.#credentials.entryState(session) === 'sealed' }],
        remove: replaces ?? [],
        current: isForScreen ? { [serverId]: session.id } : {},
      },
      {
        ...learned,
        ...(proven && { servers: proven }),
        ...(mayPersist && { lastEmails: { ...lastEmails, [serverId]: account } }),
      },
    );
    if (isForScreen) this.#presenter.showIfCurrent(running, shown);
    await this.#credentials.removeSessions(replaces ?? []);
  }

  #isForScreen({ running, replaces }: TokenResponse): boolean {
    const before = this.#options.sessionStore.current(running.serverId);
    return !replaces || !before || replaces.some(({ id }) => id === before.id);
  }

  async #profileOf(
    { running, bound, account, operation, answer }: TokenResponse,
    credential: SessionCredential,
  ): Promise<ClientResult> {
    if (operation === 'profile') return answer;
    if (running.signal.aborted) return { ok: false, error: { kind: 'cancelled' } };
    const timer = setTimeout(() => this.#presenter.setLoginAccepted(running, true), acceptedAfterMs);
    try {
      const who = knownIdentifiers([account], undefined, answer.reading.summary.user);
      return await bound.client.profile(credential, running.signal, answer.loopbackAddress, who);
    } finally {
      clearTimeout(timer);
      this.#presenter.setLoginAccepted(running, false);
    }
  }
}

/** There was no session that could have ended where a server refuses a pasted token. */
const pastedRefusal = (error: AppError): AppError =>
  error.kind === 'unauthenticated'
    ? { kind: 'unexpected', reason: 'pasted-token-refused', message: error.message }
    : error;

/** Resolves after the work or the time, whichever is first. The work goes on. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, ms);
  await Promise.race([work, timeout.promise]);
  clearTimeout(timer);
}

/** A login at a server that takes the code with the password. */
async function loginWithCode(
  { client }: BoundClient,
  typed: { email: string; password: string; code: string },
  signal: AbortSignal,
): Promise<ClientResult> {
  const result = await client.loginWithCode(typed, signal);
  if (result.outcome !== 'accepted') return { ok: false, error: result.error };
  const { outcome: _outcome, ...accepted } = result;
  return { ok: true, ...accepted };
}

const refusalOf = (profile: ClientResult): AppError | undefined =>
  !profile.ok && profile.error.kind === 'unauthenticated' ? freshTokenRefused(profile.error) : undefined;
