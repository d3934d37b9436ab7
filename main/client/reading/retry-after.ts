import { childByName, digitsOf, isList, isNumber, rootNode, type JsonValue, type JsonNode } from './json.ts';
import { dateOf, header, type ReceivedHeaders } from './headers.ts';
import { parseDate } from './parse-date.ts';
import { sentenceOf } from './sentences.ts';
import { groupsIn, isInWordList, wordList } from './vocabulary.ts';

type FoundWait = { value: number; path: string; rule: string };

/** Below this, a reset time is seconds from now. From here it is seconds since 1970, and far above, milliseconds. */
const epochFrom = 1e9;
const epochMillisecondsFrom = 1e12;

/**
 * Finds how long to wait, in whole seconds, in a failed answer: in `Retry-After`, then the rate-limit headers, the
 * body, the words. Undefined without a number. `now` serves answers that carry no Date of their own.
 */
export function findRetryAfter(
  answer: { status: number; headers: ReceivedHeaders; json: JsonValue; texts: readonly string[] },
  throttled: boolean,
  now: number,
): FoundWait | undefined {
  const from = dateOf(answer.headers) ?? now;
  const fromHeader = answer.status >= 400 || throttled ? inHeaders(answer.headers, throttled, from) : undefined;
  return fromHeader ?? inBody(answer.json) ?? (throttled ? inTexts(answer.texts) : undefined);
}

/** The most items that are read of a list of errors or details. */
const maxItems = 20;

type Read = (text: string, from: number) => number | undefined;

const always: readonly (readonly [name: string, read: Read])[] = [
  ['retry-after', (text, from) => longest(text) ?? until(date(text), from)],
];

const whenThrottled: typeof always = [
  ['ratelimit-reset', reset],
  // Both drafts have this one header: `limit=5, reset=42` and `"default";r=0;t=42`.
  ['ratelimit', (text) => seconds(/(?:reset=|;\s*t=)(\d+)/.exec(text)?.[1] ?? '')],
  ['x-ratelimit-reset', reset],
  ['x-rate-limit-reset', reset],
  ['x-rate-limit-retry-after-seconds', (text) => seconds(text)],
];

function inHeaders(headers: ReceivedHeaders, throttled: boolean, from: number): FoundWait | undefined {
  // The reset times are on every answer of such a server. They mean a wait only on one that was throttled.
  const names = throttled ? [...always, ...whenThrottled] : always;
  for (const [name, read] of names) {
    const text = header(headers, name);
    const value = text === undefined ? undefined : read(text, from);
    if (value !== undefined) return { value, path: `headers.${name}`, rule: `the response header ${name}` };
  }
  return undefined;
}

function inBody(json: JsonValue): FoundWait | undefined {
  const root = rootNode(json);
  // Google's RetryInfo is one of the details of an error.
  const places = placesIn(root);
  for (const place of [root, ...places, ...places.flatMap(placesIn)]) {
    for (const name of [...wordList('waits-in-seconds'), ...wordList('waits-in-milliseconds')]) {
      const found = childByName(place, name);
      const read = found && secondsIn(found.value);
      if (!found || read === undefined) continue;
      const value = isInWordList('waits-in-milliseconds', name) ? Math.ceil(read / 1000) : read;
      return { value, path: found.path, rule: `a field named ${name}` };
    }
  }
  return undefined;
}

function placesIn(place: JsonNode): JsonNode[] {
  return wordList('around-waits').flatMap((name) => {
    const inner = childByName(place, name);
    if (!inner) return [];
    if (!isList(inner.value)) return [inner];
    return inner.value.slice(0, maxItems).map((value, index) => ({ path: `${inner.path}[${index}]`, value }));
  });
}

/** Reads `57 seconds`, `en 2 minutos`, `in 1 minute and 30 seconds`. A limit such as `5 per 1 minute` is no wait. */
function inTexts(texts: readonly string[]): FoundWait | undefined {
  for (const text of texts.map(sentenceOf)) {
    const [minutes, seconds] = groupsIn('minutes-and-seconds', text);
    if (minutes !== undefined) {
      const value = Number(minutes) * 60 + Number(seconds);
      return { value, path: 'message', rule: 'minutes and seconds in the message' };
    }
    const [inSeconds] = groupsIn('seconds', text);
    if (inSeconds !== undefined)
      return { value: Number(inSeconds), path: 'message', rule: 'a number of seconds in the message' };
    const [count, unit] = groupsIn('minutes-or-hours', text);
    if (count !== undefined) {
      return unit?.toLowerCase() === 'min'
        ? { value: Number(count) * 60, path: 'message', rule: 'a number of minutes in the message' }
        : { value: Number(count) * 3600, path: 'message', rule: 'a number of hours in the message' };
    }
  }
  return undefined;
}

function secondsIn(value: JsonValue): number | undefined {
  if (isNumber(value)) return seconds(digitsOf(value));
  return typeof value === 'string' ? seconds(value) : undefined;
}

/** Reads one wait, or several of which each was written by another that stands in the way: the longest is all of them. */
function longest(text: string): number | undefined {
  const all = text.split(',').map(seconds);
  return all.every((each) => each !== undefined) ? Math.max(...all) : undefined;
}

/** Reads seconds, also as Protocol Buffers write a duration in JSON: `30s`. */
function seconds(text: string): number | undefined {
  const number = /^(\d{1,9}(?:\.\d+)?)s?$/.exec(text.trim())?.[1];
  return number === undefined ? undefined : Math.ceil(Number(number));
}

function reset(text: string, from: number): number | undefined {
  if (!/^\d{1,16}(?:\.\d+)?$/.test(text)) return until(date(text), from);
  const value = Number(text);
  if (value < epochFrom) return Math.ceil(value);
  return until(value >= epochMillisecondsFrom ? value : value * 1000, from);
}

/** Reads a date with its time of day, in milliseconds since 1970. */
function date(text: string): number {
  const moment = parseDate(text);
  return moment?.is === 'moment' ? moment.ms : Number.NaN;
}

function until(time: number, from: number): number | undefined {
  return Number.isNaN(time) ? undefined : Math.max(0, Math.ceil((time - from) / 1000));
}
