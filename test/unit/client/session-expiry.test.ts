import { describe, expect, it } from 'vitest';
import { claimedExpiry } from '../../../main/client/reading/json-web-token.ts';
import { jwt, pipe, read } from '../../support/answer-lines.ts';

const iso = '2026-12-01T10:00:00.000Z';
const isoMs = Date.parse(iso);
const user = { id: 7, name: 'Ana', email: 'ana@example.test' };
const endOf = (...answer: Parameters<typeof read>) => {
  const { sessionExpiry } = read(...answer);
  return sessionExpiry && ('seconds' in sessionExpiry ? sessionExpiry.seconds : sessionExpiry.atMs);
};

const webToken = (claims: object): string =>
  `eyJhbGciOiJIUzI1NiJ9.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

describe('the end of a session', () => {
  it.each([
    ['a text with a zone', { expires_at: '2026-12-01T11:00:00+01:00' }, isoMs],
    ['a text without a zone, which means UTC', { expires_at: '2026-12-01 10:00:00' }, isoMs],
    ['a date of HTTP', { expires: 'Tue, 01 Dec 2026 10:00:00 GMT' }, isoMs],
    ['seconds since 1970', { expiresAt: isoMs / 1000 }, isoMs],
    ['milliseconds since 1970', { expiry: isoMs }, isoMs],
    ['a length in seconds', { expires_in: 3600 }, 3600],
    ['a length as a text', { expiresIn: '3600' }, 3600],
    ['a length with its unit', { expiresIn: '7d' }, 604_800],
    ['a length in minutes', { expiresInMinutes: 60 }, 3600],
    ['Spanish names', { fecha_expiracion: iso }, isoMs],
  ])('is read from %s', (_case, said, expected) => {
    expect(endOf('login', 200, { token: pipe, ...said })).toBe(expected);
    expect(endOf('login', 200, { data: { user, session: said }, access_token: pipe })).toBe(expected);
  });

  it('is that of the token beside it, and not that of another one', () => {
    const body = { refresh: { token: 'rf-fake', expires: 1 }, tokens: { access: { token: pipe, expires: iso } } };
    expect(endOf('login', 200, body)).toBe(isoMs);
    expect(endOf('login', 200, { token: pipe, refresh_token: 'rf', refresh_expires_in: 60 })).toBeUndefined();
    expect(endOf('login', 200, { token: pipe, refreshToken: { token: 'rf', expiresAt: iso } })).toBeUndefined();
  });

  it('is not the end of a subscription, a password or an account', () => {
    const person = { ...user, expires_at: iso, subscription: { expires_at: iso } };
    expect(endOf('login', 200, { token: pipe, user: person })).toBeUndefined();
    expect(endOf('login', 200, { token: pipe, password_expires_at: iso, plan: { expires_at: iso } })).toBeUndefined();
    expect(endOf('profile', 200, person)).toBeUndefined();
    expect(endOf('profile', 200, { data: person })).toBeUndefined();
  });

  it('is read in a profile where that speaks of the session', () => {
    expect(endOf('profile', 200, { session: { expiresAt: iso }, user })).toBe(isoMs);
  });

  it.each([null, '', 0, -5, 'never', 900_000, '2026-13-45', {}, [], 1e300])('is not guessed from %j', (expires) => {
    expect(endOf('login', 200, { token: pipe, expires })).toBeUndefined();
    expect(endOf('login', 200, { token: pipe, expires_at: expires })).toBeUndefined();
  });

  it('is not read in an answer that gave no token', () => {
    expect(endOf('login', 401, { message: 'no', expires_in: 60 })).toBeUndefined();
    expect(endOf('login', 200, { message: 'welcome', expires_in: 60 })).toBeUndefined();
  });

  it('is what a JSON Web Token claims', () => {
    expect(claimedExpiry(webToken({ exp: isoMs / 1000, sub: '7' }))).toBe(isoMs);
    for (const token of [jwt, pipe, webToken({ exp: 'soon' }), webToken({ exp: 1e300 }), webToken([]), 'eyJ.eyJ.x'])
      expect(claimedExpiry(token)).toBeUndefined();
  });
});
