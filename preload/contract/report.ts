import { z } from 'zod';
import { CaseAnswer, CaseId, CaseResult, NotMeasured, ObservedValue, Subject, Question } from './report-cases.ts';
import { AppError } from './result.ts';
import { accountLimits, emailDomainPattern, longestEmailDomain, longestReason, runVariants } from './names.ts';
import { RecordedCall } from './calls.ts';

export const Severity = z.enum(['high', 'medium', 'low', 'info']);
export type Severity = z.infer<typeof Severity>;

/** What can be unsafe. Severities and sources are in `main/check/finding-severities.ts`, texts in the locales. */
export const FindingId = z.enum([
  'token-outlives-logout',
  'wrong-password-accepted',
  'profile-without-token',
  'profile-of-another',
  'token-unverified',
  'server-killed',
  'account-doubled',
  'password-echoed',
  'password-hash-shown',
  'tokens-guessable',
  'plain-http',
  'old-tls',
  'unknown-email-by-body',
  'unknown-email-by-time',
  'stack-traces',
  'server-fault-on-refusal',
  'http-broken',
  'weak-password-accepted',
  'email-registered-twice',
  'any-origin-with-credentials',
  'certificate-ends-soon',
  'guessing-not-throttled',
  'cpassword-ignored',
  'password-cut',
  'server-fault-on-input',
  'debug-page',
  'token-cacheable',
  'token-format',
  'software-version-shown',
  'second-factor-skipped',
  'profile-before-second-factor',
  'code-of-another-accepted',
  'codes-not-throttled',
  'recovery-code-accepted-twice',
  'old-password-accepted',
  'token-outlives-account',
  'code-accepted-twice',
  'pending-login-reusable',
  'current-password-ignored',
  'token-outlives-password',
  'account-deleted-without-password',
  'unknown-email-by-reset',
  'unknown-email-by-resend',
  'old-codes-accepted',
  'server-clock-off',
]);
export type FindingId = z.infer<typeof FindingId>;

export const Finding = z.object({
  id: FindingId,
  severity: Severity,
  /** The case that found it. */
  caseId: CaseId,
  /** Ids of `Report.evidence` that prove it. */
  calls: z.array(z.string()).min(1),
  /** A script for a POSIX shell and curl that reproduces it; empty if there is none. */
  script: z.string(),
  /** The observed values; `unknown-email-by-time` has one of kind `times`, with its p-value. */
  details: z.array(CaseAnswer),
});
export type Finding = z.infer<typeof Finding>;

/** The registration path for test accounts. `both` tests each; with `none` nobody is registered. */
export const RunVariant = z.enum(runVariants);
export type RunVariant = z.infer<typeof RunVariant>;

/** The options of a check. */
export const RunOptions = z.object({
  callsPerSecond: z.number().min(0.1).max(100).default(5),
  /** Whether the limit on failed logins is tested, with at most 30 of them for a separate account. */
  throttling: z.boolean().default(false),
  /** Whether race conditions are tested, with two simultaneous requests at a time. */
  races: z.boolean().default(false),
  variant: RunVariant.default('both'),
  /** The maximum number of accounts that are created. */
  accounts: z.int().min(accountLimits.least).max(accountLimits.most).default(accountLimits.usual),
  /** The domain of the emails, instead of `example.test` or, if that is rejected, `example.com`. */
  emailDomain: z.string().max(longestEmailDomain).regex(emailDomainPattern).optional(),
  /** The tests to run, beside those that they need; without it, all. */
  only: z.array(CaseId).max(CaseId.options.length).optional(),
  /** Whether the check ends at the first failed requirement. */
  bail: z.boolean().default(false),
  /** Whether the accounts of the check stay where the API type can delete them. */
  keepAccounts: z.boolean().default(false),
});
export type RunOptions = z.infer<typeof RunOptions>;

/** The maximums of a check before it starts, without repetitions. With them, it sends at most twice as many requests. */
export type RunPlan = {
  cases: CaseId[];
  calls: number;
  accounts: number;
  /** Whether they are deleted at the end. */
  deletes?: boolean;
  seconds: number;
};

export type RunProgress = {
  /** The running test; absent before the first and after the last. */
  current?: CaseId | undefined;
  casesDone: number;
  casesPlanned: number;
  callsMade: number;
  callsPlanned: number;
  secondsLeft: number;
  /** The end of the wait that the server required by `Retry-After`, in ISO 8601; absent without a wait. */
  waitingUntil?: string | undefined;
  result?: CaseResult | undefined;
};

