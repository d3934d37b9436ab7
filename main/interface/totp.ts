import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** The secret of an authenticator app with its parameters (RFC 6238). */
export type TotpSecret = {
  key: Uint8Array;
  algorithm: 'sha1' | 'sha256' | 'sha512';
  digits: number;
  /** The length of a step in seconds. */
  period: number;
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
/** Longer than any server's. */
const MOST_CHARACTERS = 1000;
const algorithms = { SHA1: 'sha1', SHA256: 'sha256', SHA512: 'sha512' } as const;
const isAlgorithm = (name: string): name is keyof typeof algorithms => Object.hasOwn(algorithms, name);

/** RFC 4648 section 6, without padding. */
export function encodeBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET[Number.parseInt(five.padEnd(5, '0'), 2)]).join('');
}

/** In any case, with or without padding, and with blanks or hyphens as people are shown it. */
function decodeBase32(text: string): Uint8Array | undefined {
  const symbols = text.replaceAll(/[\s=-]/g, '').toUpperCase();
  if (!/^[A-Z2-7]+$/.test(symbols)) return undefined;
  const bits = Array.from(symbols, (symbol) => ALPHABET.indexOf(symbol).toString(2).padStart(5, '0')).join('');
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2));
}

const inRange = (text: string, least: number, most: number): number | undefined =>
  /^\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;

/** Reads a secret in Base32 (then with the defaults: SHA-1, 6 digits, 30 seconds) or an `otpauth://totp/` URL. */
export function parseTotpSecret(text: string): TotpSecret | undefined {
  if (text.length > MOST_CHARACTERS) return undefined;
  const isUrl = /^otpauth:/i.test(text.trim());
  const url = isUrl ? URL.parse(text.trim()) : undefined;
  if (isUrl && url?.host.toLowerCase() !== 'totp') return undefined;
  const parameter = (name: string): string | null | undefined => url?.searchParams.get(name);
  const key = decodeBase32(isUrl ? (parameter('secret') ?? '') : text);
  const algorithm = (parameter('algorithm') ?? 'SHA1').toUpperCase().replace('-', '');
  const digits = inRange(parameter('digits') ?? '6', 6, 10);
  const period = inRange(parameter('period') ?? '30', 1, 3600);
  if (!key?.length || !isAlgorithm(algorithm) || digits === undefined || period === undefined) return undefined;
  return { key, algorithm: algorithms[algorithm], digits, period };
}

/** The value of RFC 4226 section 5.3 for a step, which is not negative. */
function codeOfStep({ key, algorithm, digits }: TotpSecret, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac(algorithm, key).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff;
  return String(number % 10 ** digits).padStart(digits, '0');
}

const stepAt = ({ period }: TotpSecret, atMs: number): number => Math.floor(atMs / 1000 / period);

/** The code at an instant, in milliseconds since 1970. */
export const createTotpCode = (secret: TotpSecret, atMs: number): string => codeOfStep(secret, stepAt(secret, atMs));

/**
 * The step of a code, among the present one and those around it; undefined for a wrong code. The caller rejects a step that
 * was used before (RFC 6238 section 5.2).
 */
export function findTotpStep(
  secret: TotpSecret,
  code: string,
  atMs: number,
  { before = 1, after = 1 }: { before?: number; after?: number } = {},
): number | undefined {
  const sent = Buffer.from(code);
  const now = stepAt(secret, atMs);
  let found: number | undefined;
  // All of them, so that the time does not tell which one it was.
  for (let step = Math.max(0, now - before); step <= now + after; step += 1) {
    const right = Buffer.from(codeOfStep(secret, step));
    if (sent.length === right.length && timingSafeEqual(sent, right)) found = step;
  }
  return found;
}

/** The code that an authenticator app shows for a secret, and for how long; undefined if the secret cannot be read. */
export function currentCode(secret: string, nowMs: number): { code: string; secondsLeft: number } | undefined {
  const parsed = parseTotpSecret(secret);
  if (!parsed) return undefined;
  const secondsLeft = Math.ceil(parsed.period - ((nowMs / 1000) % parsed.period));
  return { code: createTotpCode(parsed, nowMs), secondsLeft };
}

/** A random secret in Base32, of the 160 bits that RFC 4226 recommends. */
export const createTotpSecret = (): string => encodeBase32(randomBytes(20));

/** The URL that authenticator apps read, for a secret with the default parameters. */
export const formatOtpauthUrl = (issuer: string, account: string, secret: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
