import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';

/** Secrets of every kind: tokens, and passwords with what spellings change. */
export const secrets: readonly string[] = [
  '41|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4Ru',
  "It's my pass!",
  'contraseña de "Íñigo" & <Ana>',
  'correct horse battery staple',
  'a%41b+c/d=e\\u0041',
  'пароль-Ж9',
  'ab c%2',
  '密碼🔑 six',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  'x&amp;y&lt;z;9',
];

const unit = (text: string, write: (code: number) => string): string =>
  Array.from(text, (character) => write(character.codePointAt(0)!)).join('');
const hex4 = (code: number): string => code.toString(16).padStart(4, '0');
const units = (code: number): number[] =>
  Array.from({ length: code > 0xffff ? 2 : 1 }, (_, at) => String.fromCodePoint(code).charCodeAt(at));
const base64 = (bytes: string | Uint8Array): string => Buffer.from(bytes).toString('base64');

const names: Readonly<Record<string, string>> = {
  "'": 'apos',
  '"': 'quot',
  '&': 'amp',
  '<': 'lt',
  '>': 'gt',
  '|': 'vert',
  '=': 'equals',
  '/': 'sol',
  '+': 'plus',
  '%': 'percnt',
  '!': 'excl',
  ';': 'semi',
  '\\': 'bsol',
  ñ: 'ntilde',
  Í: 'Iacute',
  í: 'iacute',
  '-': 'hyphen',
};

