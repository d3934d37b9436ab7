import { describe, expect, it } from 'vitest';
import {
  createTotpCode,
  createTotpSecret,
  currentCode,
  encodeBase32,
  findTotpStep,
  formatOtpauthUrl,
  parseTotpSecret,
  type TotpSecret,
} from '../../../main/interface/totp.ts';

function parsed(text: string): TotpSecret {
  const secret = parseTotpSecret(text);
  if (!secret) throw new Error('It cannot be read');
  return secret;
}

/** The seeds of RFC 6238, appendix B, are the digits in a row, as long as the hash. */
const seed = (bytes: number): string => encodeBase32(Buffer.from('1234567890'.repeat(7).slice(0, bytes)));
const urlOf = (algorithm: string, bytes: number): string =>
  `otpauth://totp/Example:ana@example.test?secret=${seed(bytes)}&digits=8&algorithm=${algorithm}`;

describe('a code', () => {
  it.each([
    [59, '94287082', '46119246', '90693936'],
    [1_111_111_109, '07081804', '68084774', '25091201'],
    [1_111_111_111, '14050471', '67062674', '99943326'],
    [1_234_567_890, '89005924', '91819424', '93441116'],
    [2_000_000_000, '69279037', '90698825', '38618901'],
    [20_000_000_000, '65353130', '77737706', '47863826'],
  ])('is that of RFC 6238, appendix B, at second %i', (seconds, sha1, sha256, sha512) => {
    const codes = [urlOf('SHA1', 20), urlOf('SHA256', 32), urlOf('SHA512', 64)].map((url) =>
      createTotpCode(parsed(url), seconds * 1000),
    );
    expect(codes).toEqual([sha1, sha256, sha512]);
  });

  it('has six digits and thirty seconds unless the URL says otherwise', () => {
    expect(currentCode(seed(20), 59_000)).toEqual({ code: '287082', secondsLeft: 1 });
    expect(currentCode(seed(20), 60_000)).toEqual({ code: expect.stringMatching(/^\d{6}$/), secondsLeft: 30 });
    expect(currentCode(seed(20), 59_999)).toMatchObject({ code: '287082', secondsLeft: 1 });
    const { code, secondsLeft } = currentCode(`otpauth://totp/x?secret=${seed(20)}&period=60`, 59_000)!;
    expect([code, secondsLeft]).toEqual([createTotpCode(parsed(seed(20)), 0), 1]);
  });

  it('is found in the present step and in one before and after it', () => {
    const secret = parsed(seed(20));
    const at = 1_000_000_000_000;
    const stepOf = (ahead: number, window = {}) =>
      findTotpStep(secret, createTotpCode(secret, at + ahead * 30_000), at, window);
    const now = Math.floor(at / 30_000);
    expect([-2, -1, 0, 1, 2].map((ahead) => stepOf(ahead))).toEqual([undefined, now - 1, now, now + 1, undefined]);
    expect(stepOf(-10, { before: 10 })).toBe(now - 10);
    expect(stepOf(1, { after: 0 })).toBeUndefined();
  });

  it.each(['', '28708', '2870822', ' 287082', '２８７０８２', 'abcdef', '2'.repeat(10_000)])('%j is none', (code) => {
    expect(findTotpStep(parsed(seed(20)), code, 59_000)).toBeUndefined();
  });

  it('at the beginning of time has no step before it', () => {
    const secret = parsed(seed(20));
    expect(findTotpStep(secret, createTotpCode(secret, 0), 0)).toBe(0);
  });
});

describe('a secret', () => {
  it.each([
    ['JBSWY3DPFQQFO33SNRSCC===', 'Hello, World!'],
    ['MZXW6YTBOI======', 'foobar'],
    ['mzxw 6ytb-oi', 'foobar'],
    ['MZXW6', 'foo'],
    ['otpauth://totp/Llavero:a%40b?secret=mzxw6&issuer=Llavero', 'foo'],
    ['OTPAUTH://TOTP/x?secret=MZXW6', 'foo'],
  ])('%s is read', (text, bytes) => {
    expect(Buffer.from(parsed(text).key).toString()).toBe(bytes);
  });

  it.each([
    '',
    '=',
    'A',
    'MZXW1',
    'ñandú',
    'https://example.test/?secret=MZXW6',
    'otpauth://hotp/x?secret=MZXW6',
    'otpauth://totp/x',
    'otpauth://totp/x?secret=MZXW6&algorithm=MD5',
    'otpauth://totp/x?secret=MZXW6&digits=5',
    'otpauth://totp/x?secret=MZXW6&period=0',
    'otpauth:',
    'A'.repeat(1001),
  ])('%j is none', (text) => {
    expect(parseTotpSecret(text)).toBeUndefined();
    expect(currentCode(text, 0)).toBeUndefined();
  });

  it('is encoded as RFC 4648 says, and read again from its URL', () => {
    const encoded = ['f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => encodeBase32(Buffer.from(text)));
    expect(encoded).toEqual(['MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI']);
    const secret = createTotpSecret();
    expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    const url = formatOtpauthUrl('Llavero', "o'brien+tag@example.test", secret);
    expect(parseTotpSecret(url)).toEqual(parseTotpSecret(secret));
    expect(new URL(url).pathname).toBe("/Llavero:o'brien%2Btag%40example.test");
  });
});
