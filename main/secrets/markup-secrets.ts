import type { Place } from './escapes.ts';
import { createNameCache } from './name-cache.ts';
import type { Found } from './secret-forms.ts';
import { mayNameSecret } from './name-parts.ts';
import { kindOfName, namesSecret } from './secret-names.ts';
import { tagAt, type Tag } from './tags.ts';

const attribute = /([\p{L}_][\p{L}\p{N}:._-]{0,100})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gu;

/** Attributes that name what another one, or the text after the tag, is the value of. */
const naming = /^(?:name|key|field|param|property|id|k)$/i;
const isId = /^id$/i;
const longestName = 100;
const valued = /^(?:value|content|val|v|data-value)$/i;
/** Elements whose text is a name, with those whose text is then its value. */
const nameCells = /^(?:key|name|th|td|dt|b|strong|label|field|parameter|code)$/i;
const valueCells = /^(?:string|value|td|dd|span|pre|code|data|val|content|integer)$/i;
/** Elements below a secret's that hold the secret itself. */
const holding = /^(?:value|val|text|content|string|data|plain|plaintext|access|encoded|key)$/i;

/** A passphrase has spaces as well, so only what is written as a sentence is one. */
const isSentence = (value: string): boolean => value.endsWith('.') && /^\p{Lu}/u.test(value) && /\s/.test(value);

/** What a name was followed by so far. */
type Waiting = { name: string; isElement: boolean };

/** What an element says of its text. */
type Element = {
  text: string;
  name: string;
  isSecret: boolean;
  isHolding: boolean;
  isNameCell: boolean;
  isValueCell: boolean;
  /** It is made for names, so that what follows is a value even if it is a word. */
  isForNames: boolean;
};

const elementAt = createNameCache<Element>((text) => {
  const name = localName(text);
  return {
    text,
    name,
    isSecret: namesSecret(name),
    isHolding: holding.test(name),
    isNameCell: nameCells.test(name),
    isValueCell: valueCells.test(name),
    isForNames: /^(?:key|name|field|parameter)$/i.test(name),
  };
});

/**
 * Secrets of XML and HTML by the names of elements and attributes, and of cells beside them.
 * @param codes those of the text
 * @param isRefusal whether it is of an answer that says what is wrong with the fields it names: a sentence in an element
 * named after one is no secret
 */
export function secretsOfMarkup(text: string, codes: Uint16Array, isRefusal = false): Found[] {
  const found: Found[] = [];
  let waiting: Waiting | undefined;
  let above: Element | undefined;
  let next: number;
  for (let at = text.indexOf('<'); at >= 0; at = next) {
    const tag = tagAt(text, codes, at);
    const to = tag ? tag.writtenTo + 1 : at + 1;
    next = text.indexOf('<', to);
    if (!tag) continue;
    const element = elementAt(text, codes, tag.nameFrom, tag.nameTo);
    if (tag.isClosing) {
      if (above?.text === element.text) above = undefined;
      continue;
    }
    const written = mayBeOfSecret(text, codes, tag) ? text.slice(tag.nameTo, tag.writtenTo) : '';
    if (written !== '') found.push(...ofAttributes(written, tag.nameTo));
    if (codes[tag.writtenTo - 1] === slash && tag.writtenTo > tag.nameTo) continue;
    const content = cellAt(text, codes, to, next < 0 ? text.length : next);
    const isCData = next === to && text.startsWith('<![CDATA[', to);
    const cell = isCData ? cellAt(text, codes, to + 9, endOf(text, ']]>', to)) : content;
    if (element.isSecret && !cell) above = element;
    const named = element.isSecret
      ? element.name
      : above !== undefined && element.isHolding
        ? above.name
        : namedBy(written);
    // A cell may hold another one around its text.
    if (!cell) continue;
    const value = named !== undefined || waiting || element.isNameCell ? text.slice(cell.from, cell.to) : '';
    if (named !== undefined) {
      if (!isRefusal || !isSentence(value)) found.push({ ...cell, value, kind: kindOfName(named) });
    } else if (waiting && element.isValueCell && isValue(value, waiting))
      found.push({ ...cell, value, kind: kindOfName(waiting.name) });
    const isName = element.isNameCell && value.length <= 60 && namesSecret(value);
    waiting = isName ? { name: value, isElement: element.isForNames } : undefined;
  }
  return found;
}

