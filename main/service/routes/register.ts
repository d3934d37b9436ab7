import { clientNetwork } from '../domain/client-network.ts';
import { emailKey } from '../domain/emails.ts';
import type { App, RouteDependencies } from '../route-dependencies.ts';
import {
  sendError,
  sendValidationErrors,
  sendServiceUnavailable,
  sendTooManyRequests,
  messagesFor,
} from '../responses.ts';
import {
  ErrorResponse,
  ServerErrorResponse,
  RegistrationResponse,
  validateBody,
  registrationBody,
  toUser,
} from '../schemas.ts';
import { consumeAll } from '../stores/rate-limit-store.ts';

/** Both registration paths, which differ in `cpassword` only. */
export function registrationRoutes(app: App, parts: RouteDependencies): void {
  const { accounts, rateLimitStore, passwords, hashQueue, limits, now } = parts;

  for (const path of ['registro', 'register'] as const) {
    const body = registrationBody(path);
    const schema = {
      operationId: path,
      body,
      response: { 201: RegistrationResponse, '4xx': ErrorResponse, '5xx': ServerErrorResponse },
    };

    app.post(`/${path}`, { schema }, async (request, reply) => {
      const client = clientNetwork(request.ip);
      const read = await validateBody(body, request.body);
      if (!read.ok) {
        const tried = await rateLimitStore.consume(`client|${client}`, limits.client);
        if (!tried.granted) return sendTooManyRequests(request, reply, tried.retryAfterSeconds);
        return read.kind === 'invalid'
          ? sendValidationErrors(request, reply, read.problems)
          : sendError(request, reply, read.kind);
      }
      // Counted before the email is looked up, since the response reveals whether it is taken.
      const attempt = await consumeAll(rateLimitStore, [
        [`register|${client}`, limits.registration],
        [`client|${client}`, limits.client],
      ]);
      if (!attempt.granted) return sendTooManyRequests(request, reply, attempt.retryAfterSeconds);

      const { name, email, password } = read.value;
      const key = emailKey(email);
      // In the queue and not before, since a request that is refused there is not counted and must learn nothing.
      const hashed = await hashQueue.run(async () =>
        (await accounts.findLogin(key)) ? undefined : passwords.hash(password),
      );
      if (!hashed.ok) {
        await attempt.giveBack();
        return sendServiceUnavailable(request, reply, 'busy', hashed.retryAfterSeconds);
      }
      const created =
        hashed.value === undefined
          ? ({ ok: false, kind: 'email-taken' } as const)
          : await accounts.createAccount({
              name,
              email,
              emailKey: key,
              passwordHash: hashed.value,
              createdAtMs: now(),
            });
      if (!created.ok) return sendValidationErrors(request, reply, { email: [created.kind] });
      return reply.code(201).send({ message: messagesFor(request).registered, user: toUser(created.account) });
    });
  }
}
