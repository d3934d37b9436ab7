import type { CaseId, CaseResult, NotMeasured } from './report-cases.ts';
import type { Cleanup, Finding, RunEnd, RunOptions, RunVerdict } from './report.ts';
import type { AppError } from './result.ts';

/** The part of a report that decides. */
export type VerdictInput = {
  cases: readonly CaseResult[];
  findings: readonly Pick<Finding, 'id' | 'severity'>[];
  accounts: readonly { state: 'made' | 'unsure' }[];
  ended: RunEnd;
  options: Pick<RunOptions, 'only'>;
  givenAccount?: string | undefined;
  cleanup?: Cleanup | undefined;
};

/** The user's choices, as ids of faults such as `rule:login.answer` and `finding:plain-http`. */
type VerdictOptions = {
  /** Accepted faults, which fail nothing. */
  accepted?: ReadonlySet<string>;
  /** The findings that fail the check. */
  counted?: ReadonlySet<string>;
};

/** The tests whose requests must succeed at least once. */
const countingCases = [
  'registration.served',
  'login.right-credentials',
  'profile.served',
  'logout.served',
] as const satisfies CaseId[];

/** Not a fault of the server: the API does not have it, or it was not selected. */
const excused: ReadonlySet<NotMeasured['kind']> = new Set([
  'not-described',
  'not-asked',
  'no-types',
  'spares-account',
  'no-second-account',
  'no-second-factor',
  'not-served',
  'address-refused',
]);

const isExcused = (result: CaseResult): boolean => result.outcome === 'not-measured' && excused.has(result.reason.kind);

/** True if the error means that there is no HTTP server, or none any more. */
const isNoHttp = (error: AppError): boolean =>
  error.kind === 'broken-http'
    ? error.problem === 'not-http' || error.problem === 'http-2'
    : error.kind !== 'not-an-api-answer';

/** True if a case got no HTTP response. */
function isSilent(result: CaseResult): boolean {
  if (result.outcome !== 'not-measured') return false;
  const { reason } = result;
  return reason.kind === 'no-answer'
    ? isNoHttp(reason.error)
    : reason.kind === 'needs' || reason.kind === 'run-ended' || isExcused(result);
}

/** Why there was no HTTP response at all; undefined if there was one. */
function unreachableCause({ cases, ended }: VerdictInput): AppError | undefined {
  if (!cases.every(isSilent)) return undefined;
  if (ended.kind === 'unreachable') return ended.error;
  const reasons = cases.flatMap((result) => (result.outcome === 'not-measured' ? [result.reason] : []));
  return reasons.flatMap((reason) => (reason.kind === 'no-answer' ? [reason.error] : []))[0];
}

/** Whether a login succeeded; undefined if none was tested. */
function loggedIn({ cases, ended }: VerdictInput): boolean | undefined {
  const login = cases.find(({ id }) => id === 'login.right-credentials');
  if (!login) return undefined;
  if (login.outcome !== 'not-measured') return login.outcome !== 'failed';
  const isCut = ended.kind === 'bail' && login.reason.kind === 'run-ended';
  return isCut ? undefined : false;
}

/** The decisive tests that were not run: those that must succeed, or those of `only`. */
function untestedOf({ cases, options, givenAccount, accounts }: VerdictInput): CaseId[] {
  const counting = countingCases.filter((id) => id !== 'registration.served' || givenAccount === undefined);
  const wanted: ReadonlySet<CaseId> = new Set(options.only ?? counting);
  const isMade = accounts.some(({ state }) => state === 'made');
  return cases
    .filter((result) => wanted.has(result.id) && result.outcome === 'not-measured' && !isExcused(result))
    .filter(({ id }) => id !== 'registration.served' || !isMade)
    .map(({ id }) => id);
}

/** The verdict of a check: decides its exit code and the headline of reports, terminal and window. Usage errors and failures
 * to write a report have exit codes of their own. */
export function createRunVerdict(
  run: VerdictInput,
  { accepted = new Set(), counted = new Set() }: VerdictOptions = {},
): RunVerdict {
  const { cases, findings, ended } = run;
  const requirements = cases.filter((result) => result.kind === 'stated' && !isExcused(result));
  const broken = requirements.filter(({ outcome }) => outcome === 'failed');
  const failed = broken.filter(({ id }) => !accepted.has(`rule:${id}`)).length;
  const open = findings.filter(({ id }) => !accepted.has(`finding:${id}`));
  const found = { high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of open) found[severity] += 1;
  const failing = open.filter(({ id }) => counted.has(`finding:${id}`)).length;
  const untested = untestedOf(run);
  const unreachable = unreachableCause(run);
  const has = (kind: NotMeasured['kind']): boolean =>
    cases.some((result) => result.outcome === 'not-measured' && result.reason.kind === kind);

  // The first that holds decides.
  const reasons: readonly (readonly [holds: boolean, kind: RunVerdict['kind'], exitCode: RunVerdict['exitCode']])[] = [
    [has('bug'), 'bug', 4],
    [ended.kind === 'production', 'ended', 1],
    [unreachable !== undefined, 'no-http', 3],
    [has('account-refused'), 'account-refused', 3],
    [ended.kind === 'cancelled', 'ended', 1],
    [loggedIn(run) === false, 'no-login', 1],
    [ended.kind === 'unreachable', 'stopped', 3],
    [failed > 0, 'failed', 1],
    [untested.length > 0, 'not-tested', 1],
    [failing > 0, 'findings', 1],
  ];
  const [, kind, exitCode] = reasons.find(([holds]) => holds) ?? [true, 'passed' as const, 0 as const];
  return {
    exitCode,
    kind,
    found,
    requirements: requirements.length,
    tested: requirements.filter(({ outcome }) => outcome !== 'not-measured').length,
    failed,
    accepted: { findings: findings.length - open.length, requirements: broken.length - failed },
    findings: failing,
    untested,
    ...(run.cleanup && { cleanup: run.cleanup }),
    ...(kind === 'no-http' && unreachable && { cause: unreachable }),
  };
}
