import { fold } from '../../secrets/secret-names.ts';
import { STATUS_CODES } from 'node:http';
import { genericSentences } from './generic-sentences.ts';

/** Every answer of a status is called this, which says less than any code. */
const reasonPhrases: ReadonlySet<string> = new Set(Object.values(STATUS_CODES).map((phrase) => fold(phrase ?? '')));
const longestGeneric = 160;

const sentences: ReadonlySet<string> = new Set(genericSentences.map(fold));

/** The same with a number or a name in it. */
const patterns: readonly RegExp[] = [
  /^\d{1,4} (?:validation )?errors? (?:occurred|detected|found)[.!:]?$/i,
  /^validation failed for (?:object|argument|classes|parameter)\b.{0,120}(?:error count|with \d{1,4} errors?)/i,
  /^validation failed:? \d{1,4} errors?[.!:]?$/i,
  /^(?:request|body|payload|json|input|user|schema) (?:validation|schema) (?:has )?(?:failed|errors?)[.!:]?$/i,
];

/** Says whether a text says only that something is wrong, which the status says too. */
export function isGeneric(text: string): boolean {
  if (text.length > longestGeneric) return false;
  const folded = fold(text);
  return (
    folded === '' ||
    reasonPhrases.has(folded) ||
    sentences.has(folded) ||
    sentences.has(folded.replace(/(?:error|exception)$/, '')) ||
    patterns.some((pattern) => pattern.test(text.trim()))
  );
}

/** Says whether a text is the name of a status, such as `Bad Request`. */
export const isReasonPhrase = (text: string): boolean => text.length <= longestGeneric && reasonPhrases.has(fold(text));

const mostStarts = 3;

/** Returns a text without the generic words and the colon before what it says: `Validation failed: Email …`. */
export function withoutGenericStart(text: string): string {
  let rest = text.trim();
  for (let cut = 0; cut < mostStarts; cut += 1) {
    const colon = rest.slice(0, longestGeneric).search(/:\s/);
    if (colon <= 0 || !isGeneric(rest.slice(0, colon))) return rest;
    rest = rest.slice(colon + 1).trim();
  }
  return rest;
}
