/** UAX #15 (Stream-Safe Text): more marks in a row than these are no writing, and normalizing them takes quadratic time. */
const marksInARow = /\p{M}{31}/u;

/** In characters. What is longer is no name, no word and no password. */
const longest = 10_000;

/**
 * Normalizes a text of a stranger. One that is too long, or has a run of more than 30 combining marks, stays as it is:
 * it is told apart from every other text, and takes no time.
 */
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  if (text.length > longest || marksInARow.test(text)) return text;
  // oxlint-disable-next-line eslint/no-restricted-properties -- This is the one place that may.
  return text.normalize(form);
}