const slash = '/'.charCodeAt(0);

/** What the name of an attribute may lead to. What it does not begin with may stand before it. */
const attributeAt = createNameCache((text) => {
  const name = localName(text.replace(/^[^a-z_]+/i, ''));
  const isOther = text.length <= longestName && !valued.test(name) && !(naming.test(name) && !isId.test(name));
  return { text, isOfSecret: !isOther || mayNameSecret(text) };
});

/** Whether an attribute may be of a secret, or name one: most are of none, and are not read. */
function mayBeOfSecret(text: string, codes: Uint16Array, { nameTo, equals }: Tag): boolean {
  return equals.some((place) => {
    let to = place;
    while (to > nameTo && isSpace(codes[to - 1]!)) to--;
    let from = to;
    while (from > nameTo && isOfAttribute(codes[from - 1]!)) from--;
    if (from > nameTo && codes[from - 1]! > 127) return true;
    return to > from && attributeAt(text, codes, from, to).isOfSecret;
  });
}

const isOfAttribute = (code: number): boolean =>
  (code >= 0x61 && code <= 0x7a) ||
  (code >= 0x41 && code <= 0x5a) ||
  (code >= 0x30 && code <= 0x3a) ||
  code === 0x2d ||
  code === 0x2e ||
  code === 0x5f;

const isSpace = (code: number): boolean =>
  code === 0x20 || (code >= 9 && code <= 13) || (code > 127 && /\s/.test(String.fromCharCode(code)));

/** In a table for people, a word may be said about a name. */
const isValue = (value: string, { isElement }: Waiting): boolean =>
  isElement || (!/\s/.test(value) && (/[^\p{L}]/u.test(value) || value.length > 20));

const localName = (tag: string): string => tag.slice(tag.indexOf(':') + 1);

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}

/** A stretch without the spaces around it. */
function cellAt(text: string, codes: Uint16Array, start: number, end: number): Place | undefined {
  let from = start;
  let to = Math.min(end, text.length);
  while (from < to && isSpace(codes[from]!)) from++;
  while (to > from && isSpace(codes[to - 1]!)) to--;
  return to > from ? { from, to } : undefined;
}

type Attribute = { name: string; value: string; from: number; to: number };

function attributesOf(written: string): Attribute[] {
  if (!written.includes('=')) return [];
  return [...written.matchAll(attribute)].map(({ 0: whole, 1: name = '', 2: double, 3: single, 4: bare, index }) => {
    const value = double ?? single ?? bare ?? '';
    const to = index + whole.length - (bare === undefined ? 1 : 0);
    return { name: localName(name), value, from: to - value.length, to };
  });
}

/** An element such as `<string name="password">…</string>`. */
const namedBy = (written: string): string | undefined =>
  /name|key|param/i.test(written)
    ? attributesOf(written).find(({ name, value }) => naming.test(name) && !isId.test(name) && namesSecret(value))
        ?.value
    : undefined;

function ofAttributes(written: string, offset: number): Found[] {
  const all = attributesOf(written);
  const hasValue = all.some(({ name }) => valued.test(name));
  const named = hasValue ? all.find(({ name, value }) => naming.test(name) && namesSecret(value))?.value : undefined;
  return all.flatMap(({ name, value, from, to }) => {
    if (value === '' || /^(?:true|false|on|off|\d{1,3})$/i.test(value)) return [];
    const secret = namesSecret(name) ? name : valued.test(name) ? named : undefined;
    return secret === undefined ? [] : [{ from: from + offset, to: to + offset, value, kind: kindOfName(secret) }];
  });
}
