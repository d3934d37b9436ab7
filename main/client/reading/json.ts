import { fold } from '../../secrets/secret-names.ts';
import { JsonTokens, type LongNumber } from './json-tokens.ts';

export type { LongNumber };

/** An object as a server sent it. `values` has the keys as sent, `keys` the {@link fold}ed ones for look-ups. */
export type JsonObject = { values: ReadonlyMap<string, Json>; keys: ReadonlyMap<string, string> };
export type Json = string | number | LongNumber | boolean | null | readonly Json[] | JsonObject;

/** A value and where it was: `data.user[0].email`, or `body` for the whole. `within` is what it was found in, under `key`. */
export type Located = { path: string; value: Json; within?: { outer: Located; key: string | number } };

export type Visited = { nodes: number; levels: number };

/** `left` is how many values are not in the tree: texts, numbers, words, and what is empty. */
export type ReadJson = { json: Json; visited: Visited; left: number };

const maxNodes = 20_000;
const maxLevels = 64;

/** An object or a list that is not read to its end. */
type Opened = { values: Map<string, Json>; keys: Map<string, string> } | Json[];

/**
 * Reads a text as JSON into a tree of at most 64 levels, so that every later step is bounded whatever a server sends. What
 * lies beyond is left out as if it had not been sent. Undefined if the text is no JSON. Of equal keys the last one counts.
 *
 * @param opensTexts whether an object or a list that is written as JSON in a text is taken for what it is
 */
export function readJson(
  text: string,
  { opensTexts = true, mostNodes = maxNodes }: { opensTexts?: boolean; mostNodes?: number } = {},
): ReadJson | undefined {
  const visited: Visited = { nodes: 0, levels: 0 };
  const foldedKeys = new Map<string, string>();
  let left = 0;

  function put(around: Opened, key: string, value: Json): void {
    if (Array.isArray(around)) return void around.push(value);
    const folded = foldedKeys.get(key) ?? fold(key);
    foldedKeys.set(key, folded);
    around.values.set(key, value);
    if (!around.keys.has(folded)) around.keys.set(folded, key);
  }

  function leafOf(token: Leaf, tokens: JsonTokens, level: number): Json {
    if (token === 'number') return tokens.number;
    if (token !== 'string') return words[token];
    const { string } = tokens;
    if (!opensTexts || !mayBeJson(string)) return string;
    const before = { ...visited };
    // What it holds counts in the place of the text.
    visited.nodes -= 1;
    const opened = read(string, level - 1);
    if (opened === undefined) Object.assign(visited, before);
    return opened ?? string;
  }

  /** @param outer the number of levels around the text */
  function read(text: string, outer: number): Json | undefined {
    const tokens = new JsonTokens(text);
    const root: Json[] = [];
    const opened: Opened[] = [root];
    let key = '';
    /** How many objects and lists are open of what is left out. */
    let leftOut = 0;
    let wasOpened = false;
    for (let token = tokens.next(); token !== 'end'; token = tokens.next()) {
      if (token === 'broken') return undefined;
      const level = outer + opened.length;
      const opens = token === 'object' || token === 'list';
      if (leftOut > 0 || (token !== 'close' && (visited.nodes >= mostNodes || level > maxLevels))) {
        leftOut += opens ? 1 : token === 'close' ? -1 : 0;
        if (token !== 'key' && !opens && (token !== 'close' || wasOpened)) left += 1;
        wasOpened = opens;
        continue;
      }
      if (token === 'close') opened.pop();
      else if (token === 'key') key = tokens.string;
      else {
        visited.nodes += 1;
        visited.levels = Math.max(visited.levels, level);
        const around = opened.at(-1) ?? root;
        if (token === 'object' || token === 'list') {
          const made: Opened = token === 'list' ? [] : { values: new Map(), keys: new Map() };
          put(around, key, made);
          opened.push(made);
        } else put(around, key, leafOf(token, tokens, level));
      }
    }
    return root[0];
  }

  const json = read(text, 0);
  return json === undefined ? undefined : { json, visited, left };
}

const words = { true: true, false: false, null: null } as const;
type Leaf = 'string' | 'number' | keyof typeof words;

/**
 * Whether a text may be an object or a list that a server wrote as JSON and sent as a text: `response()->json($errors->toJson())`
 * in Laravel, the `body` of a Lambda function, the message of a ZodError.
 */
export const mayBeJson = (text: string): boolean =>
  /^\s{0,9}(?:\{\s*["}]|\[\s*[[{"\]])/.test(text) && /[}\]]\s{0,9}$/.test(text);

