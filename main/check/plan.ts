import { CaseId, type NotMeasured } from '../../preload/contract/report-cases.ts';
import { RunOptions, type RunPlan } from '../../preload/contract/report.ts';
import { moreAccounts } from '../../preload/contract/names.ts';
import type { Case } from './case.ts';
import { cases } from './cases/all.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { hasAccountCalls, isAboutAccount, isAboutRegistration, reasonNotApplicable } from './case-applicability.ts';

/** Requests that are reserved for logging out at the end. */
export const cleanUpCalls = 30;
/** The most requests that delete one account: the login, its code, and the deletion. */
const deletionCalls = 4;

export const casesById: ReadonlyMap<CaseId, Case> = new Map(cases.map((each) => [each.id, each]));

/** The cases that must run before a case: without a given account, also the registration. */
export const dependenciesOf = ({ needs = [], account }: Case, isGiven: boolean): readonly CaseId[] =>
  account === 'own' || (account === 'any' && !isGiven) ? [...needs, 'registration.served'] : needs;

/**
 * The chosen cases and their dependencies, in the order of a report. Those about second factors, passwords and deletion
 * belong to API types that have such calls, unless they are named.
 */
export function selectCases(options: RunOptions, isGiven: boolean, adapter?: ApiAdapter): Case[] {
  const isUsual = (id: CaseId): boolean => !isAboutAccount(id) || (adapter !== undefined && hasAccountCalls(adapter));
  const wanted = new Set<CaseId>();
  const want = (id: CaseId): void => {
    if (wanted.has(id)) return;
    wanted.add(id);
    const each = casesById.get(id);
    if (each) dependenciesOf(each, isGiven).forEach(want);
  };
  (options.only ?? CaseId.options.filter(isUsual)).forEach(want);
  return cases.filter(({ id }) => wanted.has(id));
}

/** These may create accounts at a server that accepts invalid input. If the accounts run out, the last ones are left out. */
const byWhatTheyTeach: readonly CaseId[] = [
  'races.registration',
  'registration.repeated-email',
  'registration.malformed-email',
  'registration.password-strength',
  'registration.cpassword-at-register',
  'registration.long-password',
  'registration.other-type',
  'registration.too-long',
  'registration.missing-field',
  'registration.empty-field',
  'registration.cpassword-at-registro',
];

/** Sorts the cases that may create accounts by importance, and leaves the others in place. */
function byTeaching(wanted: readonly Case[]): Case[] {
  const rank = ({ id }: Case): number => byWhatTheyTeach.indexOf(id);
  const ranked = wanted.filter((each) => rank(each) >= 0).toSorted((a, b) => rank(a) - rank(b));
  return wanted.map((each) => (rank(each) < 0 ? each : (ranked.shift() ?? each)));
}

/** The order of a check: dependencies first, and last the cases that look at all observations. */
export function orderCases(wanted: readonly Case[], isGiven: boolean): { sending: Case[]; lookingBack: Case[] } {
  const taught = byTeaching(wanted);
  const ordered = new Set<Case>();
  const add = (each: Case): void => {
    if (ordered.has(each)) return;
    for (const id of dependenciesOf(each, isGiven)) {
      const needed = wanted.find((one) => one.id === id);
      if (needed) add(needed);
    }
    ordered.add(each);
  };
  for (const when of [undefined, 'last', 'account', 'at-end'] as const)
    for (const each of taught) if (each.when === when) add(each);
  const all = [...ordered];
  return {
    sending: all.filter(({ when }) => when !== 'at-end'),
    lookingBack: all.filter(({ when }) => when === 'at-end'),
  };
}

