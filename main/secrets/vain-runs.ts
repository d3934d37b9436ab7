/** Runs have places by a number that is made of their characters; the last one stays in each. */
const places = 1024;
/** A longer run is hardly ever said twice. */
const longest = 64;

export type VainRuns = ReturnType<typeof createVainRuns>;

/**
 * Keeps the runs of base64 that say nothing as long as the same secrets are looked for: texts say the same words over
 * and over. Only their characters are kept, which are all of ASCII.
 */
export function createVainRuns() {
  let characters: Uint8Array | undefined;
  const lengths = new Uint8Array(places);

  const placeOf = (number: number): number => (number ^ (number >>> 10)) & (places - 1);

  return {
    /** @param number one that is made of the characters, which equal runs have alike */
    holds(number: number, codes: Uint16Array, from: number, to: number): boolean {
      const place = placeOf(number);
      const length = lengths[place]!;
      if (length !== to - from || characters === undefined) return false;
      const start = place * longest;
      for (let at = 0; at < length; at++) if (characters[start + at] !== codes[from + at]) return false;
      return true;
    },

    put(number: number, codes: Uint16Array, from: number, to: number): void {
      if (to - from > longest) return;
      characters ??= new Uint8Array(places * longest);
      const place = placeOf(number);
      lengths[place] = to - from;
      for (let at = from; at < to; at++) characters[place * longest + at - from] = codes[at]!;
    },

    /** Another secret is looked for now, or all are forgotten. */
    clear(): void {
      if (characters === undefined) return;
      characters = undefined;
      lengths.fill(0);
    },
  };
}
