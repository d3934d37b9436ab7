import { z } from 'zod';
import { CaseAnswer, CaseId, CaseResult, NotMeasured, ObservedValue, Subject, Question } from './report-cases.ts';
import { AppError } from './result.ts';
import { accountLimits, emailDomainPattern, longestEmailDomain, longestReason } from './names.ts';
import { RecordedCall } from './calls.ts';

export const Severity = z.enum(['high', 'medium', 'low', 'info']);
export type Severity = z.infer<typeof Severity>;

/** What can be unsafe. `main/check/finding-severities.ts` has the severities and sources, the locales the words. */
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
]);
export type FindingId = z.infer<typeof FindingId>;

export const Finding = z.object({
  id: FindingId,
  severity: Severity,
  /** The case that found it. */
  caseId: CaseId,
  /** Ids of `Report.evidence` that prove it. */
  calls: z.array(z.string()).min(1),
  /** A script for a POSIX shell and curl that sends them again with all that they need, or an empty text. */
  script: z.string(),
  /** What was measured of it. `unknown-email-by-time` has a value of kind `times`, which says how sure it is. */
  details: z.array(CaseAnswer),
});
export type Finding = z.infer<typeof Finding>;

/** The registration path for the accounts of a run. `both` looks at each; with `none` nobody is registered. */
export const RunVariant = z.enum(['registro', 'register', 'both', 'none']);
export type RunVariant = z.infer<typeof RunVariant>;

/** What a person chooses about a run. */
export const RunOptions = z.object({
  callsPerSecond: z.number().min(0.1).max(100).default(5),
  /** Whether the run tries to meet the limit on failed logins, with at most 30 of them at an account of its own. */
  throttling: z.boolean().default(false),
  /** Whether the run sends calls at once, two at a time, to see whether the server keeps them apart. */
  races: z.boolean().default(false),
  variant: RunVariant.default('both'),
  /** The most accounts that the run makes. */
  accounts: z.int().min(accountLimits.least).max(accountLimits.most).default(accountLimits.usual),
  /** Where its addresses are, instead of `example.test` or, where that is refused, `example.com`. */
  emailDomain: z.string().max(longestEmailDomain).regex(emailDomainPattern).optional(),
  /** The cases to run, with those that they need. All cases run when it is absent. */
  only: z.array(CaseId).max(CaseId.options.length).optional(),
  /** Whether the run ends at the first stated case that failed. */
  bail: z.boolean().default(false),
});
export type RunOptions = z.infer<typeof RunOptions>;

/**
 * What is known before a run starts: the most that it takes, without what is sent again because it looked wrong or was
 * throttled. With that, a run sends at most twice as many calls.
 */
export type RunPlan = { cases: CaseId[]; calls: number; accounts: number; seconds: number };

export type RunProgress = {
  /** The case that is under way. It is absent before the first and after the last. */
  current?: CaseId | undefined;
  casesDone: number;
  casesPlanned: number;
  callsMade: number;
  callsPlanned: number;
  secondsLeft: number;
  /** When the wait ends that the server asked for, in ISO 8601. It is absent while there is no such wait. */
  waitingUntil?: string | undefined;
  result?: CaseResult | undefined;
};

/** A time when the server throttled the run in the middle of it. What it did not say is absent. */
export const Throttling = z.object({
  /** The id of the call in `Report.evidence`. */
  call: z.string(),
  limit: z.number().optional(),
  windowSeconds: z.number().optional(),
  askedSeconds: z.number().optional(),
  waitedSeconds: z.number(),
});
export type Throttling = z.infer<typeof Throttling>;

/** An account that the run made. The interface has no way to delete it. */
export const CreatedAccount = z.object({
  email: z.string(),
  madeBy: CaseId,
  /** It is `unsure` when no answer said whether the account was made. */
  state: z.enum(['made', 'unsure']),
});
export type CreatedAccount = z.infer<typeof CreatedAccount>;

/** How a run ended. */
export const RunEnd = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('complete') }),
  z.object({ kind: z.literal('cancelled') }),
  /** It ended at the first failure, as a person had asked. */
  z.object({ kind: z.literal('bail'), caseId: CaseId }),
  /** Three calls in a row got no answer that is HTTP/1.1, so no further case was tried. */
  z.object({ kind: z.literal('unreachable'), error: AppError }),
  /** The server is marked as production, so nothing was sent. */
  z.object({ kind: z.literal('production') }),
]);
export type RunEnd = z.infer<typeof RunEnd>;

/** One fault that somebody accepts, with why and since when. */
export const AcceptedFault = z.object({
  /** Such as `rule:login.answer` or `finding:plain-http`. */
  fault: z.string(),
  /** The case that found it. */
  case: CaseId,
  reason: z.string().trim().min(1).max(longestReason),
  /** The day on which it was accepted, in UTC. */
  accepted: z.iso.date(),
});
export type AcceptedFault = z.infer<typeof AcceptedFault>;

/** What an acceptance means for one report. */
export type AcceptanceStatus = AcceptedFault & {
  /**
   * `holds`: the report has the fault, and it is accepted. `gone`: the case was measured, and the fault is not there.
   * `unmeasured`: nothing can be said of it.
   */
  state: 'holds' | 'gone' | 'unmeasured';
};

