import { createTokenSecret, digestOf } from '../domain/bearer.ts';
import { emailKey, throttleKey } from '../domain/emails.ts';
import type { App, Parts } from '../parts.ts';
import { refuse, refuseFields, refuseThrottled } from '../replies.ts';
import { ErrorAnswer, LoginAnswer, LoginBody, readBody, toUser } from '../schemas.ts';

export function loginRoute(
  app: App,
  { accounts, attempts, passwords, limits, tokenLifetimeSeconds, now }: Parts,
): void {
  app.post('/login', { schema: { response: { 200: LoginAnswer, '4xx': ErrorAnswer } } }, async (request, reply) => {
    const body = await readBody(LoginBody, request.body);
    if (!body.ok) {
      return body.kind === 'invalid' ? refuseFields(request, reply, body.problems) : refuse(request, reply, body.kind);
    }
    const { email, password } = body.value;
    // Counted before the password is looked at, so that parallel guesses cannot slip under the limit.
    const attempt = await attempts.take(`login|${throttleKey(email)}|${request.ip}`, limits.login);
    if (!attempt.granted) return refuseThrottled(request, reply, attempt.retryAfterSeconds);

    const login = await accounts.findLogin(emailKey(email));
    const matches = await passwords.verify(password, login?.passwordHash ?? passwords.decoyHash);
    if (login === undefined || !matches) return refuse(request, reply, 'wrong-credentials');
    await attempt.giveBack();

    const secret = createTokenSecret();
    const createdAtMs = now();
    const expiresAtMs = createdAtMs + tokenLifetimeSeconds * 1000;
    const accountId = login.account.id;
    const tokenId = await accounts.createToken({ accountId, secretDigest: digestOf(secret), createdAtMs, expiresAtMs });
    return {
      token: `${tokenId}|${secret}`,
      token_type: 'Bearer' as const,
      expires_at: new Date(expiresAtMs).toISOString(),
      user: toUser(login.account),
    };
  });
}
