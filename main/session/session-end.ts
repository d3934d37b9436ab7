import type { SessionEnd } from '../../preload/contract/models.ts';
import type { Reading } from '../client/read-answer.ts';
import { endClaimedBy } from '../client/reading/session-end.ts';

const longestName = 100;

/**
 * Works out when a session ends: from the first answer that says it, from what was known before, else from what the token
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
  const said = readings.map((reading) => reading?.sessionEnd).find((end) => end !== undefined);
  if (said) {
    const atMs = 'atMs' in said ? said.atMs : Date.parse(now) + said.seconds * 1000;
    return { at: new Date(atMs).toISOString(), by: said.name.slice(0, longestName), in: 'answer' };
  }
  if (known) return known;
  const claimed = endClaimedBy(token);
  return claimed === undefined ? undefined : { at: new Date(claimed * 1000).toISOString(), by: 'exp', in: 'token' };
}
