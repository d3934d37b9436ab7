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
import { expiryState } from './expiry.ts';
import { resolveSessionEnd, parseTokenId } from './expiry-timer.ts';
import { isServerUnchanged } from './session-store.ts';
import type { BoundClient, SessionsOptions } from './sessions-options.ts';
import { refreshFlag } from './token-refresher.ts';
import { registerSecrets, type SessionCredential, type SessionTokens } from './session-tokens.ts';
import { toStoredUser, type SessionPresenter } from './session-presenter.ts';

/** The answer of a server that may hold a token, and what it was asked for. */
type Arrival = {
  attempt: RunningOperation;
  bound: BoundClient;
  /** The email that was typed to log in. */
  account: string;
  remember: boolean;
  /** A profile was answered with a token that somebody pasted. */
  operation: Exclude<Operation, 'salir'>;
  answer: Extract<ClientResult, { ok: true }>;
  /** The sessions whose place the new one takes. Their end is near, so their server is not told. */
  replaces?: readonly StoredSession[] | undefined;
};

/** In characters: the name that a server gives a person may be a text without end. */
const longestAccount = 254;

/** A token that somebody got elsewhere. */
export type PastedToken = Parameters<Handlers['session']['adoptToken']>[0];

/** A session that is not on the disk so many milliseconds after its profile is shown as one in memory. */
const writeWaitMs = 2000;

/** After so many milliseconds the form says that the profile of an accepted login is still being read. */
const profileWaitMs = 1000;

/** Failures by which the token of a registration turns out to be of another kind. */
const ofAnotherKind: ReadonlySet<string> = new Set(['fresh-token-refused', 'token-unsendable']);

/** What goes out is what is kept, whatever the email was copied with. A user name has what it has. */
const cleaned = <T extends { email: string }>(typed: T, byUsername = false): T => ({
  ...typed,
  email: byUsername ? stripInvisible(typed.email).trim() : cleanEmail(typed.email),
});

/** Logs in and registers, up to a session that is held and shown. */
export class LoginFlow {
  readonly #options: SessionsOptions;
  readonly #attempts: ExclusiveOperation;
  readonly #tokens: SessionTokens;
  readonly #view: SessionPresenter;

  constructor(options: SessionsOptions, attempts: ExclusiveOperation, tokens: SessionTokens, view: SessionPresenter) {
    this.#options = options;
    this.#attempts = attempts;
    this.#tokens = tokens;
    this.#view = view;
  }

