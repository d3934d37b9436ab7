import { parseDate } from './parse-date.ts';

/** Received headers, with names in any case. One value is a text, several are a list of texts. */
export type ReceivedHeaders = Readonly<Record<string, unknown>>;

/** The first non-empty value of each header, by its name in small letters. */
const firstValues = new WeakMap<ReceivedHeaders, ReadonlyMap<string, string>>();

/** The first non-empty value of a header. */
export const header = (headers: ReceivedHeaders, name: string): string | undefined => allHeaders(headers).get(name);

/** The first non-empty value of each header, by its name in small letters. */
export function allHeaders(headers: ReceivedHeaders): ReadonlyMap<string, string> {
  const known = firstValues.get(headers) ?? firstValuesOf(headers);
  firstValues.set(headers, known);
  return known;
}

/** An answer may have two thousand headers, and is asked for some fifty. */
function firstValuesOf(headers: ReceivedHeaders): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const [given, value] of Object.entries(headers)) {
    const name = given.toLowerCase();
    if (first.has(name)) continue;
    const text = [value]
      .flat()
      .map((each) => (typeof each === 'string' || typeof each === 'number' ? String(each).trim() : ''))
      .find((each) => each !== '');
    if (text !== undefined) first.set(name, text);
  }
  return first;
}

/** Returns what the clock of the server was when it answered, in milliseconds since 1970, if it says so. */
export function dateOf(headers: ReceivedHeaders): number | undefined {
  const moment = parseDate(header(headers, 'date') ?? '');
  return moment?.is === 'moment' ? moment.ms : undefined;
}

/** Returns headers as they came, by their names in small letters. */
export function receivedHeaders(rawHeaders: readonly (readonly [name: string, value: string])[]): ReceivedHeaders {
  const values = new Map<string, string[]>();
  for (const [name, value] of rawHeaders) {
    const key = name.toLowerCase();
    const known = values.get(key);
    if (known) known.push(value);
    else values.set(key, [value]);
  }
  return Object.fromEntries(values);
}
