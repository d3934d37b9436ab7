import { childByName, digitsOf, isList, isNumber, rootNode, type JsonValue, type JsonNode } from './json.ts';
import { dateOf, header, type ReceivedHeaders } from './headers.ts';
import { parseDate } from './parse-date.ts';
import { sentenceOf } from './sentences.ts';
import { groupsIn, isInWordList, wordList } from './vocabulary.ts';

type RetryDelay = { value: number; path: string; rule: string };

/** Below this, a reset time is seconds from now. From here it is seconds since 1970, and far above, milliseconds. */
const epochFrom = 1e9;
const epochMillisecondsFrom = 1e12;

/**
 * Finds the delay before a retry, in whole seconds: in `Retry-After`, the rate-limit headers, the body or its texts.
 * @param now for responses without a `Date`
 */
export function findRetryAfter(
  answer: { status: number; headers: ReceivedHeaders; json: JsonValue; texts: readonly string[] },
  isRateLimited: boolean,
  now: number,
): RetryDelay | undefined {
  const from = dateOf(answer.headers) ?? now;
  const fromHeader = answer.status >= 400 || isRateLimited ? inHeaders(answer.headers, isRateLimited, from) : undefined;
  return fromHeader ?? inBody(answer.json) ?? (isRateLimited ? inTexts(answer.texts) : undefined);
}

/** Of a list of errors or details. */
const maxItems = 20;

type HeaderReader = (text: string, from: number) => number | undefined;

const retryAfterHeaders: readonly (readonly [name: string, read: HeaderReader])[] = [
  ['retry-after', (text, from) => longest(text) ?? until(date(text), from)],
];

const rateLimitHeaders: typeof retryAfterHeaders = [
  ['ratelimit-reset', reset],
  // Both drafts have this one header: `limit=5, reset=42` and `"default";r=0;t=42`.
  ['ratelimit', (text) => seconds(/(?:reset=|;\s*t=)(\d+)/.exec(text)?.[1] ?? '')],
  ['x-ratelimit-reset', reset],
  ['x-rate-limit-reset', reset],
  ['x-rate-limit-retry-after-seconds', (text) => seconds(text)],
];

function inHeaders(headers: ReceivedHeaders, isRateLimited: boolean, from: number): RetryDelay | undefined {
  // Such a server sends reset times with every response. They are a delay only if it was rate-limited.
  const names = isRateLimited ? [...retryAfterHeaders, ...rateLimitHeaders] : retryAfterHeaders;
  for (const [name, read] of names) {
    const text = header(headers, name);
    const value = text === undefined ? undefined : read(text, from);
    if (value !== undefined) return { value, path: `headers.${name}`, rule: `the response header ${name}` };
  }
  return undefined;
}

function inBody(json: JsonValue): RetryDelay | undefined {
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
function inTexts(texts: readonly string[]): RetryDelay | undefined {
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
