import { fold } from '../../secrets/secret-names.ts';

/** An object as a server sent it. `values` has the keys as sent, `keys` the {@link fold}ed ones for look-ups. */
export type JsonObject = { values: ReadonlyMap<string, Json>; keys: ReadonlyMap<string, string> };
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A value and where it was: `data.user[0].email`, or `body` for the whole. */
export type Located = { path: string; value: Json };

export type Visited = { nodes: number; levels: number };

const maxNodes = 20_000;
const maxLevels = 64;

/**
 * Copies parsed JSON into a tree of at most {@link maxNodes} values and {@link maxLevels} levels, so that every later
 * step is bounded whatever a server sends. What lies beyond is left out as if it had not been sent.
 */
export function boundedCopy(body: unknown): { json: Json; visited: Visited } {
  const visited: Visited = { nodes: 0, levels: 0 };

  function copy(value: unknown, level: number): Json | undefined {
    if (visited.nodes >= maxNodes) return undefined;
    visited.nodes += 1;
    visited.levels = Math.max(visited.levels, level);
    if (typeof value === 'string') {
      const written = jsonInText(value);
      return written === undefined
        ? value
        : Array.isArray(written)
          ? copyList(written, level)
          : copyObject(written, level);
    }
    if (value === null || typeof value === 'boolean') return value;
    if (typeof value === 'number') return Number.isFinite(value) ? value : null;
    if (typeof value !== 'object') return undefined;
    return Array.isArray(value) ? copyList(value, level) : copyObject(value, level);
  }

  function copyList(list: readonly unknown[], level: number): Json[] {
    const copied: Json[] = [];
    for (const item of list) {
      if (visited.nodes >= maxNodes || level >= maxLevels) break;
      const inner = copy(item, level + 1);
      if (inner !== undefined) copied.push(inner);
    }
    return copied;
  }

  function copyObject(object: object, level: number): JsonObject {
    const values = new Map<string, Json>();
    const keys = new Map<string, string>();
    for (const key of Object.keys(object)) {
      if (visited.nodes >= maxNodes || level >= maxLevels) break;
      const inner = copy(Reflect.get(object, key), level + 1);
      if (inner === undefined) continue;
      values.set(key, inner);
      const folded = fold(key);
      if (!keys.has(folded)) keys.set(folded, key);
    }
    return { values, keys };
  }

  return { json: copy(body, 1) ?? null, visited };
}

/**
 * Reads an object or a list that a server wrote as JSON and sent as a text: `response()->json($errors->toJson())` in
 * Laravel, the `body` of a Lambda function, the message of a ZodError.
 */
function jsonInText(text: string): object | undefined {
  if (!/^\s{0,9}(?:\{\s*["}]|\[\s*[[{"\]])/.test(text) || !/[}\]]\s{0,9}$/.test(text)) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
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
  return key === undefined || value === undefined ? undefined : { path: grow(parent.path, key), value };
}

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
    return atPath({ path: `${root.path}[${index[1]}]`, value }, path.slice(index[0].length));
  }
  if (!isObject(root.value)) return undefined;
  for (const [key, value] of root.value.values) {
    if (key === '' || !path.startsWith(key)) continue;
    const rest = path.slice(key.length);
    if (rest !== '' && !rest.startsWith('.') && !rest.startsWith('[')) continue;
    const found = atPath({ path: grow(root.path, key), value }, rest.replace(/^\./, ''));
    if (found) return found;
  }
  return undefined;
}

/** Returns the first element of a list, which stands for one thing. */
export function first(located: Located | undefined): Located | undefined {
  if (!located || !isList(located.value)) return located;
  const value = located.value[0];
  return value === undefined ? undefined : { path: `${located.path}[0]`, value };
}

export const wholeBody = 'body';

export function grow(path: string, key: string): string {
  return path === wholeBody ? key : `${path}.${key}`;
}

export function textOf(value: Json | undefined): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** Makes compact JSON again, with `replaced` deciding about each key. */
export function toPlain(value: Json, replaced: (key: string) => string | undefined): unknown {
  if (isList(value)) return value.map((item) => toPlain(item, replaced));
  if (!isObject(value)) return value;
  return Object.fromEntries([...value.values].map(([key, inner]) => [key, replaced(key) ?? toPlain(inner, replaced)]));
}
