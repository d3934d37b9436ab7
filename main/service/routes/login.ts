import { clientNetwork } from '../domain/client-network.ts';
import { emailKey, throttleKey } from '../domain/emails.ts';
import type { App, Parts } from '../parts.ts';
import { refuse, refuseFields, refuseForNow, refuseThrottled } from '../replies.ts';
import { ErrorAnswer, FailureAnswer, LoginAnswer, LoginBody, readBody } from '../schemas.ts';
import { takeAll } from '../stores/attempt-store.ts';
import { createRenewal, issueToken, loginAnswer } from './tokens.ts';

export function loginRoute(app: App, parts: Parts): void {
  const { accounts, attempts, passwords, hashing, limits, isPublicPassword } = parts;
  const schema = {
    operationId: 'login',
    body: LoginBody,
    response: { 200: LoginAnswer, '4xx': ErrorAnswer, '5xx': FailureAnswer },
  };

  app.post('/login', { schema, config: { renew: createRenewal(parts) } }, async (request, reply) => {
    const client = clientNetwork(request.ip);
    const body = await readBody(LoginBody, request.body);
    if (!body.ok) {
      const tried = await attempts.take(`client|${client}`, limits.client);
      if (!tried.granted) return refuseThrottled(request, reply, tried.retryAfterSeconds);
      return body.kind === 'invalid' ? refuseFields(request, reply, body.problems) : refuse(request, reply, body.kind);
    }
    const { email, password } = body.value;
    const guesses = `login|${throttleKey(email)}|${client}`;
    // Counted before the password is looked at, so that parallel guesses cannot slip under a limit.
    const attempt = await takeAll(attempts, [
      [guesses, limits.login],
      [`client|${client}`, limits.client],
    ]);
    if (!attempt.granted) return refuseThrottled(request, reply, attempt.retryAfterSeconds);

    const login = await accounts.findLogin(emailKey(email));
    const matches = await hashing.run(() => passwords.matches(password, login?.passwordHash));
    if (!matches.ok) {
      await attempt.giveBack();
      return refuseForNow(request, reply, 'busy', matches.retryAfterSeconds);
    }
    if (login === undefined || !matches.value || isPublicPassword?.(login.account, password)) {
      return refuse(request, reply, 'wrong-credentials');
    }
    // The client's own count keeps it: logins that succeed take as much work as guesses.
    await attempt.giveBack(guesses);

    if (passwords.isOutdated(login.passwordHash)) {
      const stronger = await hashing.run(() => passwords.hash(password));
      // When it fails, the next login does it.
      if (stronger.ok) await accounts.replacePasswordHash(login.account.id, login.passwordHash, stronger.value);
    }

    return loginAnswer(reply, login.account, await issueToken(parts, login.account.id));
  });
}
