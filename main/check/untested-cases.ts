import type { Report, RunOptions } from '../../preload/contract/report.ts';
import type { CaseId, CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import { accountLimits } from '../../preload/contract/names.ts';
import { isLeftOutForAccounts } from './observation.ts';
import { casesById } from './plan.ts';
import { headerVariable } from './shell-values.ts';

/** Cases that a run left without an answer, or without some of their answers, for one reason. */
export type UntestedCases = {
  cases: CaseId[];
  reason: NotMeasured;
  /** What follows `check` to measure them. It is absent where no other run would. */
  command: string | undefined;
};

/** Returns why a case lacks an answer, if so. */
function reasonOf(result: CaseResult): NotMeasured | undefined {
  if (result.outcome === 'not-measured') return result.reason;
  return result.answers.some(isLeftOutForAccounts) ? { kind: 'account-limit' } : undefined;
}

/** Follows what a case waited for to what went wrong at first. */
function firstReason(report: Report, reason: NotMeasured, depth = 0): NotMeasured {
  if (reason.kind !== 'needs' || depth > report.cases.length) return reason;
  const needed = report.cases.find(({ id }) => id === reason.caseId);
  return needed?.outcome === 'not-measured' ? firstReason(report, needed.reason, depth + 1) : reason;
}

/** What is chosen otherwise, so that another run measures what this one did not. */
const changes: Partial<Record<NotMeasured['kind'], (cases: readonly CaseId[], report: Report) => Partial<RunOptions>>> =
  {
    'account-limit': (cases, { options }) => ({
      accounts: Math.min(accountLimits.most, options.accounts + cases.reduce((sum, id) => sum + callsOf(id), 0)),
    }),
    'not-asked': (cases, { options }) => ({
      ...(options.variant !== 'both' && cases.some((id) => id.startsWith('registration.')) && { variant: 'both' }),
      ...(cases.some((id) => casesById.get(id)?.onlyWith === 'throttling') && { throttling: true }),
      ...(cases.some((id) => casesById.get(id)?.onlyWith === 'races') && { races: true }),
    }),
    'spares-account': () => ({ variant: 'both' }),
    'account-held': () => ({ variant: 'none' }),
    throttled: (_cases, { options }) => ({ callsPerSecond: Math.max(0.1, options.callsPerSecond / 5) }),
  };

const callsOf = (id: CaseId): number => casesById.get(id)?.calls ?? 0;

/** The reasons for which another run, without anything else changed, would end no better. */
const hopeless: ReadonlySet<NotMeasured['kind']> = new Set([
  'needs',
  'account-refused',
  'no-second-account',
  'restarted',
  'says-nothing',
  'not-described',
  'no-types',
  'ends-server',
  'bug',
]);

function commandOf(report: Report, reason: NotMeasured, cases: readonly CaseId[], server: string): string | undefined {
  if (hopeless.has(reason.kind)) return undefined;
  // An account that is confirmed is one that somebody has.
  const given = report.givenAccount ?? (reason.kind === 'account-held' ? 'EMAIL' : undefined);
  const isGiven = given !== undefined;
  const wanted = { ...report.options, ...changes[reason.kind]?.(cases, report) };
  return [
    server,
    ...(isGiven ? [`--email ${given} --password-stdin`] : []),
    ...(wanted.variant === (isGiven ? 'none' : 'both') ? [] : [`--variant ${wanted.variant}`]),
    ...(wanted.accounts === accountLimits.usual ? [] : [`--accounts ${wanted.accounts}`]),
    ...(wanted.emailDomain === undefined ? [] : [`--email-domain ${wanted.emailDomain}`]),
    ...(wanted.throttling ? ['--throttling'] : []),
    ...(wanted.races ? ['--races'] : []),
    ...(wanted.callsPerSecond === 5 ? [] : [`--rate ${Number(wanted.callsPerSecond.toFixed(3))}`]),
    // The values stand in variables, as in the scripts of findings. A file of servers has those of its own.
    ...(server.startsWith('--servers ') ? [] : (report.extraHeaders ?? [])).map(
      (name) => `--header ${name}=${headerVariable(name)}`,
    ),
    `--only ${cases.join(',')}`,
  ].join(' ');
}

/** Where `check` finds a server again. A report does not know the file in which its interface is described. */
const serverIn = ({ baseUrl, interface: described }: Report): string =>
  described ? `${baseUrl} --interface FILE` : baseUrl;

/**
 * Returns the cases that lack answers, those of one reason together, and how each can be measured.
 * @param server the server as it was typed for `check`, with its interface
 */
export function groupUntestedCases(report: Report, server: string = serverIn(report)): UntestedCases[] {
  const groups = new Map<string, { reason: NotMeasured; cases: CaseId[] }>();
  for (const result of report.cases) {
    const own = reasonOf(result);
    if (!own) continue;
    const reason = firstReason(report, own);
    const key = JSON.stringify(reason.kind === 'throttled' ? reason.kind : reason);
    const group = groups.get(key) ?? { reason, cases: [] };
    group.cases.push(result.id);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ reason, cases }) => ({
    reason,
    cases,
    command: commandOf(report, reason, cases, server),
  }));
}

/** Says whether a run has nothing to say of a server: it measured none of the stated cases, or of all if it had none. */
export function hasNoResults(report: Report): boolean {
  const stated = report.cases.filter(({ kind }) => kind === 'stated');
  return (stated.length > 0 ? stated : report.cases).every(({ outcome }) => outcome === 'not-measured');
}
