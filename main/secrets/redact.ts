import { createHash } from 'node:crypto';
import type { RedactedBody, RedactedText, SecretReference } from '../../preload/contract/calls.ts';
import type { Place } from './escapes.ts';
import { findSecrets, type FindOptions } from './find-secrets.ts';
import { secretsOfHeader } from './pair-secrets.ts';
import type { Found } from './secret-forms.ts';
import { isShort, type SecretReferences } from './secret-references.ts';

/** A text with the secrets that its forms and names tell. */
export type ReadText = {
  text: string;
  found: readonly Found[];
  /** It goes on somewhere else: the beginning of a secret at its end is one. */
  isCut: boolean;
};

/** A body with its text, if it is one. */
export type ReadBody = { bytes: Uint8Array; text: ReadText | undefined };

/** Reads what a text says of its secrets. Only whole values can be known ones that are short. */
export function readText(text: string, references: SecretReferences, isRefusal = false, isCut = false): ReadText {
  const isShortSecret: FindOptions['isShortSecret'] = (value) => isShort(value) && references.isWatched(value);
  return { text, found: findSecrets(text, { isRefusal, isShortSecret }), isCut };
}

/** A header with the secrets that its name and its value tell. */
export function readHeader(name: string, value: string, references: SecretReferences): ReadText {
  const read = readText(value, references);
  return { ...read, found: [...secretsOfHeader(name, value), ...read.found] };
}

type Cut = Place & { reference: SecretReference };

/** What was read, without its secrets and those that are looked for. A text too hard to be searched is one secret. */
export function cutText({ text, found, isCut }: ReadText, references: SecretReferences): RedactedText {
  return cutIfReadable({ text, found, isCut }, references) ?? [references.of(text, 'other')];
}

/** A body without its secrets. What cannot be read, or is too hard to be searched, is its size and hash. */
export function cutBody({ bytes, text }: ReadBody, references: SecretReferences): RedactedBody {
  const cut = text && cutIfReadable(text, references);
  if (cut) return { form: 'text', text: cut, bytes: bytes.length };
  return { form: 'binary', base64: '', sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.length };
}

function cutIfReadable({ text, found, isCut }: ReadText, references: SecretReferences): RedactedText | undefined {
  const known = references.within(text, isCut);
  if (known.tooHard) return undefined;
  return withoutCuts(text, [
    ...known.found.map(({ from, to, of }) => ({ from, to, reference: of })),
    ...found.map(({ from, to, value, kind }) => ({ from, to, reference: references.of(value, kind) })),
  ]);
}

/** A text without the secrets of this run, and without those that their form or name tells. */
export const redactText = (text: string, references: SecretReferences): RedactedText =>
  cutText(readText(text, references), references);

/** The beginning of a text without secrets, of so many characters at most; a reference counts as one. */
export function beginningOf(text: RedactedText, most: number): RedactedText {
  const parts: RedactedText = [];
  let left = most;
  for (const part of text) {
    if (left <= 0) break;
    const shown = typeof part === 'string' ? part.slice(0, left) : part;
    left -= typeof shown === 'string' ? shown.length : 1;
    parts.push(shown);
  }
  return parts;
}

/** Where stretches overlap, the first one counts, and of those that begin together the longest. */
function withoutCuts(text: string, cuts: readonly Cut[]): RedactedText {
  const parts: RedactedText = [];
  let at = 0;
  for (const { from, to, reference } of cuts.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= at) continue;
    if (from > at) parts.push(text.slice(at, from));
    // The rest of a longer one that began inside the last is part of the same secret.
    if (from >= at) parts.push(reference);
    at = to;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}
