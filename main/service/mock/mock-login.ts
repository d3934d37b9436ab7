import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientNetwork } from '../domain/client-network.ts';
import { rateLimitKey } from '../domain/emails.ts';
import { recordTokens } from '../translate-response.ts';
import type { LoginRecord } from '../stores/account-store.ts';
import { consumeAll } from '../stores/rate-limit-store.ts';
import { sendMockResponse } from './mock-responses.ts';
import { asText, truncatePassword, registrationKey } from './mock-registration.ts';
import type { MockContext } from './mock-context.ts';
import type { MockSecondFactor } from './mock-second-factor.ts';
import { lengthLimitsOf, findLoginViolations } from './input-violations.ts';
import { rejectedViolations } from './rejected-violations.ts';

/** @param secondFactor undefined where no call about the account was tested */
export function createMockLogin(mock: MockContext, secondFactor: MockSecondFactor | undefined) {
  const { model, parts, tokens, answers, limits, identifiers } = mock;
  const { rules } = model;

  const { loginBy } = identifiers;

  /** Finds an account by email or user name, compared as the original does. */
  async function findLogin(identifier: string): Promise<LoginRecord | undefined> {
    const text = rules.loginTrims.value ? identifier.trim() : identifier;
    const wanted = registrationKey(rules.loginIgnoresCase.value ? text.toLowerCase() : text, rules);
    const isAsSent = (sent: string | undefined): boolean => rules.loginIgnoresCase.value || sent === text;
    const key = loginBy === 'email' ? undefined : await parts.usernames.emailKeyOf(wanted);
    const named = key === undefined ? undefined : await parts.accounts.findLogin(key);
    if (named && isAsSent(await parts.usernames.of(named.account.id))) return named;
    if (loginBy === 'username' && rules.loginTakesEmail?.value !== true) return undefined;
    const login = await parts.accounts.findLogin(wanted);
    return login && isAsSent(login.account.email) ? login : undefined;
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const read = mock.parseRequestBody(request, 'login');
    if (!read.ok) return mock.respond(request, reply, 'login', read.situation);
    const sent = read.body;
    const problems = rejectedViolations(rules, 'login', findLoginViolations(sent, lengthLimitsOf(rules), loginBy));
    if (problems.length > 0) {
      return sendMockResponse(
        request,
        reply,
        answers.invalid('login', problems),
        'invalid',
        mock.templateValuesFor(request, { sent }),
      );
    }
    const [email, password] = [asText(sent['email']), truncatePassword(asText(sent['password']), rules)];
    const limitKey = `login|${rateLimitKey(email)}|${clientNetwork(request.ip)}`;
    const attempt = await consumeAll(parts.rateLimitStore, limits.login ? [[limitKey, limits.login]] : []);
    if (!attempt.granted)
      return mock.respond(request, reply, 'login', 'throttled', { sent, waitSeconds: attempt.retryAfterSeconds });

    const login = await findLogin(email);
    if (!login && rules.unknownEmailAtOnce.value)
      return mock.respond(request, reply, 'login', 'unknown-email', { sent });
    const matches = await parts.hashQueue.run(() => mock.oldPasswords.matches(password, login?.passwordHash));
    if (!matches.ok) {
      await attempt.giveBack();
      return mock.respond(request, reply, 'login', 'throttled', { sent, waitSeconds: matches.retryAfterSeconds });
    }
    if (!login) return mock.respond(request, reply, 'login', 'unknown-email', { sent });
    const user = await mock.withUsername(login.account);
    if (!matches.value) return mock.respond(request, reply, 'login', 'wrong-password', { sent, ...user });
    await attempt.giveBack();
    const asked = await secondFactor?.answerLogin(request, reply, login);
    if (asked) return asked;
    const issued = await tokens.issue(login, { nowMs: parts.now(), sent, username: user.username });
    await secondFactor?.noteSession(login, issued.token);
    recordTokens(reply, issued);
    return mock.respond(request, reply, 'login', 'done', { sent, ...user, ...issued });
  };
}
