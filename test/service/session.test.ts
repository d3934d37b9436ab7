import { describe, expect, it } from 'vitest';
import { ada, makeService } from './support/make-service.ts';

const PERFIL = '/api/v1/auth/perfil';

async function signedIn() {
  const service = await makeService();
  await service.registro(ada);
  return { service, token: await service.tokenOf(ada) };
}

describe('perfil', () => {
  it('answers with the bare user', async () => {
    const { service, token } = await signedIn();
    const answer = await service.perfil(token);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      id: 1,
      name: ada.name,
      email: ada.email,
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-02T03:04:05.678Z',
    });
  });

  it.each(['bearer', 'BEARER', 'bEaReR'])('takes the scheme as %s too', async (scheme) => {
    const { service, token } = await signedIn();
    const answer = await service.app.inject({ url: PERFIL, headers: { authorization: `${scheme} ${token}` } });
    expect(answer.statusCode).toBe(200);
  });

  it('takes a JSON content type although there is no body', async () => {
    const { service, token } = await signedIn();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    expect((await service.app.inject({ url: PERFIL, headers })).statusCode).toBe(200);
  });

  it.each([
    ['no header', () => undefined],
    ['an empty header', () => ''],
    ['the scheme alone', () => 'Bearer'],
    ['another scheme', (token: string) => `Basic ${token}`],
    ['the token without a scheme', (token: string) => token],
    ['a token without an id', (token: string) => `Bearer ${token.split('|')[1]}`],
    ['a token in quotes', (token: string) => `Bearer "${token}"`],
    ['an unknown id', (token: string) => `Bearer 2|${token.split('|')[1]}`],
    ['an id of zero', (token: string) => `Bearer 0|${token.split('|')[1]}`],
    ['a negative id', (token: string) => `Bearer -1|${token.split('|')[1]}`],
    ['an id that is a hex number', (token: string) => `Bearer 0x1|${token.split('|')[1]}`],
    ['an id beyond 2^53', (token: string) => `Bearer 9007199254740993|${token.split('|')[1]}`],
    ['an id beyond 2^63', (token: string) => `Bearer 9223372036854775809|${token.split('|')[1]}`],
    ['an id of a thousand digits', (token: string) => `Bearer ${'1'.repeat(1000)}|${token.split('|')[1]}`],
    ['a secret that differs in its last character', (token: string) => `Bearer ${token.slice(0, -1)}g`],
    ['a secret that differs in its first character', (token: string) => `Bearer ${token.replace(/\|./, '|-')}`],
    ['a secret cut short', (token: string) => `Bearer ${token.slice(0, -1)}`],
    ['a secret with more behind it', (token: string) => `Bearer ${token}0`],
    ['a right token and another one', (token: string) => `Bearer ${token}, Bearer ${token}`],
  ])('answers 401 to %s', async (_what, header) => {
    const { service, token } = await signedIn();
    const authorization = header(token);
    const answer = await service.app.inject({
      url: PERFIL,
      headers: authorization === undefined ? {} : { authorization },
    });

    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.json()).toEqual({ message: 'Unauthenticated.' });
    expect((await service.perfil(token)).statusCode).toBe(200);
  });

  it('refuses the secret of another token', async () => {
    const { service, token } = await signedIn();
    const [, secret] = (await service.tokenOf(ada)).split('|');
    expect((await service.perfil(`${token.split('|')[0]}|${secret}`)).statusCode).toBe(401);
  });

  it('refuses a token from the millisecond of its end', async () => {
    const { service, token } = await signedIn();
    service.clock.ms += 30 * 86_400_000 - 1;
    expect((await service.perfil(token)).statusCode).toBe(200);
    service.clock.ms += 1;
    expect((await service.perfil(token)).statusCode).toBe(401);
    expect((await service.salir(token)).statusCode).toBe(401);
  });
});

describe('salir', () => {
  it('ends exactly the token that was used', async () => {
    const { service, token } = await signedIn();
    const other = await service.tokenOf(ada);
    const answer = await service.salir(token);

    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({ message: 'Logged out.' });
    expect((await service.perfil(token)).statusCode).toBe(401);
    expect((await service.salir(token)).statusCode).toBe(401);
    expect((await service.perfil(other)).statusCode).toBe(200);
  });

  it('ends a token once, however many ask for it at the same time', async () => {
    const { service, token } = await signedIn();
    const answers = await Promise.all([service.salir(token), service.salir(token), service.salir(token)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 401, 401]);
  });

  it.each(['', '{}', '{"all":true}'])('takes the body %j with a JSON content type', async (body) => {
    const { service, token } = await signedIn();
    const answer = await service.post('salir', body, { authorization: `Bearer ${token}` });
    expect(answer.statusCode).toBe(200);
  });

  it('never gives the id of an ended token out again', async () => {
    const { service, token } = await signedIn();
    await service.salir(token);
    expect((await service.tokenOf(ada)).split('|')[0]).toBe('2');
  });

  it('asks for the token before it looks at the body', async () => {
    const service = await makeService();
    expect((await service.post('salir', '{', { 'content-type': 'text/plain' })).statusCode).toBe(401);
  });
});
