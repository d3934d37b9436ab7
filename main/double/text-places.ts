import { ModelField, type Place, type TextTemplate } from '../service/double/model.ts';
import type { Known } from './infer.ts';

/** What stands in a text for a place: a text, or what finds one where it counts. */
type Needle = { text: string; place: Place; pattern?: RegExp };

const escaped = (text: string): string => text.replaceAll(/[$()*+./?[\\\]^{|}-]/g, String.raw`\$&`);

/** Finds a number only where it stands by itself, and not within another number, a time or a word. */
const wholeNumber = (text: string): RegExp =>
  new RegExp(String.raw`(?<![\w]|\d[.,:/-])${escaped(text)}(?![\w]|[.,:/-]\d)`);

/** Finds a method only between quotes, which are no part of it. */
const quoted = (text: string): RegExp => new RegExp(`(?<=")${escaped(text)}(?=")`);

function find({ text, pattern }: Needle, within: string, from: number): number {
  if (text === '') return -1;
  if (!pattern) return within.indexOf(text, from);
  // The whole text is looked at, since what is before a place decides, too.
  const every = new RegExp(pattern.source, 'g');
  every.lastIndex = from;
  return every.exec(within)?.index ?? -1;
}

/** Puts places in the stead of what they stand for in a text: the earliest first, and of those the longest. */
function withPlaces(text: string, needles: readonly Needle[]): TextTemplate {
  const parts: TextTemplate = [];
  let done = 0;
  while (done < text.length) {
    let found: { at: number; needle: Needle } | undefined;
    for (const needle of needles) {
      const at = find(needle, text, done);
      if (at < 0) continue;
      if (found && (at > found.at || (at === found.at && needle.text.length <= found.needle.text.length))) continue;
      found = { at, needle };
    }
    if (!found) break;
    if (found.at > done) parts.push(text.slice(done, found.at));
    parts.push(found.needle.place);
    done = found.at + found.needle.text.length;
  }
  return done >= text.length ? parts : [...parts, text.slice(done)];
}

function needlesOf({ person, token, sent = {}, method, path, waitSeconds, isSuccess }: Known): Needle[] {
  const texts = ModelField.options.flatMap((field): Needle[] => {
    const value = sent[field];
    return typeof value === 'string' && value.length >= 6 ? [{ text: value, place: { place: 'sent', field } }] : [];
  });
  const [email = '', name = ''] = [person?.email, person?.name];
  const itsOwn: Needle[] = [
    { text: email.length >= 6 ? email : '', place: { place: 'email' } },
    { text: email.length >= 6 ? email.toLowerCase() : '', place: { place: 'email' } },
    { text: name.length >= 6 ? name : '', place: { place: 'name' } },
  ];
  const wait = String(waitSeconds ?? '');
  return [
    { text: token ?? '', place: { place: 'token' } },
    ...(isSuccess ? [...itsOwn, ...texts] : [...texts, ...itsOwn]),
    { text: path.length > 4 ? path : '', place: { place: 'path' } },
    { text: wait, place: { place: 'wait' }, pattern: wholeNumber(wait) },
    { text: method, place: { place: 'method' }, pattern: quoted(method) },
  ];
}

/** Finds the places in a text of an answer. A method counts between quotes, and where a text repeats a whole request. */
export function placesIn(text: string, known: Known): TextTemplate {
  const { method, path } = known;
  const needles = needlesOf(known);
  const isRepeated = text.includes(path) && (text.startsWith(`${method} `) || text.includes(` ${method} `));
  if (!isRepeated) return withPlaces(text, needles);
  const at = text.startsWith(`${method} `) ? 0 : text.indexOf(` ${method} `) + 1;
  return [
    ...withPlaces(text.slice(0, at), needles),
    { place: 'method' },
    ...withPlaces(text.slice(at + method.length), needles),
  ];
}
