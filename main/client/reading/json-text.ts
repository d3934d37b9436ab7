import { holdsSecret } from '../secrets/is-secret.ts';
import { nameless, classifyName, type NameClass } from '../secrets/secret-names.ts';
import { JsonTokens, mayBeJson, type JsonToken } from './json.ts';

/** Reads JSON text part by part, and knows where in the whole each part stands. */
class PlacedTokens {
  readonly tokens: JsonTokens;
  /** The names and numbers that lead to the part that was read last. */
  readonly names: (string | number)[] = [];
  #last: JsonToken | undefined;

  constructor(text: string) {
    this.tokens = new JsonTokens(text);
  }

  next(): JsonToken {
    const { names } = this;
    const around = names.at(-1);
    if (this.#last === 'object') names.push('');
    else if (this.#last === 'list') names.push(0);
    else if (this.#last !== 'key' && typeof around === 'number') names[names.length - 1] = around + 1;
    this.#last = this.tokens.next();
    if (this.#last === 'key') names[names.length - 1] = this.tokens.string;
    else if (this.#last === 'close') names.pop();
    return this.#last;
  }
}

/** JSON text without its secrets: `null` stands for each, at the places that are named. */
export type RedactedJson = {
  text: string;
  leftOut: string[];
  /** How many more places there are than are named. */
  leftOutMore: number;
};

/** So many places are named, each with so many of the names that lead to it. */
const [mostNamed, mostNames, longestName] = [1000, 64, 200];

const pathOf = (names: readonly (string | number)[]): string =>
  names
    .slice(0, mostNames)
    .map((name) => (typeof name === 'number' ? `[${name}]` : `.${name.slice(0, longestName)}`))
    .join('')
    .replace(/^\./, '');

/** What stands for a name that holds a secret. */
export const hiddenName = '•••';

/** Says whether a text, or a number in its digits, is a secret, with what the names around it say. */
export type SecretPredicate = (text: string, naming: NameClass, isNumber?: boolean) => boolean;

/**
 * Puts `null` in the place of each secret of JSON text, and leaves every other sign as it was sent. JSON that stands in a
 * text of it is looked through as well. Undefined if the text is no JSON.
 * @param outer what the names around the text say
 */
export function redactJson(
  text: string,
  judge: SecretPredicate = holdsSecret,
  outer: NameClass = nameless,
): RedactedJson | undefined {
  const placed = new PlacedTokens(text);
  const { names, tokens } = placed;
  const kept: string[] = [];
  const leftOut: string[] = [];
  let leftOutMore = 0;
  let at = 0;
  /** Of each level that is open, what its names say. */
  const namings: NameClass[] = [];

  function replace(by: string): void {
    kept.push(text.slice(at, tokens.from), by);
    at = tokens.to;
  }
  function leaveOut(inner: Pick<RedactedJson, 'leftOut' | 'leftOutMore'>): void {
    const room = mostNamed - leftOut.length;
    const path = pathOf(names);
    leftOut.push(...inner.leftOut.slice(0, room).map((each) => (each === '' ? path : `${path}.${each}`)));
    leftOutMore += inner.leftOutMore + Math.max(0, inner.leftOut.length - room);
  }
  /** Looks through a text that may be JSON itself. */
  function opened(string: string, naming: NameClass): boolean {
    const inner = mayBeJson(string) ? redactJson(string, judge, naming) : undefined;
    if (!inner) return false;
    if (inner.leftOut.length > 0) {
      replace(JSON.stringify(inner.text));
      leaveOut(inner);
    }
    return true;
  }

  for (let token = placed.next(); token !== 'end'; token = placed.next()) {
    const level = names.length - 1;
    const naming = namings[level] ?? outer;
    if (token === 'broken') return undefined;
    if (token === 'key') {
      const key = tokens.string;
      namings[level] = classifyName(key, namings[level - 1] ?? outer);
      if (judge(key, nameless)) replace(JSON.stringify(hiddenName));
    } else if (token === 'list') namings[level + 1] = naming;
    else if (token === 'number' || token === 'string') {
      const value = token === 'number' ? text.slice(tokens.from, tokens.to) : tokens.string;
      if (token === 'string' && naming.says !== 'secret' && opened(value, naming)) continue;
      if (value === '' || !judge(value, naming, token === 'number')) continue;
      replace('null');
      leaveOut({ leftOut: [''], leftOutMore: 0 });
    }
  }
  return { text: kept.join('') + text.slice(at), leftOut, leftOutMore };
}

/** Says whether names are those of a place, and how many of the first ones are. */
const agreeing = (names: readonly (string | number)[], place: readonly string[]): boolean =>
  names.length === place.length && names.every((name, level) => String(name) === place[level]);

/** Parts a JSON pointer (RFC 6901) into its names. */
const namesIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

export const pointerOf = (names: readonly (string | number)[]): string =>
  names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * Returns what stands at a place of JSON text, as it was written: a text as it is meant, everything else as JSON. Of equal
 * names the last one counts.
 */
export function valueAtPointer(text: string, pointer: string): string | undefined {
  return valueUnder(text, namesIn(pointer));
}

function valueUnder(text: string, place: readonly string[]): string | undefined {
  const placed = new PlacedTokens(text);
  const { names, tokens } = placed;
  let found: string | undefined;
  let from: number | undefined;
  for (let token = placed.next(); token !== 'end' && token !== 'broken'; token = placed.next()) {
    if (token === 'key' || names.length > place.length) continue;
    const isHere = agreeing(names, place);
    if (token === 'string') {
      const { string } = tokens;
      // The place is in JSON that stands in a text.
      const outer = names.length < place.length && agreeing(names, place.slice(0, names.length));
      if (isHere) found = string;
      else if (outer) found = valueUnder(string, place.slice(names.length));
    } else if (isHere && (token === 'object' || token === 'list')) from = tokens.from;
    else if (isHere) found = text.slice(token === 'close' ? (from ?? tokens.from) : tokens.from, tokens.to);
  }
  return found;
}

/** Deeper levels are not indented further, since a text may be nothing but brackets. */
const deepestIndent = 40;

/** Puts JSON text into lines. Only blanks between its parts change. */
export function indentJson(text: string, indent = 0): string {
  const placed = new PlacedTokens(text);
  const { names, tokens } = placed;
  const written: string[] = [];
  let before: JsonToken | undefined;
  for (let token = placed.next(); token !== 'end' && token !== 'broken'; token = placed.next()) {
    const isFirst = before === 'object' || before === 'list';
    if (before !== undefined && before !== 'key' && !(isFirst && token === 'close')) {
      const comma = isFirst || token === 'close' ? '' : ',';
      written.push(`${comma}\n${'  '.repeat(Math.min(names.length, deepestIndent) + indent)}`);
    }
    written.push(text.slice(tokens.from, tokens.to), token === 'key' ? ': ' : '');
    before = token;
  }
  return written.join('');
}
