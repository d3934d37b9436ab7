import type { ObservedValue } from '../../../preload/contract/report-cases.ts';
import { digitsOf, isList, isNumber, isJsonObject, type JsonValue } from '../../client/reading/json.ts';
import { readJsonWebToken, type JsonWebToken } from '../../client/reading/json-web-token.ts';

/** Returns how random tokens are, counted of what is random in them. */
export function estimateTokenEntropy(
  tokens: readonly string[],
  byAccount: readonly (readonly string[])[],
): Extract<ObservedValue, { kind: 'bits' | 'choice' }> {
  const read = new Map(tokens.map((token) => [token, readJsonWebToken(token)]));
  const isOfClaims = [...read.values()].every((each) => each !== undefined);
  if (!isOfClaims) {
    return bitsOf(unknownBits([tokens.map((token) => token.slice(token.indexOf('|') + 1))]));
  }
  const parsed = byAccount.map((group) => group.flatMap((token) => read.get(token) ?? []));
  const bits = unknownBitsOfClaims(parsed);
  // Knowing all claims is not enough to make the signature.
  const isSigned = parsed.flat().every(({ signature }) => signature !== '');
  return bits === 0 && isSigned ? { kind: 'choice', choice: 'signature-only' } : bitsOf(bits);
}

const bitsOf = (bits: number): Extract<ObservedValue, { kind: 'bits' }> => ({ kind: 'bits', bits, atLeast: false });

/** Of longer texts, so many characters are looked at. */
const mostPlaces = 4096;

/**
 * Estimates how many bits of a text nobody knows who has seen others: those of the places at which the texts of one
 * group differ. A place at which random letters agree in four texts or more is rare.
 */
function unknownBits(groups: readonly (readonly string[])[]): number {
  const length = Math.min(mostPlaces, ...groups.flat().map((each) => each.length));
  const differing = new Set<number>();
  for (const group of groups) {
    for (let at = 0; at < length; at += 1) if (new Set(group.map((each) => each[at])).size > 1) differing.add(at);
  }
  const letters = groups
    .flatMap((group) => group.map((each) => [...differing].map((at) => each[at]).join('')))
    .join('');
  const alphabet = /^\d*$/.test(letters) ? 10 : /^[0-9a-f]*$/i.test(letters) ? 16 : 62;
  return Math.round(differing.size * Math.log2(alphabet));
}

/**
 * Estimates the same for tokens whose claims anybody reads. A claim counts if it differs from token to token of one
 * account and is no time, such as `jti`. What differs only between accounts is who they are.
 */
function unknownBitsOfClaims(groups: readonly (readonly JsonWebToken[])[]): number {
  const claims = groups.map((group) => group.map(({ claims: found }) => textsIn(found ?? null)));
  const names = new Set(claims.flat().flatMap((found) => Array.from(found.keys())));
  let bits = 0;
  for (const name of names) bits += unknownBits(claims.map((group) => group.flatMap((found) => found.get(name) ?? [])));
  return bits;
}

/** Returns texts and numbers of claims by their places, without times. */
function textsIn(claims: JsonValue): Map<string, string> {
  const texts = new Map<string, string>();
  const keep = (place: string, text: string): unknown => isTime(text) || texts.set(place, text);
  function walk(place: string, value: JsonValue): void {
    if (isList(value)) for (const [at, each] of value.entries()) walk(`${place}/${at}`, each);
    else if (isJsonObject(value)) for (const [name, each] of value.values) walk(`${place}/${name}`, each);
    else if (isNumber(value)) keep(place, digitsOf(value));
    else if (typeof value === 'string') keep(place, value);
  }
  walk('', claims);
  return texts;
}

/** Says whether a value may be a date, or seconds or milliseconds since 1970 in this century. */
function isTime(value: string): boolean {
  if (/^\d{4}-\d\d-\d\d/.test(value)) return true;
  const seconds = Number(value) < 1e11 ? Number(value) : Number(value) / 1000;
  return seconds > 946_684_800 && seconds < 4_102_444_800;
}
