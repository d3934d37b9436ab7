/** Longer texts are pages or traces. No pattern for sentences takes longer than a moment for what is left. */
const readWithin = 500;

/** So many texts of an answer are looked at: what it is about stands in the first ones. */
export const mostTexts = 50;

/** The beginning of a text with single spaces, for patterns that look for words in it. */
export function sentenceOf(text: string): string {
  return text.slice(0, readWithin).replace(/\s+/g, ' ');
}

/** Returns the sentences at the beginning of a text, each in one line. */
export function sentencesIn(text: string): string[] {
  return text
    .slice(0, readWithin)
    .split(/(?<=[.!?])\s|\n|; /)
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}