/** How a server may write a text that holds a secret. Each takes the one before it away again. */
export const spellings: Readonly<Record<string, (text: string) => string>> = {
  json: (text) => JSON.stringify(text).slice(1, -1),
  'json of PHP': (text) =>
    unit(JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'), (code) =>
      code < 128
        ? String.fromCodePoint(code)
        : units(code)
            .map((each) => `\\u${hex4(each)}`)
            .join(''),
    ),
  'json, every letter': (text) =>
    unit(text, (code) =>
      units(code)
        .map((each) => `\\u${hex4(each).toUpperCase()}`)
        .join(''),
    ),
  'entities by name': (text) =>
    Array.from(text, (each) => (names[each] && each !== '-' ? `&${names[each]};` : each)).join(''),
  'entities in decimal': (text) =>
    unit(text, (code) => (code < 48 || code > 122 ? `&#${code};` : String.fromCodePoint(code))),
  'entities in hexadecimal': (text) =>
    unit(text, (code) => (code < 48 || code > 57 ? `&#x${code.toString(16)};` : String.fromCodePoint(code))),
  'entities of Django': (text) =>
    text
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll("'", '&#x27;'),
  percent: (text) => encodeURIComponent(text),
  'percent in small letters': (text) =>
    encodeURIComponent(text).replaceAll(/%[\dA-F]{2}/g, (each) => each.toLowerCase()),
  'percent, every byte': (text) =>
    Array.from(Buffer.from(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  form: (text) => new URLSearchParams({ '': text }).toString().slice(1),
  'escapes of Python': (text) =>
    Array.from(Buffer.from(text.replaceAll('\\', '\\\\')), (byte) =>
      byte < 128 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`,
    ).join(''),
  base64: (text) => base64(text),
  'base64 without padding': (text) => base64(text).replaceAll('=', ''),
  'base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  'base64 in lines': (text) => base64(`${'line '.repeat(linesBefore / 5)}${text}`).replaceAll(/.{76}/g, '$&\r\n'),
  hexadecimal: (text) => Buffer.from(text).toString('hex'),
  'gzip in base64': (text) => base64(gzipSync(text)),
  'gzip twice in base64': (text) => base64(gzipSync(gzipSync(text))),
  'zlib in base64': (text) => base64(deflateSync(text)),
  'deflate in base64': (text) => base64(deflateRawSync(text)),
  'Brotli in base64': (text) => base64(brotliCompressSync(text)),
  'UTF-16 in base64': (text) => Buffer.from(text, 'utf16le').toString('base64'),
  composed: (text) => text.normalize('NFC'),
  decomposed: (text) => text.normalize('NFD'),
};

/** A text as several spellings write it, one after another. */
export const spelt = (text: string, chain: readonly string[]): string =>
  chain.reduce((written, name) => spellings[name]!(written), text);

/** A text, and which part of it is of the secret. */
export type Marked = { text: string; from: number; to: number };

/** Where a character of base64 stands that begins with a bit of the text's, or ends with one. */
const inBase64 = (bytes: number, round: (place: number) => number): number => round((bytes * 4) / 3);
const inLines = (place: number): number => place + 2 * Math.floor(place / 76);
const linesBefore = 100;

/** The same as `spelt`, and which part of it is of the secret: of what is compressed, all. */
export const speltAndMarked = (marked: Marked, chain: readonly string[]): Marked =>
  chain.reduce((written, name) => speltOnce(written, name), marked);

function speltOnce({ text, from, to }: Marked, name: string): Marked {
  const write = spellings[name]!;
  const written = write(text);
  const bytesTo = (place: number): number =>
    name.startsWith('UTF-16') ? 2 * place : Buffer.byteLength(text.slice(0, place));
  if (name === 'base64 in lines') {
    const first = inBase64(linesBefore + bytesTo(from), Math.floor);
    const last = inBase64(linesBefore + bytesTo(to), Math.ceil) - 1;
    return { text: written, from: inLines(first), to: inLines(last) + 1 };
  }
  if (name.startsWith('base64') || name.startsWith('UTF-16'))
    return { text: written, from: inBase64(bytesTo(from), Math.floor), to: inBase64(bytesTo(to), Math.ceil) };
  if (name.endsWith('in base64')) return { text: written, from: 0, to: written.length };
  return { text: written, from: write(text.slice(0, from)).length, to: write(text.slice(0, to)).length };
}

/** What writes a text character by character between the same signs, and which part of that is of the secret. */
export function markedIn(write: (text: string) => string, { text, from, to }: Marked): Marked {
  const [one, other, empty] = [write('a'), write('b'), write('')];
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  const placeOf = (place: number): number => start + write(text.slice(0, place)).length - empty.length;
  return { text: write(text), from: placeOf(from), to: placeOf(to) };
}

/** Bodies that hold a text, with the type that they declare. */
export const containers: Readonly<Record<string, { type: string; write: (text: string) => string }>> = {
  json: { type: 'application/json', write: (text) => JSON.stringify({ message: `You sent ${text} to us`, ok: false }) },
  'json after a notice': {
    type: 'text/html',
    write: (text) =>
      `<br />\n<b>Notice</b>: Undefined index in <b>/var/www/a.php</b>\n{"message":${JSON.stringify(text)}}`,
  },
  jsonp: { type: 'application/javascript', write: (text) => `cb({"message":${JSON.stringify(text)}});` },
  page: {
    type: 'text/html',
    write: (text) =>
      `<html><body><p class="error">You sent ${spellings['entities of Django']!(text)}!</p></body></html>`,
  },
  xml: {
    type: 'application/xml',
    write: (text) => `<?xml version="1.0"?><e><m>You sent ${spellings['entities of Django']!(text)}</m></e>`,
  },
  form: {
    type: 'application/x-www-form-urlencoded',
    write: (text) => new URLSearchParams({ message: text, n: '1' }).toString(),
  },
  events: { type: 'text/event-stream', write: (text) => `event: note\ndata: ${JSON.stringify({ message: text })}\n\n` },
  text: { type: 'text/plain', write: (text) => `You sent ${text} to us.\n` },
};

/** Charsets that a type declares; undefined for a text that one cannot write. */
export const charsets: Readonly<Record<string, (text: string) => Buffer | undefined>> = {
  'utf-8': (text) => Buffer.from(text),
  'iso-8859-1': (text) => (/^[\0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined),
  'windows-1252': (text) => (/^[\0-\x7f\xa0-\xff]*$/.test(text) ? Buffer.from(text, 'latin1') : undefined),
  'utf-16': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
};
