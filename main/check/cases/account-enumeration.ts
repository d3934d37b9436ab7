import type { Observation } from '../observation.ts';

/** Headers that differ from answer to answer for everybody. */
const passing =
  /^(?:(?:date|age|etag|content-length|connection|keep-alive|set-cookie|x-runtime|server-timing|cf-ray|via|x-served-by|x-timer|report-to|nel)$|x-amz|x-cache|x-ratelimit|ratelimit)|(?:request|correlation|trace|transaction|span)-?id/;

/** These names have values that differ in the same way. */
const passingName =
  /(?:time|stamp|request|trace|correlation|error)_?-?id|^(?:timestamp|time|date|remaining|attempts?)/i;

/** Returns an answer without times, ids, counters and the email that was sent. */
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

/** A login that failed, and the email that it was for. */
export type FailedLogin = { seen: Observation; email: string };

/** Answers are told apart by all that they say, by all but numbers ("2 attempts left"), or by the status alone. */
const looks: readonly ((sent: FailedLogin) => string)[] = [
  ({ seen, email }) => textOf(seen, email),
  ({ seen, email }) => textOf(seen, email).replaceAll(/\d+/g, '#'),
  ({ seen }) => String(seen.status),
];

/** Says whether two pairs of answers differ by kind; `unstable` where they do, and those of one kind differ as well. */
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
