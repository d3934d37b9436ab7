import type { Found } from './secret-forms.ts';
import { kindOfName, namesSecret } from './secret-names.ts';

/** A tag; what stands in it is looked at when its name or an attribute's is a secret's. */
const tags = /<(\/?)([\p{L}_][\p{L}\p{N}\p{M}:._-]{0,100})((?:[^<>"']|"[^"]{0,20000}"|'[^']{0,20000}')*)>/gu;
const attribute = /([\p{L}_][\p{L}\p{N}:._-]{0,100})\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))/gu;

/** Attributes that name what another one, or the text after the tag, is the value of. */
const naming = /^(?:name|key|field|param|property|id|k)$/i;
const valued = /^(?:value|content|val|v|data-value)$/i;
/** Elements whose text is a name, with those whose text is then its value. */
const nameCells = /^(?:key|name|th|td|dt|b|strong|label|field|parameter|code)$/i;
const valueCells = /^(?:string|value|td|dd|span|pre|code|data|val|content|integer)$/i;
/** Elements below a secret's that hold the secret itself. */
const holding = /^(?:value|val|text|content|string|data|plain|plaintext|access|encoded|key)$/i;

/** What a name was followed by so far. */
type Waiting = { name: string; isElement: boolean };

/** Secrets of XML and HTML by the names of elements and attributes, and of cells beside them. */
export function secretsOfMarkup(text: string): Found[] {
  const found: Found[] = [];
  let waiting: Waiting | undefined;
  let above: string | undefined;
  for (const match of text.matchAll(tags)) {
    const { 1: closing, 2: tag = '', 3: written = '', index } = match;
    const name = localName(tag);
    const to = index + match[0].length;
    if (closing === '/') {
      if (above === tag) above = undefined;
      continue;
    }
    found.push(...ofAttributes(written, to - 1 - written.length));
    if (written.endsWith('/')) continue;
    const next = text.indexOf('<', to);
    const content = cellAt(text, to, next < 0 ? text.length : next);
    const isCData = text.startsWith('<![CDATA[', to);
    const cell = isCData ? cellAt(text, to + 9, endOf(text, ']]>', to)) : content;
    const named = namesSecret(name)
      ? name
      : above !== undefined && holding.test(name)
        ? localName(above)
        : namedBy(written);
    if (cell && named !== undefined) found.push({ ...cell, kind: kindOfName(named) });
    else if (cell && waiting && valueCells.test(name) && isValue(cell.value, waiting))
      found.push({ ...cell, kind: kindOfName(waiting.name) });
    if (namesSecret(name) && !cell) above = tag;
    // A cell may hold another one around its text.
    if (!cell) continue;
    const isName = nameCells.test(name) && cell.value.length <= 60 && namesSecret(cell.value);
    waiting = isName ? { name: cell.value, isElement: /^(?:key|name|field|parameter)$/i.test(name) } : undefined;
  }
  return found;
}

/** In a table for people, a word may be said about a name. */
const isValue = (value: string, { isElement }: Waiting): boolean =>
  isElement || (!/\s/.test(value) && (/[^\p{L}]/u.test(value) || value.length > 20));

const localName = (tag: string): string => tag.slice(tag.indexOf(':') + 1);

function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}

function cellAt(text: string, start: number, end: number): Omit<Found, 'kind'> | undefined {
  let from = start;
  let to = end;
  while (from < to && /\s/.test(text[from]!)) from++;
  while (to > from && /\s/.test(text[to - 1]!)) to--;
  return to > from ? { from, to, value: text.slice(from, to) } : undefined;
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
    ? attributesOf(written).find(({ name, value }) => naming.test(name) && !/^id$/i.test(name) && namesSecret(value))
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
