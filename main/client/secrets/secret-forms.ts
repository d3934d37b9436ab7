import type { TextRange } from './known-secrets.ts';
import type { SecretKind } from './secret-vocabulary.ts';

/** A secret that was recognised by its form or its name. */
export type FoundSecret = TextRange & { value: string; kind: SecretKind };

/** `<id>|<opaque>` of the interface; ids are numbers, ObjectIds or UUIDs. */
const pipeToken = /^[0-9A-Za-z-]{1,36}\|[\w.~+/=-]{10,}$/;
const jsonWebToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** The beginnings of password hashes: bcrypt, Argon2, PHC strings. */
const hash = /^\$(?:2[abxy]|argon2\w*|scrypt|pbkdf2[\w-]*|[156])\$/;

export const isPasswordHash = (text: string): boolean => hash.test(text);

/** True for a bearer token, also after its scheme or in quotes. */
export function looksLikeToken(text: string): boolean {
  if (!text.includes('|') && !text.includes('eyJ')) return false;
  const bare = bareToken(text);
  return pipeToken.test(bare) || jsonWebToken.test(bare);
}

export const isPipeToken = (text: string): boolean => pipeToken.test(text);
export const isJsonWebToken = (text: string): boolean => jsonWebToken.test(text);

/** A token without quotes and scheme. */
export function bareToken(text: string): string {
  const unquoted = unquote(text.trim());
  return unquote(unquoted.replace(/^(?:Bearer|JWT)\s+/i, ''));
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  return quoted?.[2] ?? text;
}

/** True for letters and digits together. */
const isOpaque = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text);

/** The names of algorithms: `pbkdf2-sha256`, `AES256-GCM`. */
const algorithm =
  /^(?:pbkdf2|hmac|blake[23][bs]?|sha|md|aes|gcm|cbc|rsa|ecdsa|curve|ed|x|p|rs|hs|es|ps|\d{3,5}|[2-5](?!\d)|[-_/])+$/i;
/** A timestamp without separators, or an error number of Windows. */
const timestamp = /^\d{8}T\d{6}Z?$|^0x[\da-f]{1,8}$/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** Twelve to twenty-four lower-case words of a wallet (BIP-39). */
const seedPhrase = /^(?:[a-z]{3,8}\s+){11,23}[a-z]{3,8}$/;
/** Codes in groups of one length: `AB12-CD34`, `abcd efgh ijkl mnop`. */
const groups = /^[A-Za-z\d]{4,8}(?:[- ][A-Za-z\d]{4,8}){1,7}$/;
const email = /^[^\s@]{1,64}@[^\s@]{1,253}\.[A-Za-z]{2,}$/;
const maxOpaqueCharacters = 4096;

/**
 * True for alternating letters and digits, a UUID, a hash, or codes in groups, for values whose name may mean a secret or
 * something else. False for dates, emails, sentences, versions, and names of devices and algorithms. Each part of a URL is
 * examined.
 */
export function looksOpaque(text: string): boolean {
  const bare = text.slice(0, maxOpaqueCharacters).trim();
  if (isPasswordHash(bare) || looksLikeToken(bare) || seedPhrase.test(bare)) return true;
  if (email.test(bare) || isAlgorithm(bare)) return false;
  if (isInGroups(bare)) return true;
  const shortest = /\s/.test(bare) ? 16 : 6;
  return bare.split(/[\s/?&#;:,=@"'|]+/).some((part) => part.length >= shortest && isOpaqueWord(part));
}

const isAlgorithm = (text: string): boolean => text.length <= 24 && /[A-Za-z]/.test(text) && algorithm.test(text);

function isInGroups(text: string): boolean {
  const parts = groups.test(text) ? text.split(/[- ]/) : [];
  if (new Set(parts.map(({ length }) => length)).size !== 1) return false;
  // `google-oauth2` is made of words.
  const isMixed = parts.some((part) => isOpaque(part) && !/^[a-z]{4,}\d{1,2}$/.test(part));
  const isCode = parts.some((part) => /^[A-Z]+$/.test(part)) && parts.some((part) => /^\d+$/.test(part));
  // Letters alone may be words, of which so short ones seldom have three consonants in a row.
  return isMixed || isCode || parts.some((part) => /[b-df-hj-np-tv-xz]{3}/i.test(part));
}

/** Counts how often letters and digits alternate in a run, and how often a capital follows a lower-case letter. */
function isOpaqueWord(word: string): boolean {
  if (timestamp.test(word) || isAlgorithm(word)) return false;
  if (uuid.test(word)) return true;
  return word.split(/[^A-Za-z\d]+/).some((run) => {
    const alternations = run.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
    if (alternations >= 3 || (alternations === 2 && run.length >= 8) || (alternations === 1 && run.length >= 16))
      return true;
    if (run.length < 16) return false;
    const capitals = run.match(/[a-z](?=[A-Z])/g)?.length ?? 0;
    return /^\d+$/.test(run) || capitals * 5 >= run.length || /[bcdfghjklmnpqrstvwxz]{6}/i.test(run);
  });
}

/** The forms of secrets within a text. Each pattern is linear: a match can begin at no other index within another. */
const forms: readonly { mark: string; pattern: RegExp; kind: SecretKind; holds?: (value: string) => boolean }[] = [
  { mark: 'eyJ', pattern: /(?<![\w-])(eyJ[\w-]{4,}\.[\w-]{4,}\.[\w-]*)/dg, kind: 'token' },
  {
    mark: '|',
    pattern: /(?<![\w|-])([0-9A-Za-z-]{1,36}\|[\w.~+/=-]{20,})/dg,
    kind: 'token',
    holds: (value) => isOpaque(value.slice(value.indexOf('|') + 1)),
  },
  {
    mark: '$',
    pattern: /(\$(?:2[abxy]|argon2\w{1,4}|scrypt|pbkdf2[\w-]{0,20}|[156])\$[\w./+=,$-]{16,})/dg,
    kind: 'hash',
  },
  // Any word with a digit after the name of a scheme.
  {
    mark: ' ',
    pattern: /\b(?:bearer|basic|digest|negotiate|jwt|token)[ \t]{1,9}([\w.~+/|=-]{8,})/dgi,
    kind: 'token',
    holds: isOpaque,
  },
  // `https://name:password@host`
  { mark: '://', pattern: /:\/\/[^\s/:@"'<>]{0,200}:([^\s/@"'<>]{1,200})@/dg, kind: 'password' },
];

/** In characters: of `://a:b@`. */
const shortestForm = 7;

/** The secrets within a text that are recognised by their form. */
export function secretsByForm(text: string): FoundSecret[] {
  if (text.length < shortestForm) return [];
  return forms.flatMap(({ mark, pattern, kind, holds }) => {
    if (!text.includes(mark)) return [];
    return Array.from(text.matchAll(pattern)).flatMap(({ indices, 1: value = '' }): FoundSecret[] => {
      const [from, to] = indices?.[1] ?? [0, 0];
      return holds && !holds(value) ? [] : [{ from, to, value, kind }];
    });
  });
}
