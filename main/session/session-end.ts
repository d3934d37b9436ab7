import type { SessionEnd } from '../../preload/contract/models.ts';
import type { Reading } from '../client/read-answer.ts';
import { byOwnClock } from '../client/reading/moments.ts';
import { endClaimedBy } from '../client/reading/session-end.ts';

const longestName = 100;

/**
 * Works out when a session ends, by the clock of this computer: from the first answer that says it, from what was known before, else from what the token
 * claims itself. Undefined when none of them says it.
 * @param now ISO 8601; a length of time counts from then
 */
export function sessionEndOf(options: {
  token: string;
  readings: readonly (Reading | undefined)[];
  known?: SessionEnd | undefined;
  now: string;
}): SessionEnd | undefined {
  const { token, readings, known, now } = options;
  const nowMs = Date.parse(now);
  const isoOf = (ms: number, reading: Reading | undefined): string =>
    new Date(byOwnClock(ms, reading?.dateMs, nowMs)).toISOString();
  for (const reading of readings) {
    const end = reading?.sessionEnd;
    if (!end) continue;
    const at = 'atMs' in end ? isoOf(end.atMs, reading) : new Date(nowMs + end.seconds * 1000).toISOString();
    return { at, by: end.name.slice(0, longestName), in: 'answer' };
  }
  if (known) return known;
  const claimed = endClaimedBy(token);
  return claimed === undefined ? undefined : { at: isoOf(claimed * 1000, readings[0]), by: 'exp', in: 'token' };
}
