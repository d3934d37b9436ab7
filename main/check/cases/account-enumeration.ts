import type { Observation } from '../observation.ts';

/** Headers that differ in each response. */
const passing =
  /^(?:(?:date|age|etag|content-length|connection|keep-alive|set-cookie|x-runtime|server-timing|cf-ray|via|x-served-by|x-timer|report-to|nel)$|x-amz|x-cache|x-ratelimit|ratelimit)|(?:request|correlation|trace|transaction|span)-?id/;

/** Names of values that differ in each response. */
const passingName =
  /(?:time|stamp|request|trace|correlation|error)_?-?id|^(?:timestamp|time|date|remaining|attempts?)/i;

/** A response without times, ids, counters and the sent email. */
function textOf({ status, call }: Observation, email: string): string {
  const body = (call?.response?.body ?? '')
    .replaceAll(email, '…')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[^"\s]*|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi, '…')
    .replaceAll(/"([^"]{1,200})"\s{0,20}:\s{0,20}(?:"[^"]*"|[\d.]+)/g, (pair, name: string) =>
      passingName.test(name) ? `"${name}":…` : pair,
    );
  const headers = (call?.response?.rawHeaders ?? [])
    .filter(([name]) => !passing.test(name.toLowerCase()))
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .toSorted();
  return JSON.stringify([status, headers, body]);
}

export type FailedLogin = { seen: Observation; email: string };

/** Responses are compared as a whole, without numbers ("2 attempts left"), and by the status alone. */
const looks: readonly ((sent: FailedLogin) => string)[] = [
  ({ seen, email }) => textOf(seen, email),
  ({ seen, email }) => textOf(seen, email).replaceAll(/\d+/g, '#'),
  ({ seen }) => String(seen.status),
];

/** Compares responses for known and unknown emails; `unstable` if two responses for the same kind differ too. */
export function detectAccountEnumeration(
  known: readonly FailedLogin[],
  unknown: readonly FailedLogin[],
): boolean | 'unstable' {
  let isUnstable = false;
  for (const look of looks) {
    const [ofKnown, ofUnknown] = [new Set(known.map(look)), new Set(unknown.map(look))];
    if ([...ofKnown].some((text) => ofUnknown.has(text))) continue;
    if (ofKnown.size === 1 && ofUnknown.size === 1) return true;
    isUnstable = true;
  }
  return isUnstable && 'unstable';
}
