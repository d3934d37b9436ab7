import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../../preload/contract/names.ts';
import { interpret } from '../../../main/client/interpret.ts';
import type { TransportResponse } from '../../../main/client/call.ts';
import { shippedInterface, shippedInterfaces } from '../../../main/interface/shipped.ts';
import type { Credential } from '../../../main/interface/credential.ts';
import { ApiAdapter } from '../../../main/interface/api-adapter.ts';
import words from '../../../preload/contract/locales/window/en.json' with { type: 'json' };

const folder = path.resolve(import.meta.dirname, '../../fixtures/stock-servers');

type Recorded = {
  method: string;
  url: string;
  headers: Map<string, string>;
  body?: string;
  hasJar: boolean;
  answer: TransportResponse;
};

/** The calls of a transcript, by their titles. */
function callsIn(file: string): Map<string, Recorded> {
  const text = readFileSync(path.join(folder, `${file}.txt`), 'utf8').replaceAll('\r', '');
  return new Map(
    text
      .split(/^## /m)
      .slice(1)
      .map((part) => {
        const [, title = '', command = '', status = '', head = '', body = ''] =
          /^(.*)\n\$ curl (.*)\nHTTP\/[\d.]+ (\d+).*\n([^]*?)\n\n([^]*?)\n*$/.exec(part) ?? [];
        const rawHeaders = head.split('\n').map((line) => {
          const at = line.indexOf(':');
          return [line.slice(0, at), line.slice(at + 1).trim()] as const;
        });
        const answer = {
          status: Number(status),
          statusText: '',
          httpVersion: '1.1',
          rawHeaders,
          body,
          bodyBytes: new Uint8Array(),
        };
        return [title, { ...requestIn(command), answer }];
      }),
  );
}

function requestIn(command: string): Omit<Recorded, 'answer'> {
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const after = (option: string): string[] => words.flatMap((word, at) => (words[at - 1] === option ? [word] : []));
  const form = after('--data-urlencode').map((pair): [string, string] => [
    pair.split('=')[0]!,
    pair.slice(pair.indexOf('=') + 1),
  ]);
  const [body = form.length > 0 ? new URLSearchParams(form).toString() : undefined] = after('-d');
  const [method = body === undefined ? 'GET' : 'POST'] = after('-X');
  const headers = after('-H').map((line): [string, string] => [
    line.split(':')[0]!.toLowerCase(),
    line.slice(line.indexOf(':') + 1).trim(),
  ]);
  const url = words.find((word) => word.startsWith('http')) ?? '';
  return {
    method,
    url,
    headers: new Map(headers),
    ...(body !== undefined && { body }),
    hasJar: after('-b').length > 0,
  };
}

/** A call of a transcript, what it is, and how its answer is to be read. One whose title begins with ~ was sent otherwise. */
type Line = [title: string, call: Operation | 'csrf', verdict: string];

const transcripts: [description: string, file: string, lines: Line[]][] = [
  [
    'laravel-sanctum',
    'laravel-sanctum-token',
    [
      ['log in: token, wrong password', 'login', 'failed'],
      ['log in: token', 'login', 'ok'],
      ['profile', 'profile', 'ok'],
      ['log out (a route of the application: Sanctum ships none)', 'logout', 'ok'],
      ['profile after log out', 'profile', 'ended'],
    ],
  ],
  [
    'laravel-breeze',
    'laravel-breeze-cookie',
    [
      ['1 csrf cookie', 'csrf', ''],
      ['2 register', 'register', 'ok'],
      ['~3 profile, cookie, no Origin or Referer', 'profile', 'ended'],
      ['4 profile, cookie and Origin', 'profile', 'ok'],
      ['5 log out', 'logout', 'ok'],
      ['6 profile after log out', 'profile', 'ended'],
      ['7 csrf cookie', 'csrf', ''],
      ['8 register, taken, passwords differ', 'register', 'failed'],
      ['9 log in, wrong password', 'login', 'failed'],
      ['10 log in', 'login', 'ok'],
      ['11 log in while logged in (guest middleware)', 'login', 'failed'],
      ['12 profile', 'profile', 'ok'],
    ],
  ],
  [
    'dj-rest-auth',
    'dj-rest-auth-email',
    [
      ['register, extra username in the body', 'register', 'ok'],
      ['~register, taken', 'register', 'failed'],
      ['~log in, wrong password', 'login', 'failed'],
      ['log in, both username and email sent', 'login', 'ok'],
      ['profile', 'profile', 'ok'],
      ['log out', 'logout', 'ok'],
      ['profile after log out', 'profile', 'ended'],
    ],
  ],
  [
    'djoser',
    'djoser',
    [
      ['~register', 'registro', 'ok'],
      ['~register, taken', 'registro', 'failed'],
      ['log in, wrong password', 'login', 'failed'],
      ['log in', 'login', 'ok'],
      ['profile', 'profile', 'ok'],
      ['log out', 'logout', 'ok'],
      ['profile after log out', 'profile', 'ended'],
    ],
  ],
  [
    'fastapi-users',
    'fastapi-users',
    [
      ['~register', 'registro', 'ok'],
      ['register, taken', 'registro', 'failed'],
      ['log in, wrong password', 'login', 'failed'],
      ['log in', 'login', 'ok'],
      ['profile', 'profile', 'ok'],
      ['log out', 'logout', 'ok'],
      ['profile after log out (JWT strategy)', 'profile', 'ok'],
    ],
  ],
  [
    'devise-token-auth',
    'devise-token-auth',
    [
      ['register with name', 'register', 'ok'],
      ['register, taken', 'register', 'failed'],
      ['log in, wrong password', 'login', 'failed'],
      ['log in', 'login', 'ok'],
      ["profile with Authorization: Bearer of the log-in's header alone", 'profile', 'ok'],
      ['~log out', 'logout', 'ok'],
      ['~profile after log out', 'profile', 'ended'],
    ],
  ],
  [
    'strapi',
    'strapi',
    [
      ['~register', 'registro', 'ok'],
      ['~register, taken e-mail', 'registro', 'failed'],
      ['log in, wrong password', 'login', 'failed'],
      ['log in', 'login', 'ok'],
      ['profile', 'profile', 'ok'],
      ['~profile, nothing', 'profile', 'ended'],
    ],
  ],
  [
    'better-auth',
    'better-auth-cookie',
    [
      ['register (no Origin)', 'registro', 'ok'],
      ['register, taken e-mail', 'registro', 'failed'],
      ['log in, wrong password', 'login', 'failed'],
      ['log in', 'login', 'ok'],
      ['profile with cookie', 'profile', 'ok'],
      ['log out with cookie and Origin', 'logout', 'ok'],
      ['~profile after log out', 'profile', 'ended'],
    ],
  ],
  [
    'better-auth-bearer',
    'better-auth-bearer',
    [
      ['log in', 'login', 'ok'],
      ['profile, Bearer of set-auth-token header', 'profile', 'ok'],
      ['~log out, Bearer, no body', 'logout', 'ok'],
      ['~profile after log out', 'profile', 'ended'],
    ],
  ],
  [
    'oauth-password',
    'oauth-password-grant',
    [
      ['~log in, wrong password', 'login', 'failed'],
      ['log in', 'login', 'ok'],
      ['profile', 'profile', 'ok'],
      ['log out: revoke the token', 'logout', 'ok'],
      ['profile after log out', 'profile', 'ended'],
    ],
  ],
];

describe.each(transcripts)('%s sends what %s has, and reads its answers', (name, file, lines) => {
  it('call by call', async () => {
    const calls = callsIn(file);
    const adapter = new ApiAdapter((await shippedInterface(name))!, new URL([...calls.values()][0]!.url).origin);
    let held: Credential = {};
    for (const [written, call, verdict] of lines) {
      const title = written.replace(/^~/, '');
      const recorded = calls.get(title)!;
      const goesAlong = recorded.hasJar || recorded.headers.has('authorization') || call === 'logout' ? held : {};
      const { sent, read } = by(adapter, call, goesAlong, recorded);
      const same =
        title === written
          ? [partsOf(sent, recorded), { ...partsOf(recorded, recorded), hasCookie: recorded.hasJar }]
          : [];
      expect([title, sent.method, sent.url, same[0]]).toEqual([title, recorded.method, recorded.url, same[1]]);
      expect([title, read]).toEqual([title, verdict]);
      held = adapter.credentialAfter(
        call,
        recorded.answer,
        goesAlong === held || call === 'login' || call === 'csrf' ? goesAlong : held,
      );
    }
  });
});

/** What a wire makes of a recorded call: the request, and what the answer means. */
function by(
  adapter: ApiAdapter,
  call: Operation | 'csrf',
  credential: Credential,
  { body = '', answer, url }: Recorded,
) {
  if (call === 'csrf') return { sent: adapter.csrfRequestIfNeeded('login', {})!, read: '' };
  const contentType = body.startsWith('{') ? 'application/json' : 'application/x-www-form-urlencoded';
  const sent = adapter.request(call, { fields: adapter.fieldsOf(call, contentType, body), credential });
  const { summary, verdict } = interpret(call, answer, url, { adapter }).interpretation;
  const isWhole =
    (call === 'profile' && verdict === 'ok' ? /@example\./.test(summary.user?.email ?? '') : true) &&
    (verdict === 'failed' && answer.status >= 400 ? (summary.message ?? summary.fieldErrors) !== undefined : true);
  return { sent, read: isWhole ? verdict : `${verdict}, and something is not found` };
}

/** What of a request has to be the same: the fields of its body, and of its headers those that the recorded one had. */
function partsOf(
  { headers, body }: { headers: Iterable<readonly [string, string]>; body?: string | undefined },
  { headers: recorded }: Recorded,
) {
  const all = new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]));
  return {
    fields: body?.startsWith('{') ? JSON.parse(body) : Object.fromEntries(new URLSearchParams(body)),
    headers: [...recorded.keys()].map((name) => [name, all.get(name)]),
    hasCookie: all.has('cookie'),
  };
}

