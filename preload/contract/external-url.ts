import { stripInvisible } from './clean-email.ts';

/** Browsers and mail programs take longer ones, and nobody reads them. */
const longest = 2000;

/** One address, and nothing of what a mail program would fill in beside it: no subject, no text, no file. */
const mail = /^(?:mailto:)?([^\s@<>()[\]",;:\\?&%#]{1,64}@[\p{L}\p{N}.-]{1,255})$/iu;

/**
 * The one list of what may be opened outside of Llavero: web pages and mail addresses. Returns the address that the system
 * is given, and undefined for anything else, such as a file, a program's own scheme or a password within an address.
 */
export function safeExternalUrl(text: string): string | undefined {
  if (text.length > longest || text !== stripInvisible(text) || /[\s\p{Cc}]/u.test(text)) return undefined;
  const [, address] = mail.exec(text) ?? [];
  if (address !== undefined) return `mailto:${address}`;
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : undefined;
}
