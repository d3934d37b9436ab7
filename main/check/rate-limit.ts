import { header } from '../client/reading/headers.ts';
import type { Observation } from './observation.ts';
import { htmlToText } from './stack-traces.ts';

/** How many calls a server allows in how much time, as far as it says so. */
export type RateLimit = { limit?: number | undefined; windowSeconds?: number | undefined };

const unitSeconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** Only the beginning of an answer is searched for words. */
const searchedCharacters = 4_000;

const numberIn = (text: string | undefined, pattern: RegExp): number | undefined => {
  const found = text === undefined ? undefined : pattern.exec(text.slice(0, 500))?.[1];
  return found === undefined ? undefined : Number(found);
};

/** Reads words such as "5 per 1 minute", as Flask-Limiter and slowapi write them. */
function ofWords({ call, reading }: Observation): RateLimit {
  const body = (call?.response?.body ?? '').slice(0, searchedCharacters);
  for (const text of [reading.summary.message ?? '', reading.trace.body.form === 'html' ? htmlToText(body) : body]) {
    const found = /\b(\d{1,9}) (?:requests? |calls? )?per (?:(\d{1,5}) )?(second|minute|hour|day)s?\b/i.exec(
      text.slice(0, searchedCharacters),
    );
    const [, limit, count = '1', unit = ''] = found ?? [];
    if (limit !== undefined) {
      return { limit: Number(limit), windowSeconds: Number(count) * (unitSeconds[unit.toLowerCase()] ?? 1) };
    }
  }
  return {};
}

/**
 * Reads the limit that an answer tells of: `RateLimit-Policy` in all its drafts (`100;w=60`, `"default";q=60;w=60`),
 * `RateLimit`, the older `X-RateLimit-Limit`, or words.
 */
export function readRateLimit(seen: Observation): RateLimit {
  const { headers } = seen;
  const policy = header(headers, 'ratelimit-policy') ?? header(headers, 'x-ratelimit-policy');
  const combined = header(headers, 'ratelimit');
  const old = ['ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit']
    .map((name) => header(headers, name))
    .find((value) => value !== undefined);
  const words = ofWords(seen);
  return {
    limit:
      numberIn(policy, /;\s{0,3}q=(\d{1,9})/) ??
      numberIn(policy, /^\s{0,3}(\d{1,9})/) ??
      numberIn(combined, /\blimit=(\d{1,9})/) ??
      numberIn(old, /^\s{0,3}(\d{1,9})/) ??
      words.limit,
    windowSeconds:
      numberIn(policy, /;\s{0,3}w=(\d{1,9})/) ?? numberIn(old, /;\s{0,3}w=(\d{1,9})/) ?? words.windowSeconds,
  };
}
