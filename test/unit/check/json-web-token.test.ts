import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { parseResponse } from '../../../main/client/parse-response.ts';
import { readJsonWebToken } from '../../../main/client/reading/json-web-token.ts';
import { createTamperedTokens } from '../../../main/check/cases/tampered-token-cases.ts';
import { tokenFacts } from '../../../main/check/cases/token-facts.ts';
import { estimateTokenEntropy } from '../../../main/check/cases/token-entropy.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';

const part = (value: unknown): string =>
  Buffer.from(value instanceof Uint8Array ? value : typeof value === 'string' ? value : JSON.stringify(value)).toString(
    'base64url',
  );
const textOf = (text = ''): string => Buffer.from(text, 'base64url').toString('latin1');

function tokenOf(claims: unknown, algorithm = 'HS256'): string {
  return `${part({ alg: algorithm, typ: 'JWT', kid: 'one' })}.${part(claims)}.${randomBytes(32).toString('base64url')}`;
}

/** Returns where two texts differ. */
const placesOf = (one: string, other: string): number[] =>
  Array.from(one, (_, at) => at).filter((at) => one[at] !== other[at]);

/** Returns the three parts of each form by its question. */
const formsOf = async (token: string): Promise<Record<string, string[]>> =>
  Object.fromEntries(
    (await createTamperedTokens(token)).map(({ question, altered }) => [question, altered.split('.')]),
  );

const questions = [
  'token-signature-cut',
  'token-signature-altered',
  'token-other-key',
  'token-alg-none',
  'token-claim-changed',
];

