import type { PlainJson } from '../interface/template.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { CaseAnswer, CaseId, Subject, Question } from '../../preload/contract/report-cases.ts';
import type { CreatedAccount, RunOptions } from '../../preload/contract/report.ts';
import type { RegistrationPath } from '../../preload/contract/settings.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { reservedDomains } from '../../preload/contract/names.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import { CaseLog } from './case-log.ts';
import {
  createRegistrationFields,
  createIdentity,
  type TestAccount,
  type RequestFields,
  type Identity,
} from './test-accounts.ts';
import { IssuedTokens } from './issued-tokens.ts';
import { createReplyAnswer, createFailedObservation, type Observation } from './observation.ts';
import { RequestSender, type RequestSenderOptions } from './request-sender.ts';
import type { TestRequest } from './crash-detection.ts';
import { ValidationProbes, type ValidationProbeId } from './validation-probes.ts';

/** The limit for one account. The built-in server, like Laravel's limiter, refuses the sixth failure in a minute. */
export const maxFailedLogins = 4;
/** This is the limit for an account that was given, in the whole run, since somebody may need it. */
export const maxWrongPasswords = 2;
/** Shorter passwords cannot be told from words. */
const shortestPassword = 6;

const keyOf = (email: string): string => email.trim().toLowerCase();

const wellFormed = /^[^\s@]{1,64}@[^\s@]{1,200}$/;

/** These failures came before anything of the request was sent. */
export const unsentErrorKinds: ReadonlySet<AppError['kind']> = new Set<AppError['kind']>([
  'offline',
  'refused',
  'no-route',
  'blocked-here',
  'dns',
  'name-server',
  'tls',
  'proxy',
  'connection-settings',
]);

/** Whether a registration without an answer made no account: it was never sent, or nothing there speaks HTTP. */
const makesNothing = (error: AppError): boolean =>
  unsentErrorKinds.has(error.kind) || (error.kind === 'broken-http' && error.problem === 'not-http');

/**
 * What cases send their calls with. It keeps the pace and the limits, waits where the server asks to, and remembers
 * accounts, tokens and everything seen. Nothing here throws for what a server does.
 */
export class TestClient extends RequestSender {
  readonly options: RunOptions;
  readonly baseUrl: string;
  readonly secretRegistry: SecretRegistry;
  /** The interface of the server. */
  readonly adapter: ApiAdapter;
  /** Whether somebody chose the interface of `interface.md` for the server. */
  readonly isDefaultInterfaceChosen: boolean;
  /** An account that exists already. */
  readonly givenAccount: TestAccount | undefined;
  /** The account that was given comes first. */
  #accounts: TestAccount[];
  readonly #made: CreatedAccount[] = [];
  readonly #passwords = new Set<string>();
  readonly #tokens = new IssuedTokens();
  #trials: ValidationProbes;
  /** The addresses are in small letters. */
  readonly #failedLogins = new Map<string, number>();
  #possibleAccounts = 0;
  /** Those that a fault may have made although a refusal was expected. */
  #doubtfulAccounts = 0;
  #wrongPasswords = 0;
  /** Whether a login or a token was refused that was right. */
  #isDoubted = false;
  #isForgotten = false;
  /** Where the addresses of people are: where a person chose, else under a name that is reserved. */
  #domain: string;

  constructor(
    options: RequestSenderOptions & { serverId: string; given: TestAccount | undefined; isOwnChosen: boolean },
  ) {
    super(options, new CaseLog(options));
    this.options = options.run;
    this.adapter = options.adapter;
    this.baseUrl = options.adapter.baseUrl;
    this.secretRegistry = options.secretRegistry;
    this.givenAccount = options.given;
    this.isDefaultInterfaceChosen = options.isOwnChosen;
    this.#accounts = this.givenAccount ? [this.givenAccount] : [];
    this.#trials = new ValidationProbes(this, this.options.only === undefined);
    this.#domain = this.options.emailDomain ?? reservedDomains[0];
    if (this.givenAccount) this.#keepPasswords(this.givenAccount);
  }

  // What was seen.

  observationsOf = (caseId: CaseId): readonly Observation[] => this.log.observationsOf(caseId);
  /** All calls but what a browser asks before one, which other servers than APIs answer for them. */
  observations = (): readonly Observation[] => this.log.observations().filter(({ sent }) => sent?.method !== 'OPTIONS');
  allObservations = (): readonly Observation[] => this.log.observations();
  recordedCalls = () => this.log.recordedCalls();
  collectDuring = <T>(caseId: CaseId, body: () => T | Promise<T>, standsAlone?: boolean) =>
    this.log.collectDuring(caseId, body, standsAlone);
  attributeToCurrentCase = (seen: Observation): void => this.log.attributeToCurrentCase(seen);

