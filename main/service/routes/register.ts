import { emailKey } from '../domain/emails.ts';
import type { App, Parts } from '../parts.ts';
import { refuse, refuseFields, refuseThrottled, textsFor } from '../replies.ts';
import { ErrorAnswer, RegistrationAnswer, readBody, registrationBody, toUser } from '../schemas.ts';

/** Both registration paths of the interface, which differ in `cpassword` only. */
export function registrationRoutes(app: App, { accounts, attempts, passwords, limits, now }: Parts): void {
  for (const path of ['registro', 'register'] as const) {
    const schema = registrationBody(path, accounts);

    app.post(
      `/${path}`,
      { schema: { response: { 201: RegistrationAnswer, '4xx': ErrorAnswer } } },
      async (request, reply) => {
        const body = await readBody(schema, request.body);
        if (!body.ok) {
          return body.kind === 'invalid'
            ? refuseFields(request, reply, body.problems)
            : refuse(request, reply, body.kind);
        }
        const attempt = await attempts.take(`register|${request.ip}`, limits.registration);
        if (!attempt.granted) return refuseThrottled(request, reply, attempt.retryAfterSeconds);

        const { name, email, password } = body.value;
        const created = await accounts.createAccount({
          name,
          email,
          emailKey: emailKey(email),
          passwordHash: await passwords.hash(password),
          createdAtMs: now(),
        });
        if (!created.ok) {
          // Taken by a request that ran beside this one.
          await attempt.giveBack();
          return refuseFields(request, reply, { email: [created.kind] });
        }
        return reply.code(201).send({ message: textsFor(request).registered, user: toUser(created.account) });
      },
    );
  }
}
