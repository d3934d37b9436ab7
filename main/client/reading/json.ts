import { normalizeFieldName } from '../secrets/secret-names.ts';

/** An object as a server sent it. `values` has the keys as sent, `keys` the {@link normalizeFieldName}ed ones for look-ups. */
export type JsonObject = { values: ReadonlyMap<string, JsonValue>; keys: ReadonlyMap<string, string> };
export type JsonValue = string | number | LongNumber | boolean | null | readonly JsonValue[] | JsonObject;

/** A value and where it was: `data.user[0].email`, or `body` for the whole. `within` is what it was found in, under `key`. */
export type JsonNode = { path: string; value: JsonValue; parent?: { outer: JsonNode; key: string | number } };

export type Visited = { nodes: number; levels: number };

/** `left` is how many values are not in the tree: texts, numbers, words, and what is empty. */
type ReadJson = { json: JsonValue; visited: Visited; left: number };

const maxNodes = 20_000;
const maxLevels = 64;

/** An object or a list that is not read to its end. */
type Opened = { values: Map<string, JsonValue>; keys: Map<string, string> } | JsonValue[];

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

  function put(around: Opened, key: string, value: JsonValue): void {
    if (Array.isArray(around)) return void around.push(value);
    const folded = foldedKeys.get(key) ?? normalizeFieldName(key);
    foldedKeys.set(key, folded);
    around.values.set(key, value);
    if (!around.keys.has(folded)) around.keys.set(folded, key);
  }

  function leafOf(token: Leaf, tokens: JsonTokens, level: number): JsonValue {
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
  function read(text: string, outer: number): JsonValue | undefined {
    const tokens = new JsonTokens(text);
    const root: JsonValue[] = [];
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
export const isNumber = (value: JsonValue | undefined): value is number | LongNumber =>
  typeof value === 'number' || (typeof value === 'object' && value !== null && 'digits' in value);

/** Returns a number as JavaScript counts with it, and nothing for what is no number. */
export const numberOf = (value: JsonValue | undefined): number | undefined =>
  isNumber(value) ? Number(digitsOf(value)) : undefined;

/** Returns a text as it is, and a number in its digits. */
export const textOrDigits = (value: string | number | LongNumber): string =>
  typeof value === 'string' ? value : digitsOf(value);

/** Returns a number as it was sent. */
export const digitsOf = (number: number | LongNumber): string =>
  typeof number === 'number' ? String(number) : number.digits;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && 'values' in value && !Array.isArray(value);
}

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** More errors than these say nothing more. */
const mostItems = 200;

/** The first items of a list that many rules look into. */
export function firstItems(list: readonly JsonValue[]): readonly JsonValue[] {
  return list.length <= mostItems ? list : list.slice(0, mostItems);
}

/** Empty is what says nothing: `null`, `""`, `{}`, `[]`. */
export function isEmpty(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  if (isList(value)) return value.length === 0;
  return isJsonObject(value) && value.values.size === 0;
}

/** Returns the value under the exact name, else under the first key that differs in case, accents or separators. */
export function get(value: JsonValue | undefined, name: string): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  const key = findKey(value, name);
  return key === undefined ? undefined : value.values.get(key);
}

export function findKey({ values, keys }: JsonObject, name: string): string | undefined {
  return values.has(name) ? name : keys.get(foldedName(name));
}

/** The names looked for are those of our tables: few, and asked for at every object. */
const foldedNames = new Map<string, string>();

function foldedName(name: string): string {
  const known = foldedNames.get(name);
  if (known !== undefined) return known;
  const folded = normalizeFieldName(name);
  foldedNames.set(name, folded);
  return folded;
}

/** Does as {@link get}, with the path grown by the key as sent. */
export function childByName(parent: JsonNode, name: string): JsonNode | undefined {
  if (!isJsonObject(parent.value)) return undefined;
  const key = findKey(parent.value, name);
  const value = key === undefined ? undefined : parent.value.values.get(key);
  return key === undefined || value === undefined ? undefined : childNode(parent, key, value);
}

export const rootPath = 'body';

/** The whole of what was read, as a place. */
export const rootNode = (value: JsonValue): JsonNode => ({ path: rootPath, value });

/** Returns what stands under names one below the other, such as `error.meta`, with none for the whole. */
export const follow = (value: JsonValue, names: string): JsonNode | undefined =>
  names
    .split('.')
    .filter((name) => name !== '')
    .reduce<JsonNode | undefined>((place, name) => place && childByName(place, name), rootNode(value));

/** What an object holds under a key, or a list at an index. */
export const childNode = (outer: JsonNode, key: string | number, value: JsonValue): JsonNode => ({
  path: typeof key === 'number' ? `${outer.path}[${key}]` : appendKey(outer.path, key),
  value,
  parent: { outer, key },
});

/**
 * Returns the value at a path such as {@link appendKey} makes it: `data.user[0].email`, or `body` for the whole. Names are
 * taken as written, and may hold dots of their own.
 */