describe('what was never run is as its documents have it', () => {
  it('Supabase has a key for its gateway, a query for the log-in and a 403 for no session', async () => {
    const adapter = new ApiAdapter((await shippedInterface('supabase-gotrue'))!, 'https://x.supabase.test', {
      apikey: 'the-key',
    });
    const { url, headers, body } = adapter.request('login', { fields: { email: 'a@example.test', password: 'p' } });
    expect([url, body]).toEqual([
      'https://x.supabase.test/auth/v1/token?grant_type=password',
      '{"email":"a@example.test","password":"p"}',
    ]);
    expect(headers).toContainEqual(['apikey', 'the-key']);
    expect(adapter.request('registro', { fields: { name: 'Ana', email: 'a@example.test', password: 'p' } }).body).toBe(
      '{"email":"a@example.test","password":"p","data":{"name":"Ana"}}',
    );
    const given =
      '{"access_token":"a.b.c","token_type":"bearer","expires_in":3600,"refresh_token":"r-1","user":{"email":"a@example.test"}}';
    const answer = (status: number, said: string): TransportResponse => ({
      status,
      statusText: '',
      httpVersion: '1.1',
      rawHeaders: [],
      body: said,
      bodyBytes: new Uint8Array(),
    });
    expect(adapter.credentialAfter('login', answer(200, given), {})).toEqual({
      token: 'a.b.c',
      outputs: { refreshToken: 'r-1' },
    });
    const { interpretation } = interpret(
      'profile',
      answer(403, '{"code":403,"error_code":"bad_jwt","msg":"invalid JWT"}'),
      url,
      { adapter },
    );
    expect(interpretation.verdict).toBe('ended');
    expect(adapter.request('refresh', { credential: { outputs: { refreshToken: 'r-1' } } }).body).toBe(
      '{"refresh_token":"r-1"}',
    );
  });

  it('Keycloak has its realm in the address, and ends a session by its refresh token', async () => {
    const adapter = new ApiAdapter((await shippedInterface('keycloak'))!, 'https://sso.example.test', {
      realm: 'shop',
      clientId: 'app',
    });
    const at = 'https://sso.example.test/realms/shop/protocol/openid-connect';
    const login = adapter.request('login', { fields: { email: 'a@example.test', password: 'p' } });
    expect([login.url, login.body]).toEqual([
      `${at}/token`,
      'grant_type=password&client_id=app&username=a%40example.test&password=p&scope=openid',
    ]);
    const logout = adapter.request('logout', { credential: { token: 't', outputs: { refreshToken: 'r-1' } } });
    expect([logout.url, logout.body]).toEqual([`${at}/logout`, 'client_id=app&refresh_token=r-1']);
    expect(adapter.features.registrations).toEqual([]);
  });
});

const othersThanOurs = async () => (await shippedInterfaces()).filter(({ id }) => id !== 'llavero');

it('a description that comes with the application says of its proof in words what it says as data', async () => {
  const date = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long' });
  const said = (await othersThanOurs()).map(({ id, proved, text }) => {
    const { about } = JSON.parse(text) as { about: string };
    const isSaid = proved
      ? about.startsWith(`Proved on ${date.format(new Date(proved.on))} against `) &&
        about.includes(` ${proved.version}`)
      : about.startsWith('Never run here');
    return [id, isSaid];
  });
  expect(said.filter(([, isSaid]) => isSaid !== true)).toEqual([]);
});

it('a description that comes with the application has a note in the words of the window', async () => {
  const ids = (await othersThanOurs()).map(({ id }) => id);
  expect(Object.keys(words.interface.notes).toSorted()).toEqual(ids.toSorted());
});
