/** Says whether texts have every word of what is searched, in any order, whatever their case and accents. */
export function hasWords(texts: readonly string[], search: string): boolean {
  const searched = plain(texts.join(' '));
  return plain(search)
    .split(/\s+/u)
    .every((word) => searched.includes(word));
}

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLocaleLowerCase();
