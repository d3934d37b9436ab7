import type { FastifyReply, FastifyRequest } from 'fastify';
import { isOfPendingLogin, type AccountCall } from '../../interface/account-calls.ts';
import { sendError } from '../responses.ts';
import type { AccountRecord } from '../stores/account-store.ts';
import { originalMethod } from '../translate-request.ts';
import { recordTokens } from '../translate-response.ts';
import type { AccountRules } from './account-rules.ts';
import { checkRepeatedPassword, requireAccountSession, type AccountSession } from './mock-account-session.ts';
import type { MockContext } from './mock-context.ts';
import { confirmEnrollment, startEnrollment } from './mock-enrollment.ts';
import { pendingValuesIn, type MockPendingLogin } from './mock-pending-logins.ts';
import { registrationKey, truncatePassword } from './mock-registration.ts';
import { sendMockResponse } from './mock-responses.ts';
import { readAccountFields, type AccountFields, type MockSecondFactor } from './mock-second-factor.ts';

type Sent = { call: AccountCall; fields: AccountFields; pending: MockPendingLogin | undefined };

/** Answers the calls about the account of which the check showed what a right request gets. */
export class MockAccountCalls {
  readonly #mock: MockContext;
  readonly #rules: AccountRules;
  readonly #secondFactor: MockSecondFactor;

  constructor(mock: MockContext, rules: AccountRules, secondFactor: MockSecondFactor) {
    this.#mock = mock;
    this.#rules = rules;
    this.#secondFactor = secondFactor;
  }

  /** Answers a call about the account; false for another request, and for a call that was not tested. */
  async answer(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const mock = this.#mock;
    const sent = this.#read(request);
    if (!sent) return false;
    const { call } = sent;
    if (isOfPendingLogin(call)) await this.#secondFactor.answerPending(request, reply, sent);
    else if (call === 'changePassword' || call === 'deleteAccount') await this.#answerChange(request, reply, sent);
    else if (call === 'forgotPassword' || call === 'resendConfirmation') await this.#answerMail(request, reply, sent);
    else if (call === 'enrollment.confirm')
      await confirmEnrollment(request, reply, sent, { mock, secondFactor: this.#secondFactor });
    else await startEnrollment(request, reply, sent, mock);
    return true;
  }

  /** What a request is: calls of a pending login and of a session may share a path, and so may the methods of a code. */
  #read(request: FastifyRequest): Sent | undefined {
    const { adapter, answers, pendingLogins } = this.#mock;
    const held = pendingValuesIn(request, adapter);
    const calls = adapter
      .accountCallsAt(originalMethod(request), request.originalUrl)
      .filter((call) => answers.measured(call, 'done'))
      .map((call): Sent => {
        const fields = readAccountFields(request, call, this.#mock);
        const texts = Object.values(fields).filter((value) => typeof value === 'string');
        return { call, fields, pending: pendingLogins.find([...texts, ...held]) };
      });
    const [first] = calls;
    const isPending = calls.some(({ pending }) => pending !== undefined);
    const right = calls.filter(({ call }) => isOfPendingLogin(call) === isPending);
    return right.find(({ fields }) => Object.hasOwn(fields, 'code')) ?? right[0] ?? first;
  }

  /** Answers a call that changes or deletes the account. It does so only where the answer says that it was done. */
  async #answerChange(request: FastifyRequest, reply: FastifyReply, { call, fields }: Sent): Promise<void> {
    const mock = this.#mock;
    const found = await requireAccountSession(request, reply, call, mock);
    if (!found) return;
    const situation = await checkRepeatedPassword(request, reply, { call, fields, login: found.login }, mock);
    if (situation === undefined) return;
    const user = await mock.withUsername(found.account);
    const answer = mock.answers.find(call, situation);
    const isDone = answer !== undefined && mock.adapter.isSuccessStatus(call, answer.status);
    const newPassword = typeof fields['newPassword'] === 'string' ? fields['newPassword'] : '';
    const isChange = call === 'changePassword';
    if (isChange && newPassword === '') {
      sendError(request, reply, 'bad-request');
      return;
    }
    if (isDone && !isChange) await this.#deleteAccount(found.account);
    const issued = isDone && isChange ? await this.#changePassword(newPassword, found) : undefined;
    if (issued) recordTokens(reply, issued);
    const values = mock.templateValuesFor(request, { sent: fields, ...user, ...issued });
    sendMockResponse(request, reply, answer, situation, values);
  }

  /** @returns the new token, where the original gives one */
  async #changePassword(newPassword: string, { account, login, tokenId }: AccountSession) {
    const { model, oldPasswords, parts, tokens, pendingLogins } = this.#mock;
    const { passwordReplacesOld, passwordEndsOtherTokens, passwordEndsOwnToken, passwordReplacesToken } = this.#rules;
    const to = await parts.passwords.hash(truncatePassword(newPassword, model.rules));
    const atMs = parts.now();
    // Of two at once, the first counts.
    const change = { accountId: account.id, from: login.passwordHash, to, keepTokenId: tokenId, atMs };
    if (!(await parts.factors.changePassword(change))) return undefined;
    if (!passwordReplacesOld.value) oldPasswords.replaced(login.passwordHash, to, true);
    pendingLogins.endAllOf(account.id);
    if (passwordEndsOtherTokens.value) await parts.tokenStore.endAllOf(account.id, tokenId);
    if (passwordEndsOwnToken.value) await parts.tokenStore.end(tokenId);
    if (!passwordReplacesToken.value) return undefined;
    const { username } = await this.#mock.withUsername(account);
    return tokens.issue({ ...login, passwordHash: to }, { nowMs: atMs, sent: undefined, username });
  }

  async #deleteAccount(account: AccountRecord): Promise<void> {
    const { deletedAccounts, parts, pendingLogins } = this.#mock;
    pendingLogins.endAllOf(account.id);
    deletedAccounts.add(account);
    await parts.factors.deleteAccount(account.id);
  }

  /** Answers a request for an email, which is not sent. */
  async #answerMail(request: FastifyRequest, reply: FastifyReply, { call, fields }: Sent): Promise<void> {
    const mock = this.#mock;
    const { answers, model, parts } = mock;
    const { email } = fields;
    const key = typeof email === 'string' ? registrationKey(email, model.rules) : undefined;
    const login = key === undefined ? undefined : await parts.accounts.findLogin(key);
    const situation = login || !answers.measured(call, 'unknown-email') ? 'done' : 'unknown-email';
    const user = login && (await mock.withUsername(login.account));
    mock.respond(request, reply, call, situation, { sent: fields, ...user });
  }
}
