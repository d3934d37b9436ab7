/** Names have places by a number that is made of their characters; the last one stays in each. */
const places = 1024;

const caches: (() => void)[] = [];

/** Says how to forget what is kept of texts. */
export const onForget = (forget: () => void): void => void caches.push(forget);

/** What was a name to somebody may have been a secret of another. */
export const forgetNamesInTexts = (): void => caches.forEach((forget) => forget());

/**
 * Keeps what names mean that stand in texts: an answer says the same ones over and over, and most are known without a
 * string being made of them.
 */
export function createNameCache<T extends { text: string }>(read: (text: string) => T) {
  const known: (T | undefined)[] = Array.from({ length: places });
  onForget(() => void known.fill(undefined));

  /** @param codes those of the text */
  return function nameAt(text: string, codes: Uint16Array, from: number, to: number): T {
    let number = to - from;
    for (let at = from; at < to; at++) number = (Math.imul(number, 31) + codes[at]!) | 0;
    const place = (number ^ (number >>> 10)) & (places - 1);
    const there = known[place];
    if (there && isAt(there.text, codes, from, to)) return there;
    const name = read(text.slice(from, to));
    known[place] = name;
    return name;
  };
}

function isAt(name: string, codes: Uint16Array, from: number, to: number): boolean {
  if (name.length !== to - from) return false;
  for (let at = 0; at < name.length; at++) if (name.charCodeAt(at) !== codes[from + at]) return false;
  return true;
}
