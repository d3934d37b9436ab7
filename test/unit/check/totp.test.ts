import { describe, expect, it } from 'vitest';
import { createTotpCode, parseTotpSecret, type TotpSecret } from '../../../main/check/totp.ts';

const ofLength = (length: number): Buffer => Buffer.from('1234567890'.repeat(7).slice(0, length));

/** RFC 6238, appendix B. */
const rfc: [TotpSecret['algorithm'], number, seconds: number, code: string][] = [
  ['sha1', 20, 59, '94287082'],
  ['sha256', 32, 59, '46119246'],
  ['sha512', 64, 59, '90693936'],
  ['sha1', 20, 1111111109, '07081804'],
  ['sha256', 32, 1234567890, '91819424'],
  ['sha512', 64, 20000000000, '47863826'],
];

it.each(rfc)('the code of RFC 6238 with %s and %i bytes at %i', (algorithm, length, seconds, code) => {
  const factor = { key: ofLength(length), algorithm, digits: 8, period: 30 };
  expect(createTotpCode(factor, seconds * 1000)).toBe(code);
});

describe('a secret of an authenticator app', () => {
  const usual = { algorithm: 'sha1', digits: 6, period: 30 };

  it.each(['GEZDGNBVGY3TQOJQ', 'gezd gnbv gy3t qojq', 'GEZDGNBVGY3TQOJQ====', 'GEZD-GNBV-GY3T-QOJQ'])(
    'is read from %s',
    (text) => expect(parseTotpSecret(text)).toEqual({ key: ofLength(10), ...usual }),
  );

  it('is read from the URL of a picture code, with its parameters', () => {
    const url = 'otpauth://totp/Shop:ana?secret=GEZDGNBVGY3TQOJQ&issuer=Shop';
    expect(parseTotpSecret(url)).toEqual({ key: ofLength(10), ...usual });
    expect(parseTotpSecret(`${url}&digits=8&period=60&algorithm=SHA256`)).toMatchObject({
      algorithm: 'sha256',
      digits: 8,
      period: 60,
    });
  });

  it.each([
    '',
    '====',
    'GEZD1',
    'otpauth://totp/x',
    'otpauth://totp/x?secret=GEZD&digits=99',
    'otpauth:?secret=GEZD&algorithm=md5',
  ])('is not %s', (text) => expect(parseTotpSecret(text)).toBeUndefined());
});
