/** True if the texts contain every word of the query, in any order, ignoring case and accents. */
export function matchesQuery(texts: readonly string[], search: string): boolean {
  const searched = plain(texts.join(' '));
  return plain(search)
    .split(/\s+/u)
    .every((word) => searched.includes(word));
}

function plain(text: string): string {
  // Long runs of combining marks are removed first, since normalizing them takes quadratic time.
  const readable = text.replace(/\p{M}{31,}/gu, '');
  // oxlint-disable-next-line eslint/no-restricted-properties -- The page cannot import main's place for it.
  return readable.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();
}
