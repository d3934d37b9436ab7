import type { Report } from '../../../preload/contract/report.ts';
import type { MockRemark } from '../../../preload/contract/mock-details.ts';
import { isAccepted, type Observation } from '../observation.ts';
import { createKnownSecrets, type KnownSecrets } from '../../client/secrets/known-secrets.ts';
import { maskRanges, type SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import { parseMockFile } from '../../service/mock/load-mock-file.ts';
import { defaultInterface } from '../../interface/shipped.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import { createModelTrimmer } from './trim-model.ts';
import type { InferenceContext } from './infer-template.ts';
import { assignUserIds } from './value-formats.ts';
import { createCallContext, inferAnswers } from './infer-answers.ts';
import { inferRules } from './infer-rules.ts';
import { inferTokenFormat } from './infer-token-format.ts';
import { inferPreflight } from './infer-preflight.ts';
import { listNotMeasured } from './not-measured.ts';
import { analyzeCalls, type AnalyzedCall } from './analyzed-calls.ts';
import { matchScenarios } from './scenarios.ts';

/** A run that is over: its report, and all that it saw, secrets included. */
export type CompletedRun = {
  report: Report;
  observations: readonly Observation[];
  /** The secrets of the run. */
  secretRegistry: SecretRegistry;
  /** The interface that it went by. */
  adapter: ApiAdapter;
};

/** Why nothing can be learned of a run. */
export type GenerationProblem = 'ended-early' | 'no-login' | 'secret-in-model' | 'unreadable';

/** `why` says in English what makes a model unreadable. */
type NotLearned = { ok: false; problem: GenerationProblem; why?: string };

type Learned = { ok: true; model: MockDefinition } | NotLearned;

const not = (problem: GenerationProblem): NotLearned => ({ ok: false, problem });

/** Says why nothing can be learned of a run. */
function problemOf({ report, observations }: CompletedRun): NotLearned | undefined {
  if (report.ended.kind !== 'complete') return not('ended-early');
  const login = report.cases.find(({ id }) => id === 'login.right-credentials');
  // A session in a cookie that nothing describes breaks the rule, and can be learned all the same.
  const isLoggedIn = observations.some((seen) => seen.operation === 'login' && isAccepted(seen));
  if (login?.outcome !== 'passed' && !isLoggedIn) return not('no-login');
  return undefined;
}

/**
 * Learns a model of the server that a run measured. No secret of the run is in it: were there one, there would be no
 * model.
 */
export async function generateMock(run: CompletedRun): Promise<Learned> {
  const problem = problemOf(run);
  if (problem) return problem;
  const { report, observations, secretRegistry } = run;
  const remarks = new Map<string, MockRemark>();
  const { adapter } = run;
  const all = analyzeCalls(observations, adapter);
  assignUserIds(all);
  const people = knownPeople(all);
  const hidePeople = (text: string): string => maskRanges(text, people.find(text));
  const inference: InferenceContext = {
    secretRegistry,
    hidePeople,
    addRemark: (each) => void remarks.set(JSON.stringify(each), each),
  };
  // Which of two calls that are sent at once comes first is chance. Of what they changed, others tell.
  const atOnce = new Set(report.cases.flatMap(({ id, calls }) => (id.startsWith('races.') ? calls : [])));
  const isInTurn = ({ id, specialRequest }: AnalyzedCall): boolean => !atOnce.has(id) && specialRequest === undefined;
  const isOfFive = ({ operation }: AnalyzedCall): boolean => operation !== 'refresh' && operation !== 'csrf';
  const learned = await inferRules(
    report,
    all.filter((each) => isInTurn(each) && isOfFive(each)),
    {
      adapter,
      others: all.filter((each) => each.specialRequest !== undefined || !isOfFive(each)),
    },
  );
  const { rules } = learned;
  const lifetime = rules.tokenSeconds.calls.length > 0 ? (rules.tokenSeconds.value ?? undefined) : undefined;
  const given = all.flatMap((observed) => {
    const { token } = observed.observation.reading.summary;
    return token === undefined ? [] : [{ token, known: createCallContext(observed, lifetime), call: observed.id }];
  });
  const placed = await matchScenarios(all, learned, adapter.identifiers.loginBy);
  const inTurn = placed.filter(({ observed }) => isInTurn(observed) || observed.specialRequest !== undefined);
  const fit = createModelTrimmer(inference.addRemark);
  const token = fit.token(inferTokenFormat(given, inference));
  const answers = inferAnswers(inTurn, lifetime, inference, adapter).map((each) => fit.answer(each));
  const model: MockDefinition = {
    schema: 'llavero-model',
    version: 1,
    toolVersion: report.toolVersion,
    baseUrl: report.baseUrl,
    serverName: report.serverName?.slice(0, 200),
    measuredAt: report.startedAt,
    ...(adapter.description !== defaultInterface && { interface: adapter.filled() }),
    answers,
    rules,
    token,
    preflight: inferPreflight(all),
    notMeasured: listNotMeasured({ report, rules, open: learned.uncertainLengths, answers, all, adapter }),
    remarks: [...remarks.values()].slice(0, 500),
  };
  return checked(model, secretRegistry, people);
}

/** An id of fewer signs is a number like others. */
const longId = 8;
/** Nothing shorter is found within a text. */
const longEmail = 6;

/** Makes what finds the addresses of the people of a run, and their ids, in whatever spelling and letters. */
function knownPeople(all: readonly AnalyzedCall[]): KnownSecrets<true> {
  const known = createKnownSecrets<true>();
  for (const { email, username = '', ids = [] } of new Set(all.flatMap(({ person }) => person ?? []))) {
    if (email.length >= longEmail)
      for (const text of new Set([email, email.toLowerCase(), email.toUpperCase()])) known.add(text, true);
    if (username.length >= longId) known.add(username, true);
    for (const { text } of ids) if (text.length >= longId) known.add(text, true);
  }
  return known;
}

/** Lets only what can be read again, and holds nothing of the run, out of here. */
function checked(model: MockDefinition, secretRegistry: SecretRegistry, people: KnownSecrets<true>): Learned {
  const text = formatModel(model);
  if (secretRegistry.find(text).length > 0 || people.find(text).length > 0) {
    return not('secret-in-model');
  }
  const read = parseMockFile(text);
  return read.ok ? read : { ...not('unreadable'), why: read.sentence };
}

/** Writes a model as its file has it. */
export const formatModel = (model: MockDefinition): string => `${JSON.stringify(model, null, 1)}\n`;
