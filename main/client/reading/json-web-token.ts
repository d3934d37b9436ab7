import { parseBody } from './body.ts';
import { isJsonObject, numberOf, type JsonObject } from './json.ts';
import { parseDateField } from './profile.ts';

/** A JSON Web Token (RFC 7519) as it was given: three parts in base64url, and what they say. */
export type JsonWebToken = {
  header: string;
  payload: string;
  signature: string;
  /** The algorithm that the header names. */
  algorithm: string;
  /** Absent if the claims cannot be read. */
  claims: JsonObject | undefined;
};

/** No longer token is found in an answer. */
const longestRead = 32_768;

/** Returns the parts of a token that is a JSON Web Token, and nothing for any other one. */
export function readJsonWebToken(token: string): JsonWebToken | undefined {
  const [, header, payload, signature] = /^([\w-]+)\.([\w-]*)\.([\w-]*)$/.exec(token) ?? [];
  if (header === undefined || payload === undefined || signature === undefined) return undefined;
  const algorithm = objectIn(header)?.values.get('alg');
  if (typeof algorithm !== 'string') return undefined;
  return { header, payload, signature, algorithm, claims: objectIn(payload) };
}

function objectIn(part: string): JsonObject | undefined {
  if (part.length > longestRead) return undefined;
  const { json } = parseBody(Buffer.from(part, 'base64url').toString());
  return isJsonObject(json) ? json : undefined;
}

/**
 * Returns when a JSON Web Token ends by its own claim `exp`, in milliseconds since 1970. RFC 7519 (2) has a number of
 * seconds there; a number of milliseconds, digits in a text and a date are read as everywhere else.
 */
export function claimedExpiry(token: string): number | undefined {
  const claimed = readJsonWebToken(token)?.claims?.values.get('exp') ?? null;
  const moment = parseDateField('exp', claimed);
  if (moment) return moment.is === 'day' ? Date.parse(moment.day) : moment.ms;
  // An end long ago, which no other field has.
  const seconds = numberOf(claimed);
  return seconds !== undefined && seconds > 0 && seconds < 1e11 ? seconds * 1000 : undefined;
}
