import type { Place } from './known-secrets.ts';
import type { Kind } from './secret-names.ts';

/** A secret that its form or its name tells, with its value. */
export type Found = Place & { value: string; kind: Kind };

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

/** What a secret looks like within a text. Each pattern is linear: where one begins, no other place within it can begin one. */
const forms: readonly { mark: string; pattern: RegExp; kind: Kind; holds?: (value: string) => boolean }[] = [
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
export function secretsByForm(text: string): Found[] {
  if (text.length < shortestForm) return [];
  return forms.flatMap(({ mark, pattern, kind, holds }) => {
    if (!text.includes(mark)) return [];
    return Array.from(text.matchAll(pattern)).flatMap(({ indices, 1: value = '' }): Found[] => {
      const [from, to] = indices?.[1] ?? [0, 0];
      return holds && !holds(value) ? [] : [{ from, to, value, kind }];
    });
  });
}
