import { clientNetwork } from '../domain/client-network.ts';
import { emailKey } from '../domain/emails.ts';
import type { App, Parts } from '../parts.ts';
import { refuse, refuseFields, refuseForNow, refuseThrottled, textsFor } from '../replies.ts';
import { ErrorAnswer, FailureAnswer, RegistrationAnswer, readBody, registrationBody, toUser } from '../schemas.ts';
import { takeAll } from '../stores/attempt-store.ts';

/** Makes both registration paths of the interface, which differ in `cpassword` only. */
export function registrationRoutes(app: App, parts: Parts): void {
  const { accounts, attempts, passwords, hashing, limits, now, ignoresCpassword } = parts;
  const unrepeated = registrationBody('unrepeated', accounts);

  for (const path of ['registro', 'register'] as const) {
    const body = registrationBody(path, accounts);
    const schema = {
      operationId: path,
      body,
      response: { 201: RegistrationAnswer, '4xx': ErrorAnswer, '5xx': FailureAnswer },
    };

    app.post(`/${path}`, { schema }, async (request, reply) => {
      const read = await readBody(ignoresCpassword?.() ? unrepeated : body, request.body);
      if (!read.ok) {
        return read.kind === 'invalid'
          ? refuseFields(request, reply, read.problems)
          : refuse(request, reply, read.kind);
      }
      const client = clientNetwork(request.ip);
      const attempt = await takeAll(attempts, [
        [`register|${client}`, limits.registration],
        [`client|${client}`, limits.client],
      ]);
      if (!attempt.granted) return refuseThrottled(request, reply, attempt.retryAfterSeconds);

      const { name, email, password } = read.value;
      const hashed = await hashing.run(() => passwords.hash(password));
      if (!hashed.ok) {
        await attempt.giveBack();
        return refuseForNow(request, reply, 'busy', hashed.retryAfterSeconds);
      }
      const created = await accounts.createAccount({
        name,
        email,
        emailKey: emailKey(email),
        passwordHash: hashed.value,
        createdAtMs: now(),
      });
      if (!created.ok) {
        // Taken by a request that ran beside this one.
        await attempt.giveBack();
        return refuseFields(request, reply, { email: [created.kind] });
      }
      return reply.code(201).send({ message: textsFor(request).registered, user: toUser(created.account) });
    });
  }
}
