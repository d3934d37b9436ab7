/**
 * The named entities of HTML that stand for a character which a secret is likely to hold: ASCII, Latin 1, Greek and
 * common punctuation (https://html.spec.whatwg.org/multipage/named-characters.html).
 */
const punctuation: Readonly<Record<string, string>> = {
  Tab: '\t',
  NewLine: '\n',
  excl: '!',
  quot: '"',
  QUOT: '"',
  num: '#',
  dollar: '$',
  percnt: '%',
  amp: '&',
  AMP: '&',
  apos: "'",
  lpar: '(',
  rpar: ')',
  ast: '*',
  midast: '*',
  plus: '+',
  comma: ',',
  period: '.',
  sol: '/',
  colon: ':',
  semi: ';',
  lt: '<',
  LT: '<',
  equals: '=',
  gt: '>',
  GT: '>',
  quest: '?',
  commat: '@',
  lsqb: '[',
  lbrack: '[',
  bsol: '\\',
  rsqb: ']',
  rbrack: ']',
  Hat: '^',
  lowbar: '_',
  UnderBar: '_',
  grave: '`',
  DiacriticalGrave: '`',
  lcub: '{',
  lbrace: '{',
  verbar: '|',
  vert: '|',
  VerticalLine: '|',
  rcub: '}',
  rbrace: '}',
  hyphen: '‐',
  dash: '‐',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  sbquo: '‚',
  ldquo: '“',
  rdquo: '”',
  bdquo: '„',
  bull: '•',
  hellip: '…',
  euro: '€',
  trade: '™',
  tilde: '˜',
  circ: 'ˆ',
  OElig: 'Œ',
  oelig: 'œ',
  Scaron: 'Š',
  scaron: 'š',
  Zcaron: 'Ž',
  zcaron: 'ž',
  Yuml: 'Ÿ',
  fnof: 'ƒ',
  Ccaron: 'Č',
  ccaron: 'č',
  Cacute: 'Ć',
  cacute: 'ć',
  Dstrok: 'Đ',
  dstrok: 'đ',
  Lstrok: 'Ł',
  lstrok: 'ł',
  Aogon: 'Ą',
  aogon: 'ą',
  Eogon: 'Ę',
  eogon: 'ę',
  Nacute: 'Ń',
  nacute: 'ń',
  Sacute: 'Ś',
  sacute: 'ś',
  Zacute: 'Ź',
  zacute: 'ź',
  Zdot: 'Ż',
  zdot: 'ż',
  Gbreve: 'Ğ',
  gbreve: 'ğ',
  Scedil: 'Ş',
  scedil: 'ş',
  Idot: 'İ',
  imath: 'ı',
  inodot: 'ı',
  Ecaron: 'Ě',
  ecaron: 'ě',
  Rcaron: 'Ř',
  rcaron: 'ř',
  Uring: 'Ů',
  uring: 'ů',
  Odblac: 'Ő',
  odblac: 'ő',
  Udblac: 'Ű',
  udblac: 'ű',
};

/** From U+00A0 to U+00FF. They also count without a semicolon. */
const latin1 = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
  acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
  Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash
  Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc
  euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml
  yacute thorn yuml`.split(/\s+/);

/** From U+0391, and in small letters from U+03B1; `-` is no letter, or has no name. */
const greek = `Alpha Beta Gamma Delta Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho - Sigma Tau
  Upsilon Phi Chi Psi Omega`.split(/\s+/);

const withoutSemicolon = new Map([
  ...latin1.map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
  ...['quot', 'QUOT', 'amp', 'AMP', 'lt', 'LT', 'gt', 'GT'].map((name) => [name, punctuation[name]!] as const),
]);

const entities = new Map([
  ...withoutSemicolon,
  ...Object.entries(punctuation),
  ...greek.flatMap((name, at) => [
    [name, String.fromCharCode(0x391 + at)] as const,
    [name.toLowerCase(), String.fromCharCode(0x3b1 + at)] as const,
  ]),
]);

/** The first three letters of names that count without a semicolon; of those that are shorter, both. */
const beginnings = new Set([...withoutSemicolon.keys()].map((name) => numberOf(name, 0, Math.min(name.length, 3))));

function numberOf(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = (number << 7) | (text.charCodeAt(at) & 0x7f);
  return number;
}

/** Whether a name that counts without a semicolon may begin at a place. In addresses, hardly any does. */
export const mayBeginName = (text: string, at: number): boolean =>
  beginnings.has(numberOf(text, at, at + 3)) || beginnings.has(numberOf(text, at, at + 2));

/** What HTML makes of numbers from 128 to 159, which are windows-1252 there. */
const windows1252 = new TextDecoder('windows-1252');

/** The character of a number in `&#…;`. */
export function numberedCharacter(code: number): string | undefined {
  if (code >= 128 && code < 160) return windows1252.decode(Uint8Array.of(code));
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

/**
 * The character of a name, and how many letters of the name belong to it: without a semicolon, letters may follow.
 * Undefined for a name that is not known.
 */
export function namedCharacter(name: string, hasSemicolon: boolean): { text: string; letters: number } | undefined {
  const whole = hasSemicolon ? entities.get(name) : undefined;
  if (whole !== undefined) return { text: whole, letters: name.length };
  for (let letters = Math.min(name.length, 6); letters > 1; letters--) {
    const text = withoutSemicolon.get(name.slice(0, letters));
    if (text !== undefined) return { text, letters };
  }
  return undefined;
}