  login(credentials: LoginCredentials): Promise<Result<null>> {
    return this.#atServer('login', this.#view.activeServerId(), (attempt, bound) =>
      this.#logInAt(attempt, bound, cleaned(credentials, bound.adapter.features.byUsername)),
    );
  }

  /** Logs in at a server, whichever is the active one, in place of the account's sessions that are near their end. */
  logInAgain({ serverId, ...credentials }: LoginCredentials & { serverId: string }): Promise<Result<null>> {
    return this.#atServer('login', serverId, (attempt, bound) => {
      const typed = cleaned(credentials, bound.adapter.features.byUsername);
      const { email } = typed;
      const at = this.#options.now().getTime();
      const ofServer = this.#options.sessionStore.ofServer(serverId);
      const ending = ofServer.filter((each) => each.account === email && expiryState(each, at) !== undefined);
      return this.#logInAt(attempt, bound, typed, ending);
    });
  }

  async register(registration: Registration): Promise<Result<RegistrationResult>> {
    const allowed = this.#options.production.check(this.#view.activeServerId());
    if (!allowed.ok) return allowed;
    return this.#atServer('register', this.#view.activeServerId(), (attempt, bound) =>
      this.#registerAt(attempt, bound, cleaned(registration)),
    );
  }

  /** Makes a session of a token that was got elsewhere, once the profile is answered with it. */
  loginWithToken({ token: pasted, remember = true }: PastedToken): Promise<Result<null>> {
    return this.#atServer('login', this.#view.activeServerId(), async (attempt, bound) => {
      const { parsePastedCredential } = await import('./session-token.ts');
      const held = parsePastedCredential(bound.adapter, pasted);
      if (!held) return fail({ kind: 'unexpected', reason: 'token-unsendable' });
      registerSecrets(held, this.#options.secretRegistry);
      const answer = await bound.client.profile(held, attempt.signal);
      if (answer.reading) attempt.learned.push({ reading: answer.reading });
      if (!answer.ok) return fail(pastedRefusal(answer.error));
      const { email, name, id } = toUserProfile(answer.reading);
      const account = (email ?? name ?? id ?? new URL(bound.baseUrl).host).slice(0, longestAccount);
      const credential = { ...held, ...answer.credential };
      const arrival = {
        attempt,
        bound,
        account,
        remember,
        operation: 'perfil',
        answer: { ...answer, credential },
      } as const;
      return this.#withToken(arrival);
    });
  }

  #atServer<T>(
    kind: 'login' | 'register',
    serverId: string,
    work: (attempt: RunningOperation, bound: BoundClient) => Promise<Result<T>>,
  ): Promise<Result<T>> {
    return this.#attempts.run(kind, serverId, async (attempt) => {
      // What an earlier registration came to says nothing of this one.
      if (kind === 'register') this.#view.clearRegistrationNotice(attempt);
      const bound = await this.#options.clientFor(serverId);
      return bound.ok ? work(attempt, bound.value) : bound;
    });
  }

  async #logInAt(
    attempt: RunningOperation,
    bound: BoundClient,
    { email, password, remember = true }: LoginCredentials,
    replaces?: readonly StoredSession[],
  ): Promise<Result<null>> {
    const answer = await bound.client.login({ email, password }, attempt.signal);
    if (answer.reading) attempt.learned.push({ reading: answer.reading });
    if (!answer.ok) return fail(answer.error);
    return this.#withToken({ attempt, bound, account: email, remember, operation: 'login', answer, replaces });
  }

  async #registerAt(
    attempt: RunningOperation,
    bound: BoundClient,
    registration: Registration,
  ): Promise<Result<RegistrationResult>> {
    const { email, username = '', path, remember = true } = registration;
    const account = bound.adapter.features.byUsername && username !== '' ? username : email;
    const answer = await bound.client.register(registration, attempt.signal);
    if (answer.reading) attempt.learned.push({ reading: answer.reading, registeredAt: answer.ok ? path : undefined });
    if (!answer.ok) return fail(answer.error);
    const notice = await this.#useRegistered(
      { attempt, bound, account, remember, operation: path, answer },
      registration,
    );
    if (!notice) return ok('logged-in');
    // The account exists, so a second try of the registration could only confuse.
    this.#view.showIfCurrent(attempt, this.#view.signedOut(attempt.serverId, notice));
    return ok('not-logged-in');
  }

  /** Logs in after a registration, and answers what kept it from that. */
  async #useRegistered(arrival: Arrival, registration: Registration): Promise<SessionNotice | undefined> {
    const { attempt, bound, account: email, answer } = arrival;
    const notLoggedIn = (used: Result<null>): SessionNotice | undefined =>
      used.ok ? undefined : { kind: 'registered-not-logged-in', email, error: used.error };
    if (answer.credential?.token !== undefined) {
      const used = await this.#withToken(arrival);
      // What looked like a bearer token may be for something else, such as a key of the account. It logs in then.
      if (used.ok || used.error.kind !== 'unexpected' || !ofAnotherKind.has(used.error.reason))
        return notLoggedIn(used);
    }
    const { summary, trace } = answer.reading;
    if (trace.confirmFirst && summary.message) return { kind: 'confirm-first', email, serverMessage: summary.message };
    return notLoggedIn(await this.#logInAt(attempt, bound, { ...registration, email }));
  }

  async #withToken(arrival: Arrival): Promise<Result<null>> {
    const { token } = arrival.answer.credential ?? {};
    if (token === undefined) return fail({ kind: 'unexpected', reason: 'no-token' });
    if (!canBeSent(token)) return fail({ kind: 'unexpected', reason: 'token-unsendable' });
    return this.#adopt(arrival, { ...arrival.answer.credential, token });
  }

  /**
   * Takes what a session is kept by into use: asks for the profile with it while it is written, and holds the session unless
   * the server refuses it at once. A session that nobody confirmed is shown as not checked. What is shown is on the disk, or
   * said to be in memory.
   */
  async #adopt(arrival: Arrival, given: SessionCredential): Promise<Result<null>> {
    const { config, vault, sessionStore, secretRegistry } = this.#options;
    const { attempt, bound, account, remember, answer } = arrival;
    const { serverId } = attempt;
    const mayRest = remember && !config.get().settings.clearOnQuit;
    // The application was locked in the meantime: what is under the PIN takes no token, and none may stay about.
    if (vault.isPinClosed()) return fail({ kind: 'cancelled' });
    // Its calls name the token by the same id. A server that gives one token twice means two sessions all the same.
    const { id: referenceId } = registerSecrets(given, secretRegistry);
    const id = sessionStore.find(referenceId) ? randomUUID() : referenceId;
    const madeAt = this.#options.now().toISOString();
    const { baseUrl, interface: digest } = bound;
    const said = toUserProfile(answer.reading);
    const typed = bound.adapter.features.byUsername ? { name: said.name ?? account } : { email: said.email ?? account };
    const unconfirmed: UserProfile = { ...said, ...typed };
    const begun: StoredSession = {
      serverId,
      vaultAccount: `${account} ${id}`,
      baseUrl,
      interface: digest,
      id,
      account,
      loopbackAddress: answer.loopbackAddress,
      user: toStoredUser(unconfirmed),
      tokenId: parseTokenId(given.token),
      madeAt,
      end: resolveSessionEnd({ token: given.token, readings: [answer.reading], now: madeAt }),
      memoryOnly: remember ? undefined : true,
      ...refreshFlag(bound.adapter, given),
    };
    // Where it rejects, the vault is closed and keeps nothing, which is looked for below.
    const write = (kept: SessionCredential): Promise<void> =>
      this.#tokens.saveNewSession(begun, kept, mayRest, this.#isForScreen(arrival)).catch(() => undefined);
    let written: Promise<unknown> = write(given);
    const withdraw = async (error: AppError): Promise<Result<null>> => {
      const undo = async (): Promise<void> => {
        await written;
        await this.#tokens.rollBackNewSession(begun);
      };
      await within(writeWaitMs, undo());
      return fail(error);
    };
    const profile = await this.#profileOf(arrival, given);
    if (profile.reading) attempt.learned.push({ reading: profile.reading });
    // A redirect may lead to the same place whether or not somebody is in: the profile alone proves it.
    const isProved = profile.ok || arrival.operation !== 'login' || !bound.adapter.description.calls.login.success;
    const refused = refusalOf(profile) ?? (isProved ? undefined : profile.error);
    if (refused) return withdraw(refused);
    const { token = given.token } = profile.credential ?? {};
    const turned = { ...given, ...profile.credential, token };
    if (!isDeepStrictEqual(turned, given)) {
      registerSecrets(turned, secretRegistry);
      written = Promise.all([written, write(turned)]);
    }
    await within(writeWaitMs, written);
    // The server may have been removed meanwhile, or the vault closed or cleared.
    if (!isServerUnchanged(begun, config.get()) || this.#tokens.entryState(begun) === 'absent')
      return withdraw({ kind: 'cancelled' });
    const user = profile.ok && profile.reading.summary.user ? toUserProfile(profile.reading) : unconfirmed;
    const readings = [answer.reading, profile.reading];
    const session: StoredSession = {
      ...begun,
      user: toStoredUser(user),
      tokenId: parseTokenId(token),
      checkedAt: profile.ok ? this.#options.now().toISOString() : undefined,
      end: resolveSessionEnd({ token, readings, now: madeAt }),
      ...refreshFlag(bound.adapter, turned),
    };
    for (const reading of readings) this.#view.saveRawProfile(id, reading);
    await this.#hold(
      arrival,
      session,
      mayRest,
      this.#view.signedIn(session, user, profile.ok ? undefined : profile.error),
      profile.ok && arrival.operation !== 'perfil',
    );
    return ok(null);
  }

  /** Holds a new session in the place of those that it replaces, in one change, and shows it where one of them was on the screen. */
  async #hold(arrival: Arrival, session: StoredSession, mayRest: boolean, shown: AuthState, isProof: boolean) {
    const { config, sessionStore } = this.#options;
    const { attempt, replaces } = arrival;
    const { serverId, account } = session;
    const isForScreen = this.#isForScreen(arrival);
    const { lastEmails, servers } = config.get();
    const learned = this.#attempts.takeLearnedChanges(attempt);
    const calls = arrival.operation === 'login' ? [] : ['register'];
    const proven = isProof && withoutProvenGuesses(learned.servers ?? servers, serverId, session.interface, calls);
    sessionStore.change(
      {
        put: [{ session, sealed: this.#tokens.entryState(session) === 'sealed' }],
        remove: replaces ?? [],
        current: isForScreen ? { [serverId]: session.id } : {},
      },
      {
        ...learned,
        ...(proven && { servers: proven }),
        ...(mayRest && { lastEmails: { ...lastEmails, [serverId]: account } }),
      },
    );
    if (isForScreen) this.#view.showIfCurrent(attempt, shown);
    await this.#tokens.removeSessions(replaces ?? []);
  }

  #isForScreen({ attempt, replaces }: Arrival): boolean {
    const before = this.#options.sessionStore.current(attempt.serverId);
    return !replaces || !before || replaces.some(({ id }) => id === before.id);
  }

  /** Asks for the profile. No call is made for a person who has cancelled or logged out meanwhile. */
  async #profileOf(
    { attempt, bound, account, operation, answer }: Arrival,
    held: SessionCredential,
  ): Promise<ClientResult> {
    if (operation === 'perfil') return answer;
    if (attempt.signal.aborted) return { ok: false, error: { kind: 'cancelled' } };
    const waits = setTimeout(() => this.#view.setLoginAccepted(attempt, true), profileWaitMs);
    try {
      const who = knownIdentifiers([account], undefined, answer.reading.summary.user);
      return await bound.client.profile(held, attempt.signal, answer.loopbackAddress, who);
    } finally {
      clearTimeout(waits);
      this.#view.setLoginAccepted(attempt, false);
    }
  }
}

/** Nobody logged in here, so no session is over where a server does not know a pasted token. */
const pastedRefusal = (error: AppError): AppError =>
  error.kind === 'unauthenticated'
    ? { kind: 'unexpected', reason: 'pasted-token-refused', message: error.message }
    : error;

/** Waits for what goes on by itself, and no longer than so many milliseconds. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, ms);
  await Promise.race([work, late.promise]);
  clearTimeout(timer);
}

/** Says that the server refuses a fresh token, if it does. */
const refusalOf = (profile: ClientResult): AppError | undefined =>
  !profile.ok && profile.error.kind === 'unauthenticated' ? freshTokenRefused(profile.error) : undefined;
