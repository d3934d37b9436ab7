/** Shared, since creating one takes longer than everything else here. */
const segmenter = new Intl.Segmenter();

/** Returns at most two initials, as graphemes: of the first and of the last word. */
export function initialsOf(name: string): string {
  const words = name
    .slice(0, 500)
    .replace(/@.*$/u, '')
    .split(/[\s._-]+/u)
    .map((word) => Array.from(segmenter.segment(word), ({ segment }) => segment).find(isLetter))
    .filter((letter) => letter !== undefined);
  const shown = words.length > 1 ? [words[0], words.at(-1)] : words;
  return shown.join('').toLocaleUpperCase();
}

const isLetter = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Returns the index of one of eight colours, always the same for a name. */
export function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name.slice(0, 100)) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8192;
  return sum % 8;
}
