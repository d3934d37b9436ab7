import { header } from '../client/reading/headers.ts';
import type { Observation } from './observation.ts';
import { htmlToText } from './stack-traces.ts';

/** The requests that a server allows in a window, as far as known. */
export type RateLimit = { limit?: number | undefined; windowSeconds?: number | undefined };

const unitSeconds: Readonly<Record<string, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400 };

/** Only the start of a response is searched. */
const maxSearchedCharacters = 4_000;

const matchNumber = (text: string | undefined, pattern: RegExp): number | undefined => {
  const match = text === undefined ? undefined : pattern.exec(text.slice(0, 500))?.[1];
  return match === undefined ? undefined : Number(match);
};

/** Parses texts such as "5 per 1 minute", as Flask-Limiter and slowapi write them. */
function parseWords({ call, reading }: Observation): RateLimit {
  const body = (call?.response?.body ?? '').slice(0, maxSearchedCharacters);
  for (const text of [reading.summary.message ?? '', reading.trace.body.form === 'html' ? htmlToText(body) : body]) {
    const match = /\b(\d{1,9}) (?:requests? |calls? )?per (?:(\d{1,5}) )?(second|minute|hour|day)s?\b/i.exec(
      text.slice(0, maxSearchedCharacters),
    );
    const [, limit, count = '1', unit = ''] = match ?? [];
    if (limit !== undefined) {
      return { limit: Number(limit), windowSeconds: Number(count) * (unitSeconds[unit.toLowerCase()] ?? 1) };
    }
  }
  return {};
}

/**
 * Reads the rate limit of a response: `RateLimit-Policy` in all its drafts (`100;w=60`, `"default";q=60;w=60`),
 * `RateLimit`, the older `X-RateLimit-Limit`, or a text.
 */
export function readRateLimit(observation: Observation): RateLimit {
  const { headers } = observation;
  const policy = header(headers, 'ratelimit-policy') ?? header(headers, 'x-ratelimit-policy');
  const combined = header(headers, 'ratelimit');
  const legacy = ['ratelimit-limit', 'x-ratelimit-limit', 'x-rate-limit-limit']
    .map((name) => header(headers, name))
    .find((value) => value !== undefined);
  const words = parseWords(observation);
  return {
    limit:
      matchNumber(policy, /;\s{0,3}q=(\d{1,9})/) ??
      matchNumber(policy, /^\s{0,3}(\d{1,9})/) ??
      matchNumber(combined, /\blimit=(\d{1,9})/) ??
      matchNumber(legacy, /^\s{0,3}(\d{1,9})/) ??
      words.limit,
    windowSeconds:
      matchNumber(policy, /;\s{0,3}w=(\d{1,9})/) ?? matchNumber(legacy, /;\s{0,3}w=(\d{1,9})/) ?? words.windowSeconds,
  };
}
