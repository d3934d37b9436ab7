import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountCall } from '../../interface/account-calls.ts';
import { setCookie } from '../../interface/server-request.ts';
import type { PlainJson } from '../../interface/template.ts';
import { findTotpStep, parseTotpSecret } from '../../interface/totp.ts';
import { recoveryDigest } from '../domain/recovery-codes.ts';
import type { AccountRecord, LoginRecord } from '../stores/account-store.ts';
import { originalBody, originalMethod } from '../translate-request.ts';
import { recordTokens } from '../translate-response.ts';
import type { AccountRules } from './account-rules.ts';
import type { MockContext } from './mock-context.ts';
import type { MockResponse, Scenario } from './mock-definition.ts';
import type { MockPendingLogin } from './mock-pending-logins.ts';
import { registrationKey } from './mock-registration.ts';
import { placeholdersIn, renderSegments } from './render-response.ts';

export type AccountFields = Readonly<Record<string, PlainJson>>;

/** A code, with the call that sends it. `pending` is undefined where it comes with the password. */
type SentCode = { call: AccountCall; fields: AccountFields; login: LoginRecord; pending?: MockPendingLogin };

/** A code as authenticator apps show them. */
const isCodeLike = (text: string): boolean => /^\d{6}$/.test(text);

const cookieCharacters = 40;
const mostOutputs = 20;

/** The values of the placeholders in the body of a call about the account. */
export const readAccountFields = (
  request: FastifyRequest,
  call: AccountCall,
  { adapter }: MockContext,
): AccountFields => adapter.readAccountFields(call, request.headers['content-type'] ?? '', originalBody(request));

/** Second factors of the accounts of a mock: what a login asks for, and what becomes of a code. */
export class MockSecondFactor {
  readonly #mock: MockContext;
  readonly #rules: AccountRules;
  /** Whether the login begins a session, for whose profile the original asks for a code. */
  readonly #asksAtProfile: boolean;

  constructor(mock: MockContext, rules: AccountRules) {
    this.#mock = mock;
    this.#rules = rules;
    const { when = [] } = mock.adapter.description.secondFactor ?? {};
    this.#asksAtProfile = when.some(({ call }) => call === 'profile');
  }

  // Logins.

