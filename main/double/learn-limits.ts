import type { CaseAnswer } from '../../preload/contract/report-cases.ts';
import { rateLimitOf } from '../contract-run/rate-limit.ts';
import type { Rules } from '../service/double/model.ts';
import { NO_LIMIT } from '../service/double/own-choices.ts';
import { isAccepted, isRefused, isRegistration, keyOf, type Observed } from './observed.ts';

type Limits = Pick<Rules, 'failedLogins' | 'registrations'>;
type Limit = Limits['failedLogins']['value'];

const DAY_SECONDS = 86_400;
/** What has no limit, or none that was seen. */
const noLimit: Limit = { most: NO_LIMIT, windowSeconds: 60 };
/** Windows of servers are whole tens of seconds; the seconds of a wait are rounded, and the clocks tell seconds. */
const STEP_SECONDS = 10;
const ROUNDED_SECONDS = 2;

const within = (value: number, least: number, most: number): number => Math.min(most, Math.max(least, value));

/**
 * Says in what time a limit counts: as the server's own words have it, else from the first attempt that counted until
 * the end of the wait, where that is a whole number of tens, else as long as the wait.
 */
function windowOf(first: Observed, refused: Observed): number {
  const told = rateLimitOf(refused.seen).windowSeconds;
  const wait = refused.seen.reading.meaning.retryAfterSeconds;
  if (told !== undefined) return within(told, 1, DAY_SECONDS);
  if (wait === undefined) return noLimit.windowSeconds;
  const whole = wait + (refused.atMs - first.atMs) / 1000;
  const round = Math.round(whole / STEP_SECONDS) * STEP_SECONDS;
  const isRound = round > 0 && Math.abs(whole - round) <= ROUNDED_SECONDS;
  return within(isRound ? round : Math.ceil(wait), 1, DAY_SECONDS);
}

/** Returns the attempts of one email that failed before it was refused for now. */
function failuresBefore(refused: Observed, all: readonly Observed[]): Observed[] {
  const emailOf = ({ sent }: Observed): string | undefined =>
    typeof sent?.['email'] === 'string' ? keyOf(sent['email']) : undefined;
  return all.filter(
    (each) =>
      each.operation === 'login' && isRefused(each) && each.atMs <= refused.atMs && emailOf(each) === emailOf(refused),
  );
}

function failedLogins(
  failures: { value: CaseAnswer['value']; calls: string[] } | undefined,
  all: readonly Observed[],
): Limits['failedLogins'] {
  if (failures?.value.kind === 'none') return { value: noLimit, calls: failures.calls };
  if (failures?.value.kind !== 'count') return { value: noLimit, calls: [] };
  const of = new Set(failures.calls);
  const refused = all.find(({ id, handling }) => of.has(id) && handling === 'throttled');
  const [first] = refused ? failuresBefore(refused, all) : [];
  const windowSeconds = refused && first ? windowOf(first, refused) : noLimit.windowSeconds;
  return { value: { most: within(failures.value.count, 1, NO_LIMIT), windowSeconds }, calls: failures.calls };
}

/**
 * Where a registration was refused for now, as many are allowed as went before it in the time that it says.
 */
function registrations(all: readonly Observed[]): Limits['registrations'] {
  const every = all.filter((each) => isRegistration(each));
  const looked = every.filter((each) => isAccepted(each) || isRefused(each));
  const refused = every.find(({ handling }) => handling === 'throttled');
  const [first] = looked;
  if (refused && first) {
    const told = rateLimitOf(refused.seen);
    const windowSeconds = windowOf(first, refused);
    const before = looked.filter(({ atMs }) => atMs <= refused.atMs && atMs > refused.atMs - windowSeconds * 1000);
    const most = within(told.limit ?? before.length, 1, NO_LIMIT);
    return { value: { most, windowSeconds }, calls: [...before, refused].slice(-20).map(({ id }) => id) };
  }
  return { value: noLimit, calls: [] };
}

/**
 * Learns the limits, where the run met them.
 * @param failures what the case of throttling found, and its calls
 */
export const learnLimits = ({
  failures,
  all,
}: {
  failures: { value: CaseAnswer['value']; calls: string[] } | undefined;
  all: readonly Observed[];
}): Limits => ({ failedLogins: failedLogins(failures, all), registrations: registrations(all) });
