import { epochIn, momentIn } from '../client/reading/moments.ts';
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
    return isSame && (isSign || isKept(at)) ? { text: sign } : { varies: same.map((text) => text[at]).join('') };
  });
  const of = alphabetOf(pieces.map((piece) => ('varies' in piece ? piece.varies : '')).join(''));
  return joined(pieces, of).slice(0, 50);
}

/** A moment, and the form in which a double writes it again. */
type ReadTime = { ms: number; form: TimeForm };

/** Reads a moment that is written as a text. Days alone, and forms that are read by patterns, are none here. */
export function readTime(text: string): ReadTime | undefined {
  const moment = momentIn(text);
  if (moment?.is !== 'moment') return undefined;
  const { ms, form } = moment;
  if (form.kind === 'http') return { ms, form: { kind: 'http' } };
  if (form.kind !== 'iso' || !form.hasSeconds || !/^(?:Z|[+-]\d\d:?\d\d)?$/.test(form.zone)) return undefined;
  const { separator, digits, zone } = form;
  return { ms, form: { kind: 'iso', separator, digits, zone } };
}

/** Reads seconds or milliseconds since 1970, as a number or as a text of digits. */
export function readEpoch(digits: string, isText: boolean): ReadTime | undefined {
  const moment = epochIn(digits);
  if (moment?.form.kind !== 'epoch' || (isText && moment.form.digits > 0)) return undefined;
  const { unit, digits: fraction } = moment.form;
  const rest = fraction === 0 ? {} : { digits: fraction > 3 ? 6 : 3 };
  return { ms: moment.ms, form: { kind: 'epoch', unit, isText, ...rest } };
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
