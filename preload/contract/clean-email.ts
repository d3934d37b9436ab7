/** Returns a text without the signs that nobody sees: of width zero, of direction, soft hyphens, marks of byte order. */
export const stripInvisible = (text: string): string => text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

/** In characters: four times what an email may have (RFC 5321, 4.5.3.1). The patterns below are not linear. */
const longest = 1000;

/**
 * Returns an email as it was meant: without blanks around it and signs that nobody sees, and out of what it was copied
 * with: quotation marks, a comma, `mailto:ana%40example.test?subject=…`, `Ana <ana@example.test>`, a link of Markdown or
 * of Slack. An email by RFC 5321 (4.1.2) stays byte for byte, and any other text loses the blanks alone. Several emails
 * stay as they are, see {@link isSeveralEmails}. The window and main use the same, so that what is kept is what is sent.
 */
export function cleanEmail(text: string): string {
  const seen = stripInvisible(text).trim();
  if (seen.length > longest || emailsIn(seen).length > 1) return seen;
  let bare = seen;
  for (let before = ''; before !== bare;) {
    before = bare;
    bare = unwrapped(withoutLink(bare));
  }
  return /^[^@]+@|^"/.test(bare) && /@[^\s@]+$/.test(bare) ? bare : seen;
}

/** Whether a text has more than one email in it. Which one is meant, nobody can tell. */
export const isSeveralEmails = (text: string): boolean =>
  text.length <= longest && emailsIn(stripInvisible(text).trim()).length > 1;

/** What is at the end of no email, and what no email begins with; those of the second list may be signs of a local part. */
const atEnd = /[\s,;:.!?<>¡¿，；。、"'`´′″＂＇\p{Pi}\p{Pf}\p{Ps}\p{Pe}]+$/u;
const atStart = /^[\s,;:<>¡¿，；、´′″＂＇\p{Pi}\p{Pf}([]+|^(?![{}])[\p{Ps}\p{Pe}]+/u;
const mayBegin: ReadonlySet<string> = new Set(["'", '`', '{', '}', '"']);
const closers = /["'`}]/g;

/** A local part in quotation marks may have blanks, commas and `@` in it. */
const quotedLocal = /^"(?:[^"\\]|\\.)*"@[^\s@"]*[\p{L}\p{N}\]]$/u;
const addressLiteral = /@\[[\da-z:.]+\]$/i;

/** Takes off the marks around an email. One that a local part may begin with goes only where one was closed behind it. */
function unwrapped(text: string): string {
  if (quotedLocal.test(text) || !text.includes('@')) return text;
  const end = addressLiteral.test(text) ? '' : (atEnd.exec(text)?.[0] ?? '');
  let bare = text.slice(0, text.length - end.length).replace(atStart, '');
  for (let left = end.match(closers)?.length ?? 0; left > 0 && mayBegin.has(bare[0] ?? ''); left -= 1) {
    if (quotedLocal.test(bare)) break;
    bare = bare.slice(1).replace(atStart, '');
  }
  // Nothing but the whole local part may be in quotation marks.
  return bare.startsWith('"') && !quotedLocal.test(bare) ? bare.slice(1) : bare;
}

/** Takes one layer of what stands around an email off: a tag, a link, a name, a label, a comment. */
function withoutLink(text: string): string {
  const plain = text.replaceAll(/<\/?a(?:\s[^>]*)?>/gi, '').trim();
  const [, linked] = /^!?\[[^\]]*\]\(\s*<?([^\s<>()]+)>?(?:\s[^)]*)?\)[,;.]?$/.exec(plain) ?? [];
  const [, named] = /^[^<>]*<\s*([^<>]+?)\s*>[\s,;.]*$/.exec(linked ?? plain) ?? [];
  const bare = named ?? linked ?? plain;
  const [, mail] = /^(?:mailto|smtp):([^?]+)/i.exec(bare) ?? [];
  if (mail !== undefined) return decoded(mail).replace(/(@[^|]*)\|.*$/s, '$1');
  const [, labelled] = /^[\p{L}\s.-]{1,40}:\s+(\S+)$/u.exec(bare) ?? [];
  const [, commented] = /^([^\s"]+@[^\s"]+)\s+\([^()]*\)$/.exec(bare) ?? [];
  // Out of a query, where it was written so.
  const encoded = /^[^@=\s]+%40[^@=\s]+$/.test(bare) ? decoded(bare) : bare;
  return labelled ?? commented ?? encoded;
}

const marksBefore = /^["'`´\p{Pi}\p{Pf}\p{Ps}\p{Pe}]+/u;

/** Returns the different emails in a text. Some writings of one count once. */
function emailsIn(text: string): string[] {
  if (quotedLocal.test(text)) return [text];
  const plain = text
    .replaceAll(/<a\s[^>]*>/gi, '')
    .replaceAll(/(mailto:[^?\s]*)\?[^<>()|"]*/gi, '$1 ')
    .replaceAll(/%40/gi, '@');
  const found = plain.match(/[^\s@,;:<>|"()[\]\\]+@[^\s@,;:<>|"()[\]\\]+/g) ?? [];
  return [...new Set(found.map((each) => each.replace(marksBefore, '').replace(atEnd, '').toLowerCase()))];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
