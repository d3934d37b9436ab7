import type { Report } from '../../../preload/contract/report.ts';
import type { ModelRemark } from '../../../preload/contract/server-models.ts';
import { isAccepted, type Observation } from '../observation.ts';
import { createKnownSecrets, type KnownSecrets } from '../../client/secrets/known-secrets.ts';
import { withDots, type SecretReferences } from '../../client/secrets/secret-references.ts';
import type { MockDefinition } from '../../service/double/model.ts';
import { parseMockFile } from '../../service/double/read-model.ts';
import { ownInterface } from '../../interface/shipped.ts';
import type { Wire } from '../../interface/wire.ts';
import { createFit } from './fit.ts';
import type { Inference } from './infer.ts';
import { learnIds } from './forms.ts';
import { knownOf, learnAnswers } from './learn-answers.ts';
import { learnRules } from './learn-rules.ts';
import { learnTokenForm } from './learn-tokens.ts';
import { learnPreflight } from './learn-preflight.ts';
import { notMeasuredIn } from './not-measured.ts';
import { observeAll, type Observed } from './observed.ts';
import { placeAll } from './situations.ts';

/** A run that is over: its report, and all that it saw, secrets included. */
export type MeasuredRun = {
  report: Report;
  everything: readonly Observation[];
  /** The secrets of the run. */
  references: SecretReferences;
  /** The interface that it went by. */
  wire: Wire;
};

/** Why nothing can be learned of a run. */
export type LearnProblem = 'ended-early' | 'no-login' | 'secret-in-model' | 'unreadable';

/** `why` says in English what makes a model unreadable. */
type NotLearned = { ok: false; problem: LearnProblem; why?: string };

type Learned = { ok: true; model: MockDefinition } | NotLearned;

const not = (problem: LearnProblem): NotLearned => ({ ok: false, problem });

/** Says why nothing can be learned of a run. */
function problemOf({ report, everything }: MeasuredRun): NotLearned | undefined {
  if (report.ended.kind !== 'complete') return not('ended-early');
  const login = report.cases.find(({ id }) => id === 'login.right-credentials');
  // A session in a cookie that nothing describes breaks the rule, and can be learned all the same.
  const isLoggedIn = everything.some((seen) => seen.operation === 'login' && isAccepted(seen));
  if (login?.outcome !== 'passed' && !isLoggedIn) return not('no-login');
  return undefined;
}

/**
 * Learns a model of the server that a run measured. No secret of the run is in it: were there one, there would be no
 * model.
 */
export async function learnModel(run: MeasuredRun): Promise<Learned> {
  const problem = problemOf(run);
  if (problem) return problem;
  const { report, everything, references } = run;
  const remarks = new Map<string, ModelRemark>();
  const { wire } = run;
  const all = observeAll(everything, wire);
  learnIds(all);
  const people = knownPeople(all);
  const hidePeople = (text: string): string => withDots(text, people.find(text));
  const inference: Inference = {
    references,
    hidePeople,
    remark: (each) => void remarks.set(JSON.stringify(each), each),
  };
  // Which of two calls that are sent at once comes first is chance. Of what they changed, others tell.
  const atOnce = new Set(report.cases.flatMap(({ id, calls }) => (id.startsWith('races.') ? calls : [])));
  const isInTurn = ({ id, aside }: Observed): boolean => !atOnce.has(id) && aside === undefined;
  const isOfFive = ({ operation }: Observed): boolean => operation !== 'refresh' && operation !== 'csrf';
  const learned = await learnRules(
    report,
    all.filter((each) => isInTurn(each) && isOfFive(each)),
    {
      wire,
      others: all.filter((each) => each.aside !== undefined || !isOfFive(each)),
    },
  );
  const { rules } = learned;
  const lifetime = rules.tokenSeconds.calls.length > 0 ? (rules.tokenSeconds.value ?? undefined) : undefined;
  const given = all.flatMap((observed) => {
    const { token } = observed.seen.reading.meaning;
    return token === undefined ? [] : [{ token, known: knownOf(observed, lifetime), call: observed.id }];
  });
  const placed = await placeAll(all, learned, wire.identifiers.loginBy);
  const inTurn = placed.filter(({ observed }) => isInTurn(observed) || observed.aside !== undefined);
  const fit = createFit(inference.remark);
  const token = fit.token(learnTokenForm(given, inference));
  const answers = learnAnswers(inTurn, lifetime, inference, wire).map((each) => fit.answer(each));
  const model: MockDefinition = {
    schema: 'llavero-model',
    version: 1,
    toolVersion: report.toolVersion,
    baseUrl: report.baseUrl,
    serverName: report.serverName?.slice(0, 200),
    measuredAt: report.startedAt,
    ...(wire.description !== ownInterface && { interface: wire.filled() }),
    answers,
    rules,
    token,
    preflight: learnPreflight(all),
    notMeasured: notMeasuredIn({ report, rules, open: learned.openLengths, answers, all, wire }),
    remarks: [...remarks.values()].slice(0, 500),
  };
  return checked(model, references, people);
}

/** An id of fewer signs is a number like others. */
const longId = 8;
/** Nothing shorter is found within a text. */
const longEmail = 6;

/** Makes what finds the addresses of the people of a run, and their ids, in whatever spelling and letters. */
function knownPeople(all: readonly Observed[]): KnownSecrets<true> {
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
function checked(model: MockDefinition, references: SecretReferences, people: KnownSecrets<true>): Learned {
  const text = writeModel(model);
  if (references.within(text).length > 0 || people.find(text).length > 0) {
    return not('secret-in-model');
  }
  const read = parseMockFile(text);
  return read.ok ? read : { ...not('unreadable'), why: read.sentence };
}

/** Writes a model as its file has it. */
export const writeModel = (model: MockDefinition): string => `${JSON.stringify(model, null, 1)}\n`;
