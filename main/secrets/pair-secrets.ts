import type { Place } from './escapes.ts';
import { createNameCache } from './name-cache.ts';
import type { Found } from './secret-forms.ts';
import { kindOfName, namesSecret, type Kind } from './secret-names.ts';

/** Names and values of forms, addresses, cookies, headers, dumps and source texts, wherever they stand in a text. */

const longestName = 100;
const nameSign = /[\p{L}\p{N}\p{M}_.$\-%+]/u;
/** The same by character, for ASCII: every letter before a separator is asked for. */
const asciiNameSigns = Array.from({ length: 128 }, (_, code) => nameSign.test(String.fromCharCode(code)));

const isNameSign = (code: number): boolean =>
  code < 128 ? asciiNameSigns[code]! : nameSign.test(String.fromCharCode(code));

/** Fewer letters make no name of a secret: times have one, and numbers none. */
const fewestLetters = 2;
const isLetter = (code: number): boolean => code > 64 && code !== 95;

const isBlank = (code: number): boolean => code === 0x20 || code === 9;
/** Quotes, brackets and what escapes them. */
const closing = new Set(Array.from('"\'`]\\)', (sign) => sign.charCodeAt(0)));

/** What the name of a value says. */
type NameOfValue = { text: string; isHeader: boolean; isCode: boolean; isSecret: boolean };

const nameAt = createNameCache<NameOfValue>((text) => ({
  text,
  isHeader: headers.has(text.toLowerCase()),
  isCode: /^(?:code|codigo)$/i.test(text),
  isSecret: namesSecret(nameOf(text)),
}));

/** A name before a separator, and whether signs stand around it that only data has. */
type Name = NameOfValue & { isQuoted: boolean; before: string };

/** @param start where the text begins that the name is of */
function nameBefore(text: string, codes: Uint16Array, separator: number, start: number): Name | undefined {
  let to = separator;
  const least = Math.max(start, separator - longestName);
  while (to > least && isBlank(codes[to - 1]!)) to--;
  const end = to;
  while (to > least && closing.has(codes[to - 1]!)) to--;
  let from = to;
  let letters = 0;
  while (from > least && isNameSign(codes[from - 1]!)) {
    from--;
    if (isLetter(codes[from]!)) letters++;
  }
  if (letters < fewestLetters) return undefined;
  const name = nameAt(text, codes, from, to);
  if (!name.isHeader && !name.isCode && !name.isSecret) return undefined;
  return { ...name, isQuoted: to < end, before: from > start ? text[from - 1]! : '' };
}

