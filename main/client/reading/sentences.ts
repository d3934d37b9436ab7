/** Longer texts are pages or traces. No pattern for sentences takes longer than a moment for what is left. */
const readWithin = 500;

/** So many texts of an answer are looked at: what it is about stands in the first ones. */
export const mostTexts = 50;

/** The beginning of a text with single spaces, for patterns that look for words in it. */
export function sentenceOf(text: string): string {
  return text.slice(0, readWithin).replace(/\s+/g, ' ');
}