/** A throttled request. What the server did not state is absent. */
export const Throttling = z.object({
  /** The id of the request in `Report.evidence`. */
  call: z.string(),
  limit: z.number().optional(),
  windowSeconds: z.number().optional(),
  askedSeconds: z.number().optional(),
  waitedSeconds: z.number(),
});
export type Throttling = z.infer<typeof Throttling>;

/** An account that the check created. */
export const CreatedAccount = z.object({
  email: z.string(),
  madeBy: CaseId,
  /** `unsure`: no response told whether the account was created. */
  state: z.enum(['made', 'unsure']),
});
export type CreatedAccount = z.infer<typeof CreatedAccount>;

/** Why an account of the check is still there. */
const LeftWhy = z.enum([
  /** Several registrations were sent at once, and none of their passwords logs in. */
  'login-refused',
  /** The server accepted no code of its second factor. */
  'code-refused',
  'deletion-refused',
  /** There was no response. */
  'no-answer',
  /** The check was interrupted again, or its time for cleaning up was over. */
  'interrupted',
]);

/** What became of the accounts of a check whose API type can delete them. */
export const Cleanup = z.object({
  created: z.int(),
  deleted: z.int(),
  left: z.array(z.object({ email: z.string(), why: LeftWhy, status: z.int().optional() })),
});
export type Cleanup = z.infer<typeof Cleanup>;

export const RunEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('complete') }),
  z.object({ kind: z.literal('cancelled') }),
  /** At the first failed requirement, by the option `bail`. */
  z.object({ kind: z.literal('bail'), caseId: CaseId }),
  /** Three requests in a row got no HTTP/1.1 response, so no further test was run. */
  z.object({ kind: z.literal('unreachable'), error: AppError }),
  /** The server is marked as production, so nothing was sent. */
  z.object({ kind: z.literal('production') }),
]);
export type RunEnd = z.infer<typeof RunEnd>;

/** A fault that a user accepts. */
export const AcceptedFault = z.object({
  /** Such as `rule:login.answer` or `finding:plain-http`. */
  fault: z.string(),
  /** The case that found it. */
  case: CaseId,
  reason: z.string().trim().min(1).max(longestReason),
  /** The day of the acceptance, in UTC. */
  accepted: z.iso.date(),
});
export type AcceptedFault = z.infer<typeof AcceptedFault>;

/** An acceptance with its state in a report. */
export type AcceptanceStatus = AcceptedFault & {
  /** `holds`: the report has the fault. `gone`: its test ran without the fault. `unmeasured`: its test did not run. */
  state: 'holds' | 'gone' | 'unmeasured';
};

const VerdictKind = z.enum([
  /** Every decisive request succeeded at least once, and no requirement failed. */
  'passed',
  /** Findings fail the check, by their severities. */
  'findings',
  /** A requirement failed. */
  'failed',
  /** A decisive request, or a test of `only`, could not be tested. */
  'not-tested',
  /** The server stopped responding after a login. */
  'stopped',
  /** The check was cancelled by the user or a signal, or not started. */
  'ended',
  /** The server responds, and no login succeeded. */
  'no-login',
  /** The server rejected the given account. */
  'account-refused',
  /** There was no HTTP response. */
  'no-http',
  /** Llavero itself failed. */
  'bug',
]);

/** The exit code of `check`, and the numbers of the headline of every report. */
export const RunVerdict = z.object({
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(3), z.literal(4)]),
  kind: VerdictKind,
  /** The findings that are not accepted, by severity. */
  found: z.object({ high: z.int(), medium: z.int(), low: z.int(), info: z.int() }),
  /** All requirements; `tested` of them ran, and `failed` of these are not accepted. */
  requirements: z.int(),
  tested: z.int(),
  failed: z.int(),
  /** Accepted findings and failed requirements, which fail nothing. */
  accepted: z.object({ findings: z.int(), requirements: z.int() }),
  /** The number of findings that fail the check. */
  findings: z.int(),
  /** The decisive tests that could not be run. */
  untested: z.array(CaseId),
  /** What became of the accounts, if the check deletes them. */
  cleanup: Cleanup.optional(),
  /** Only with `no-http`. */
  cause: AppError.optional(),
});
export type RunVerdict = z.infer<typeof RunVerdict>;

