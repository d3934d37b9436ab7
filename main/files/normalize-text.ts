/** UAX #15 (Stream-Safe Text): no script has more marks in a row, and normalizing them takes quadratic time. */
const marksInARow = /\p{M}{31}/u;

/** In characters. No name, word or password is longer. */
const maxCharacters = 10_000;

/** Normalizes an untrusted text. One that is too long, or has more than 30 combining marks in a row, stays as it is. */
export function normalizeText(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  if (text.length > maxCharacters || marksInARow.test(text)) return text;
  // oxlint-disable-next-line eslint/no-restricted-properties -- The only place that may.
  return text.normalize(form);
}
