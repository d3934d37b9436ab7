import { UntestedLengthRule } from '../../../preload/contract/mock-details.ts';
import type { MockRules } from '../../service/mock/mock-definition.ts';
import { codePointCount } from '../../service/domain/code-point-count.ts';
import { findRegistrationViolations, type LengthLimits } from '../../service/mock/input-violations.ts';
import { NO_LIMIT, ownLengths } from '../../service/mock/own-lengths.ts';
import { isAcceptedCall, isRefusedCall, isRegistrationCall, type AnalyzedCall, toEmailKey } from './analyzed-calls.ts';
import { readRateLimit } from '../rate-limit.ts';
import type { ReportAnswer } from './report-answers.ts';

type LengthRules = Pick<MockRules, keyof LengthLimits>;

/** What servers ask for where a run shows no more than two bounds, the likelier first. bcrypt takes 72. */
const customary = {
  nameMost: [ownLengths.nameMost],
  emailMost: [ownLengths.emailMost],
  passwordLeast: [ownLengths.passwordLeast, 6],
  passwordMost: [ownLengths.passwordMost, 72],
} as const satisfies Record<keyof LengthLimits, readonly number[]>;

/** A length that lies between two that were tried; so many more calls would find it by halves. */
type UncertainLength = { rule: UntestedLengthRule; least: number; most: number; calls: number };

/** A rule, and between which lengths it lies where neither the run nor the server's words tell. */
type Found<T> = { rule: T; between?: readonly [least: number, most: number] };

/** One length that was tried. */
type Tried = { length: number; observed: AnalyzedCall };

const textsOf = ({ observation }: AnalyzedCall): string =>
  [
    observation.reading.summary.message ?? '',
    ...Object.values(observation.reading.summary.fieldErrors ?? {}).flat(),
  ].join(' ');

const mostCharacters = 10_000;

/** Returns a number that the server's own words name, or its answer alone, if it lies between two bounds. */
function saidBetween(observed: AnalyzedCall, least: number, most: number): number | undefined {
  const numbersIn = (text: string): number[] =>
    [...text.slice(0, mostCharacters).matchAll(/(?<![\d.])\d{1,5}(?![\d.])/g)]
      .map(([number]) => Number(number))
      .filter((each) => each >= least && each <= most);
  const [said] = numbersIn(textsOf(observed));
  const [only, ...more] = new Set(numbersIn(observed.text));
  return said ?? (more.length === 0 && only !== observed.status ? only : undefined);
}

const triedOf = (all: readonly AnalyzedCall[], field: string): Tried[] =>
  all.flatMap((observed) => {
    const value = observed.sent?.[field];
    const text = typeof value === 'string' ? value.trim() : '';
    return text === '' ? [] : [{ length: codePointCount(text), observed }];
  });

const parted = (tried: readonly Tried[]): [accepted: Tried[], refused: Tried[]] => [
  tried.filter(({ observed }) => isAcceptedCall(observed)),
  tried.filter(({ observed }) => isRefusedCall(observed)),
];

/** Finds the most characters that a field may have: between the longest that was taken and the shortest refused. */
function mostOf(tried: readonly Tried[], customary: readonly number[]): Found<LengthRules['nameMost']> {
  const [accepted, refused] = parted(tried);
  if (accepted.length === 0) return { rule: { value: NO_LIMIT, calls: [] } };
  const longest = Math.max(0, ...accepted.map(({ length }) => length));
  const over = refused.filter(({ length }) => length > longest).toSorted((a, b) => a.length - b.length);
  const calls = [...accepted, ...over].map(({ observed }) => observed.id).slice(0, 5);
  const [first] = over;
  if (!first) return { rule: { value: NO_LIMIT, calls } };
  const said = over.flatMap(({ observed }) => saidBetween(observed, longest, first.length - 1) ?? [])[0];
  const between = customary.find((length) => length >= longest && length < first.length) ?? longest;
  const rule = { value: said ?? between, calls: [...new Set([first.observed.id, ...calls])] };
  return said === undefined && first.length - longest > 1 ? { rule, between: [longest, first.length - 1] } : { rule };
}