/** An API type: its name, and its requests such as `POST /api/auth/local`. */
const DescribedInterface = z.object({
  name: z.string(),
  /** The value of `--interface` that means exactly this API type, if it comes with Llavero. */
  shipped: z
    .string()
    .regex(/^[a-z][a-z-]{0,49}$/)
    .optional(),
  /** SHA-256 of the canonical JSON of the API description. */
  digest: z.string(),
  calls: z.object({
    register: z.string().optional(),
    login: z.string(),
    profile: z.string(),
    logout: z.string().optional(),
  }),
});

/** The report of a check, as in its JSON file. It contains no secret, neither of the check nor of the server. */
export const Report = z.object({
  schema: z.literal('llavero-report'),
  version: z.literal(1),
  /** The version of Llavero. */
  toolVersion: z.string(),
  baseUrl: z.string(),
  serverName: z.string().optional(),
  /** The API type, if it is not the default of `interface.md`. */
  interface: DescribedInterface.optional(),
  /** In ISO 8601. */
  startedAt: z.string(),
  endedAt: z.string(),
  durationMs: z.number(),
  options: RunOptions,
  ended: RunEnd,
  /** The number of requests, including the logouts at the end. */
  calls: z.int(),
  accounts: z.array(CreatedAccount),
  /** Absent if the API type cannot delete accounts, if they were to stay, and in reports of earlier versions. */
  cleanup: Cleanup.optional(),
  /** In order; absent if the server never throttled. */
  throttlings: z.array(Throttling).optional(),
  /** The email of the given account. */
  givenAccount: z.string().optional(),
  /** Whether the secret of its authenticator app was given, too. */
  givenFactor: z.literal(true).optional(),
  /** Names only, since the values are secrets. */
  extraHeaders: z.array(z.string()).optional(),
  /** Each planned case once, in the order of {@link CaseId}. */
  cases: z.array(CaseResult),
  /** The most severe first. */
  findings: z.array(Finding),
  /** The verdict when the file was written, with the headline in English. */
  verdict: RunVerdict.extend({ sentence: z.string() }).optional(),
  /** Problems, notes and accepted faults, the worst first, as every report lists them. */
  problems: z
    .array(
      z.object({
        /** Such as `rule:login.answer` or `finding:plain-http`. */
        fault: z.string(),
        severity: Severity,
        group: z.enum(['problems', 'notes', 'accepted']),
      }),
    )
    .optional(),
  /** The acceptances when the file was written; absent if there were none. */
  accepted: z.array(AcceptedFault.extend({ reason: z.string(), accepted: z.string() })).optional(),
  /** Bodies are truncated to 4 KiB; `bytes` is the original length. */
  evidence: z.array(RecordedCall.omit({ replayOf: true, contractRun: true })),
});
export type Report = z.infer<typeof Report>;

const ComparedReport = Report.pick({ baseUrl: true, serverName: true, startedAt: true, toolVersion: true });

/** A difference in meaning. */
export const ReportDifference = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('outcome'),
    caseId: CaseId,
    before: z.enum(['passed', 'failed', 'answered']),
    after: z.enum(['passed', 'failed', 'answered']),
  }),
  /** A value is absent if the case had no such answer on that side. */
  z.object({
    kind: z.literal('answer'),
    caseId: CaseId,
    question: Question,
    subject: Subject.optional(),
    before: ObservedValue.optional(),
    after: ObservedValue.optional(),
  }),
  z.object({
    kind: z.literal('finding'),
    change: z.enum(['new', 'gone']),
    id: FindingId,
    severity: Severity,
    caseId: CaseId,
  }),
]);
export type ReportDifference = z.infer<typeof ReportDifference>;

/** Two reports compared by meaning, without what changes from check to check. */
export const ReportComparison = z.object({
  before: ComparedReport,
  after: ComparedReport,
  /** The number of cases that both sides tested. */
  compared: z.int(),
  /** For a mock: how many requests these cases sent to the original server, and their groups. */
  sent: z.object({ calls: z.int(), parts: z.array(z.string()) }).optional(),
  differences: z.array(ReportDifference),
  /** Cases that were tested on the other side only. Without a reason, the check of this side did not include the case. */
  unknown: z.array(z.object({ caseId: CaseId, side: z.enum(['before', 'after']), reason: NotMeasured.optional() })),
});
export type ReportComparison = z.infer<typeof ReportComparison>;
