import { isUtf8 } from 'node:buffer';

/** As much of a longer text is looked at to find out how it is written. */
const beginning = 1024;

/**
 * The text of a body, by its byte order mark, the charset that its type or itself declares, and what its bytes are.
 * Without a declaration, what is not UTF-8 is windows-1252. Undefined for what is no text: that has control characters
 * where no text has them. A byte order mark of UTF-8 stays.
 */
export function decodeText(bytes: Uint8Array, contentType: string | undefined): string | undefined {
  const charset = charsetOf(bytes, contentType);
  const text = /^utf-?8/i.test(charset) ? utf8(bytes) : (decoded(bytes, charset) ?? utf8(bytes));
  return hasControls(text) ? undefined : text;
}

// oxlint-disable-next-line eslint/no-control-regex -- Control characters are what it is about.
const controls = /[\0-\x06\x0e-\x1a\x1c-\x1f\x7f]/;
export const hasControls = (text: string): boolean => controls.test(text);

const utf8 = (bytes: Uint8Array): string =>
  new TextDecoder(isUtf8(bytes) ? 'utf-8' : 'windows-1252', { ignoreBOM: true }).decode(bytes);

const asLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

function decoded(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset, { ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function charsetOf(bytes: Uint8Array, contentType: string | undefined): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xef && second === 0xbb && bytes[2] === 0xbf) return 'utf-8';
  const ofType = /charset\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i.exec(contentType ?? '')?.[1];
  const start = bytes.subarray(0, beginning);
  const zeros = zerosOf(start);
  if (zeros) return zeros;
  const text = asLatin1(start);
  const declared =
    /^\s{0,99}<\?xml[^>]{0,200}encoding\s{0,9}=\s{0,9}["']([\w:.-]{1,40})|<meta[^>]{0,200}charset\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i;
  const [, ofXml, ofHtml] = declared.exec(text) ?? [];
  const all = [ofType, ofXml, ofHtml];
  // What reads as UTF-8 is no UTF-16, whatever it says of itself.
  const isNoUtf16 = isUtf8(bytes) && !bytes.includes(0);
  return all.find((each) => each !== undefined && !(isNoUtf16 && /^utf-?16/i.test(each))) ?? 'utf-8';
}

/** UTF-16 of a text that is mostly ASCII has a zero in every second byte. */
function zerosOf(bytes: Uint8Array): string | undefined {
  const counts = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) counts[at % 2]! += 1;
  const [even = 0, odd = 0] = counts;
  const most = Math.max(even, odd);
  if (most < Math.max(4, bytes.length / 8) || Math.min(even, odd) > most / 8) return undefined;
  return odd > even ? 'utf-16le' : 'utf-16be';
}