export function atPath(root: JsonNode, path: string): JsonNode | undefined {
  if (path === '' || (path === rootPath && root.path === rootPath)) return root;
  const index = /^\[(\d{1,5})\]\.?/.exec(path);
  if (index) {
    const value = isList(root.value) ? root.value[Number(index[1])] : undefined;
    if (value === undefined) return undefined;
    return atPath(childNode(root, Number(index[1]), value), path.slice(index[0].length));
  }
  if (!isJsonObject(root.value)) return undefined;
  for (const [key, value] of root.value.values) {
    if (key === '' || !path.startsWith(key)) continue;
    const rest = path.slice(key.length);
    if (rest !== '' && !rest.startsWith('.') && !rest.startsWith('[')) continue;
    const found = atPath(childNode(root, key, value), rest.replace(/^\./, ''));
    if (found) return found;
  }
  return undefined;
}

/** Returns the first element of a list, which stands for one thing. */
export function firstElement(located: JsonNode | undefined): JsonNode | undefined {
  if (!located || !isList(located.value)) return located;
  const value = located.value[0];
  return value === undefined ? undefined : childNode(located, 0, value);
}

export function appendKey(path: string, key: string): string {
  return path === rootPath ? key : `${path}.${key}`;
}

export function nonEmptyText(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/**
 * Writes compact JSON again, numbers as they were sent.
 * @param replaced what stands in the place of a text, or of whatever is under a key
 */
export function serializeJson(
  value: JsonValue,
  replaced: (text: string, isKey: boolean) => string | undefined,
): string {
  if (typeof value === 'string') return JSON.stringify(replaced(value, false) ?? value);
  if (isNumber(value)) return digitsOf(value);
  if (isList(value)) return `[${value.map((item) => serializeJson(item, replaced)).join(',')}]`;
  if (!isJsonObject(value)) return String(value);
  const members = [...value.values].map(
    ([key, inner]) => `${JSON.stringify(key)}:${serializeJson(replaced(key, true) ?? inner, replaced)}`,
  );
  return `{${members.join(',')}}`;
}

/** What a part of JSON text is. */
export type JsonToken =
  | 'object'
  | 'list'
  /** The end of the object or the list that was opened last. */
  | 'close'
  | 'key'
  | 'string'
  | 'number'
  | 'true'
  | 'false'
  | 'null'
  /** The text is over, and was JSON. */
  | 'end'
  /** From here on the text is no JSON. */
  | 'broken';

/** A number with its digits as they were written, which JavaScript might change: `1379505554728411138`, `1.0`, `1e400`. */
export type LongNumber = { readonly digits: string };

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];
const [minus, plus, point, nought, nine] = [0x2d, 0x2b, 0x2e, 0x30, 0x39];
const [letterE, letterT, letterF, letterN] = [0x65, 0x74, 0x66, 0x6e];
/** A capital lacks this bit of its small letter. */
const small = 0x20;

