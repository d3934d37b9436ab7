/** To make one takes longer than all else here. */
const segmenter = new Intl.Segmenter();

/** Returns the first letters of the first and the last word, at most two, as a person sees them. */
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

/** Returns one of eight colours, always the same for the same name. */
export function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name.slice(0, 100)) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 8192;
  return sum % 8;
}
