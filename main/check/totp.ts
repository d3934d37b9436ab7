import { createHmac } from 'node:crypto';

/** What codes are made of: the secret as bytes, and the parameters of RFC 6238. */
export type TotpSecret = { key: Buffer; algorithm: 'sha1' | 'sha256' | 'sha512'; digits: number; period: number };

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Decodes Base32 (RFC 4648, 6) without regard to case, spaces and padding; undefined if it is none. */
function decodeBase32(text: string): Buffer | undefined {
  const signs = text.toUpperCase().replaceAll(/[\s=-]/g, '');
  const bytes: number[] = [];
  let [bits, value] = [0, 0];
  for (const sign of signs) {
    const at = alphabet.indexOf(sign);
    if (at < 0) return undefined;
    value = ((value << 5) | at) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((value >> bits) & 0xff);
  }
  return bytes.length === 0 ? undefined : Buffer.from(bytes);
}

const numberIn = (text: string | null, least: number, most: number, usual: number): number | undefined => {
  if (text === null) return usual;
  const value = Number(text);
  return Number.isInteger(value) && value >= least && value <= most ? value : undefined;
};

/** Reads a secret in Base32, or an `otpauth:` URL with its algorithm, digits and period; undefined if it is neither. */
export function parseTotpSecret(text: string): TotpSecret | undefined {
  const usual = { algorithm: 'sha1' as const, digits: 6, period: 30 };
  if (!/^otpauth:/i.test(text)) {
    const key = decodeBase32(text.slice(0, 500));
    return key && { key, ...usual };
  }
  const query = URL.parse(text)?.searchParams;
  const key = decodeBase32(query?.get('secret')?.slice(0, 500) ?? '');
  const named = (query?.get('algorithm') ?? 'SHA1').toLowerCase().replace('-', '');
  const algorithm = (['sha1', 'sha256', 'sha512'] as const).find((each) => each === named);
  const digits = numberIn(query?.get('digits') ?? null, 6, 8, usual.digits);
  const period = numberIn(query?.get('period') ?? null, 5, 300, usual.period);
  if (!key || !algorithm || digits === undefined || period === undefined) return undefined;
  return { key, algorithm, digits, period };
}

/** The code at an instant in milliseconds since 1970 (RFC 6238, 4.2; RFC 4226, 5.3). */
export function createTotpCode({ key, algorithm, digits, period }: TotpSecret, atMs: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(atMs / 1000 / period)));
  const mac = createHmac(algorithm, key).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 0xf) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}