/** What stands in a string for another character. */
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
/** What stands in a string for itself. */
// oxlint-disable-next-line eslint/no-control-regex -- JSON forbids them in strings.
const plain = /[^"\\\0-\x1f]*/y;
/** Whole numbers up to so many digits are the same in JavaScript, but `-0`. */
const shortNumber = 15;

/** What may come next. `first` is what may also close what was opened just now. */
type Wanted = 'value' | 'first value' | 'key' | 'first key' | 'comma' | 'end';

/** Which objects and lists are open, a byte each: an array of 8 million brackets took 160 MB. */
class Nesting {
  #kinds = new Uint8Array(64);
  depth = 0;

  /** Whether what was opened last is an object. */
  get isInObject(): boolean {
    return this.#kinds[this.depth - 1] === 1;
  }

  open(isObject: boolean): void {
    if (this.depth === this.#kinds.length) {
      const more = new Uint8Array(this.depth * 2);
      more.set(this.#kinds);
      this.#kinds = more;
    }
    this.#kinds[this.depth] = isObject ? 1 : 0;
    this.depth += 1;
  }

  close(): void {
    this.depth -= 1;
  }
}

/**
 * Scans JSON text (RFC 8259) token by token, by the grammar of `JSON.parse`: in linear time, whatever the depth, and without
 * creating values, so that the reader decides how many there are. The scanner of `jsonc-parser` 3.3 creates a string for
 * each character of whitespace and each escape: 16 MB of blanks took it 15 s and 390 MB, and this 0.5 s and 16 MB.
 */
export class JsonTokens {
  readonly #text: string;
  readonly #opened = new Nesting();
  #wanted: Wanted = 'value';
  #at = 0;
  #hasEscapes = false;
  #isShortNumber = false;
  /** Where the part that was read last begins, and where it ends. */
  from = 0;
  to = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads the next part. It is not asked again after `end` or `broken`. */
  next(): JsonToken {
    let code = this.#codeAfterBlanks();
    if (this.#wanted === 'comma') {
      if (code !== comma) return this.#close(code);
      this.#at += 1;
      this.#wanted = this.#opened.isInObject ? 'key' : 'value';
      code = this.#codeAfterBlanks();
    }
    this.from = this.#at;
    switch (this.#wanted) {
      case 'key':
        return this.#key(code);
      case 'first key':
        return code === closeObject ? this.#close(code) : this.#key(code);
      case 'value':
        return this.#value(code);
      case 'first value':
        return code === closeList ? this.#close(code) : this.#value(code);
      case 'end':
        return this.#at === this.#text.length ? 'end' : 'broken';
      default:
        return this.#wanted satisfies never;
    }
  }

  /** The key or the string that was read last, as it is meant. */
  get string(): string {
    return this.#hasEscapes
      ? String(JSON.parse(this.#text.slice(this.from, this.to)))
      : this.#text.slice(this.from + 1, this.to - 1);
  }

  /** The number that was read last. Only a short whole one is JavaScript's own. */
  get number(): number | LongNumber {
    const digits = this.#text.slice(this.from, this.to);
    return this.#isShortNumber ? Number(digits) : { digits };
  }

  #codeAfterBlanks(): number {
    const text = this.#text;
    let at = this.#at;
    let code = text.charCodeAt(at);
    while (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
      at += 1;
      code = text.charCodeAt(at);
    }
    this.#at = at;
    return code;
  }

  #close(code: number): JsonToken {
    if (code !== (this.#opened.isInObject ? closeObject : closeList)) return 'broken';
    this.#opened.close();
    this.from = this.#at;
    return this.#ends(this.#at + 1, 'close');
  }

  /** What follows a value depends on whether something is open. */
  #ends(at: number, token: JsonToken): JsonToken {
    this.#at = at;
    this.to = at;
    this.#wanted = this.#opened.depth > 0 ? 'comma' : 'end';
    return token;
  }

  #key(code: number): JsonToken {
    const end = code === quote ? this.#endOfString() : -1;
    if (end < 0) return 'broken';
    this.to = end;
    this.#at = end;
    if (this.#codeAfterBlanks() !== colon) return 'broken';
    this.#at += 1;
    this.#wanted = 'value';
    return 'key';
  }

  #value(code: number): JsonToken {
    switch (code) {
      case quote: {
        const end = this.#endOfString();
        return end < 0 ? 'broken' : this.#ends(end, 'string');
      }
      case openObject:
      case openList:
        this.#at += 1;
        this.to = this.#at;
        this.#opened.open(code === openObject);
        this.#wanted = code === openObject ? 'first key' : 'first value';
        return code === openObject ? 'object' : 'list';
      case letterT:
        return this.#word('true');
      case letterF:
        return this.#word('false');
      case letterN:
        return this.#word('null');
      default: {
        const end = this.#endOfNumber(code);
        return end < 0 ? 'broken' : this.#ends(end, 'number');
      }
    }
  }

  #word(word: 'true' | 'false' | 'null'): JsonToken {
    return this.#text.startsWith(word, this.#at) ? this.#ends(this.#at + word.length, word) : 'broken';
  }

  /** Where the string that begins here ends; -1 if there is no string. */
  #endOfString(): number {
    const text = this.#text;
    this.#hasEscapes = false;
    for (let at = this.#at + 1; ;) {
      plain.lastIndex = at;
      plain.test(text);
      at = plain.lastIndex;
      const code = text.charCodeAt(at);
      if (code === quote) return at + 1;
      // A control character, or the end of the text.
      if (code !== backslash) return -1;
      this.#hasEscapes = true;
      escape.lastIndex = at;
      if (!escape.test(text)) return -1;
      at = escape.lastIndex;
    }
  }

  /** Where the number that begins here ends; -1 if there is no number. */
  #endOfNumber(first: number): number {
    const text = this.#text;
    const whole = first === minus ? this.#at + 1 : this.#at;
    let at = this.#afterDigits(whole);
    const startsWithNought = text.charCodeAt(whole) === nought;
    if (at === whole || (startsWithNought && at > whole + 1)) return -1;
    this.#isShortNumber = at - whole <= shortNumber && !(startsWithNought && whole > this.#at);
    if (text.charCodeAt(at) === point) {
      const fraction = at + 1;
      at = this.#afterDigits(fraction);
      if (at === fraction) return -1;
      this.#isShortNumber = false;
    }
    if ((text.charCodeAt(at) | small) !== letterE) return at;
    const sign = text.charCodeAt(at + 1);
    const exponent = sign === plus || sign === minus ? at + 2 : at + 1;
    at = this.#afterDigits(exponent);
    this.#isShortNumber = false;
    return at === exponent ? -1 : at;
  }

  #afterDigits(from: number): number {
    let at = from;
    for (let code = this.#text.charCodeAt(at); code >= nought && code <= nine; code = this.#text.charCodeAt(at))
      at += 1;
    return at;
  }
}
