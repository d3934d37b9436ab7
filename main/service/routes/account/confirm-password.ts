import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PasswordCall } from '../../account-calls.ts';
import { clientNetwork } from '../../domain/client-network.ts';
import { emailKey, rateLimitKey } from '../../domain/emails.ts';
import { sendServiceUnavailable, sendTooManyRequests, sendValidationErrors } from '../../responses.ts';
import type { LoginRecord } from '../../stores/account-store.ts';
import { bearerOf } from '../require-bearer.ts';
import type { AccountRouteDependencies } from './read-body.ts';

/**
 * Checks the password of the session's account. A wrong one counts as a failed login, since it is as much of a guess.
 * @param sent.field the field of the error
 * @returns the account; undefined if an error was sent
 */
export async function confirmPassword(
  request: FastifyRequest,
  reply: FastifyReply,
  { accounts, accountCalls, rateLimitStore, limits, passwords, hashQueue }: AccountRouteDependencies,
  { call, field, password }: { call: PasswordCall; field: 'password' | 'currentPassword'; password: string },
): Promise<LoginRecord | undefined> {
  const { account } = bearerOf(request);
  const guesses = `login|${rateLimitKey(account.email)}|${clientNetwork(request.ip)}`;
  const attempt = await rateLimitStore.consume(guesses, limits.login);
  if (!attempt.granted) {
    sendTooManyRequests(request, reply, attempt.retryAfterSeconds);
    return undefined;
  }
  const login = await accounts.findLogin(emailKey(account.email));
  const isRight = await hashQueue.run(() =>
    accountCalls.confirmsPassword(call, () => passwords.matches(password, login?.passwordHash)),
  );
  if (isRight.ok && (!isRight.value || login?.account.id !== account.id)) {
    sendValidationErrors(request, reply, { [field]: ['incorrect'] });
    return undefined;
  }
  await attempt.giveBack();
  if (isRight.ok) return login;
  sendServiceUnavailable(request, reply, 'busy', isRight.retryAfterSeconds);
  return undefined;
}
