/** Returns a text without the signs that nobody sees: of width zero, of direction, soft hyphens, marks of byte order. */
export const withoutUnseen = (text: string): string => text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

/**
 * Returns an email as it was meant: without blanks around it and signs that nobody sees, and out of what it was copied
 * with, such as `mailto:ana@example.test?subject=…` or `Ana <ana@example.test>`. What is no email stays as it is but for
 * that. The window and main use the same, so that what is kept is what is sent.
 */
export function cleanEmail(text: string): string {
  const seen = withoutUnseen(text).trim();
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