const VerdictKind = z.enum([
  /** Somebody logged in, every call that counts succeeded at least once, and no requirement is broken. */
  'passed',
  /** Findings count against it, by their severities. */
  'findings',
  /** A requirement is broken. */
  'failed',
  /** A call that has to succeed at least once, or a case of `only`, could not be tested. */
  'not-tested',
  /** The server stopped answering after somebody had logged in. */
  'stopped',
  /** The run was ended by a person or a signal, or not begun. */
  'ended',
  /** The server answers, and nobody could log in. */
  'no-login',
  /** The server refused the account that the run was given. */
  'account-refused',
  /** Nothing there ever answered in HTTP. */
  'no-http',
  /** Llavero itself failed. */
  'bug',
]);

/** What a run comes to: the exit code of `check`, and the numbers of the first sentence of every report. */
export const RunVerdict = z.object({
  exitCode: z.union([z.literal(0), z.literal(1), z.literal(3), z.literal(4)]),
  kind: VerdictKind,
  /** The findings by their severities, without those that are accepted. */
  found: z.object({ high: z.int(), medium: z.int(), low: z.int(), info: z.int() }),
  /** The requirements that the run was about, those of them that were tested, and those that failed and are not accepted. */
  requirements: z.int(),
  tested: z.int(),
  failed: z.int(),
  /** How many findings and failed requirements are accepted: they decide nothing. */
  accepted: z.object({ findings: z.int(), requirements: z.int() }),
  /** The findings that decide. */
  findings: z.int(),
  /** The cases that decide and could not be tested. */
  untested: z.array(CaseId),
  /** Why nothing there answered in HTTP. It is there with `no-http` alone. */
  cause: AppError.optional(),
});
export type RunVerdict = z.infer<typeof RunVerdict>;

/** How the interface of a server is described: by a name, and with its calls as people write them. */
const DescribedInterface = z.object({
  name: z.string(),
  /** SHA-256 of the canonical JSON of the description. */
  digest: z.string(),
  calls: z.object({
    register: z.string().optional(),
    login: z.string(),
    profile: z.string(),
    logout: z.string().optional(),
  }),
});

/**
 * Everything that a run found, as the report's file has it. It holds no secret: neither the passwords and tokens that the
 * run used, nor those that the server sent.
 */
export const Report = z.object({
  schema: z.literal('llavero-report'),
  version: z.literal(1),
  /** The version of Llavero. */
  toolVersion: z.string(),
  baseUrl: z.string(),
  serverName: z.string().optional(),
  /** The interface of the server, where it has another than `interface.md`. */
  interface: DescribedInterface.optional(),
  /** In ISO 8601. */
  startedAt: z.string(),
  endedAt: z.string(),
  durationMs: z.number(),
  options: RunOptions,
  ended: RunEnd,
  /** The number of calls that were sent in all, those of the clean-up included. */
  calls: z.int(),
  accounts: z.array(CreatedAccount),
  /** When the server throttled the run, in that order. It is absent where it never did. */
  throttlings: z.array(Throttling).optional(),
  /** The email of the account that the run was given. */
  givenAccount: z.string().optional(),
  /** The names of the extra headers that were in its calls. Their values are secrets. */
  extraHeaders: z.array(z.string()).optional(),
  /** In the order of {@link CaseId}. Each case of the plan is there once. */
  cases: z.array(CaseResult),
  /** The most severe is the first. */
  findings: z.array(Finding),
  /** What the run came to when the file was written, with the first sentence of every report, in English. */
  verdict: RunVerdict.extend({ sentence: z.string() }).optional(),
  /** What is wrong and what is a note, the worst first, as every report lists it. */
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
  /** What was accepted of it when the file was written. It is absent where nothing was. */
  accepted: z.array(AcceptedFault.extend({ reason: z.string(), accepted: z.string() })).optional(),
  /** Texts of bodies are cut at 4 KiB; their `bytes` says how long they were. */
  evidence: z.array(RecordedCall.omit({ replayOf: true, contractRun: true })),
});
export type Report = z.infer<typeof Report>;

/** Whose report one side of a comparison is. */
const ComparedReport = Report.pick({ baseUrl: true, serverName: true, startedAt: true, toolVersion: true });

/** One thing that differs by meaning. */
export const ReportDifference = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('outcome'),
    caseId: CaseId,
    before: z.enum(['passed', 'failed', 'answered']),
    after: z.enum(['passed', 'failed', 'answered']),
  }),
  /** An absent value means that the case had no such answer on that side. */
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

/** Two reports compared by meaning, without what changes from run to run. */
export const ReportComparison = z.object({
  before: ComparedReport,
  after: ComparedReport,
  /** The cases that both sides measured. */
  compared: z.int(),
  /** Of a mock server and its original: how many calls these cases sent to the original, and the parts that they are about. */
  sent: z.object({ calls: z.int(), parts: z.array(z.string()) }).optional(),
  differences: z.array(ReportDifference),
  /** Cases that were measured on the other side only. Without a reason, the run of this side did not have the case. */
  unknown: z.array(z.object({ caseId: CaseId, side: z.enum(['before', 'after']), reason: NotMeasured.optional() })),
});
export type ReportComparison = z.infer<typeof ReportComparison>;
