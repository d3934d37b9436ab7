import type { MockRemark } from '../../../preload/contract/mock-details.ts';
import { isAccepted } from '../observation.ts';
import { createKnownSecrets, type KnownSecrets, type TextRange } from '../../client/secrets/known-secrets.ts';
import { maskRanges, type SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import { parseMockFile } from '../../service/mock/load-mock-file.ts';
import { defaultInterface } from '../../interface/shipped.ts';
import { analyzeCalls, type AnalyzedCall } from './analyzed-calls.ts';
import { inferMock } from './inference-table.ts';
import type { CompletedRun } from './mock-inference.ts';
import { assignUserIds } from './value-formats.ts';

/** Why no mock can be generated from a run. */
export type GenerationProblem = 'ended-early' | 'no-login' | 'secret-in-model' | 'unreadable';

/** `why` is an English sentence about an unreadable mock. */
type Failure = { ok: false; problem: GenerationProblem; why?: string };

type Generated = { ok: true; model: MockDefinition } | Failure;

const failure = (problem: GenerationProblem): Failure => ({ ok: false, problem });

function problemOf({ report, observations }: CompletedRun): Failure | undefined {
  if (report.ended.kind !== 'complete') return failure('ended-early');
  const login = report.cases.find(({ id }) => id === 'login.right-credentials');
  // A session in a cookie that nothing describes breaks the rule, and can be mocked all the same.
  const isLoggedIn = observations.some((each) => each.operation === 'login' && isAccepted(each));
  return login?.outcome !== 'passed' && !isLoggedIn ? failure('no-login') : undefined;
}

/** Generates a mock of the server that a run checked; none if it would contain a secret of the run. */
export async function generateMock(run: CompletedRun): Promise<Generated> {
  const problem = problemOf(run);
  if (problem) return problem;
  const { report, observations, secretRegistry, adapter } = run;
  const all = analyzeCalls(observations, adapter);
  assignUserIds(all);
  const people = knownPeople(all);
  const remarks = new Map<string, MockRemark>();
  const addRemark = (each: MockRemark): void => void remarks.set(JSON.stringify(each), each);
  const mock = await inferMock(all, run, {
    secretRegistry,
    hidePeople: (text) => maskRanges(text, people.find(text)),
    addRemark,
  });
  const definition: MockDefinition = {
    schema: 'llavero-model',
    version: 1,
    toolVersion: report.toolVersion,
    baseUrl: report.baseUrl,
    serverName: report.serverName?.slice(0, 200),
    measuredAt: report.startedAt,
    ...(adapter.description !== defaultInterface && { interface: adapter.filled() }),
    answers: mock.answers,
    rules: mock.rules,
    accountRules: mock.accountRules,
    token: mock.token,
    preflight: mock.preflight,
    notMeasured: mock.notMeasured,
    remarks: [...remarks.values()].slice(0, 500),
  };
  const requestIds = new Set(all.map(({ id }) => id));
  return verified(definition, { secretRegistry, people, requestIds });
}

/** A shorter id is a number like others. */
const SHORTEST_ID = 8;
/** A shorter email is not searched for within a text. */
const SHORTEST_EMAIL = 6;

/** Finds the emails, user names and ids of the users of a run, in upper and lower case. */
function knownPeople(all: readonly AnalyzedCall[]): KnownSecrets<true> {
  const known = createKnownSecrets<true>();
  for (const { email, username = '', ids = [] } of new Set(all.flatMap(({ person }) => person ?? []))) {
    if (email.length >= SHORTEST_EMAIL)
      for (const text of new Set([email, email.toLowerCase(), email.toUpperCase()])) known.add(text, true);
    if (username.length >= SHORTEST_ID) known.add(username, true);
    for (const { text } of ids) if (text.length >= SHORTEST_ID) known.add(text, true);
  }
  return known;
}

type Searched = { secretRegistry: SecretRegistry; people: KnownSecrets<true>; requestIds: ReadonlySet<string> };

/**
 * Refuses a mock that contains a secret or an id of a person of the run, or that could not be read again. By chance, the
 * six digits of a code are also in the random id of a request (in one of a hundred checks) or within a longer number.
 */
function verified(definition: MockDefinition, { secretRegistry, people, requestIds }: Searched): Generated {
  const text = JSON.stringify(definition, (_, value: unknown) =>
    typeof value === 'string' && requestIds.has(value) ? '' : value,
  );
  const secrets = secretRegistry.find(text).filter((range) => !isWithinNumber(text, range));
  if (secrets.length > 0 || people.find(text).length > 0) return failure('secret-in-model');
  const read = parseMockFile(formatMockFile(definition));
  return read.ok ? read : { ...failure('unreadable'), why: read.sentence };
}

const isWithinNumber = (text: string, { from, to }: TextRange): boolean =>
  /^\d+$/.test(text.slice(from, to)) && /\d/.test(`${text[from - 1]}${text[to]}`);

/** The text of a mock file. */
export const formatMockFile = (definition: MockDefinition): string => `${JSON.stringify(definition, null, 1)}\n`;