  reply = (question: Question, seen: Observation, subject?: Subject): CaseAnswer =>
    createReplyAnswer(question, seen, this.secretRegistry, subject);

  // People and their accounts.

  newIdentity = (): Identity => createIdentity(this.#domain);
  emailDomain = (): string => this.#domain;

  /** Returns the other reserved name if nobody chose one and it was not tried yet. */
  fallbackDomain = (): string | undefined =>
    this.options.emailDomain === undefined && this.#domain === reservedDomains[0] ? reservedDomains[1] : undefined;

  useDomain(name: string): void {
    this.#domain = name;
  }

  /** Answers all accounts. The first is the one that was given, else the first made; cases use that one. */
  accounts = (): readonly TestAccount[] => this.#accounts;
  ownAccounts = (): readonly TestAccount[] => this.#accounts.filter((each) => each !== this.givenAccount);

  /** Accounts to try wrong passwords at: the run's own, or the given account where the run has none. */
  accountsForFailedLogins(): readonly TestAccount[] {
    const own = this.ownAccounts();
    return own.length > 0 ? own : this.#accounts;
  }

  failedLoginsOf = ({ email }: TestAccount): number => this.#failedLogins.get(keyOf(email)) ?? 0;
  /** Answers how many more accounts may be made. */
  accountsLeft = (): number => this.options.accounts - this.#possibleAccounts;
  mayRegister = (): boolean => this.accountsLeft() > 0 && this.#doubtfulAccounts < this.options.accounts;
  createdAccounts = (): readonly CreatedAccount[] => this.#made;
  passwords = (): ReadonlySet<string> => this.#passwords;

  // Registrations and logins.

  /** Says whether a registration asks for a field. */
  hasField = (field: Subject): boolean => this.adapter.features.fields.has(field);

  /** Says whether the server accepted a registration as the interface describes it there. */
  acceptsRegistrationAt = (wanted: RegistrationPath): boolean =>
    this.observationsOf('registration.served').some(
      ({ operation, handling }) => operation === wanted && handling === 'accepted',
    );

  /** Answers where registrations are sent to try something: at the path with the most fields that works. */
  registrationPath = (): RegistrationPath => (this.acceptsRegistrationAt('register') ? 'register' : 'registro');

  /** Tries one thing at a registration, unless an earlier one already had it in it and was accepted. */
  sendValidationProbe = (id: ValidationProbeId) => this.#trials.send(id);
  /** Says whether a trial costs nothing more. */
  hasValidationResult = (id: ValidationProbeId): boolean => this.#trials.hasResult(id);

  /**
   * Sends a registration, which may make an account.
   * @param isWrong whether a refusal is expected. A fault then is counted for no account.
   */
  async register(path: RegistrationPath, fields: RequestFields, isWrong = false): Promise<Observation> {
    if (!this.mayRegister()) return this.log.add(createFailedObservation(path, { kind: 'account-limit' }), true);
    this.#keepPasswords(fields);
    const seen = await this.call({ operation: path, body: fields });
    this.#registered(fields, seen, { isWrong });
    const { email } = fields;
    if (seen.handling === 'accepted' && typeof email === 'string') this.#keepToken(email, seen);
    return seen;
  }

  /**
   * Sends registrations at once, of which some may get no answer. What they make is used for nothing else, since nobody
   * knows whose it is.
   */
  async registerSimultaneously(path: RegistrationPath, make: () => readonly RequestFields[]): Promise<Observation[]> {
    if (this.accountsLeft() < 2) return [this.log.add(createFailedObservation(path, { kind: 'account-limit' }), true)];
    let sent: readonly RequestFields[] = [];
    const wanted = (): TestRequest[] => {
      sent = make();
      for (const fields of sent) this.#keepPasswords(fields);
      return sent.map((body) => ({ operation: path, body }));
    };
    const onSeen = (seen: readonly Observation[]): void => {
      for (const [at, each] of seen.entries()) this.#registered(sent[at] ?? {}, each, { isForCases: false });
    };
    return this.sendSimultaneously(wanted, onSeen, true);
  }

  async login(
    email: PlainJson | undefined,
    password: PlainJson | undefined,
    more: Partial<TestRequest> = {},
  ): Promise<Observation> {
    this.#keepPasswords({ password });
    if (!this.#mayTry(email, password))
      return this.log.add(createFailedObservation('login', { kind: 'spares-account' }), true);
    // The given account is known by what was typed, which need not be an email.
    const isTyped = this.adapter.features.byUsername && email === this.givenAccount?.email;
    const body = { email, password, ...(isTyped && { username: email }) };
    const seen = await this.call({ operation: 'login', body, ...more });
    if (typeof email !== 'string') return seen;
    const key = keyOf(email);
    const isRight = this.#accounts.some((each) => each.email === email && each.password === password);
    if (isRight && seen.handling === 'refused' && isPlain({ operation: 'login', ...more })) this.#isDoubted = true;
    if (seen.handling === 'refused') this.#failedLogins.set(key, (this.#failedLogins.get(key) ?? 0) + 1);
    this.#keepToken(email, seen);
    return seen;
  }

  /** Renews the session that began with a token, with this in the place of what it is renewed by. */
  async renew({ email }: TestAccount, token: string, value: string | undefined): Promise<Observation> {
    const seen = await this.call({ operation: 'login', token, renewWith: { value } });
    this.#keepToken(email, seen);
    return seen;
  }

  async loginSimultaneously(wanted: readonly TestAccount[]): Promise<Observation[]> {
    const calls = wanted.map(({ email, password }) => ({ operation: 'login', body: { email, password } }) as const);
    return this.sendSimultaneously(
      () => calls,
      (seen) => {
        for (const [at, each] of seen.entries()) this.#keepToken(wanted[at]?.email ?? '', each);
      },
    );
  }

  // Tokens.

  /**
   * Returns the account's newest token that was not refused, or logs in. A token out of a registration does not count: it
   * may be another kind of key.
   */
  async tokenOf({ email, password }: TestAccount): Promise<string> {
    const kept = this.#tokens.newestOf(keyOf(email));
    if (kept !== undefined) return kept;
    const { reading, failed } = await this.login(email, password);
    // The same login worked before.
    if (reading.summary.token === undefined && !failed) this.log.markUnreliable({ kind: 'unstable' });
    return reading.summary.token ?? '';
  }

  override async call(wanted: TestRequest): Promise<Observation> {
    const isRight = isPlain(wanted) && wanted.token !== undefined && this.#tokens.isLive(wanted.token);
    const seen = await super.call(wanted);
    if (isRight && seen.error?.kind === 'unauthenticated') this.#isDoubted = true;
    return seen;
  }

  /**
   * Looks, where the server was away or refused what was right, whether it still knows the account and the token of the
   * run. A server in memory that was restarted does not: what is from before is used no more, and another account is
   * registered in the place of those.
   * @returns whether something was forgotten, so that what was seen meanwhile says nothing
   */
  async recoverFromRestart(): Promise<boolean> {
    const wasAway = this.consumeOutage();
    const [account] = this.#accounts;
    if (!(wasAway || this.#isDoubted) || !account || this.#isForgotten || this.stopReason()) return false;
    const token = this.#tokens.newestOf(keyOf(account.email));
    const profile = token === undefined ? undefined : await this.call({ operation: 'perfil', token, mayFail: true });
    const isTokenRefused = profile?.handling === 'refused';
    const mayBeForgotten = wasAway ? !profile || isTokenRefused : isTokenRefused;
    // Without a restart that was seen, tokens alone that end are what the server does with them.
    if (wasAway && isTokenRefused) this.#tokens.markAllLost();
    const login = mayBeForgotten && (await this.login(account.email, account.password, { mayFail: true }));
    const isUnknown = login && login.handling === 'refused' && login.error?.kind !== 'account-held';
    if (isUnknown) await this.#startAnew(account === this.givenAccount);
    this.#isDoubted = false;
    return isUnknown || (wasAway && isTokenRefused);
  }

  /** Whether the server was restarted, knows no account of the run any more, and gave no other one. */
  hasLostAccounts = (): boolean => this.#isForgotten;
  /** Whether a token is from before a restart at which the server forgot it. */
  isTokenLost = (token: string): boolean => this.#tokens.isLost(token);

  /** Takes note that a token was logged out, or turned out not to work. */
  markTokenInvalid = (token: string): void => this.#tokens.markInvalid(token);
  /** Takes note that a login ended all other tokens of its account. */
  keepOnlyNewestToken = (newest: string): void => this.#tokens.keepOnlyNewest(newest);
  tokens = (): readonly string[] => this.#tokens.all();
  tokensByAccount = (): readonly string[][] => this.#tokens.byAccount();
  /** Answers the emails of the accounts whose tokens still work. */
  sessionsLeft = (): string[] => this.#tokens.accountsWithActiveTokens();

  /** Ends every token that is known to work, with one call each. The report does not say whether that worked. */
  cleanUp = (mostCalls: number): Promise<void> =>
    this.runAfterStop(async () => {
      for (const token of this.adapter.features.logout ? this.#tokens.live().slice(0, mostCalls) : []) {
        const { handling } = await this.call({ operation: 'salir', token, mayFail: true, mayBeThrottled: true });
        if (handling === 'accepted' || handling === 'refused' || handling === 'page') this.#tokens.markInvalid(token);
      }
    });

  override resume(): void {
    super.resume();
    this.#trials.stopBatching();
  }

  protected override loopbackAddressOf(token: string | undefined): string | undefined {
    return token === undefined ? undefined : this.#tokens.loopbackAddressOf(token);
  }

  /** Registers an account in the place of those that a restarted server does not know any more. */
  async #startAnew(wasGiven: boolean): Promise<void> {
    this.#tokens.markAllLost();
    this.#accounts = [];
    this.#trials = new ValidationProbes(this, this.options.only === undefined);
    const path = this.registrationPath();
    if (this.options.variant !== 'none') await this.register(path, createRegistrationFields(path, this.newIdentity()));
    const [next] = this.#accounts;
    const login = next && (await this.login(next.email, next.password, { mayFail: true }));
    // Where nobody ever logged in, the login is to blame.
    this.#isForgotten = login?.handling !== 'accepted' && (wasGiven || this.#tokens.all().length > 0 || !next);
  }

  /** Keeps the passwords that are sent, and has them cut out of everything that is kept. */
  #keepPasswords(fields: { password?: unknown; cpassword?: unknown }): void {
    for (const value of [fields.password, fields.cpassword]) {
      if (typeof value !== 'string' || value.length < shortestPassword) continue;
      this.#passwords.add(value);
      this.secretRegistry.register(value, 'password');
    }
  }

  /** Keeps the token of an answer, if it gave one. */
  #keepToken(email: string, { reading, call: sent }: Observation): void {
    const { token } = reading.summary;
    if (token === undefined) return;
    this.secretRegistry.register(token, 'token');
    this.#tokens.add(token, { email: keyOf(email), written: email, loopbackAddress: sent?.loopbackAddress });
  }

  /** Says whether a login may be tried. A wrong password for the account that was given is counted. */
  #mayTry(email: unknown, password: unknown): boolean {
    const { givenAccount } = this;
    const isGiven = givenAccount && typeof email === 'string' && keyOf(email) === keyOf(givenAccount.email);
    if (!isGiven || password === givenAccount.password) return true;
    if (this.#wrongPasswords >= maxWrongPasswords) return false;
    this.#wrongPasswords += 1;
    return true;
  }

  /** Takes note of a registration. Even a page, a fault or no whole answer may mean that it made an account. */
  #registered({ email, password }: RequestFields, seen: Observation, { isWrong = false, isForCases = true }): void {
    const wasSent = !(seen.failed?.kind === 'no-answer' && makesNothing(seen.failed.error));
    const mayBeMade = seen.handling === 'fault' || (seen.handling === 'page' && seen.status < 400);
    if (mayBeMade && seen.call !== undefined && wasSent) {
      if (isWrong) this.#doubtfulAccounts += 1;
      else this.#possibleAccounts += 1;
      this.#noteMade(email, 'unsure');
    }
    if (seen.handling !== 'accepted') return;
    this.#possibleAccounts += 1;
    this.#noteMade(email, 'made');
    if (!isForCases || typeof email !== 'string' || typeof password !== 'string' || password === '') return;
    // A login with another address may be refused for the address alone.
    if (isWrong && !wellFormed.test(email)) return;
    if (this.#accounts.every((each) => each.email !== email)) this.#accounts.push({ email, password });
  }

  #noteMade(email: unknown, state: CreatedAccount['state']): void {
    const madeBy = this.log.currentCase() ?? 'registration.served';
    const text = typeof email === 'string' ? email : JSON.stringify(email ?? null);
    if (this.#made.every((each) => each.email !== text)) this.#made.push({ email: text, madeBy, state });
  }
}

const plain: ReadonlySet<string> = new Set(['operation', 'body', 'token', 'mayFail', 'mayBeThrottled']);

/** Whether a call is made as the interface says, so that nothing but who makes it can be refused. */
const isPlain = (wanted: TestRequest): boolean => Object.keys(wanted).every((name) => plain.has(name));
