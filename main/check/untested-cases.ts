import type { Report, RunOptions } from '../../preload/contract/report.ts';
import type { CaseId, CaseResult, NotMeasured } from '../../preload/contract/report-cases.ts';
import { accountLimits } from '../../preload/contract/names.ts';
import { isLeftOutForAccounts } from './observation.ts';
import { casesById } from './plan.ts';
import { headerVariable } from './shell-values.ts';

/** Cases without some or all of their answers, for one reason. */
type UntestedCases = {
  cases: CaseId[];
  reason: NotMeasured;
  /** The arguments of `check` that test them; undefined if no other check would. */
  command: string | undefined;
};

function reasonOf(result: CaseResult): NotMeasured | undefined {
  if (result.outcome === 'not-measured') return result.reason;
  return result.answers.some(isLeftOutForAccounts) ? { kind: 'account-limit' } : undefined;
}

/** Follows missing dependencies to the first. The depth is limited since a report file may contain a cycle. */
function firstReason(report: Report, reason: NotMeasured, depth = 0): NotMeasured {
  if (reason.kind !== 'needs' || depth > report.cases.length) return reason;
  const needed = report.cases.find(({ id }) => id === reason.caseId);
  return needed?.outcome === 'not-measured' ? firstReason(report, needed.reason, depth + 1) : reason;
}

/** The options with which another check tests what this one did not. */
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

/** Reasons that no option changes. */
const hopeless: ReadonlySet<NotMeasured['kind']> = new Set([
  'needs',
  'account-refused',
  'no-second-account',
  'no-second-factor',
  'not-served',
  'enrollment-refused',
  'address-refused',
  'restarted',
  'says-nothing',
  'not-described',
  'no-types',
  'ends-server',
  'bug',
]);

function commandOf(report: Report, reason: NotMeasured, cases: readonly CaseId[], server: string): string | undefined {
  if (hopeless.has(reason.kind)) return undefined;
  // A confirmed account belongs to somebody.
  const given = report.givenAccount ?? (reason.kind === 'account-held' ? 'EMAIL' : undefined);
  const isGiven = given !== undefined;
  const wanted = { ...report.options, ...changes[reason.kind]?.(cases, report) };
  return [
    server,
    ...(isGiven ? [`--email ${given} --password-stdin`] : []),
    ...(report.givenFactor ? ['--totp-secret VARIABLE'] : []),
    ...(wanted.variant === (isGiven ? 'none' : 'both') ? [] : [`--variant ${wanted.variant}`]),
    ...(wanted.accounts === accountLimits.usual ? [] : [`--accounts ${wanted.accounts}`]),
    ...(wanted.emailDomain === undefined ? [] : [`--email-domain ${wanted.emailDomain}`]),
    ...(wanted.throttling ? ['--throttling'] : []),
    ...(wanted.races ? ['--races'] : []),
    ...(wanted.callsPerSecond === 5 ? [] : [`--rate ${Number(wanted.callsPerSecond.toFixed(3))}`]),
    // The values are in variables, as in the scripts of findings. A file of servers has its own.
    ...(server.startsWith('--servers ') ? [] : (report.extraHeaders ?? [])).map(
      (name) => `--header ${name}=${headerVariable(name)}`,
    ),
    `--only ${cases.join(',')}`,
  ].join(' ');
}

/** A report does not contain the name of a file with an API description. */
const serverIn = ({ baseUrl, interface: described }: Report): string =>
  described ? `${baseUrl} --interface ${described.shipped ?? 'FILE'}` : baseUrl;

/**
 * The cases that lack answers by reason, with the command that tests them.
 * @param server the arguments of `check` for the server, with its API type
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

/** True if no requirement was tested, or no case at all in a check without requirements. */
export function hasNoResults(report: Report): boolean {
  const stated = report.cases.filter(({ kind }) => kind === 'stated');
  return (stated.length > 0 ? stated : report.cases).every(({ outcome }) => outcome === 'not-measured');
}
