import type { PlainJson } from '../interface/template.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { CaseAnswer, CaseId, Subject, Question } from '../../preload/contract/report-cases.ts';
import type { CreatedAccount, RunOptions } from '../../preload/contract/report.ts';
import type { RegistrationPath } from '../../preload/contract/settings.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { moreAccounts, reservedDomains } from '../../preload/contract/names.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import { isAboutAccount } from './case-applicability.ts';
import { CaseLog } from './case-log.ts';
import {
  createRegistrationFields,
  createIdentity,
  maxWrongPasswords,
  type TestAccount,
  type RequestFields,
  type Identity,
} from './test-accounts.ts';
import { accountKey, IssuedTokens } from './issued-tokens.ts';
import { createReplyAnswer, createFailedObservation, type Observation } from './observation.ts';
import { RequestSender, type RequestSenderOptions } from './request-sender.ts';
import type { TestRequest } from './test-request.ts';
import { AccountRoles } from './account-roles.ts';
import { SecondFactorClient } from './second-factor-client.ts';
import type { TotpSecret } from '../interface/totp.ts';
import { ValidationProbes } from './validation-probes.ts';

/** For one account: the built-in server, like Laravel's limiter, refuses the sixth failure in a minute. */
export const maxFailedLogins = 4;
/** A shorter one may be a word by chance. */
const shortestPassword = 6;

const wellFormed = /^[^\s@]{1,64}@[^\s@]{1,200}$/;

/** Errors before anything of the request was sent. */
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

/** True if a registration without a response created no account: it was never sent, or nothing there speaks HTTP. */
const createdNoAccount = (error: AppError): boolean =>
  unsentErrorKinds.has(error.kind) || (error.kind === 'broken-http' && error.problem === 'not-http');

/** An account that was changed with its token `own`, beside another one. */
type AccountChange = { account: TestAccount; own: string; other: string | undefined; seen: Observation };

/** Sends the requests of cases, and knows their accounts, tokens and observations. It never throws for what a server does. */
export class TestClient extends RequestSender {
  readonly options: RunOptions;
  readonly baseUrl: string;
  readonly secretRegistry: SecretRegistry;
  readonly adapter: ApiAdapter;
  /** Whether somebody chose the API type of `interface.md`. */
  readonly isDefaultInterfaceChosen: boolean;
  readonly givenAccount: TestAccount | undefined;
  /** The given account comes first. */
  #accounts: TestAccount[];
  readonly #createdAccounts: CreatedAccount[] = [];
  /** By email: two simultaneous registrations have two passwords, one of which works. */
  readonly #createdPasswords = new Map<string, Set<string>>();
  readonly secondFactor: SecondFactorClient;
  readonly roles = new AccountRoles(this);
  /** What the tests of a changed password and of a deleted account look at afterwards. */
  passwordChange: AccountChange | undefined;
  deletion: AccountChange | undefined;
  readonly #passwords = new Set<string>();
  readonly #tokens = new IssuedTokens();
  /** Replaced when a restarted server lost its accounts. */
  validationProbes: ValidationProbes;
  /** By `accountKey`. */
  readonly #failedLogins = new Map<string, number>();
  #possibleAccounts = 0;
  /** A server fault may have created these although a refusal was expected. */
  #doubtfulAccounts = 0;
  #wrongPasswords = 0;
  /** Whether the right password or a live token was refused. */
  #sawWrongRefusal = false;
  #lostAccounts = false;
  /** Of the test accounts: chosen by the user, or reserved. */
  #domain: string;

  constructor(
    options: RequestSenderOptions & {
      serverId: string;
      givenAccount: TestAccount | undefined;
      /** Of the given account's second factor. */
      totpSecret?: TotpSecret | undefined;
      isDefaultInterfaceChosen: boolean;
    },
  ) {
    super(options, new CaseLog(options));
    this.options = options.run;
    this.adapter = options.adapter;
    this.baseUrl = options.adapter.baseUrl;
    this.secretRegistry = options.secretRegistry;
    this.givenAccount = options.givenAccount;
    this.isDefaultInterfaceChosen = options.isDefaultInterfaceChosen;
    this.#accounts = this.givenAccount ? [this.givenAccount] : [];
    this.validationProbes = new ValidationProbes(this, this.options.only === undefined);
    this.#domain = this.options.emailDomain ?? reservedDomains[0];
    if (this.givenAccount) this.#registerPasswords(this.givenAccount);
    const { givenAccount: account, totpSecret: secret } = options;
    this.secondFactor = new SecondFactorClient(this, account && secret && { account, secret });
  }

