import type { Report } from '../../../preload/contract/report.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { Observation } from '../observation.ts';
import type { CaseId, Question } from '../../../preload/contract/report-cases.ts';
import type { MockRemark } from '../../../preload/contract/mock-details.ts';
import type {
  FieldViolation,
  MockDefinition,
  MockOperation,
  MockRules,
  Scenario,
} from '../../service/mock/mock-definition.ts';
import type { AnalyzedCall } from './analyzed-calls.ts';
import type { LengthBounds } from './infer-limits.ts';
import type { RepeatedEmails } from './infer-rules.ts';
import { answerTo, type ReportAnswer } from './report-answers.ts';
import type { TemplateContext } from './infer-template.ts';
import type { createTrimmer } from './trim-mock.ts';

/** A run that is over: its report, and all that it saw, secrets included. */
export type CompletedRun = {
  report: Report;
  observations: readonly Observation[];
  secretRegistry: SecretRegistry;
  adapter: ApiAdapter;
};

/** The scenario of a call, as a mock file names it. */
export type ScenarioMatch = {
  operation: MockOperation;
  situation: Scenario;
  problems?: FieldViolation[] | undefined;
  path?: string | undefined;
  method?: string | undefined;
};

export type MatchedScenario = { call: AnalyzedCall; match: ScenarioMatch };

/** The calls of a run by what they tell. */
type CallSets = {
  everything: readonly AnalyzedCall[];
  /** Everything but the cases about second factors and accounts. */
  all: readonly AnalyzedCall[];
  /** Calls of the five operations, one after the other: which of two at once comes first is chance. */
  regular: readonly AnalyzedCall[];
  /** The regular calls that register. */
  registrations: readonly AnalyzedCall[];
  /** Renewals, and calls that ask of user names or forged requests alone. */
  special: readonly AnalyzedCall[];
};

/** A mock while it is generated. A row of the table reads only what the rows above it have inferred. */
export type MockInference = {
  readonly run: CompletedRun;
  readonly calls: CallSets;
  /** The ids of calls that were sent at once. */
  readonly concurrentIds: ReadonlySet<string>;
  readonly templates: TemplateContext;
  readonly trimmer: ReturnType<typeof createTrimmer>;
  rules: MockRules;
  lengthBounds: LengthBounds;
  repeatedEmails: RepeatedEmails;
  scenarios: MatchedScenario[];
  token: MockDefinition['token'];
  accountRules: MockDefinition['accountRules'];
  answers: MockDefinition['answers'];
  preflight: MockDefinition['preflight'];
  notMeasured: MockRemark[];
};

type Inferred = Omit<MockInference, 'run' | 'calls' | 'concurrentIds' | 'templates' | 'trimmer' | 'rules'>;
type Infer<T> = (calls: readonly AnalyzedCall[], mock: MockInference) => T | Promise<T>;

export type InferenceRow = {
  infers: readonly string[];
  from: keyof CallSets;
  /** Puts what it infers into the mock. */
  infer: (calls: readonly AnalyzedCall[], mock: MockInference) => Promise<void>;
};

/** A row for rules of the mock. */
export const rules = <R extends keyof MockRules>(
  infers: readonly R[],
  from: keyof CallSets,
  inferRules: Infer<Pick<MockRules, R>>,
): InferenceRow => ({
  infers,
  from,
  async infer(calls, mock) {
    Object.assign(mock.rules, await inferRules(calls, mock));
  },
});

/** A row for another part of the mock, or for what the rows below it need. */
export const part = <P extends keyof Inferred>(
  name: P,
  from: keyof CallSets,
  inferPart: Infer<MockInference[P]>,
): InferenceRow => ({
  infers: [name],
  from,
  async infer(calls, mock) {
    mock[name] = await inferPart(calls, mock);
  },
});

/** A row for a rule that one answer of the report tells. */
export const fromReport = <R extends keyof MockRules>(
  rule: R,
  [caseId, question]: readonly [CaseId, Question],
  toRule: (answer: ReportAnswer | undefined) => MockRules[R],
): InferenceRow => ({
  infers: [rule],
  from: 'regular',
  async infer(_calls, mock) {
    mock.rules[rule] = toRule(answerTo(mock.run.report, caseId, question));
  },
});

/** The lifetime of tokens in seconds, if the run measured one. */
export const measuredLifetime = ({ tokenSeconds: { value, calls } }: MockRules): number | undefined =>
  calls.length > 0 ? (value ?? undefined) : undefined;