  /** Asks for the code of a login whose password was right, or answers the code in it; undefined if it goes on without. */
  async answerLogin(
    request: FastifyRequest,
    reply: FastifyReply,
    login: LoginRecord,
  ): Promise<FastifyReply | undefined> {
    if (this.#asksAtProfile || !(await this.#hasFactor(login.account))) return undefined;
    const withCode = this.#codeIn(request);
    if (withCode) return this.#answerCode(request, reply, { ...withCode, login });
    const asked = this.#mock.answers.measured('login', 'second-factor-required');
    // Otherwise the original was not seen to ask.
    return asked && this.#askForCode(request, reply, login, asked);
  }

  /** Notes a session for whose profile the original asks for a code. */
  async noteSession({ account }: LoginRecord, token: string): Promise<void> {
    if (this.#asksAtProfile && (await this.#hasFactor(account)))
      this.#mock.pendingLogins.begin(account, [token], { isSession: true });
  }

  /** Answers a code of a pending login, or the call before it. */
  async answerPending(
    request: FastifyRequest,
    reply: FastifyReply,
    { call, fields, pending }: { call: AccountCall; fields: AccountFields; pending: MockPendingLogin | undefined },
  ): Promise<FastifyReply> {
    const mock = this.#mock;
    const key = pending && registrationKey(pending.account.email, mock.model.rules);
    const login = key === undefined ? undefined : await mock.parts.accounts.findLogin(key);
    if (!pending || !login) return mock.respond(request, reply, call, 'pending-login-ended');
    if (call.startsWith('challenge.'))
      return mock.respond(request, reply, call, 'done', await mock.withUsername(login.account));
    return this.#answerCode(request, reply, { call, fields, login, pending });
  }

  async #askForCode(
    request: FastifyRequest,
    reply: FastifyReply,
    { account }: LoginRecord,
    answer: MockResponse,
  ): Promise<FastifyReply> {
    const mock = this.#mock;
    const { adapter, parts, pendingLogins, random } = mock;
    const drawn = new Map<string, string>();
    for (const each of placeholdersIn(answer))
      // A hostile mock file may name any number.
      if (each.place === 'pending-login' && !drawn.has(each.output) && drawn.size < mostOutputs)
        drawn.set(each.output, renderSegments(each.segments, random, parts.now()));
    const pendingLogin = Object.fromEntries(drawn);
    const values = Object.values(pendingLogin);
    for (const name of adapter.description.secondFactor?.cookies ?? []) {
      const value = random('letters-and-digits', cookieCharacters);
      reply.header('set-cookie', setCookie(name, value, { maxAge: this.#rules.pendingLoginSeconds.value }));
      values.push(value);
    }
    pendingLogins.begin(account, values);
    const user = await mock.withUsername(account);
    return mock.respond(request, reply, 'login', 'second-factor-required', { ...user, pendingLogin });
  }

  /** The code in a login with the password, with the call that describes it. */
  #codeIn(request: FastifyRequest): { call: AccountCall; fields: AccountFields } | undefined {
    const { adapter, answers } = this.#mock;
    return adapter
      .accountCallsAt(originalMethod(request), request.originalUrl)
      .filter((call) => call.startsWith('code.') && answers.measured(call, 'done'))
      .map((call) => ({ call, fields: readAccountFields(request, call, this.#mock) }))
      .find(({ fields }) => Object.hasOwn(fields, 'code'));
  }

  // Codes.

  async #hasFactor({ id }: AccountRecord): Promise<boolean> {
    const { anyCode = false, factors } = this.#mock.parts;
    return anyCode || (await factors.findFactor(id))?.isActive === true;
  }

  /** Checks a code against a secret, and counts it as used by an account. */
  async isRightTotp(accountId: number, secret: string, code: string): Promise<boolean> {
    const { factors, now } = this.#mock.parts;
    const parsed = parseTotpSecret(secret);
    const step = parsed && findTotpStep(parsed, code, now(), { before: this.#rules.codeStepsBefore.value });
    return step !== undefined && ((await factors.useStep(accountId, step)) || !this.#rules.codesUsedOnce.value);
  }

  async #isRight(call: AccountCall, accountId: number, code: string): Promise<boolean> {
    const { anyCode = false, factors } = this.#mock.parts;
    const { recoveryCodesUsedOnce, refusesCodesOfOthers } = this.#rules;
    if (call === 'code.recovery') {
      const digest = recoveryDigest(code);
      return recoveryCodesUsedOnce.value
        ? factors.useRecoveryCode(accountId, digest)
        : factors.hasRecoveryCode(accountId, digest);
    }
    if (anyCode && isCodeLike(code)) return true;
    // No mail is sent, so nobody knows an emailed code.
    const factor = call === 'code.totp' ? await factors.findFactor(accountId) : undefined;
    if (factor?.isActive !== true) return false;
    const secrets = refusesCodesOfOthers.value ? [factor.secret] : await factors.activeSecrets();
    for (const secret of secrets) if (await this.isRightTotp(accountId, secret, code)) return true;
    return false;
  }

  async #scenarioOf({ call, fields: { code }, login, pending }: SentCode): Promise<Scenario> {
    const { pendingLogins } = this.#mock;
    const { id } = login.account;
    if (typeof code !== 'string' || code === '') {
      if (!this.#rules.requiresCode.value) return 'done';
      return code === undefined ? 'missing-code' : code === '' ? 'empty-code' : 'malformed-code';
    }
    const { value: limit } = this.#rules.wrongCodes;
    const isOfPending = limit?.of === 'pending-login' && pending !== undefined;
    const wrongCodes = isOfPending ? pending.wrongCodes : pendingLogins.wrongCodesOf(id);
    if (limit && wrongCodes >= limit.most) return 'throttled';
    if (await this.#isRight(call, id, code)) return 'done';
    if (pending) pending.wrongCodes += 1;
    pendingLogins.countWrongCode(id);
    return 'wrong-code';
  }

  /** Answers a code, and begins a session if it is right. */
  async #answerCode(request: FastifyRequest, reply: FastifyReply, sent: SentCode): Promise<FastifyReply> {
    const mock = this.#mock;
    const { pendingLogins, tokens, parts } = mock;
    const { call, fields, login, pending } = sent;
    const user = { sent: fields, ...(await mock.withUsername(login.account)) };
    const situation = await this.#scenarioOf(sent);
    // Another request with the same pending login may have been first.
    const hasEnded = pending !== undefined && pendingLogins.find(pending.values) !== pending;
    if (situation === 'done' && hasEnded) return mock.respond(request, reply, call, 'pending-login-ended', user);
    if (situation !== 'done') return mock.respond(request, reply, call, situation, user);
    if (pending && (pending.isSession || this.#rules.pendingLoginsUsedOnce.value)) pendingLogins.end(pending);
    // The session was there before.
    if (pending?.isSession) return mock.respond(request, reply, call, 'done', user);
    const issued = await tokens.issue(login, { nowMs: parts.now(), sent: fields, username: user.username });
    recordTokens(reply, issued);
    return mock.respond(request, reply, call, 'done', { ...user, ...issued });
  }
}
