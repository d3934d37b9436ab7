import type { TextRange } from './known-secrets.ts';
import type { SecretKind } from './secret-vocabulary.ts';

/** A secret that its form or its name tells, with its value. */
export type FoundSecret = TextRange & { value: string; kind: SecretKind };

/** `<id>|<opaque>` of the interface; ids are numbers, ObjectIds or UUIDs. */
const pipeToken = /^[0-9A-Za-z-]{1,36}\|[\w.~+/=-]{10,}$/;
const jsonWebToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;

/** What password hashes begin with: bcrypt, Argon2, PHC strings. */
const hash = /^\$(?:2[abxy]|argon2\w*|scrypt|pbkdf2[\w-]*|[156])\$/;

export const isPasswordHash = (text: string): boolean => hash.test(text);

/** A text that would open the door if it were shown, also after the name of a scheme or in quotes. */
export function looksLikeToken(text: string): boolean {
  if (!text.includes('|') && !text.includes('eyJ')) return false;
  const bare = bareToken(text);
  return pipeToken.test(bare) || jsonWebToken.test(bare);
}

export const isPipeToken = (text: string): boolean => pipeToken.test(text);
export const isJsonWebToken = (text: string): boolean => jsonWebToken.test(text);

/** A token without what may stand around it. */
export function bareToken(text: string): string {
  const unquoted = unquote(text.trim());
  return unquote(unquoted.replace(/^(?:Bearer|JWT)\s+/i, ''));
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  return quoted?.[2] ?? text;
}

/** Letters with digits, as no word has them. */
const isOpaque = (text: string): boolean => /\d/.test(text) && /[A-Za-z]/.test(text);

/** The names of algorithms: `pbkdf2-sha256`, `AES256-GCM`. */
const algorithm =
  /^(?:pbkdf2|hmac|blake[23][bs]?|sha|md|aes|gcm|cbc|rsa|ecdsa|curve|ed|x|p|rs|hs|es|ps|\d{3,5}|[2-5](?!\d)|[-_/])+$/i;
/** A moment without its separators, and the number of an error of Windows. */
const moment = /^\d{8}T\d{6}Z?$|^0x[\da-f]{1,8}$/i;
const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** The words of a wallet (BIP-39) are twelve to twenty-four, in small letters. */
const seedPhrase = /^(?:[a-z]{3,8}\s+){11,23}[a-z]{3,8}$/;
/** `AB12-CD34`, `abcd efgh ijkl mnop`: groups of one length, as codes are printed. */
const groups = /^[A-Za-z\d]{4,8}(?:[- ][A-Za-z\d]{4,8}){1,7}$/;
const email = /^[^\s@]{1,64}@[^\s@]{1,253}\.[A-Za-z]{2,}$/;
const longestOpaque = 4096;

/**
 * Whether a text looks like nothing that a person or a program would say: letters and digits in turn, a UUID, a hash, codes
 * in groups. It is asked where a name may mean a secret and something else. Dates, emails, sentences, versions and the
 * names of devices and algorithms do not look so; of an address each part is looked at.
 */
export function looksOpaque(text: string): boolean {
  const bare = text.slice(0, longestOpaque).trim();
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

/** How often letters and digits take turns in a run of them, and how often a capital follows a small letter. */
function isOpaqueWord(word: string): boolean {
  if (moment.test(word) || isAlgorithm(word)) return false;
  if (uuid.test(word)) return true;
  return word.split(/[^A-Za-z\d]+/).some((run) => {
    const turns = run.match(/\d(?=[A-Za-z])|[A-Za-z](?=\d)/g)?.length ?? 0;
    if (turns >= 3 || (turns === 2 && run.length >= 8) || (turns === 1 && run.length >= 16)) return true;
    if (run.length < 16) return false;
    const capitals = run.match(/[a-z](?=[A-Z])/g)?.length ?? 0;
    return /^\d+$/.test(run) || capitals * 5 >= run.length || /[bcdfghjklmnpqrstvwxz]{6}/i.test(run);
  });
}

/** What a secret looks like within a text. Each pattern is linear: where one begins, no other place within it can begin one. */
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
  // After the name of a scheme, whatever stands there in one word with a digit.
  {
    mark: ' ',
    pattern: /\b(?:bearer|basic|digest|negotiate|jwt|token)[ \t]{1,9}([\w.~+/|=-]{8,})/dgi,
    kind: 'token',
    holds: isOpaque,
  },
  // `https://name:password@host`
  { mark: '://', pattern: /:\/\/[^\s/:@"'<>]{0,200}:([^\s/@"'<>]{1,200})@/dg, kind: 'password' },
];

/** `://a:b@` with a letter before it, and `jwt` with eight signs, are the shortest. */
const shortestForm = 7;

/** Returns the secrets that are told by how they look, wherever they stand in a text. */
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
