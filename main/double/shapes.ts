import { Alphabet, alphabets, type Segment, type TimeForm } from '../service/double/model.ts';

const alphabetOf = (signs: string): Alphabet =>
  Alphabet.options.find((name) => Array.from(signs).every((sign) => alphabets[name].includes(sign))) ?? 'base64url';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-([1-8])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export const isUuid = (text: string): boolean => uuid.test(text);

function ofUuid(text: string): Segment[] {
  const [, version = '4'] = uuid.exec(text) ?? [];
  const of: Alphabet = text === text.toUpperCase() && /[A-F]/.test(text) ? 'hex-capitals' : 'hex';
  return [
    { of, count: 8 },
    { text: '-' },
    { of, count: 4 },
    { text: `-${version}` },
    { of, count: 3 },
    { text: of === 'hex' ? '-a' : '-A' },
    { of, count: 3 },
    { text: '-' },
    { of, count: 12 },
  ];
}

/** Puts neighbours of one kind together. */
function joined(pieces: readonly ({ text: string } | { varies: string })[], of: Alphabet): Segment[] {
  const segments: Segment[] = [];
  for (const piece of pieces) {
    const last = segments.at(-1);
    if ('text' in piece) {
      if (last && 'text' in last) last.text += piece.text;
      else segments.push({ text: piece.text });
    } else if (last && 'of' in last) last.count += 1;
    else segments.push({ of, count: 1 });
  }
  return segments;
}

/**
 * Returns the form of texts that differ from time to time: so many characters of an alphabet, with the signs between
 * them that never change. Nothing of the texts themselves is kept beside signs, and what `isKept` says.
 */
export function segmentsOf(texts: readonly string[], isKept: (at: number) => boolean = () => false): Segment[] {
  const [first = ''] = texts;
  if (texts.every(isUuid) && first !== '') return ofUuid(first);
  const same = texts.filter(({ length }) => length === first.length);
  const pieces = Array.from(first, (sign, at) => {
    const isSame = same.every((text) => text[at] === sign);
    const isSign = /[^A-Za-z0-9_-]/.test(sign);
    return (isSame && (isSign || isKept(at))) || isSign
      ? { text: sign }
      : { varies: same.map((text) => text[at]).join('') };
  });
  const of = alphabetOf(pieces.map((piece) => ('varies' in piece ? piece.varies : '')).join(''));
  return joined(pieces, of).slice(0, 50);
}

/** Reads a moment that is written as a text, and the form in which it is. A time without a zone is taken for UTC. */
export function readTime(text: string): { ms: number; form: TimeForm } | undefined {
  const isHttp = /^(?:Sun|Mon|Tue|Wed|Thu|Fri|Sat), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/.test(text);
  const httpMs = isHttp ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(httpMs)) return { ms: httpMs, form: { kind: 'http' } };
  const found = /^(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/.exec(text);
  if (!found) return undefined;
  const [, date = '', separator, time = '', fraction = '', zone = ''] = found;
  const ms = Date.parse(`${date}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}${zone === '' ? 'Z' : zone}`);
  if (Number.isNaN(ms)) return undefined;
  return { ms, form: { kind: 'iso', separator: separator === ' ' ? ' ' : 'T', digits: fraction.length, zone } };
}

/** Reads seconds or milliseconds since 1970, of this century. */
export function readEpoch(value: number | string): { ms: number; form: TimeForm } | undefined {
  const isText = typeof value === 'string';
  if (isText && !/^\d{10}(?:\d{3})?$/.test(value)) return undefined;
  const number = Number(value);
  const digits = isText || Number.isInteger(number) ? undefined : (String(number).split('.')[1] ?? '').length;
  const isSeconds = number > 946_684_800 && number < 4_102_444_800;
  const isMs = number > 946_684_800_000 && number < 4_102_444_800_000;
  if (!isSeconds && (!isMs || digits !== undefined)) return undefined;
  if (digits !== undefined) {
    return { ms: number * 1000, form: { kind: 'epoch', unit: 's', isText, digits: digits > 3 ? 6 : 3 } };
  }
  return { ms: isSeconds ? number * 1000 : number, form: { kind: 'epoch', unit: isSeconds ? 's' : 'ms', isText } };
}

/** Makes the form of a password's hash, whose salt and digest are made up. */
export function segmentsOfHash(text: string): Segment[] {
  const parts = text.split('$');
  if (parts.length < 3) return segmentsOf([text]);
  const isBcrypt = /^\$2[abxy]?\$/.test(text);
  const kept = isBcrypt ? 3 : parts.length - 2;
  const known = `${parts.slice(0, kept).join('$')}$`;
  const segments: Segment[] = [];
  for (const [at, part] of parts.slice(kept).entries()) {
    segments.push({ text: at === 0 ? known : '$' });
    if (part !== '') segments.push({ of: 'letters-and-digits', count: part.length });
  }
  return segments;
}