/** Values that say nothing. */
const nothing =
  /^(?:true|false|null|none|nil|undefined|yes|no|on|off|required|optional|string|\*+|•+|\[.*|\{.*|<.*|function)?$/i;

const headers: ReadonlyMap<string, Kind> = new Map([
  ['authorization', 'token'],
  ['proxy-authorization', 'proxy-credential'],
  ['cookie', 'cookie'],
  ['set-cookie', 'cookie'],
]);

/** The secret part of a header: what follows a scheme, the value of a cookie, or all of it. */
export function secretsOfHeader(name: string, value: string): Found[] {
  const key = name.toLowerCase();
  const kind = headers.get(key) ?? (namesSecret(name) ? kindOfName(name) : undefined);
  if (kind === undefined) return [];
  if (key === 'set-cookie') return secretsOfCookies(value, true);
  if (key === 'cookie') return secretsOfCookies(value, false);
  const [scheme = ''] = /^\s*(?:[A-Za-z][\w-]* +)?/.exec(value) ?? [];
  return cutOf(value, scheme.length, value.length, kind);
}

/** What a cookie may say besides its value. */
const attributes =
  /^\s*(?:expires|max-age|domain|path|secure|httponly|samesite|priority|partitioned|version|comment)\s*(?:=|$)/i;

/**
 * Values of cookies: of one without a name, all of it. Several may stand in one header, after commas.
 * @param isSet whether attributes follow the value
 */
function secretsOfCookies(header: string, isSet: boolean): Found[] {
  const found: Found[] = [];
  let from = 0;
  let isFirst = true;
  const parts = isSet ? header.split(/;|,(?=\s*[^\s;,="]{1,100}=)/) : header.split(';');
  for (const part of parts) {
    const isAttribute = isSet && !isFirst && attributes.test(part);
    const equals = part.indexOf('=');
    const start = from + (equals < 0 ? 0 : equals + 1);
    if (!isAttribute && !(isSet && equals < 0 && !isFirst))
      found.push(...cutOf(header, start, from + part.length, 'cookie'));
    from += part.length + 1;
    isFirst = false;
  }
  return found;
}

/** A stretch without the spaces and quotes around it, as a secret. */
function cutOf(text: string, start: number, end: number, kind: Kind): Found[] {
  let from = start;
  let to = end;
  while (from < to && /[\s"']/.test(text[from]!)) from++;
  while (to > from && /[\s"']/.test(text[to - 1]!)) to--;
  return to > from ? [{ from, to, value: text.slice(from, to), kind }] : [];
}

const equalsSign = 0x3d;
const colon = 0x3a;

/** A separator that gives a value to a name, or what only begins as one: a comparison gives nothing a value. */
function separatorAt(
  codes: Uint16Array,
  at: number,
  length: number,
): { text: '=' | '=>' | ':' | undefined; length: number } {
  if (codes[at] === colon) return { text: ':', length: 1 };
  const next = at + 1 < length ? codes[at + 1] : 0;
  if (next === 0x3e) return { text: '=>', length: 2 };
  if (next !== equalsSign) return { text: '=', length: 1 };
  return { text: undefined, length: at + 2 < length && codes[at + 2] === equalsSign ? 3 : 2 };
}

/** Calls back for each name of a secret before a separator, until it is told that this was enough. */
function eachName(
  text: string,
  { codes, from, to }: Place & { codes: Uint16Array },
  visit: (name: Name, separator: '=' | '=>' | ':', after: number) => number,
): void {
  let taken = from;
  for (let at = from; at < to; at++) {
    const code = codes[at]!;
    if (code !== equalsSign && code !== colon) continue;
    const separator = separatorAt(codes, at, to);
    const after = at + separator.length;
    const name = at < taken || separator.text === undefined ? undefined : nameBefore(text, codes, at, from);
    if (name && separator.text !== undefined) taken = visit(name, separator.text, after);
    at = after - 1;
  }
}

/** Whether a name of a secret stands in a part of a text before a separator. */
export function holdsName(text: string, codes: Uint16Array, from: number, to: number): boolean {
  let isThere = false;
  eachName(text, { codes, from, to }, () => {
    isThere = true;
    return to;
  });
  return isThere;
}

/**
 * Secrets under their names in a text that is no JSON, or is some with other signs around it.
 * @param codes those of the text
 */
export function secretsOfPairs(text: string, codes: Uint16Array): Found[] {
  if (!text.includes('=') && !text.includes(':')) return [];
  const found: Found[] = [];
  let taken = 0;
  eachName(text, { codes, from: 0, to: text.length }, (name, separator, after) => {
    const isHeader = separator === ':' && name.isHeader;
    const isCode = name.isCode && /[?&#]/.test(name.before) && separator === '=';
    if (!isHeader && !isCode && !name.isSecret) return taken;
    const cuts = isHeader ? ofHeaderLine(text, name.text, after) : ofValue(text, after, separator, name);
    found.push(...cuts);
    taken = cuts.at(-1)?.to ?? taken;
    return taken;
  });
  return found;
}

/** Of `user[password]` and `%24password`, what the last part says. */
const nameOf = (name: string): string => (name.includes('%') ? name.replaceAll(/%[\da-f]{2}/gi, ' ') : name);

/** A header as a line of a text, up to the end of the line or of what it stands in. */
function ofHeaderLine(text: string, name: string, from: number): Found[] {
  const end = /[\r\n"<>]|\\r|\\n|&quot;|&lt;/.exec(text.slice(from, from + 8000));
  const to = end ? from + end.index : Math.min(text.length, from + 8000);
  return secretsOfHeader(name, text.slice(from, to)).map((each) => moved(each, from));
}

const moved = <T extends Place>(place: T, by: number): T => ({ ...place, from: place.from + by, to: place.to + by });

const longestValue = 16_000;

/** What ends a value without quotes: in forms, in paths (`;jsessionid=`), in dumps and in lines. */
const bareEnds = {
  form: /[\s&;"'<>,)}\]|\\]/,
  path: /[\s&;"'<>,)}\]|\\?#/]/,
  dump: /[\r\n,;)}]/,
  line: /[\s&;"'<>,)}\]]/,
};

function ofValue(text: string, after: number, separator: '=' | '=>' | ':', name: Name): Found[] {
  const kind = kindOfName(nameOf(name.text));
  const isBare = separator === '=';
  // PHP's dumps write the type of a value before it.
  const opening = isBare ? /[ \t]?(\\?["'`])?/y : /\s{0,20}(?:string\(\d{1,9}\)\s)?(\\?["'`])?/y;
  opening.lastIndex = after;
  const match = opening.exec(text);
  const from = after + (match?.[0].length ?? 0);
  const quote = match?.[1];
  if (quote !== undefined) {
    const end = text.indexOf(quote, from);
    const to = end < 0 || end - from > longestValue ? Math.min(text.length, from + longestValue) : end;
    const value = text.slice(from, to);
    const isSentence = /\s/.test(value) && separator !== '=';
    return isSentence || nothing.test(value) ? [] : [{ from, to, value, kind }];
  }
  const ends = new RegExp(
    isBare ? (name.before === ';' ? bareEnds.path : bareEnds.form) : bareEnds[separator === '=>' ? 'dump' : 'line'],
    'g',
  );
  ends.lastIndex = from;
  const end = ends.exec(text)?.index ?? text.length;
  const value = text.slice(from, Math.min(end, from + longestValue)).trimEnd();
  if (nothing.test(value)) return [];
  // After a colon, an ordinary word may say something about the name.
  const isData = separator !== ':' || name.isQuoted || (/\d/.test(value) && /\D/.test(value) && value.length >= 6);
  return isData ? [{ from, to: from + value.length, value, kind }] : [];
}

const disposition = /name="?([^"\r\n;]{1,200})"?[^\r\n]{0,400}(?:\r?\n[^\r\n]{1,400}){0,5}?\r?\n\r?\n/gi;

/** Secrets of the parts of a multipart body. */
export function secretsOfParts(text: string): Found[] {
  if (!text.includes('\n\n') && !text.includes('\n\r\n')) return [];
  if (!/form-data/i.test(text)) return [];
  const found: Found[] = [];
  for (const { 0: head, 1: name = '', index } of text.matchAll(disposition)) {
    if (!namesSecret(name) || /filename=/i.test(head)) continue;
    const from = index + head.length;
    const end = /\r?\n--/g;
    end.lastIndex = from;
    found.push(...cutOf(text, from, end.exec(text)?.index ?? text.length, kindOfName(name)));
  }
  return found;
}

/** Server-sent events that say in one line what the next one is. */
const event = /^event:[ \t]?([\w.-]{2,60})\r?\ndata:[ \t]?([^\r\n]{1,4000})$/gm;

export function secretsOfEvents(text: string): Found[] {
  if (!text.includes('\ndata:') || !text.includes('event:')) return [];
  return [...text.matchAll(event)].flatMap(({ 0: whole, 1: name = '', 2: value = '', index }) => {
    const to = index + whole.length;
    return namesSecret(name) && !/[\s{[]/.test(value) ? cutOf(text, to - value.length, to, kindOfName(name)) : [];
  });
}