describe('a JSON Web Token in other forms', () => {
  it('keeps what a form is not about', async () => {
    const token = tokenOf({ sub: '7', exp: 1_800_000_000 });
    const [header, payload, signature = ''] = token.split('.');
    const forms = await formsOf(token);
    expect(Object.keys(forms)).toEqual(questions);
    expect(forms['token-signature-cut']).toEqual([header, payload, '']);
    const [, , altered = ''] = forms['token-signature-altered'] ?? [];
    expect(forms['token-signature-altered']?.slice(0, 2)).toEqual([header, payload]);
    expect(placesOf(signature, altered)).toHaveLength(1);
    expect(Buffer.from(altered, 'base64url').equals(Buffer.from(signature, 'base64url'))).toBe(false);
    expect(forms['token-alg-none']).toEqual([part('{"alg":"none","typ":"JWT"}'), payload, '']);
    expect([forms['token-claim-changed']?.[0], forms['token-claim-changed']?.[2]]).toEqual([header, signature]);
    expect(textOf(forms['token-claim-changed']?.[1])).toBe('{"sub":"7","exp":1800086400}');
  });

  it.each(['HS256', 'HS384', 'HS512', 'RS256', 'PS256', 'ES256', 'ES384', 'ES512', 'EdDSA'])(
    'is signed with another key as %s wants it',
    async (algorithm) => {
      const forms = await formsOf(tokenOf({ sub: '7' }, algorithm));
      const [header, payload, signature = ''] = forms['token-other-key'] ?? [];
      const bytes = { HS256: 32, HS384: 48, HS512: 64, ES256: 64, ES384: 96, ES512: 132, EdDSA: 64 }[algorithm] ?? 256;
      expect(Buffer.from(signature, 'base64url')).toHaveLength(bytes);
      expect(textOf(header)).toContain(`"alg":"${algorithm}"`);
      expect(payload).toBe(part({ sub: '7' }));
    },
  );

  it('is not signed where nobody knows how', async () => {
    expect(Object.keys(await formsOf(tokenOf({ sub: '7' }, 'XX99')))).not.toContain('token-other-key');
  });

  it.each([
    ['no end', { sub: '7' }, '{"llavero":true,"sub":"7"}'],
    ['no claim', {}, '{"llavero":true}'],
    ['blanks', ' { "sub": 1 , "exp" : 5}', ' { "sub": 1 , "exp":86405}'],
    [
      'bytes that are no UTF-8',
      Buffer.from('7b22657870223a312c2261223a22ff22 7d'.replace(' ', ''), 'hex'),
      '{"exp":86401,"a":"ÿ"}',
    ],
  ])('has a claim changed where it has %s', async (_what, claims, changed) => {
    expect(textOf((await formsOf(tokenOf(claims)))['token-claim-changed']?.[1])).toBe(changed);
  });

  it.each([
    'a'.repeat(40),
    randomBytes(20).toString('hex'),
    `12|${randomBytes(30).toString('base64url')}`,
    randomUUID(),
    'A',
    '----',
    `v4.public.${randomBytes(90).toString('base64url')}.eyJraWQiOiJ4In0`,
    `${randomBytes(30).toString('base64')}--${randomBytes(20).toString('hex')}`,
  ])('differs in one character for any other token: %s', async (token) => {
    const [form] = await createTamperedTokens(token);
    expect(form?.question).toBe('token-character-changed');
    expect(form?.altered).toHaveLength(token.length);
    expect(form?.altered.toLowerCase()).not.toBe(token.toLowerCase());
    expect(placesOf(token, form?.altered ?? '')).toHaveLength(1);
  });

  it('is what a verifier of any library would take apart', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const text = `${part({ alg: 'ES256' })}.${part({ sub: '7' })}`;
    const token = `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
    const isGood = (form: string[]): boolean =>
      verify(
        'sha256',
        Buffer.from(form.slice(0, 2).join('.')),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(form[2] ?? '', 'base64url'),
      );
    expect(isGood(token.split('.'))).toBe(true);
    expect(Object.values(await formsOf(token)).filter(isGood)).toEqual([]);
  });
});

const startedAt = '2026-11-22T10:00:00.400Z';

/** Returns the facts of a token that an answer with these other fields gave. */
function factsOf(token: string, more: object = {}, headers: Record<string, string> = {}) {
  const body = JSON.stringify({ token, ...more });
  const { sessionExpiry: end, dateMs } = parseResponse('login', { status: 200, headers, body });
  const facts = tokenFacts({ token, body, end, dateMs, startedAt }, new SecretRegistry());
  return Object.fromEntries(facts.map(({ question, value }) => [question, value]));
}

const now = 1_795_341_600;

it('measures a lifetime by the clock of the server, where it tells that', () => {
  const behind = { Date: 'Sun, 22 Nov 2026 09:00:00 GMT' };
  const seconds = { kind: 'seconds', seconds: 900 };
  expect(factsOf('41|abc', { expires_at: '2026-11-22 09:15:00' }, behind)['token-lifetime']).toEqual(seconds);
  expect(factsOf(tokenOf({ exp: now - 3600 + 900 }), {}, behind)['token-lifetime']).toEqual(seconds);
});

describe('the facts of a token', () => {
  it.each([
    ['its own two dates', tokenOf({ iat: now, exp: now + 1800 }), {}, { kind: 'seconds', seconds: 1800 }],
    ['its end and the clock', tokenOf({ exp: now + 1801 }), {}, { kind: 'seconds', seconds: 1800 }],
    ['an odd end', tokenOf({ iat: now, exp: now + 1799 }), {}, { kind: 'seconds', seconds: 1799 }],
    ['milliseconds', tokenOf({ iat: now * 1000, exp: (now + 60) * 1000 }), {}, { kind: 'seconds', seconds: 60 }],
    ['an answer that says more', tokenOf({}), { expires_in: '3600' }, { kind: 'seconds', seconds: 3600 }],
    ['an answer’s own unit', 'abcdef'.repeat(5), { expiresIn: '7 days' }, { kind: 'seconds', seconds: 604_800 }],
    [
      'a moment and the clock',
      'abcdef'.repeat(5),
      { expires_at: '2026-11-22T11:00:01Z' },
      { kind: 'seconds', seconds: 3600 },
    ],
    ['nothing of another token', 'abcdef'.repeat(5), { refresh: { expires_in: 9 } }, { kind: 'none' }],
    ['no end', tokenOf({ sub: 'x' }), {}, { kind: 'choice', choice: 'never-ends' }],
    ['an end that is no moment', tokenOf('{"exp":1e308}'), {}, { kind: 'choice', choice: 'never-ends' }],
    ['claims that nobody can read', tokenOf('{"exp":'), {}, { kind: 'none' }],
    ['another form', 'abcdef', {}, { kind: 'none' }],
  ])('have the lifetime by %s', (_what, token, more, lifetime) => {
    expect(factsOf(token, more)['token-lifetime']).toEqual(lifetime);
  });

  it.each([
    ['scp as a list', { scp: ['read', 'write'] }, ['read', 'write']],
    ['scope as a text', { scope: 'openid profile' }, ['openid', 'profile']],
    ['roles within', { realm_access: { roles: ['user', 'user'] } }, ['user']],
    ['role', { role: 'admin' }, ['admin']],
  ])('have scopes: %s', (_what, claims, items) => {
    expect(factsOf(tokenOf(claims))['token-scopes']).toEqual({ kind: 'list', items });
  });

  it('take no role of a user for a scope', () => {
    expect(factsOf('abcdef', { user: { role: 'admin', roles: ['x'] } })['token-scopes']).toEqual({ kind: 'none' });
  });

  it('say what a token says of itself', () => {
    expect(factsOf(tokenOf({ sub: '7', iat: now, exp: now + 60 }, 'RS256'))).toMatchObject({
      'token-algorithm': { kind: 'text', text: ['RS256'] },
      'token-claims': { kind: 'list', items: ['sub', 'iat', 'exp'] },
      'token-issued': { kind: 'date', date: new Date(now * 1000).toISOString() },
      'token-ends': { kind: 'date', date: new Date((now + 60) * 1000).toISOString() },
    });
  });
});

describe('the randomness of tokens', () => {
  const signed = (claims: object): string => {
    const text = `${part({ alg: 'HS256' })}.${part(claims)}`;
    return `${text}.${createHmac('sha256', 'key').update(text).digest('base64url')}`;
  };
  const ofAccounts = (claims: (account: number, at: number) => object) => {
    const accounts = [1, 2, 3].map((account) => [1, 2].map((at) => signed(claims(account, at))));
    return estimateTokenEntropy(accounts.flat(), accounts);
  };

  it.each([
    [
      'who it is for and times',
      (account: number, at: number) => ({
        sub: `${account}-${'x'.repeat(account)}`,
        iat: now + at,
        exp: now + at + 60,
      }),
    ],
    [
      'a user with an id',
      (account: number, at: number) => ({ user: { id: `5f${account}a9`.repeat(4) }, time: `2026-11-22T10:0${at}:00Z` }),
    ],
  ])('is not found beyond the signature: %s', (_what, claims) => {
    expect(ofAccounts(claims)).toEqual({ kind: 'choice', choice: 'signature-only' });
  });

  it('is that of an id of its own', () => {
    const random = ofAccounts((account, at) => ({ sub: account, iat: now + at, jti: randomUUID() }));
    expect(random).toMatchObject({ kind: 'bits' });
    expect(random.kind === 'bits' && random.bits > 90 && random.bits <= 124).toBe(true);
  });

  it('is nearly none for a number that goes up', () => {
    const random = ofAccounts((account, at) => ({ jti: 1000 + account * 2 + at }));
    expect(random.kind === 'bits' && random.bits < 8).toBe(true);
  });

  it('is counted of any other token as a whole', () => {
    const tokens = Array.from({ length: 6 }, () => `7|${randomBytes(20).toString('hex')}`);
    const random = estimateTokenEntropy(tokens, [tokens]);
    expect(random.kind === 'bits' && random.bits > 150 && random.bits <= 160).toBe(true);
  });
});

const nested = (levels: number): string => `${'{"a":['.repeat(levels)}1${']}'.repeat(levels)}`;

it.each([
  ['a megabyte of claims', () => ({ sub: 'x', exp: now, more: randomBytes(500_000).toString('hex') })],
  ['as many claims as fit', () => Object.fromEntries(Array.from({ length: 2300 }, (_, at) => [`c${at}`, at]))],
  ['deeply nested JSON', () => nested(4000)],
  ['nested JSON in texts', () => ({ exp: now, a: nested(30), b: JSON.stringify({ exp: nested(30) }) })],
  ['bytes that are no UTF-8', () => randomBytes(20_000)],
  ['a list', () => [1, 2]],
  ['nothing', () => ''],
])('a JSON Web Token with %s is read in bounded time, and tried in its forms', async (_what, claims) => {
  const token = tokenOf(claims());
  const before = process.threadCpuUsage();
  expect(readJsonWebToken(token)?.algorithm).toBe('HS256');
  factsOf(token);
  estimateTokenEntropy(
    [token, token, token, token],
    [
      [token, token],
      [token, token],
    ],
  );
  const forms = await formsOf(token);
  expect(Object.keys(forms)).toEqual(questions);
  // A fault would take minutes here.
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(5_000);
});
