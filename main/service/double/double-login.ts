import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientNetwork } from '../domain/client-network.ts';
import { throttleKey } from '../domain/emails.ts';
import { noteTokens } from '../translate-answer.ts';
import type { Login } from '../stores/account-store.ts';
import { takeAll } from '../stores/attempt-store.ts';
import { giveAnswer } from './answers.ts';
import { asText, cutPassword, registeredKey } from './double-registration.ts';
import type { Double } from './double.ts';
import { lengthsOf, oddOfLogin } from './oddities.ts';
import { refusedOf } from './refused.ts';

/** Makes the handler of the login. */
export function createDoubleLogin(double: Double) {
  const { model, parts, tokens, answers, limits, identifiers } = double;
  const { rules } = model;

  const { loginBy } = identifiers;

  /** Finds an account by its email or its user name, as the server reads them at a login. */
  async function findLogin(typed: string): Promise<Login | undefined> {
    const text = rules.loginTrims.value ? typed.trim() : typed;
    const wanted = registeredKey(rules.loginIgnoresCase.value ? text.toLowerCase() : text, rules);
    const isAsSent = (sent: string | undefined): boolean => rules.loginIgnoresCase.value || sent === text;
    const key = loginBy === 'email' ? undefined : await parts.usernames.emailKeyOf(wanted);
    const named = key === undefined ? undefined : await parts.accounts.findLogin(key);
    if (named && isAsSent(await parts.usernames.of(named.account.id))) return named;
    if (loginBy === 'username' && rules.loginTakesEmail?.value !== true) return undefined;
    const login = await parts.accounts.findLogin(wanted);
    return login && isAsSent(login.account.email) ? login : undefined;
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const read = double.read(request, 'login');
    if (!read.ok) return double.give(request, reply, 'login', read.situation);
    const sent = read.body;
    const problems = refusedOf(rules, 'login', oddOfLogin(sent, lengthsOf(rules), loginBy));
    if (problems.length > 0) {
      return giveAnswer(
        request,
        reply,
        answers.invalid('login', problems),
        'invalid',
        double.fillingOf(request, { sent }),
      );
    }
    const [email, password] = [asText(sent['email']), cutPassword(asText(sent['password']), rules)];
    const guesses = `login|${throttleKey(email)}|${clientNetwork(request.ip)}`;
    const attempt = await takeAll(parts.attempts, limits.login ? [[guesses, limits.login]] : []);
    if (!attempt.granted)
      return double.give(request, reply, 'login', 'throttled', { sent, waitSeconds: attempt.retryAfterSeconds });

    const login = await findLogin(email);
    if (!login && rules.unknownEmailAtOnce.value)
      return double.give(request, reply, 'login', 'unknown-email', { sent });
    const matches = await parts.hashing.run(() => parts.passwords.matches(password, login?.passwordHash));
    if (!matches.ok) {
      await attempt.giveBack();
      return double.give(request, reply, 'login', 'throttled', { sent, waitSeconds: matches.retryAfterSeconds });
    }
    if (!login) return double.give(request, reply, 'login', 'unknown-email', { sent });
    const who = await double.named(login.account);
    if (!matches.value) return double.give(request, reply, 'login', 'wrong-password', { sent, ...who });
    await attempt.giveBack();
    const issued = await tokens.issue(login, { nowMs: parts.now(), sent, username: who.username });
    noteTokens(reply, issued);
    return double.give(request, reply, 'login', 'done', { sent, ...who, ...issued });
  };
}
