/** Returns the entries that have every word of the text in their label or hint, without regard to case and accents. */
export function matching<Entry extends { label: string; hint?: string | undefined }>(
  entries: readonly Entry[],
  text: string,
): Entry[] {
  const words = plain(text).split(/\s+/u).filter(Boolean);
  return entries.filter(({ label, hint = '' }) => {
    const searched = plain(`${label} ${hint}`);
    return words.every((word) => searched.includes(word));
  });
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();
