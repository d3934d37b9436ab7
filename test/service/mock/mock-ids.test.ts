import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it, vi } from 'vitest';
import { alphabets, type Alphabet } from '../../../main/service/mock/mock-definition.ts';
import { measureAndLearn } from '../../prove/mocks.ts';
import { startMock, haste } from '../support/mock-servers.ts';
import { startJson } from '../support/json-server.ts';
import { described } from '../support/service-at.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 60_000 });

const drawn = (of: Alphabet, count: number): string =>
  Array.from(randomBytes(count), (byte) => alphabets[of][byte % alphabets[of].length]).join('');

function inBase(of: Alphabet, digits: number, value: number): string {
  let [text, left] = ['', value];
  for (; text.length < digits; left = Math.floor(left / alphabets[of].length))
    text = (alphabets[of][left % alphabets[of].length] ?? '') + text;
  return text;
}

/** Starts a server whose ids are made so, with the id as a name of a field and behind a prefix. */
function startWithIds(newId: () => string): Promise<string> {
  const accounts = new Map<string, { id: string; password: string }>();
  const tokens = new Map<string, string>();
  return startJson(({ path, body, header }) => {
    const { email = '', password = '' } = body;
    if (path === 'POST /users') {
      if (accounts.has(email)) return [409, { message: 'Known already.' }];
      accounts.set(email, { id: newId(), password });
      return [201, { message: 'Made.' }];
    }
    if (path === 'POST /sessions') {
      const account = accounts.get(email);
      if (account?.password !== password) return [401, { message: 'Wrong.' }];
      const token = randomUUID();
      tokens.set(token, email);
      return [200, { token }];
    }
    const account = accounts.get(tokens.get(header('authorization').replace('Bearer ', '')) ?? '');
    if (path !== 'GET /me') return [404, { message: 'Nothing here.' }];
    if (!account) return [401, { message: 'Not logged in.' }];
    const { id } = account;
    return [200, { id, ref: `usr_${id}`, ACL: { [id]: { read: true }, '*': { read: true } }, path: `/users/${id}/me` }];
  });
}

type Shown = { id: string; ref: string; ACL: object; path: string };

async function shownAt(baseUrl: string, email: string): Promise<Shown> {
  const post = (path: string) =>
    fetch(baseUrl + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password: 'correct horse 9' }),
    });
  await post('/users');
  const { token } = (await (await post('/sessions')).json()) as { token: string };
  const profile = await fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${token}` } });
  return (await profile.json()) as Shown;
}

const isUlid = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/;
const uuidOf = (hex: string): string => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

it.each([
  ['ULIDs', () => inBase('crockford', 10, Date.now()) + drawn('crockford', 16), isUlid, true],
  [
    'small ULIDs',
    () => inBase('crockford-small', 10, Date.now()) + drawn('crockford-small', 16),
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/,
    true,
  ],
  [
    'UUIDs of version 7',
    () => uuidOf(`${inBase('hex', 12, Date.now())}7${drawn('hex', 3)}a${drawn('hex', 15)}`),
    /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/,
    true,
  ],
  ['ids of MongoDB', () => inBase('hex', 8, Math.floor(Date.now() / 1000)) + drawn('hex', 16), /^[0-9a-f]{24}$/, true],
  ['ids behind a prefix', () => `acct_${drawn('crockford', 40)}`, /^acct_[0-9A-HJKMNP-TV-Z]{40}$/, false],
  ['hexadecimal capitals', () => drawn('hex-capitals', 20), /^[0-9A-F]{20}$/, false],
  ['base 36', () => `c${drawn('small-letters-and-digits', 23)}`, /^[a-z0-9]{24}$/, false],
  ['base 36 in capitals', () => drawn('capitals-and-digits', 24), /^[A-Z0-9]{24}$/, false],
  ['base 58', () => drawn('base58', 44), /^[1-9A-HJ-NP-Za-km-z]{44}$/, false],
  ['base 32', () => drawn('base32', 52), /^[A-Z2-7]{52}$/, false],
  ['nanoids', () => drawn('base64url', 21), /^[\w-]{21}$/, false],
  ['ten letters and digits', () => drawn('letters-and-digits', 10), /^[A-Za-z0-9]{10}$/, false],
] as const)('a mock server makes %s, the same behind a prefix and as a name', async (_name, newId, form, isTimed) => {
  const baseUrl = await startWithIds(newId);
  const { model } = await measureAndLearn(baseUrl, {
    ...haste,
    interface: described({
      calls: {
        register: { path: '/users', body: { email: '{{email}}', password: '{{password}}' } },
        login: { path: '/sessions', body: { email: '{{email}}', password: '{{password}}' } },
        profile: { path: '/me' },
      },
    }),
    options: {
      only: [
        'registration.repeated-email',
        'login.right-credentials',
        'login.two-tokens',
        'profile.served',
        'profile.own-user',
      ],
    },
  });
  const mockServer = await startMock(model);
  const before = Date.now();
  const [ana, bea] = [
    await shownAt(mockServer.baseUrl, 'ana@example.test'),
    await shownAt(mockServer.baseUrl, 'bea@example.test'),
  ];
  expect(ana.id).not.toBe(bea.id);
  for (const { id, ref, ACL, path } of [ana, bea]) {
    expect(id).toMatch(form);
    expect({ ref, ACL, path }).toEqual({
      ref: `usr_${id}`,
      ACL: { [id]: { read: true }, '*': { read: true } },
      path: `/users/${id}/me`,
    });
  }
  if (!isTimed) return;
  // The moment stands in front, so that ids are in the order in which they were made.
  const [digits, of]: [number, Alphabet] = /^[0-9a-f-]+$/.test(ana.id)
    ? [8, 'hex']
    : [10, /[a-z]/.test(ana.id) ? 'crockford-small' : 'crockford'];
  const earliest = inBase(
    of,
    digits,
    of === 'hex' && !ana.id.includes('-')
      ? Math.floor(before / 1000)
      : of === 'hex'
        ? Math.floor(before / 65_536)
        : before,
  );
  expect([earliest, ana.id.slice(0, digits), bea.id.slice(0, digits)].toSorted()).toEqual([
    earliest,
    ana.id.slice(0, digits),
    bea.id.slice(0, digits),
  ]);
});
