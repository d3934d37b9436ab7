/** A description as JSON. The form edits the places that it knows, and leaves everything else as it is. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export interface JsonObject {
  [name: string]: Json;
}

/** The names that lead to a value. */
export type Place = readonly (string | number)[];

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the object that a text is, or undefined for any other text. */
export function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const writeObject = (value: JsonObject): string => `${JSON.stringify(value, undefined, 2)}\n`;

export function valueAt(value: Json | undefined, place: Place): Json | undefined {
  const [name, ...rest] = place;
  if (name === undefined) return value;
  if (Array.isArray(value)) return typeof name === 'number' ? valueAt(value[name], rest) : undefined;
  return isObject(value) && Object.hasOwn(value, name) ? valueAt(value[name], rest) : undefined;
}

export function textAt(value: Json | undefined, place: Place): string | undefined {
  const found = valueAt(value, place);
  return typeof found === 'string' ? found : undefined;
}

/** Returns the value with another one in a place. Undefined takes away what is there; what leads to it is made. */
function withValue(value: Json | undefined, place: Place, next: Json | undefined): Json | undefined {
  const [name, ...rest] = place;
  if (name === undefined) return next;
  if (Array.isArray(value) && typeof name === 'number') {
    const changed = withValue(value[name], rest, next);
    return value.flatMap((each, index) => (index === name ? (changed === undefined ? [] : [changed]) : [each]));
  }
  const before = isObject(value) ? value : {};
  const changed = withValue(Object.hasOwn(before, name) ? before[name] : undefined, rest, next);
  if (changed === undefined) return Object.fromEntries(Object.entries(before).filter(([key]) => key !== name));
  return { ...before, [name]: changed };
}

/** The same at an object, which stays one. */
export function withAt(object: JsonObject, place: Place, next: Json | undefined): JsonObject {
  const changed = withValue(object, place, next);
  return isObject(changed) ? changed : object;
}