  // Observations.

  observationsOf = (caseId: CaseId): readonly Observation[] => this.log.observationsOf(caseId);
  /** Without CORS preflight, which a gateway may answer, and without the cases about second factors and accounts. */
  observations = (): readonly Observation[] => this.reproducibleObservations().filter((seen) => !seen.isAboutAccount);
  /** With the cases about second factors and accounts. */
  reproducibleObservations = (): readonly Observation[] =>
    this.log.observations().filter(({ sent }) => sent?.method !== 'OPTIONS');
  /** What a mock is generated from. */
  allObservations = (): readonly Observation[] => this.log.observations();
  recordedCalls = () => this.log.recordedCalls();
  collectDuring = <T>(caseId: CaseId, body: () => T | Promise<T>, hasIndependentCalls?: boolean) =>
    this.log.collectDuring(caseId, body, hasIndependentCalls);
  attributeToCurrentCase = (seen: Observation): void => this.log.attributeToCurrentCase(seen);

  reply = (question: Question, seen: Observation, subject?: Subject): CaseAnswer =>
    createReplyAnswer(question, seen, this.secretRegistry, subject);

  // Accounts.

  newIdentity = (): Identity => createIdentity(this.#domain);
  emailDomain = (): string => this.#domain;

  /** The other reserved domain, if the user chose none and it was not tried yet. */
  fallbackDomain = (): string | undefined =>
    this.options.emailDomain === undefined && this.#domain === reservedDomains[0] ? reservedDomains[1] : undefined;

  useDomain(name: string): void {
    this.#domain = name;
  }

  /** Cases use the first one: the given account, or the first that was created. */
  accounts = (): readonly TestAccount[] => this.#accounts;
  ownAccounts = (): readonly TestAccount[] => this.#accounts.filter((each) => each !== this.givenAccount);
  /** An account was deleted: no case uses it any more. */
  forgetAccount({ email, password }: TestAccount): void {
    this.#accounts = this.#accounts.filter((each) => each.email !== email);
    this.#forgetPassword({ email, password });
    this.#tokens.markInvalidOf(email);
  }
  changePassword(account: TestAccount, password: string): void {
    const others = this.#forgetPassword(account);
    account.password = password;
    this.#createdPasswords.set(account.email, others.add(password));
  }
  /** Others of the same email belong to accounts that a server should not have created. */
  #forgetPassword({ email, password }: TestAccount): Set<string> {
    const passwords = this.#createdPasswords.get(email) ?? new Set();
    passwords.delete(password);
    if (passwords.size === 0) this.#createdPasswords.delete(email);
    return passwords;
  }
  /** The accounts that the check created and did not delete, each with the passwords that it may have. */
  remainingAccounts = (): ReadonlyMap<string, ReadonlySet<string>> => this.#createdPasswords;
  /** Whether a response told that an account was created. */
  isCreated = (email: string): boolean =>
    this.#createdAccounts.some((each) => each.email === email && each.state === 'made');
  markCreated(email: string): void {
    for (const each of this.#createdAccounts) if (each.email === email) each.state = 'made';
  }
  /** Notes more accounts of the same email or user name, which a server should not have created. */
  addDuplicates(email: string, count: number): void {
    const known = this.#createdAccounts.filter((each) => each.email === email).slice(0, 1);
    for (let at = 0; at < count; at += 1) this.#createdAccounts.push(...known);
  }
  liveTokenOf = (email: string): string | undefined => this.#tokens.newestOf(email);

  /** For wrong passwords: the created accounts, or the given one where there are none. */
  accountsForFailedLogins(): readonly TestAccount[] {
    const own = this.ownAccounts();
    return own.length > 0 ? own : this.#accounts;
  }

  failedLoginsOf = ({ email }: TestAccount): number => this.#failedLogins.get(accountKey(email)) ?? 0;
  accountsLeft(): number {
    const caseId = this.log.currentCase();
    const most = this.options.accounts + (caseId !== undefined && isAboutAccount(caseId) ? moreAccounts : 0);
    return most - this.#possibleAccounts;
  }
  mayRegister = (): boolean => this.accountsLeft() > 0 && this.#doubtfulAccounts < this.options.accounts;
  createdAccounts = (): readonly CreatedAccount[] => this.#createdAccounts;
  passwords = (): ReadonlySet<string> => this.#passwords;

  // Registrations and logins.

  /** Whether registration in the API type has a field. */
  hasField = (field: Subject): boolean => this.adapter.features.fields.has(field);

  acceptsRegistrationAt = (path: RegistrationPath): boolean =>
    this.observationsOf('registration.served').some(
      ({ operation, handling }) => operation === path && handling === 'accepted',
    );

  /** The path for tests of registration: the one with the most fields that works. */
  registrationPath = (): RegistrationPath => (this.acceptsRegistrationAt('register') ? 'register' : 'registro');

  /** @param isInvalid whether a refusal is expected: a server fault then counts as no account */
  async register(path: RegistrationPath, fields: RequestFields, isInvalid = false): Promise<Observation> {
    if (!this.mayRegister()) return this.log.add(createFailedObservation(path, { kind: 'account-limit' }), true);
    this.#registerPasswords(fields);
    const seen = await this.call({ operation: path, body: fields });
    this.#noteRegistration(fields, seen, { isInvalid });
    const account = this.#loginNameOf(fields);
    if (seen.handling === 'accepted' && typeof account === 'string') this.#storeToken(account, seen);
    return seen;
  }

  /** Sends registrations simultaneously. Their accounts are used for nothing else: which password works is chance. */
  async registerSimultaneously(
    path: RegistrationPath,
    makeFields: () => readonly RequestFields[],
  ): Promise<Observation[]> {
    if (this.accountsLeft() < 2) return [this.log.add(createFailedObservation(path, { kind: 'account-limit' }), true)];
    let sent: readonly RequestFields[] = [];
    const makeRequests = (): TestRequest[] => {
      sent = makeFields();
      for (const fields of sent) this.#registerPasswords(fields);
      return sent.map((body) => ({ operation: path, body }));
    };
    const onObservations = (seen: readonly Observation[]): void => {
      for (const [at, each] of seen.entries()) this.#noteRegistration(sent[at] ?? {}, each, { isUsed: false });
    };
    return this.sendSimultaneously(makeRequests, onObservations, true);
  }

  async login(
    email: PlainJson | undefined,
    password: PlainJson | undefined,
    more: Partial<TestRequest> = {},
  ): Promise<Observation> {
    this.#registerPasswords({ password });
    if (!this.#mayAttemptLogin(email, password))
      return this.log.add(createFailedObservation('login', { kind: 'spares-account' }), true);
    const given = this.#givenWithFactor(email, password, more);
    if (given && this.adapter.secondFactor.kind === 'offered') {
      const result = await this.secondFactor.logIn(given);
      if (result) return result.seen;
    }
    // The given account may be a user name.
    const isTyped = this.adapter.features.byUsername && email === this.givenAccount?.email;
    const body = { email, password, ...(isTyped && { username: email }) };
    const seen = await this.call({ operation: 'login', body, ...more });
    if (typeof email !== 'string') return seen;
    const key = accountKey(email);
    const isRight = this.#accounts.some((each) => each.email === email && each.password === password);
    if (seen.pending && given) {
      const code = await this.secondFactor.freshCode(given);
      return (await this.secondFactor.sendCode(given, seen.pending, code)).seen;
    }
    if (seen.pending) return seen;
    if (isRight && seen.handling === 'refused' && isPlain({ operation: 'login', ...more }))
      this.#sawWrongRefusal = true;
    if (seen.handling === 'refused') this.#failedLogins.set(key, (this.#failedLogins.get(key) ?? 0) + 1);
    this.#storeToken(email, seen);
    return seen;
  }

  /** Refreshes the session that began with a token, with any value as refresh token. */
  async renew({ email }: TestAccount, token: string, value: string | undefined): Promise<Observation> {
    const seen = await this.call({ operation: 'login', token, renewWith: { value } });
    this.#storeToken(email, seen);
    return seen;
  }

  async loginSimultaneously(wanted: readonly TestAccount[]): Promise<Observation[]> {
    const calls = wanted.map(({ email, password }) => ({ operation: 'login', body: { email, password } }) as const);
    return this.sendSimultaneously(
      () => calls,
      (seen) => {
        for (const [at, each] of seen.entries()) this.#storeToken(wanted[at]?.email ?? '', each);
      },
    );
  }

  // Tokens.

  /**
   * Returns the account's newest token that was not refused, or logs in. A token out of a registration does not count: it
   * may be another kind of key.
   */
  async tokenOf({ email, password }: TestAccount): Promise<string> {
    const issued = this.#tokens.newestOf(email);
    if (issued !== undefined) return issued;
    const { reading, failed } = await this.login(email, password);
    // The same login worked before.
    if (reading.summary.token === undefined && !failed) this.log.markUnreliable({ kind: 'unstable' });
    return reading.summary.token ?? '';
  }

  override async call(request: TestRequest): Promise<Observation> {
    const missing = this.sessions.missingInPath(request);
    if (missing?.isInProfile) await super.call({ operation: 'profile', token: missing.token, mayFail: true });
    // A call about an account must never reach another one.
    if (request.account && this.sessions.missingInPath(request))
      return this.log.add(createFailedObservation(request.operation, { kind: 'unstable' }), true);
    const isRight = isPlain(request) && request.token !== undefined && this.#tokens.isLive(request.token);
    const seen = await super.call(request);
    if (isRight && seen.error?.kind === 'unauthenticated') this.#sawWrongRefusal = true;
    return seen;
  }

  /**
   * After an outage or a wrong refusal, tests whether the server still knows the account and the token: one that keeps them
   * in memory loses them at a restart. Then a new account replaces those of before.
   * @returns whether something was lost, so that the observations since then prove nothing
   */
  async recoverFromRestart(): Promise<boolean> {
    const wasAway = this.consumeOutage();
    const [account] = this.#accounts;
    if (!(wasAway || this.#sawWrongRefusal) || !account || this.#lostAccounts || this.stopReason()) return false;
    const token = this.#tokens.newestOf(account.email);
    const profile = token === undefined ? undefined : await this.call({ operation: 'profile', token, mayFail: true });
    const isTokenRefused = profile?.handling === 'refused';
    const mayBeForgotten = wasAway ? !profile || isTokenRefused : isTokenRefused;
    // Without an outage, tokens that end alone are a property of the server.
    if (wasAway && isTokenRefused) this.#tokens.markAllLost();
    const login = mayBeForgotten && (await this.login(account.email, account.password, { mayFail: true }));
    const isUnknown = login && login.handling === 'refused' && !login.pending && login.error?.kind !== 'account-held';
    if (isUnknown) await this.#replaceAccounts(account === this.givenAccount);
    this.#sawWrongRefusal = false;
    return isUnknown || (wasAway && isTokenRefused);
  }

  /** Whether a restarted server lost the accounts, and registered no new one. */
  hasLostAccounts = (): boolean => this.#lostAccounts;
  isTokenLost = (token: string): boolean => this.#tokens.isLost(token);

  markTokenInvalid = (token: string): void => this.#tokens.markInvalid(token);
  keepOnlyNewestToken = (newest: string): void => this.#tokens.keepOnlyNewest(newest);
  tokens = (): readonly string[] => this.#tokens.all();
  tokensByAccount = (): readonly string[][] => this.#tokens.byAccount();
  /** The emails of the accounts whose tokens still work. */
  sessionsLeft = (): string[] => this.#tokens.accountsWithActiveTokens();

  /** Logs out every live token, with one request each. */
  cleanUp = (maxCalls: number): Promise<void> =>
    this.runAfterStop(async () => {
      for (const token of this.adapter.features.logout ? this.#tokens.live().slice(0, maxCalls) : []) {
        const { handling } = await this.call({ operation: 'logout', token, mayFail: true, mayBeThrottled: true });
        if (handling === 'accepted' || handling === 'refused' || handling === 'page') this.#tokens.markInvalid(token);
      }
    });

  /** Deletes the accounts of the check although it has stopped. */
  runCleanup = (work: () => Promise<void>): Promise<void> =>
    this.runAfterStop(async () => {
      this.log.beginCleanup();
      await work();
    });

  override resume(): void {
    super.resume();
    this.validationProbes.stopBatching();
  }

  async #replaceAccounts(wasGiven: boolean): Promise<void> {
    this.#tokens.markAllLost();
    this.#accounts = [];
    this.#createdPasswords.clear();
    this.validationProbes = new ValidationProbes(this, this.options.only === undefined);
    const path = this.registrationPath();
    if (this.options.variant !== 'none') await this.register(path, createRegistrationFields(path, this.newIdentity()));
    const [next] = this.#accounts;
    const login = next && (await this.login(next.email, next.password, { mayFail: true }));
    // Without an earlier login, a login that fails now proves no loss.
    this.#lostAccounts = login?.handling !== 'accepted' && (wasGiven || this.#tokens.all().length > 0 || !next);
  }

  /** Registers sent passwords for redaction. */
  #registerPasswords(fields: { password?: unknown; cpassword?: unknown }): void {
    for (const value of [fields.password, fields.cpassword]) {
      if (typeof value !== 'string' || value.length < shortestPassword) continue;
      this.#passwords.add(value);
      this.secretRegistry.register(value, 'password');
    }
  }

  /** Notes the token of a session that a login began. */
  storeToken(email: string, token: string): void {
    this.secretRegistry.register(token, 'token');
    this.#tokens.add(token, email);
  }

  #storeToken(email: string, { reading }: Observation): void {
    const { token } = reading.summary;
    if (token !== undefined) this.storeToken(email, token);
  }

  /** The given account, if a login to it is completed with a code: the tests of the second factor do that themselves. */
  #givenWithFactor(email: unknown, password: unknown, more: Partial<TestRequest>): TestAccount | undefined {
    const account = this.givenAccount;
    const caseId = this.log.currentCase();
    const isRight = account?.email === email && account?.password === password;
    if (!account || !isRight || !this.secondFactor.has(account) || (caseId && isAboutAccount(caseId))) return undefined;
    return isPlain({ operation: 'login', ...more }) ? account : undefined;
  }

