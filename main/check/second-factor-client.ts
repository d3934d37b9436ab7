import type { CodeMethod } from '../../preload/contract/interface.ts';
import type { NotMeasured } from '../../preload/contract/report-cases.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { AccountCall } from '../interface/account-calls.ts';
import type { CodeOutcome, PendingLogin } from '../interface/second-factor.ts';
import { isRecord, parseJson, type PlainJson, type PlaceholderValues } from '../interface/template.ts';
import { accountOutputsIn, operationOfAccountCall } from './account-responses.ts';
import { isAccepted, isEndpointMissing, type Observation } from './observation.ts';
import type { TestAccount } from './test-accounts.ts';
import type { CodeOrigin, TestRequest } from './test-request.ts';
import { createTotpCode, createTotpSecret, parseTotpSecret, type TotpSecret } from '../interface/totp.ts';

/** A login that a code completed. */
type CompletedLogin = { code: string; pending: PendingLogin; step: number; seen: Observation };

/** The second factor of an account, with the newest time step whose code was sent. */
type Factor = { secret: TotpSecret; recoveryCodes: string[]; newestStep: number; completed?: CompletedLogin };

/** What it needs of the client of a check. */
type Client = {
  readonly adapter: ApiAdapter;
  call: (request: TestRequest) => Promise<Observation>;
  login: (email: string, password: string, more: Partial<TestRequest>) => Promise<Observation>;
  tokenOf: (account: TestAccount) => Promise<string>;
  storeToken: (email: string, token: string) => void;
  pause: (ms: number) => Promise<void>;
  dateMs: () => number;
  serverClockMs: () => number | undefined;
};

/** The response to a code, and the token of the session that it began. */
export type CodeObservation = { seen: Observation; outcome: CodeOutcome; token: string | undefined };

/** A clock that is further off says nothing, as where a server has none. */
const dayMs = 86_400_000;
/** Differences up to this are those of whole seconds in `Date`, and of the way. */
const exactMs = 1_500;
/** So much of a step has to be left for a code to arrive in it. */
const leastLeftMs = 2_500;
/** After the beginning of a step, for a clock that is a little behind. */
const afterStartMs = 700;

/** After the beginning of a step, where a clock that is a little behind is in that step, too. */
const surelyMs = 2_500;

/** In either direction. No server accepts a code for longer. */
const mostWrongSteps = 20;

/** Second factors of accounts, and the calls with their codes. Codes are never sent twice by chance. */
export class SecondFactorClient {
  readonly #client: Client;
  readonly #factors = new Map<string, Factor>();
  /** By code. */
  readonly #origins = new Map<string, CodeOrigin>();
  #refusedEnrollment: NotMeasured | undefined;

  /** @param given the secret of the given account */
  constructor(client: Client, given: { account: TestAccount; secret: TotpSecret } | undefined) {
    this.#client = client;
    if (given)
      this.#factors.set(given.account.email, { secret: given.secret, recoveryCodes: [], newestStep: -Infinity });
  }

  has = ({ email }: TestAccount): boolean => this.#factors.has(email);

  /** A recovery code that was not used yet. */
  takeRecoveryCode(account: TestAccount): string | undefined {
    const { secret, recoveryCodes } = this.#factorOf(account);
    const code = recoveryCodes.shift();
    if (code !== undefined) this.#origins.set(code, { email: account.email, secret, isRecovery: true });
    return code;
  }