/** Whether a value is a number, of whatever length. */
export const isNumber = (value: Json | undefined): value is number | LongNumber =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && 'digits' in value);

/** Returns a number as JavaScript counts with it, and nothing for what is no number. */
export const numberOf = (value: Json | undefined): number | undefined =>
  isNumber(value) ? Number(digitsOf(value)) : undefined;

/** Returns a text as it is, and a number in its digits. */
export const textOrDigits = (value: string | number | LongNumber): string =>
  typeof value === 'string' ? value : digitsOf(value);

/** Returns a number as it was sent. */
export const digitsOf = (number: number | LongNumber): string =>
  typeof number === 'number' ? String(number) : number.digits;

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && 'values' in value && !Array.isArray(value);
}

export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whoever lists more errors than these says nothing more by them. */
const mostItems = 200;

/** The first items of a list that many rules look into. */
export function firstItems(list: readonly Json[]): readonly Json[] {
  return list.length <= mostItems ? list : list.slice(0, mostItems);
}

/** Empty is what says nothing: `null`, `""`, `{}`, `[]`. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (isList(value)) return value.length === 0;
  return isObject(value) && value.values.size === 0;
}

/** Returns the value under the exact name, else under the first key that differs in case, accents or separators. */
export function get(value: Json | undefined, name: string): Json | undefined {
  if (!isObject(value)) return undefined;
  const key = keyOf(value, name);
  return key === undefined ? undefined : value.values.get(key);
}

export function keyOf({ values, keys }: JsonObject, name: string): string | undefined {
  return values.has(name) ? name : keys.get(foldedName(name));
}

/** The names looked for are those of our tables: few, and asked for at every object. */
const foldedNames = new Map<string, string>();

function foldedName(name: string): string {
  const known = foldedNames.get(name);
  if (known !== undefined) return known;
  const folded = fold(name);
  foldedNames.set(name, folded);
  return folded;
}

/** Does as {@link get}, with the path grown by the key as sent. */
export function at(parent: Located, name: string): Located | undefined {
  if (!isObject(parent.value)) return undefined;
  const key = keyOf(parent.value, name);
  const value = key === undefined ? undefined : parent.value.values.get(key);
  return key === undefined || value === undefined ? undefined : inside(parent, key, value);
}

/** What an object holds under a key, or a list at an index. */
export const inside = (outer: Located, key: string | number, value: Json): Located => ({
  path: typeof key === 'number' ? `${outer.path}[${key}]` : grow(outer.path, key),
  value,
  within: { outer, key },
});

/**
 * Returns the value at a path such as {@link grow} makes it: `data.user[0].email`, or `body` for the whole. Names are
 * taken as written, and may hold dots of their own.
 */
export function atPath(root: Located, path: string): Located | undefined {
  if (path === '' || (path === wholeBody && root.path === wholeBody)) return root;
  const index = /^\[(\d{1,5})\]\.?/.exec(path);
  if (index) {
    const value = isList(root.value) ? root.value[Number(index[1])] : undefined;
    if (value === undefined) return undefined;
    return atPath(inside(root, Number(index[1]), value), path.slice(index[0].length));
  }
  if (!isObject(root.value)) return undefined;
  for (const [key, value] of root.value.values) {
    if (key === '' || !path.startsWith(key)) continue;
    const rest = path.slice(key.length);
    if (rest !== '' && !rest.startsWith('.') && !rest.startsWith('[')) continue;
    const found = atPath(inside(root, key, value), rest.replace(/^\./, ''));
    if (found) return found;
  }
  return undefined;
}

/** Returns the first element of a list, which stands for one thing. */
export function first(located: Located | undefined): Located | undefined {
  if (!located || !isList(located.value)) return located;
  const value = located.value[0];
  return value === undefined ? undefined : inside(located, 0, value);
}

export const wholeBody = 'body';

export function grow(path: string, key: string): string {
  return path === wholeBody ? key : `${path}.${key}`;
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/**
 * Writes compact JSON again, numbers as they were sent.
 * @param replaced what stands in the place of a text, or of whatever is under a key
 */
export function writeJson(value: Json, replaced: (text: string, isKey: boolean) => string | undefined): string {
  if (typeof value === 'string') return JSON.stringify(replaced(value, false) ?? value);
  if (isNumber(value)) return digitsOf(value);
  if (isList(value)) return `[${value.map((item) => writeJson(item, replaced)).join(',')}]`;
  if (!isObject(value)) return String(value);
  const members = [...value.values].map(
    ([key, inner]) => `${JSON.stringify(key)}:${writeJson(replaced(key, true) ?? inner, replaced)}`,
  );
  return `{${members.join(',')}}`;
}
