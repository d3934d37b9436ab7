/** Where a wanted text stands in another one. */
export type Occurrence<T> = { from: number; to: number; of: T };

/**
 * Many texts to be looked for at once, in one walk over the text that is searched, however many they are: the walk
 * compares a rolling hash of {@link shortest} characters (Rabin and Karp), and only where it is that of a wanted text,
 * the texts. Wanted texts that are shorter are not taken in.
 */
export function createTextIndex<T>(shortest: number) {
  const byHash = new Map<number, { wanted: string; of: T }[]>();
  /** One bit for each hash's lower half, so that nearly every place costs no look into the map. */
  const mayStart = new Uint8Array(1 << 16);
  // The factor of the character that leaves the window.
  let leaving = 1;
  for (let n = 1; n < shortest; n++) leaving = Math.imul(leaving, factor);

  function hashAt(text: string): number {
    let hash = 0;
    for (let n = 0; n < shortest; n++) hash = (Math.imul(hash, factor) + text.charCodeAt(n)) | 0;
    return hash;
  }

  return {
    add(wanted: string, of: T): void {
      if (wanted.length < shortest) return;
      const hash = hashAt(wanted);
      const known = byHash.get(hash);
      if (known) known.push({ wanted, of });
      else byHash.set(hash, [{ wanted, of }]);
      mayStart[hash & 0xffff] = 1;
    },

    remove(wanted: string): void {
      const hash = hashAt(wanted);
      const left = byHash.get(hash)?.filter((each) => each.wanted !== wanted) ?? [];
      if (left.length > 0) byHash.set(hash, left);
      else byHash.delete(hash);
    },

    clear(): void {
      byHash.clear();
      mayStart.fill(0);
    },

    /** Every place, also of those that overlap. */
    find(text: string): Occurrence<T>[] {
      const found: Occurrence<T>[] = [];
      if (byHash.size === 0 || text.length < shortest) return found;
      let hash = hashAt(text);
      for (let at = 0; ; at++) {
        if (mayStart[hash & 0xffff] === 1) {
          for (const { wanted, of } of byHash.get(hash) ?? [])
            if (text.startsWith(wanted, at)) found.push({ from: at, to: at + wanted.length, of });
        }
        if (at + shortest >= text.length) return found;
        const withoutFirst = hash - Math.imul(text.charCodeAt(at), leaving);
        hash = (Math.imul(withoutFirst, factor) + text.charCodeAt(at + shortest)) | 0;
      }
    },
  };
}

/** Odd, so that no character is lost to the 32 bits. */
const factor = 0x01_00_01_93;
