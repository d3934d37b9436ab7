import type { SessionExpiry } from '../../../preload/contract/settings.ts';
import type { Interpretation } from '../../client/parse-response.ts';
import { toLocalClock } from '../../client/reading/parse-date.ts';
import { claimedExpiry } from '../../client/reading/json-web-token.ts';

/** In characters. */
const longestFieldName = 100;

/**
 * When a session ends, by the clock of this computer: as the first response says that has it, else as known before, else
 * by the token's own claim. Undefined if none of them says it.
 * @param now ISO 8601, when a lifetime in seconds began
 */
export function resolveSessionEnd(options: {
  token: string;
  readings: readonly (Interpretation | undefined)[];
  known?: SessionExpiry | undefined;
  now: string;
}): SessionExpiry | undefined {
  const { token, readings, known, now } = options;
  const nowMs = Date.parse(now);
  const isoOf = (ms: number, reading: Interpretation | undefined): string =>
    new Date(toLocalClock(ms, reading?.dateMs, nowMs)).toISOString();
  for (const reading of readings) {
    const end = reading?.sessionExpiry;
    if (!end) continue;
    const at = 'atMs' in end ? isoOf(end.atMs, reading) : new Date(nowMs + end.seconds * 1000).toISOString();
    return { at, by: end.name.slice(0, longestFieldName), in: 'answer' };
  }
  if (known) return known;
  const claimed = claimedExpiry(token);
  return claimed === undefined ? undefined : { at: isoOf(claimed, readings[0]), by: 'exp', in: 'token' };
}

/** The id of a token of the form `<number>|<opaque>`; undefined for any other. */
export const parseTokenId = (token: string): string | undefined => /^(\d{1,20})\|./.exec(token)?.[1];
