import { beforeEach, afterEach, describe, expect, it, vi } from 'vitest';
import {
  normalizePastedToken,
  parsePastedCredential,
  describeToken,
} from '../../../main/account/sessions/token-details.ts';
import { clipboardSeconds } from '../../../main/files/secret-clipboard.ts';
import { defaultInterface } from '../../../main/interface/shipped.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import { maskEmails } from '../../../preload/contract/mask-emails.ts';
import { fail, ok } from '../../../preload/contract/result.ts';
import { makeMain, type MainOptions } from '../../support/make-main.ts';
import { anaQuoted, startServer } from '../../support/replay-main.ts';
import { answer, startRecordingServer } from '../../support/recording-server.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const jwt = (claims: unknown, header: unknown = { alg: 'HS256' }): string =>
  `${part(header)}.${part(claims)}.c2lnbmF0dXJlLW9mLWl0LTQ3MTE`;
const claimsOf = (token: string) => {
  const shown = describeToken(token);
  return shown.form === 'jwt' ? Object.fromEntries(shown.claims.map(({ name, value }) => [name, value])) : undefined;
};

describe('what a token says of itself', () => {
  it('is its claims, with its moments as moments', () => {
    const token = jwt({
      iss: 'https://shop.example.test',
      sub: 1,
      roles: ['a', 'b'],
      iat: 1_795_000_000,
      exp: 1_795_003_600,
    });
    expect(describeToken(token)).toEqual({
      form: 'jwt',
      algorithm: 'HS256',
      claims: [
        { name: 'iss', value: { is: 'text', text: 'https://shop.example.test' } },
        { name: 'sub', value: { is: 'number', digits: '1' } },
        {
          name: 'roles',
          value: {
            is: 'list',
            items: [
              { is: 'text', text: 'a' },
              { is: 'text', text: 'b' },
            ],
          },
        },
        { name: 'iat', value: { is: 'moment', at: '2026-11-18T11:06:40.000Z', isZoneSaid: true } },
        { name: 'exp', value: { is: 'moment', at: '2026-11-18T12:06:40.000Z', isZoneSaid: true } },
      ],
    });
  });

  it('never has the token, its parts, another token or what is secret by its name', () => {
    const inner = jwt({ sub: 'inner' });
    const token = jwt({ sid: 'abc', refresh_token: 'opaque', nested: { act: inner }, list: [inner], password: 'x' });
    const shown = JSON.stringify(describeToken(token));
    for (const secret of [token, ...token.split('.'), inner, 'opaque', '"abc"', '"x"'])
      expect(shown).not.toContain(secret);
    expect(claimsOf(token)).toMatchObject({ sid: { is: 'secret' }, password: { is: 'secret' } });
  });

  it.each([
    ['nothing', ''],
    ['two dots and no JSON', 'a.b.c'],
    ['three dots', `${jwt({})}.x`],
    ['a header that is no JSON', `eyJ.${part({})}.x`],
    ['a header without an algorithm', jwt({}, { typ: 'JWT' })],
    ['an algorithm that is no text', jwt({}, { alg: { toString: 1 } })],
    ['a header that is a list', jwt({}, [])],
    ['line ends within', jwt({}).replace('.', '.\n')],
    ['a header of a megabyte', jwt({}, { alg: 'x'.repeat(1_000_000) })],
  ])('is nothing for a token with %s', (_what, token) => {
    expect(describeToken(token)).toEqual({ form: 'opaque' });
  });

  it.each([
    ['no JSON', `${part({ alg: 'none' })}.${Buffer.from('{').toString('base64url')}.`],
    ['a text', jwt('text')],
    ['a list', jwt([1])],
    ['a megabyte', jwt({ a: 'x'.repeat(1_000_000) })],
    ['bytes that are no UTF-8', `${part({ alg: 'none' })}.${Buffer.from([0xff, 0xfe, 0x7b]).toString('base64url')}.`],
  ])('is its algorithm alone where its claims are %s', (_what, token) => {
    expect(describeToken(token)).toMatchObject({ form: 'jwt', claims: [] });
  });

  it('is bounded, whatever it holds, and takes names of JavaScript as names', () => {
    const many = jwt(Object.fromEntries(Array.from({ length: 1000 }, (_none, at) => [`c${at}`, at])));
    const shown = describeToken(many);
    expect(shown).toMatchObject({ form: 'jwt', left: 900 });
    expect(JSON.stringify(shown).length).toBeLessThan(10_000);
    const deep = `${part({ alg: 'none' })}.${Buffer.from(`${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`).toString('base64url')}.`;
    expect(JSON.stringify(describeToken(deep)).length).toBeLessThan(10_000);
    const proto = `${part({ alg: 'none' })}.${Buffer.from('{"__proto__":{"polluted":1},"constructor":2}').toString('base64url')}.`;
    expect(describeToken(proto)).toMatchObject({ claims: [{ name: '__proto__' }, { name: 'constructor' }] });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    const bytes = `${part({ alg: 'none' })}.${Buffer.from('{"a":"\xff"}', 'latin1').toString('base64url')}.`;
    expect(claimsOf(bytes)).toEqual({ a: { is: 'text', text: '\uFFFD' } });
  });
});

/** Main at a server that gives a JSON Web Token, and a person who answers questions so. */
async function makeAsked({ agrees = true, ...options }: MainOptions & { agrees?: boolean } = {}) {
  const token = jwt({ sub: 'ana', email: anaQuoted.email, n: 41 });
  const server = await startRecordingServer(({ target, headers }) => {
    if (target.endsWith('/login')) return answer(200, { token });
    const isKnown = headers.some(([name, value]) => name === 'Authorization' && value === `Bearer ${token}`);
    return isKnown ? answer(200, { email: anaQuoted.email }) : answer(401, { message: 'No such token.' });
  });
  const questions: unknown[] = [];
  const main = await makeMain(
    { shop: { baseUrl: server.origin } },
    {
      ...options,
      ports: {
        dialogs: {
          chooseFile: async () => undefined,
          confirm: async (question) => {
            if (question.kind !== 'copy-token') return true;
            questions.push(question);
            return agrees;
          },
          showEraseFailed: async () => undefined,
          showBadLink: async () => undefined,
          openExternal: async () => ok(null),
        },
      },
    },
  );
  await main.session.logins.login(anaQuoted);
  const [session] = main.sessionStore.all();
  return { main, server, token, questions, id: session!.id };
}

describe('a token in the clipboard', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('is there after the system has asked, alone or as the header that carries it, for half a minute', async () => {
    const { main, server, token, questions, id } = await makeAsked();
    const { sessions } = main.handlers;
    expect(await sessions.copyToken({ id, as: 'token' })).toEqual(ok({ copied: true }));
    expect(main.copied.at(-1)).toBe(token);
    const { host } = new URL(server.origin);
    expect(questions).toEqual([{ kind: 'copy-token', as: 'token', account: anaQuoted.email, host }]);
    main.application.prompts.onUserActivation();
    expect(await sessions.copyToken({ id, as: 'header' })).toEqual(ok({ copied: true }));
    expect(main.copied.at(-1)).toBe(`Authorization: Bearer ${token}`);
    await vi.advanceTimersByTimeAsync(clipboardSeconds * 1000);
    expect(main.copied.at(-1)).toBe('');
  });

  it('is asked for without the email of its account while others see the screen', async () => {
    const { main, questions, id } = await makeAsked();
    await main.handlers.settings.change({ presenting: true });
    await main.handlers.sessions.copyToken({ id, as: 'token' });
    expect(questions).toMatchObject([{ kind: 'copy-token', account: maskEmails(anaQuoted.email) }]);
    expect(maskEmails(anaQuoted.email)).not.toBe(anaQuoted.email);
  });

  it('is not there where the person says no', async () => {
    const { main, id } = await makeAsked({ agrees: false });
    expect(await main.handlers.sessions.copyToken({ id, as: 'token' })).toEqual(ok({ copied: false }));
    expect(main.copied).toEqual([]);
  });

  it.each(['locks', 'ends'] as const)('is gone when the application %s', async (how) => {
    const { main, id } = await makeAsked();
    await main.handlers.sessions.copyToken({ id, as: 'token' });
    if (how === 'locks') main.application.lock('by-hand');
    else await main.application.close();
    await vi.waitFor(() => expect(main.copied.at(-1)).toBe(''));
  });

  it('stays out of everything that the window is told, and of every file', async () => {
    const { main, token, id } = await makeAsked();
    const answers = [
      await main.handlers.sessions.token({ id }),
      await main.handlers.sessions.copyToken({ id, as: 'header' }),
      await main.handlers.session.adoptToken({ token: `Bearer ${token}` }),
      main.told,
    ];
    const said = JSON.stringify(answers);
    for (const secret of [token, ...token.split('.')]) {
      expect(said).not.toContain(secret);
      expect(await filesContaining(main.folder, secret)).toEqual([]);
    }
    expect(said).toContain('"n"');
  });

  it('is of a session that is there', async () => {
    const { main } = await makeAsked();
    const gone = fail({ kind: 'not-now' });
    expect(await main.handlers.sessions.token({ id: 'none' })).toEqual(gone);
    expect(await main.handlers.sessions.copyToken({ id: 'none', as: 'token' })).toEqual(gone);
  });
});

