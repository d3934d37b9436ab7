import { clientNetwork } from '../domain/client-network.ts';
import { emailKey, rateLimitKey } from '../domain/emails.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';
import { sendError, sendValidationErrors, sendServiceUnavailable, sendTooManyRequests } from '../responses.ts';
import {
  ErrorResponse,
  ServerErrorResponse,
  LoginResponse,
  LoginBody,
  LoginCodes,
  SecondFactorRequired,
  validateBody,
} from '../schemas.ts';
import { consumeAll } from '../stores/rate-limit-store.ts';
import { passSecondFactor } from './account/second-factor.ts';
import { createRefreshHandler, issueToken, createLoginResponse } from './issue-token.ts';

export function loginRoute(app: App, parts: RouteDependencies): void {
  const { accounts, rateLimitStore, passwords, hashQueue, limits, isPublicPassword, accountCalls } = parts;
  const schema = {
    operationId: 'login',
    body: accountCalls ? LoginBody.extend(LoginCodes.shape) : LoginBody,
    response: {
      200: LoginResponse,
      ...(accountCalls && { 403: SecondFactorRequired }),
      '4xx': ErrorResponse,
      '5xx': ServerErrorResponse,
    },
  };

  app.post('/login', { schema, config: { renew: createRefreshHandler(parts) } }, async (request, reply) => {
    const client = clientNetwork(request.ip);
    const body = await validateBody(LoginBody, request.body);
    if (!body.ok) {
      const tried = await rateLimitStore.consume(`client|${client}`, limits.client);
      if (!tried.granted) return sendTooManyRequests(request, reply, tried.retryAfterSeconds);
      return body.kind === 'invalid'
        ? sendValidationErrors(request, reply, body.problems)
        : sendError(request, reply, body.kind);
    }
    const { email, password } = body.value;
    const guesses = `login|${rateLimitKey(email)}|${client}`;
    // Counted before the password is checked, so that parallel guesses cannot bypass a limit.
    const attempt = await consumeAll(rateLimitStore, [
      [guesses, limits.login],
      [`client|${client}`, limits.client],
    ]);
    if (!attempt.granted) return sendTooManyRequests(request, reply, attempt.retryAfterSeconds);

    const login = await accounts.findLogin(emailKey(email));
    const matches = await hashQueue.run(() => passwords.matches(password, login?.passwordHash));
    if (!matches.ok) {
      await attempt.giveBack();
      return sendServiceUnavailable(request, reply, 'busy', matches.retryAfterSeconds);
    }
    if (login === undefined || !matches.value || isPublicPassword?.(login.account, password)) {
      return sendError(request, reply, 'wrong-credentials');
    }
    // It still counts for the client, since a successful login takes as much work as a guess.
    await attempt.giveBack(guesses);

    if (passwords.isOutdated(login.passwordHash)) {
      const stronger = await hashQueue.run(() => passwords.hash(password));
      // If it fails, the next login does it.
      if (stronger.ok) await accounts.replacePasswordHash(login.account.id, login.passwordHash, stronger.value);
    }

    if (accountCalls) {
      if (!(await passSecondFactor(request, reply, accountCalls, login.account))) return reply;
      // The account may have been deleted, or have got another password or a stronger hash.
      const current = await accounts.findLogin(emailKey(email));
      const isSame = current?.passwordHash === login.passwordHash;
      if (
        current?.account.id !== login.account.id ||
        !(isSame || (await passwords.matches(password, current.passwordHash)))
      )
        return sendError(request, reply, 'wrong-credentials');
    }

    return createLoginResponse(reply, login.account, await issueToken(parts, login.account.id));
  });
}
