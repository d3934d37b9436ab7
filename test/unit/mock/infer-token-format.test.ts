import { describe, expect, it } from 'vitest';
import { inferTokenFormat } from '../../../main/check/mock-generator/infer-token-format.ts';
import { SecretRegistry } from '../../../main/client/secrets/secret-registry.ts';

const START_MS = Date.parse('2026-11-26T02:00:00Z');
const inference = { secretRegistry: new SecretRegistry(), addRemark: () => undefined };

type Given = { at: number; email: string; count: number };

/** Seven tokens of two people, each with another time and number. */
const formOf = (tokenOf: (given: Given) => string, sent: (email: string) => string = (email) => email) =>
  inferTokenFormat(
    Array.from({ length: 7 }, (_each, count) => {
      const email = count % 2 === 0 ? 'ana@example.test' : 'boris@example.test';
      const atMs = START_MS + count * 7000;
      return {
        token: tokenOf({ at: Math.floor(atMs / 1000), email, count: count + 7 }),
        call: String(count),
        known: {
          person: { email, name: 'A Name', createdMs: START_MS },
          sent: { email: sent(email) },
          isSuccess: true,
          atMs,
          method: 'POST',
          path: '/api/v1/auth/login',
        },
      };
    }),
    inference,
  );

/** Digits and letters that look drawn, and are the same in each run of this test. */
const drawn = (seed: number, length: number, signs: string): string =>
  Array.from({ length }, (_each, at) => signs[(seed * 7919 + at * at * 31 + at * seed * 17) % signs.length]).join('');
const hex = (seed: number, length: number): string => drawn(seed, length, '0123456789abcdef');

const time = { place: 'time', of: 'now', form: { kind: 'epoch', unit: 's', isText: true } };

describe('the form of tokens is learned place by place', () => {
  it.each<[string, (given: Given) => string, object[]]>([
    [
      'digits before a sign, hexadecimal digits behind',
      ({ count }) => `${drawn(count, 19, '123456789')}|${hex(count, 32)}`,
      [{ of: 'digits', count: 19 }, { text: '|' }, { of: 'hex', count: 32 }],
    ],
    [
      'a number that grows',
      ({ count }) => `${count}.${hex(count, 32)}`,
      [{ place: 'serial' }, { text: '.' }, { of: 'hex', count: 32 }],
    ],
    [
      'a name that all have',
      ({ count }) => `oat_${hex(count, 8)}.${drawn(count, 24, 'ABCDEFabcdefXYZ0123')}`,
      [{ text: 'oat_' }, { of: 'hex', count: 8 }, { text: '.' }, { of: 'letters-and-digits', count: 24 }],
    ],
    [
      'the signed value of Tornado, with its time and the email in base64',
      ({ at, email, count }) => `2|1:0|10:${at}|5:token|24:${Buffer.from(email).toString('base64')}|${hex(count, 64)}`,
      [
        { text: '2|1:0|10:' },
        time,
        { text: '|5:token|24:' },
        { place: 'email', code: 'base64' },
        { text: '|' },
        { of: 'hex', count: 64 },
      ],
    ],
  ])('%s', (_what, tokenOf, segments) => {
    expect(formOf(tokenOf)).toMatchObject({ kind: 'opaque', hasId: false, segments });
  });

  it('and so are claims, of which one says at times what is no text', () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const form = formOf(({ email, at, count }) =>
      [
        part({ alg: 'HS256' }),
        part({ email: count === 8 ? { address: 'an object' } : email, sub: `mailto:${email}`, iat: at }),
        hex(count, 43),
      ].join('.'),
    );
    expect(form).toMatchObject({
      kind: 'jwt',
      claims: {
        fields: [
          ['email', { value: { place: 'email' } }],
          ['sub', { text: ['mailto:', { place: 'email' }] }],
          ['iat', { value: { place: 'time', of: 'now' } }],
        ],
      },
    });
    expect(JSON.stringify(form)).not.toContain('example.test');
  });
});
