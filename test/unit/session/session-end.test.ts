import { describe, expect, it } from 'vitest';
import { Config } from '../../../main/account/config/config.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeMain } from '../../support/make-main.ts';

const ana = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery', cpassword: '' };
/** One day after the moment at which `makeMain` is. */
const tomorrow = '2026-11-22T10:00:00.000Z';

/** Logs in at a server that answers with these bodies, and returns main with what it then holds. */
async function logIn(bodies: { login: object; profile?: object }, date?: string) {
  const foreign = await startForeignServer({
    ...(date !== undefined && { date: () => date }),
    override: ({ path }) =>
      path.endsWith('/login')
        ? { status: 200, body: bodies.login }
        : { status: 200, body: bodies.profile ?? { id: 1, name: 'Ana', email: ana.email } },
  });
  const main = await makeMain({ foreign });
  expect(await main.session.logins.login(ana)).toMatchObject({ ok: true });
  return { ...main, foreign };
}

const webToken = (claims: object): string =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2lnLWZha2U`;

describe('the end of a session', () => {
  it.each([
    ['a moment', { token: '1|aaaaaaaaaaaa', expires_at: tomorrow }, { at: tomorrow, by: 'expires_at', in: 'answer' }],
    [
      'a length of time',
      { token: '1|aaaaaaaaaaaa', expires_in: 86_400 },
      { at: tomorrow, by: 'expires_in', in: 'answer' },
    ],
    [
      'the token itself',
      { token: webToken({ exp: Date.parse(tomorrow) / 1000 }) },
      { at: tomorrow, by: 'exp', in: 'token' },
    ],
    [
      'milliseconds in the token',
      { token: webToken({ exp: Date.parse(tomorrow) }) },
      { at: tomorrow, by: 'exp', in: 'token' },
    ],
    [
      'a text of seconds in the token',
      { token: webToken({ exp: String(Date.parse(tomorrow) / 1000) }) },
      { at: tomorrow, by: 'exp', in: 'token' },
    ],
    ['a date in the token', { token: webToken({ exp: tomorrow }) }, { at: tomorrow, by: 'exp', in: 'token' }],
    ['nothing', { token: '1|aaaaaaaaaaaa' }, undefined],
  ])('is known from %s', async (_case, login, end) => {
    const { state } = await logIn({ login });
    expect(state.get().sessions[0]?.end).toEqual(end);
  });

  it('is known from a profile, and a later one that says nothing leaves it as it was', async () => {
    const bodies = {
      login: { token: '1|aaaaaaaaaaaa' },
      profile: { session: { expiresAt: tomorrow }, user: { id: 1, email: ana.email } } as object,
    };
    const { state, session, sessionStore } = await logIn(bodies);
    const end = { at: tomorrow, by: 'expiresAt', in: 'answer' };
    expect(state.get().sessions[0]?.end).toEqual(end);
    bodies.profile = { id: 1, email: ana.email };
    await session.check(sessionStore.all()[0]!.id);
    expect(state.get().sessions[0]?.end).toEqual(end);
  });

  it.each([
    ['in an answer', { token: '1|aaaaaaaaaaaa', expires_at: '2026-11-21T09:15:00Z' }],
    ['without a zone', { token: '1|aaaaaaaaaaaa', expires_at: '2026-11-21 09:15:00' }],
    ['in the token', { token: webToken({ exp: Date.parse('2026-11-21T09:15:00Z') / 1000 }) }],
  ])('is as far away as on the clock of a server that is an hour behind: %s', async (_case, login) => {
    const { state } = await logIn({ login }, 'Sat, 21 Nov 2026 09:00:00 GMT');
    const [held] = state.get().sessions;
    expect([held?.end?.at, held?.expiryState]).toEqual(['2026-11-21T10:15:00.000Z', undefined]);
  });

  it('is the moment that was said, where the clocks differ by seconds alone', async () => {
    const login = { token: '1|aaaaaaaaaaaa', expires_at: tomorrow };
    const { state } = await logIn({ login }, 'Sat, 21 Nov 2026 09:59:20 GMT');
    expect(state.get().sessions[0]?.end?.at).toBe(tomorrow);
  });

  it('is not past once the server has confirmed the session after it', async () => {
    const { state } = await logIn({ login: { token: '1|aaaaaaaaaaaa', expires_at: '2026-11-21 09:15:00' } });
    const [held] = state.get().sessions;
    expect([held?.end?.at, held?.expiryState]).toEqual(['2026-11-21T09:15:00.000Z', undefined]);
  });

  it('outlives the application, and nothing of the token goes with it to the window', async () => {
    const token = webToken({ exp: Date.parse(tomorrow) / 1000 });
    const first = await logIn({ login: { token } });
    const { state } = await makeMain({ foreign: first.foreign }, { folder: first.folder, store: first.store });
    expect(state.get().sessions[0]?.end).toEqual({ at: tomorrow, by: 'exp', in: 'token' });
    expect(JSON.stringify(state.get())).not.toContain(token.split('.')[1]);
  });

  it('is absent in what an earlier version stored, and a wrong one takes nothing along', () => {
    const stored = {
      id: 'a',
      serverId: 'b',
      vaultAccount: 'v',
      account: 'x',
      baseUrl: 'https://a.test',
      user: {},
    };
    const { sessions } = Config.parse({ sessions: { a: stored, c: { ...stored, id: 'c', end: { at: 7 } } } });
    expect(Object.values(sessions).map(({ id, end }) => [id, end])).toEqual([
      ['a', undefined],
      ['c', undefined],
    ]);
  });
});