async function leastOf(tried: readonly Tried[]): Promise<Found<LengthRules['passwordLeast']>> {
  const [accepted, refused] = parted(tried);
  if (accepted.length === 0) return { rule: { value: 1, calls: [] } };
  const shortest = Math.min(...accepted.map(({ length }) => length));
  const under: Tried[] = [];
  for (const each of refused) {
    const odd = await findRegistrationViolations(each.observed.sent ?? {}, 'register', ownLengths);
    const isCommon = odd.some(({ field, oddity }) => field === 'password' && oddity === 'common');
    if (each.length < shortest && !isCommon) under.push(each);
  }
  under.sort((a, b) => b.length - a.length);
  const [last] = under;
  if (!last) return { rule: { value: 1, calls: accepted.slice(0, 5).map(({ observed }) => observed.id) } };
  const said = under.flatMap(({ observed }) => saidBetween(observed, last.length + 1, shortest) ?? [])[0];
  const isBetween = (length: number): boolean => length > last.length && length <= shortest;
  const between = customary.passwordLeast.find(isBetween) ?? last.length + 1;
  const rule = { value: said ?? between, calls: under.map(({ observed }) => observed.id) };
  return said === undefined && shortest - last.length > 1 ? { rule, between: [last.length + 1, shortest] } : { rule };
}

export type LengthBounds = Record<keyof LengthLimits, Found<LengthRules['nameMost']>>;

/** How long a name, an email and a password may be, as far as the run tried it. */
export async function inferLengthBounds(registrations: readonly AnalyzedCall[]): Promise<LengthBounds> {
  const passwords = triedOf(registrations, 'password');
  return {
    nameMost: mostOf(triedOf(registrations, 'name'), customary.nameMost),
    emailMost: mostOf(triedOf(registrations, 'email'), customary.emailMost),
    passwordLeast: await leastOf(passwords),
    passwordMost: mostOf(passwords, customary.passwordMost),
  };
}

export const lengthRules = (bounds: LengthBounds): LengthRules => ({
  nameMost: bounds.nameMost.rule,
  emailMost: bounds.emailMost.rule,
  passwordLeast: bounds.passwordLeast.rule,
  passwordMost: bounds.passwordMost.rule,
});

/** The lengths that lie between two that were tried. */
export const uncertainLengths = (bounds: LengthBounds): UncertainLength[] =>
  UntestedLengthRule.options.flatMap((rule) => {
    const [least, most] = bounds[rule].between ?? [];
    if (least === undefined || most === undefined) return [];
    return [{ rule, least, most, calls: Math.ceil(Math.log2(most - least + 1)) }];
  });

type RateLimitRules = Pick<MockRules, 'failedLogins' | 'registrations'>;
type Limit = RateLimitRules['failedLogins']['value'];

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
function windowOf(first: AnalyzedCall, refused: AnalyzedCall): number {
  const told = readRateLimit(refused.observation).windowSeconds;
  const wait = refused.observation.reading.summary.retryAfterSeconds;
  if (told !== undefined) return within(told, 1, DAY_SECONDS);
  if (wait === undefined) return noLimit.windowSeconds;
  const whole = wait + (refused.atMs - first.atMs) / 1000;
  const round = Math.round(whole / STEP_SECONDS) * STEP_SECONDS;
  const isRound = round > 0 && Math.abs(whole - round) <= ROUNDED_SECONDS;
  return within(isRound ? round : Math.ceil(wait), 1, DAY_SECONDS);
}

/** Returns the attempts of one email that failed before it was refused for now. */
function failuresBefore(refused: AnalyzedCall, all: readonly AnalyzedCall[]): AnalyzedCall[] {
  const emailOf = ({ sent }: AnalyzedCall): string | undefined =>
    typeof sent?.['email'] === 'string' ? toEmailKey(sent['email']) : undefined;
  return all.filter(
    (each) =>
      each.operation === 'login' &&
      isRefusedCall(each) &&
      each.atMs <= refused.atMs &&
      emailOf(each) === emailOf(refused),
  );
}

function failedLogins(
  failures: ReportAnswer | undefined,
  all: readonly AnalyzedCall[],
): RateLimitRules['failedLogins'] {
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
function registrations(all: readonly AnalyzedCall[]): RateLimitRules['registrations'] {
  const every = all.filter((each) => isRegistrationCall(each));
  const looked = every.filter((each) => isAcceptedCall(each) || isRefusedCall(each));
  const refused = every.find(({ handling }) => handling === 'throttled');
  const [first] = looked;
  if (refused && first) {
    const told = readRateLimit(refused.observation);
    const windowSeconds = windowOf(first, refused);
    const before = looked.filter(({ atMs }) => atMs <= refused.atMs && atMs > refused.atMs - windowSeconds * 1000);
    const most = within(told.limit ?? before.length, 1, NO_LIMIT);
    return { value: { most, windowSeconds }, calls: [...before, refused].slice(-20).map(({ id }) => id) };
  }
  return { value: noLimit, calls: [] };
}

/**
 * The rate limits that the run met.
 * @param failures after how many failed logins the server refused more
 */
export const inferRateLimits = (
  regular: readonly AnalyzedCall[],
  failures: ReportAnswer | undefined,
): RateLimitRules => ({
  failedLogins: failedLogins(failures, regular),
  registrations: registrations(regular),
});
