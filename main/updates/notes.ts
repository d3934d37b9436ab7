/** As much as somebody reads before they decide. */
const longestNotes = 1500;

/**
 * Makes what a feed says of a version a text that cannot look like anything else: without control characters, without
 * those that turn the direction of writing, and cut at a length.
 * @param notes by language
 */
export function notesFor(notes: Readonly<Record<string, string>>, language: string): string {
  const text = (notes[language] ?? notes['en'] ?? Object.values(notes)[0] ?? '')
    .replaceAll('\r\n', '\n')
    .replace(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ' ')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  // A pair of code units that make one character stays together.
  return text.length > longestNotes
    ? `${text
        .slice(0, longestNotes)
        .replace(/[\uD800-\uDBFF]$/, '')
        .trimEnd()}…`
    : text;
}