  /** Counts the wrong passwords for the given account. */
  #mayAttemptLogin(email: unknown, password: unknown): boolean {
    const { givenAccount } = this;
    const isGiven = givenAccount && typeof email === 'string' && accountKey(email) === accountKey(givenAccount.email);
    if (!isGiven || password === givenAccount.password) return true;
    if (this.#wrongPasswords >= maxWrongPasswords) return false;
    this.#wrongPasswords += 1;
    return true;
  }

  /** Even a page, a server fault or an incomplete response may mean that an account was created. */
  #noteRegistration(fields: RequestFields, seen: Observation, { isInvalid = false, isUsed = true }): void {
    const { password, username } = fields;
    const email = this.#loginNameOf(fields);
    const wasSent = !(seen.failed?.kind === 'no-answer' && createdNoAccount(seen.failed.error));
    const mayBeCreated = seen.handling === 'fault' || (seen.handling === 'page' && seen.status < 400);
    if (mayBeCreated && seen.call !== undefined && wasSent) {
      if (isInvalid) this.#doubtfulAccounts += 1;
      else this.#possibleAccounts += 1;
      this.#noteAccount(email, password, 'unsure');
    }
    if (seen.handling !== 'accepted') return;
    this.#possibleAccounts += 1;
    this.#noteAccount(email, password, 'made');
    if (
      !isUsed ||
      username !== undefined ||
      typeof email !== 'string' ||
      typeof password !== 'string' ||
      password === ''
    )
      return;
    // Its login may be refused for the malformed email alone.
    if (isInvalid && !wellFormed.test(email)) return;
    if (this.#accounts.every((each) => each.email !== email)) this.#accounts.push({ email, password });
  }

  /** What a login finds the account of a registration by: the email, or a user name that the registration chose. */
  #loginNameOf({ email, username }: RequestFields): PlainJson | undefined {
    const { loginBy } = this.adapter.identifiers;
    const isUsed = typeof email === 'string' && this.#createdPasswords.has(email);
    return username !== undefined && (loginBy === 'username' || (loginBy === 'either' && isUsed)) ? username : email;
  }

  #noteAccount(email: unknown, password: unknown, state: CreatedAccount['state']): void {
    const madeBy = this.log.currentCase() ?? 'registration.served';
    const text = typeof email === 'string' ? email : JSON.stringify(email ?? null);
    const before = this.#createdPasswords.get(text);
    const passwords = before ?? new Set();
    this.#createdPasswords.set(text, typeof password === 'string' ? passwords.add(password) : passwords);
    if (!before) this.#createdAccounts.push({ email: text, madeBy, state });
  }
}

const plainOptions: ReadonlySet<string> = new Set(['operation', 'body', 'token', 'mayFail', 'mayBeThrottled']);

/** True for a request as the API type describes it, of which a server can only refuse the credentials. */
const isPlain = (request: TestRequest): boolean => Object.keys(request).every((name) => plainOptions.has(name));
