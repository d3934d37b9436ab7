import { verify } from '@node-rs/argon2';
import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createPasswords } from '../../main/service/domain/passwords.ts';
import { ada, cheapArgon2, makeService } from './support/make-service.ts';

/** Returns a hash's algorithm, cost and lengths, which decide how long a verification takes. */
const form = (hash = ''): string => hash.replace(/\$[^$]+\$[^$]+$/, (end) => `:${end.length}`);

/** Passwords that note each hash that is verified. */
function watchedPasswords() {
  const verified: string[] = [];
  const passwords = createPasswords(cheapArgon2, (hash, password) => {
    verified.push(String(hash));
    return verify(hash, password);
  });
  return { passwords, verified };
}

describe('login', () => {
  it('answers with a token, its kind, its end and the user', async () => {
    const service = await makeService();
    await service.registro(ada);
    const answer = await service.login(ada);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      token: expect.stringMatching(/^1\|[A-Za-z0-9]{40}[0-9a-f]{8}$/),
      token_type: 'Bearer',
      expires_at: '2026-02-01T03:04:05.678Z',
      user: { id: 1, name: ada.name, email: ada.email, created_at: '2026-01-02T03:04:05.678Z' },
    });
  });

  it('ends a token with the checksum of its random part, and gives a new one each time', async () => {
    const service = await makeService();
    await service.registro(ada);
    const [first, second] = [await service.tokenOf(ada), await service.tokenOf(ada)];
    const [, secret = ''] = first.split('|');

    expect(Number.parseInt(secret.slice(40), 16)).toBe(crc32(secret.slice(0, 40)));
    expect(second.split('|')[0]).toBe('2');
    expect(second.split('|')[1]).not.toBe(secret);
  });

  it('says the same for a wrong password and for an unknown address, and verifies a hash for both', async () => {
    const { passwords, verified } = watchedPasswords();
    const service = await makeService({ passwords });
    await service.registro(ada);
    const wrong = await service.login({ ...ada, password: 'not the one' });
    const unknown = await service.login({ ...ada, email: 'eve@example.test' });

    for (const answer of [wrong, unknown]) {
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
      expect(answer.json()).toEqual({ message: 'These credentials do not match our records.' });
    }
    expect(verified).toHaveLength(2);
    expect(verified[1]).not.toBe(verified[0]);
    expect(form(verified[1])).toBe(form(verified[0]));
  });

  it('verifies a hash of each cost that is known, also where the first one is right', async () => {
    const { passwords, verified } = watchedPasswords();
    const service = await makeService({ passwords });
    await service.registro(ada);
    passwords.learnCosts([await createPasswords({ ...cheapArgon2, passes: 2 }).hash('of somebody else')]);
    expect((await service.login(ada)).statusCode).toBe(200);
    expect(verified).toHaveLength(2);
  });

  it.each([
    [{}, ['email', 'password']],
    [{ email: ada.email }, ['password']],
    [{ email: 'nobody', password: '' }, ['email', 'password']],
    [{ email: 5, password: null }, ['email', 'password']],
    [{ email: `${'e'.repeat(288)}@example.test`, password: 'x' }, ['email']],
    [{ email: ada.email, password: 'a\0b' }, ['password']],
    [{ email: '\ud800@example.test', password: 'x' }, ['email']],
  ])('answers 422 to %j', async (body, fields) => {
    const service = await makeService();
    const answer = await service.post('login', body);

    expect(answer.statusCode).toBe(422);
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toEqual(fields);
  });

  it('asks nothing of a password but that there is one', async () => {
    const service = await makeService();
    expect((await service.login({ ...ada, password: 'x' })).statusCode).toBe(401);
  });

  it('stores of a token no more than the SHA-256 of its secret, and of a password its Argon2id hash', async () => {
    const service = await makeService();
    await service.registro(ada);
    const [, secret = ''] = (await service.tokenOf(ada)).split('|');
    const session = await service.accounts.findSession(1);
    const login = await service.accounts.findLogin(ada.email);

    expect(Buffer.from(session?.secretDigest ?? []).toString('hex')).toBe(
      Buffer.from(await crypto.subtle.digest('SHA-256', Buffer.from(secret))).toString('hex'),
    );
    expect(login?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  });
});
