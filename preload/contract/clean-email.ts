/** Returns a text without the signs that nobody sees: of width zero, of direction, soft hyphens, marks of byte order. */
export const withoutUnseen = (text: string): string => text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

/** In characters: four times what an email may have (RFC 5321, 4.5.3.1). The patterns below are not linear. */
const longest = 1000;

/**
 * Returns an email as it was meant: without blanks around it and signs that nobody sees, and out of what it was copied
 * with, such as `mailto:ana@example.test?subject=…` or `Ana <ana@example.test>`. What is no email stays as it is but for
 * that. The window and main use the same, so that what is kept is what is sent.
 */
export function cleanEmail(text: string): string {
  const seen = withoutUnseen(text).trim();
  if (seen.length > longest) return seen;
  const [, named] = /^[^<>@]*<\s*([^<>\s]+@[^<>\s]+)\s*>[,;]?$/.exec(seen) ?? [];
  const bare = named ?? seen;
  const [, linked] = /^mailto:([^?\s]+@[^?\s]+?)(?:\?.*)?$/i.exec(bare) ?? [];
  return linked === undefined ? bare : decoded(linked);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
