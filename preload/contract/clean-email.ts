/** Signs that nobody sees: of width zero, of direction, soft hyphens and marks of byte order, and unusual blanks. */
const unseen =
  /[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0]/gu;

/**
 * Returns an email as it was meant: without blanks around it and signs that nobody sees, and out of what it was copied
 * with, such as `mailto:ana@example.test?subject=…` or `Ana <ana@example.test>`. What is no email stays as it is but for
 * that. The window and main use the same, so that what is kept is what is sent.
 */
export function cleanEmail(text: string): string {
  const seen = text.replaceAll(unseen, '').trim();
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