/** Why a case does not apply to these options or this API type; undefined if it does. */
export function reasonToSkip(
  { id, onlyWith, account }: Case,
  options: RunOptions,
  isGiven: boolean,
  adapter?: ApiAdapter,
): NotMeasured | undefined {
  const notDescribed = adapter && reasonNotApplicable(id, adapter);
  if (notDescribed) return notDescribed;
  const isUnasked = onlyWith !== undefined && !options[onlyWith];
  if (isUnasked || (options.variant === 'none' && isAboutRegistration(id))) return { kind: 'not-asked' };
  if (options.variant !== 'none' || account !== 'own' || !isGiven) return undefined;
  return { kind: adapter?.features.registrations.length === 0 ? 'no-second-account' : 'spares-account' };
}

/** Whether a case or one of its dependencies registers an account. */
export const needsRegistration = (caseId: CaseId, isGiven: boolean): boolean =>
  selectCases(RunOptions.parse({ only: [caseId] }), isGiven).some(({ id }) => isAboutRegistration(id));

/** Whether a case or one of its dependencies logs in to an account. */
export const needsLogin = (caseId: CaseId, isGiven: boolean): boolean =>
  selectCases(RunOptions.parse({ only: [caseId] }), isGiven).some(({ id }) => id === 'login.right-credentials');

/** The most requests that cases send, without those that are skipped. */
export const countCalls = (
  planned: readonly Case[],
  options: RunOptions,
  isGiven: boolean,
  adapter?: ApiAdapter,
): number =>
  planned.reduce(
    (sum, each) => sum + (reasonToSkip(each, options, isGiven, adapter) ? 0 : each.calls),
    cleanUpCalls + (deletesAccounts(options, adapter) ? deletionCalls * mostAccounts(options, planned) : 0),
  );

/** Whether a check deletes its accounts at its end. */
export const deletesAccounts = ({ keepAccounts, variant }: RunOptions, adapter?: ApiAdapter): boolean =>
  !keepAccounts && variant !== 'none' && adapter !== undefined && adapter.hasAccountCall('deleteAccount');

/** The seconds that cases wait at most, beside those of their requests. */
export const countWaits = (
  planned: readonly Case[],
  options: RunOptions,
  isGiven: boolean,
  adapter?: ApiAdapter,
): number =>
  planned.reduce(
    (sum, each) => sum + (each.waits && !reasonToSkip(each, options, isGiven, adapter) ? each.waits : 0),
    0,
  );

/** Adds the defaults. An API type without registration has no variant. */
export function resolveRunOptions(wanted: Partial<RunOptions>, adapter?: ApiAdapter): RunOptions {
  const options = RunOptions.parse(wanted);
  return adapter?.features.registrations.length === 0 ? { ...options, variant: 'none' } : options;
}

/** The most accounts that a check makes. */
const mostAccounts = ({ accounts }: RunOptions, planned: readonly Case[]): number =>
  accounts + (planned.some(({ id }) => isAboutAccount(id)) ? moreAccounts : 0);

/** Seconds that a given account with a second factor takes: each of some five logins waits for a fresh code. */
export const secondsOfGivenFactor = 5 * 31;

/**
 * How much a check sends, and how long that takes at its rate: a request starts after the response to the one before.
 * @param isGiven whether an account was given
 * @param msPerCall how long a request to this server usually takes, in milliseconds; 0 if unknown
 */
export function planRun(
  input: Partial<RunOptions> = {},
  isGiven = false,
  adapter?: ApiAdapter,
  msPerCall = 0,
): RunPlan {
  const options = resolveRunOptions(input, adapter);
  const planned = selectCases(options, isGiven, adapter);
  const makesAccounts = planned.some(
    (each) => !reasonToSkip(each, options, isGiven, adapter) && (each.accounts ?? 0) > 0,
  );
  const calls = countCalls(planned, options, isGiven, adapter);
  return {
    cases: planned.map(({ id }) => id),
    calls,
    // A server that accepts what it should refuse makes more accounts than are planned.
    accounts: options.variant !== 'none' && makesAccounts ? mostAccounts(options, planned) : 0,
    ...(deletesAccounts(options, adapter) && { deletes: true }),
    seconds:
      Math.ceil(calls * Math.max(1 / options.callsPerSecond, msPerCall / 1000)) +
      countWaits(planned, options, isGiven, adapter),
  };
}