  /** Sends a call about an account, in its session or in a pending login. */
  send(
    call: AccountCall,
    fields: PlaceholderValues,
    { token, pending, mayBeThrottled = false }: { token?: string; pending?: PendingLogin; mayBeThrottled?: boolean },
  ): Promise<Observation> {
    const { code } = fields;
    return this.#client.call({
      operation: operationOfAccountCall(call),
      account: { call, fields, code: typeof code === 'string' ? this.#origins.get(code) : undefined },
      ...(token !== undefined && { token }),
      ...(pending && { pending }),
      mayBeThrottled,
    });
  }

  // Codes.

  /** Milliseconds since 1970 by the clock of the server, if that is within a day of ours. */
  #nowMs(): number {
    const ahead = this.clockDifferenceMs();
    return this.#client.dateMs() + (Math.abs(ahead) > exactMs ? ahead : 0);
  }

  /** By how much the clock of the server is ahead. */
  clockDifferenceMs(): number {
    const ahead = this.#client.serverClockMs();
    // `Date` is cut to whole seconds.
    return ahead === undefined || Math.abs(ahead) > dayMs ? 0 : ahead + 500;
  }

  /** Waits for a time step whose code was not sent yet, and returns its code. */
  async freshCode(account: TestAccount): Promise<string> {
    const factor = this.#factorOf(account);
    const periodMs = factor.secret.period * 1000;
    const now = this.#nowMs();
    const left = periodMs - (now % periodMs);
    const current = Math.floor(now / periodMs);
    const wanted = Math.max(left < leastLeftMs ? current + 1 : current, factor.newestStep + 1);
    if (wanted > current) await this.#client.pause((wanted - current) * periodMs - (now % periodMs) + afterStartMs);
    factor.newestStep = wanted;
    return this.#createCode(account, wanted * periodMs, 0);
  }

  #createCode(account: TestAccount, atMs: number, stepsAgo: number): string {
    const { secret } = this.#factorOf(account);
    const code = createTotpCode(secret, atMs);
    this.#origins.set(code, { email: account.email, secret, stepsAgo });
    return code;
  }

  /** How many steps ago codes were not sent yet, so that a server refuses them for their age alone. */
  unsentSteps(account: TestAccount): number {
    const { secret, newestStep } = this.#factorOf(account);
    return Math.floor(this.#nowMs() / 1000 / secret.period) - newestStep - 1;
  }

  /** The code of some steps ago, once no newer one was sent before it. */
  async oldCode(account: TestAccount, stepsAgo: number): Promise<string> {
    const { secret } = this.#factorOf(account);
    const periodMs = secret.period * 1000;
    const missing = stepsAgo - this.unsentSteps(account);
    // A clock that is a little behind would still be in the step before.
    const sinceStart = this.#nowMs() % periodMs;
    const waitMs = missing > 0 ? missing * periodMs - sinceStart + surelyMs : surelyMs - sinceStart;
    if (waitMs > 0) await this.#client.pause(waitMs);
    return this.#createCode(account, this.#nowMs() - stepsAgo * periodMs, stepsAgo);
  }

  /** Codes that are right in none of the time steps around the current one. */
  wrongCodes(account: TestAccount, count: number): string[] {
    const { secret } = this.#factorOf(account);
    const near = Array.from({ length: 2 * mostWrongSteps + 1 }, (_, at) =>
      createTotpCode(secret, this.#nowMs() + (at - mostWrongSteps) * secret.period * 1000),
    );
    const right = new Set(near);
    const wrong: string[] = [];
    for (let number = 100_003; wrong.length < count; number = (number + 137_911) % 1_000_000) {
      const code = String(number).padStart(secret.digits, '0');
      if (!right.has(code)) wrong.push(code);
    }
    return wrong;
  }

  #factorOf({ email }: TestAccount): Factor {
    const factor = this.#factors.get(email);
    if (!factor) throw new Error('the account has no second factor');
    return factor;
  }

  // Logins.

  /** Logs in without a code: what the server then waits for, and the login itself. */
  async begin(
    account: TestAccount,
    password = account.password,
  ): Promise<{ seen: Observation; pending: PendingLogin | undefined }> {
    const seen = await this.#client.login(account.email, password, { mayBeThrottled: true });
    if (seen.pending) return { seen, pending: seen.pending };
    const { token } = seen.reading.summary;
    const asksLater = this.#client.adapter.description.secondFactor?.when?.some(({ call }) => call === 'profile');
    if (token === undefined || !asksLater) return { seen, pending: undefined };
    const profile = await this.#client.call({ operation: 'profile', token });
    return { seen: profile, pending: profile.pending };
  }

  /** The pending login for a code: none is needed where the code is sent with the password. */
  async pendingFor(account: TestAccount): Promise<PendingLogin | undefined> {
    const { secondFactor } = this.#client.adapter;
    if (secondFactor.repeatsPassword('totp') && !this.#client.adapter.hasAccountCall('challenge.totp'))
      return { credential: {}, methods: secondFactor.methods };
    return (await this.begin(account)).pending;
  }

  /** Sends a code, after its challenge if there is one. `code` may be anything, or nothing. */
  async sendCode(
    account: TestAccount,
    pending: PendingLogin,
    code: PlainJson | undefined,
    method: CodeMethod = 'totp',
  ): Promise<CodeObservation> {
    const { adapter } = this.#client;
    const fields = { email: account.email, password: account.password };
    const challenged = adapter.hasAccountCall(`challenge.${method}`)
      ? (await this.send(`challenge.${method}`, fields, { pending })).pending
      : undefined;
    const options = { pending: challenged ?? pending, mayBeThrottled: true };
    const seen = await this.send(`code.${method}`, { ...fields, ...(code !== undefined && { code }) }, options);
    const response = seen.call?.response;
    const outcome = response ? adapter.secondFactor.outcomeOf(method, response) : 'ended';
    const token = outcome === 'accepted' ? (seen.reading.summary.token ?? seen.session) : undefined;
    if (token !== undefined) this.#client.storeToken(account.email, token);
    return { seen, outcome, token };
  }

  /** Logs in with a fresh code; undefined if no code was asked for. */
  async logIn(account: TestAccount): Promise<CodeObservation | undefined> {
    const factor = this.#factorOf(account);
    const pending = await this.pendingFor(account);
    if (!pending) return undefined;
    const code = await this.freshCode(account);
    const result = await this.sendCode(account, pending, code);
    if (result.outcome === 'accepted') factor.completed = { code, pending, step: factor.newestStep, seen: result.seen };
    return result;
  }

  /** The last login that a code completed. */
  lastLogin = (account: TestAccount): CompletedLogin | undefined => this.#factorOf(account).completed;

  /** A login whose code is still that of the current time step: the last one, or a new one. */
  async currentLogin(account: TestAccount): Promise<CompletedLogin | undefined> {
    const { secret, completed } = this.#factorOf(account);
    const periodMs = secret.period * 1000;
    const left = periodMs - (this.#nowMs() % periodMs);
    if (completed?.step === Math.floor(this.#nowMs() / periodMs) && left > leastLeftMs) return completed;
    return (await this.logIn(account))?.outcome === 'accepted' ? this.lastLogin(account) : undefined;
  }

  /** True if a code began a session that the profile is returned for. */
  async isLoggedIn({ token }: CodeObservation): Promise<boolean> {
    return token !== undefined && isAccepted(await this.#client.call({ operation: 'profile', token }));
  }

  // Enrollment.

  /** Why no account can have a second factor. */
  reasonWithout = (): NotMeasured => this.#refusedEnrollment ?? { kind: 'no-second-factor' };

  /** Adds a second factor to an account. Once the server refused one, no other is tried. */
  async enroll(account: TestAccount): Promise<boolean> {
    const { adapter } = this.#client;
    if (this.#refusedEnrollment || !adapter.hasAccountCall('enrollment.confirm')) return false;
    const token = await this.#client.tokenOf(account);
    const fields: Record<string, PlainJson> = { email: account.email, password: account.password };
    const outputs: Record<string, string> = {};
    const codes: string[] = [];
    for (const call of ['enrollment.start', 'enrollment.challenge', 'enrollment.confirm'] as const) {
      if (!adapter.hasAccountCall(call)) continue;
      if (call === 'enrollment.confirm') {
        const secret = this.#secretOf(outputs, fields);
        if (!secret) return this.#refuse({ kind: 'enrollment-refused', status: 0 });
        this.#factors.set(account.email, { secret, recoveryCodes: codes, newestStep: -Infinity });
        fields['code'] = await this.freshCode(account);
      }
      const seen = await this.send(call, fields, { token });
      const response = seen.call?.response;
      if (!response || !adapter.isSuccessStatus(call, seen.status)) {
        this.#factors.delete(account.email);
        const kind = isEndpointMissing(seen) ? 'not-served' : 'enrollment-refused';
        return this.#refuse({ kind, status: seen.status });
      }
      const given = accountOutputsIn(adapter, call, response);
      Object.assign(outputs, given);
      codes.push(...recoveryCodesIn(response.body, given['recoveryCode']));
    }
    return true;
  }

  #refuse(reason: NotMeasured): false {
    this.#refusedEnrollment = reason;
    return false;
  }

  /** The secret that the server gave, or one that the check creates where the server takes it. */
  #secretOf(outputs: Readonly<Record<string, string>>, fields: Record<string, PlainJson>): TotpSecret | undefined {
    const isGiven = this.#client.adapter.hasAccountCall('enrollment.start');
    const given = isGiven ? outputs['secret'] : createTotpSecret();
    if (given === undefined) return undefined;
    fields['secret'] = URL.parse(given)?.searchParams.get('secret') ?? given;
    return parseTotpSecret(given);
  }
}

/** The recovery code that a description names, and those in the same list. */
export function recoveryCodesIn(body: string, named: string | undefined): string[] {
  if (named === undefined) return [];
  function listWith(value: PlainJson | undefined): PlainJson[] | undefined {
    if (Array.isArray(value) && value.includes(named ?? '')) return value;
    const inner = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
    return inner.map(listWith).find((each) => each !== undefined);
  }
  const listed = listWith(parseJson(body)) ?? [named];
  return listed.filter((each) => typeof each === 'string');
}
