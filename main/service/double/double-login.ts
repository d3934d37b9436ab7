import type { FastifyReply, FastifyRequest } from 'fastify';
import { clientNetwork } from '../domain/client-network.ts';
import { throttleKey } from '../domain/emails.ts';
import type { Login } from '../stores/account-store.ts';
import { takeAll } from '../stores/attempt-store.ts';
import { giveAnswer } from './answers.ts';
import { asText, cutPassword, registeredKey } from './double-registration.ts';
import type { Double } from './double-routes.ts';
import type { Problem, Rules } from './model.ts';
import { keyOfProblem, lengthsOf, oddOfLogin } from './oddities.ts';
import { refusedByOursAtLogin } from './own-choices.ts';

/** Says which of the odd things about a login its server minds. What is malformed is so at a registration, too. */
function refusedOf(rules: Rules, odd: readonly Problem[]): Problem[] {
  return odd.filter((problem) => {
    const isThis = (each: Problem): boolean => keyOfProblem(each) === keyOfProblem(problem);
    const known =
      rules.login.find(isThis) ?? (problem.oddity === 'malformed' ? rules.registration.find(isThis) : undefined);
    return known?.isRefused ?? refusedByOursAtLogin(problem);
  });
}

/** Makes the handler of the login. */
export function createDoubleLogin(double: Double) {
  const { model, parts, tokens, answers } = double;
  const { rules } = model;

  /** Finds an account by its email as the server reads it at a login. */
  async function findLogin(typed: string): Promise<Login | undefined> {
    const email = rules.loginTrims.value ? typed.trim() : typed;
    const wanted = registeredKey(rules.loginIgnoresCase.value ? email.toLowerCase() : email, rules);
    const login = await parts.accounts.findLogin(wanted);
    if (!login || rules.loginIgnoresCase.value) return login;
    return login.account.email === email ? login : undefined;
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const read = double.read(request);
    if (!read.ok) return double.give(request, reply, 'login', read.situation);
    const sent = read.body;
    const problems = refusedOf(rules, oddOfLogin(sent, lengthsOf(rules)));
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
    const client = clientNetwork(request.ip);
    const guesses = `login|${throttleKey(email)}|${client}`;
    const attempt = await takeAll(parts.attempts, [
      [guesses, parts.limits.login],
      [`client|${client}`, parts.limits.client],
    ]);
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
    const { account } = login;
    if (!matches.value) return double.give(request, reply, 'login', 'wrong-password', { sent, account });
    await attempt.giveBack(guesses);
    const issued = await tokens.issue(login, parts.now());
    return double.give(request, reply, 'login', 'done', { sent, account, ...issued });
  };
}