describe('a session of a pasted token', () => {
  it.each([
    ['abc', 'abc'],
    ['  Bearer abc\n', 'abc'],
    ['Authorization: bearer  a b\r\n c', 'abc'],
    ['"abc",', 'abc'],
    ['\uFEFFab\u200Bc', 'abc'],
    ['1|q8ZrT3', '1|q8ZrT3'],
    [' \n ', ''],
    ['"token": "7|abc",', '7|abc'],
    ["'access_token': '7|abc'", '7|abc'],
    ['token=7|abc', '7|abc'],
    ['export API_TOKEN="7|abc"', '7|abc'],
    ['accessToken: 7|abc', '7|abc'],
    ['-H "Authorization: Bearer 7|abc"', '7|abc'],
    ["--header 'Authorization: Bearer 7|abc'", '7|abc'],
    ['"Authorization": "Bearer 7|abc",', '7|abc'],
    ['`7|abc`', '7|abc'],
    ['token==', 'token=='],
    ['tokens-of-7', 'tokens-of-7'],
  ])('is of %j cleaned to %j', (pasted, token) => {
    expect(normalizePastedToken(pasted)).toBe(token);
  });

  it.each([
    ['{"token":"7|abc"}', { token: '7|abc' }],
    ['{"data": {"access_token": "7|abc", "token_type": "bearer"}}', { token: '7|abc' }],
  ])('is of the answer to a log-in: %j', (pasted, credential) => {
    expect(parsePastedCredential(new ApiAdapter(defaultInterface, 'https://shop.example.test'), pasted)).toEqual(
      credential,
    );
  });

  it('is one like any other once the server knows it, after one call', async () => {
    const server = await startServer();
    const first = await makeMain({ shop: server });
    await first.session.logins.login(anaQuoted);
    const main = await makeMain({ shop: server });
    const before = server.requests.length;
    expect(await main.session.logins.loginWithToken({ token: ` Bearer ${server.given[0]}\n` })).toEqual(ok(null));
    expect(server.requests.slice(before).map(({ target }) => target)).toEqual(['/app/api/v1/auth/perfil']);
    expect(main.state.get().session).toMatchObject({ step: 'signed-in', user: { email: anaQuoted.email } });
    const [session] = main.sessionStore.all();
    expect(session).toMatchObject({ account: anaQuoted.email, serverId: 'shop', tokenId: '1' });
    expect(await main.session.tokenOf(session!.id)).toBe(server.given[0]);
    expect(await main.session.checkShown()).toEqual(ok(null));
    await main.session.logOutShown(true);
    expect(server.requests.at(-1)!.target).toBe('/app/api/v1/auth/salir');
  });

  it('does not begin where the server refuses it, whose sentence is answered, and nothing is lost', async () => {
    const { main, server } = await makeAsked();
    const before = JSON.stringify([main.sessionStore.all(), main.state.get().session]);
    expect(await main.session.logins.loginWithToken({ token: 'of-somebody-else' })).toEqual(
      fail({ kind: 'unexpected', reason: 'pasted-token-refused', message: 'No such token.' }),
    );
    const asked = server.requests.length;
    for (const token of ['', ' Bearer ', 'a\u0001b', '\u20ac'])
      expect(await main.session.logins.loginWithToken({ token })).toEqual(
        fail({ kind: 'unexpected', reason: 'token-unsendable' }),
      );
    expect(server.requests).toHaveLength(asked);
    expect(JSON.stringify([main.sessionStore.all(), main.state.get().session])).toBe(before);
  });
});
