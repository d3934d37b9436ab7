import { isList, isNumber, isJsonObject, type JsonValue } from '../../client/reading/json.ts';
import { allowedHeaders, tokenHeaders } from '../../service/mock/allowed-headers.ts';
import {
  mockFileLimits,
  type HeaderName,
  type MockResponse,
  type Placeholder,
  type TextTemplate,
} from '../../service/mock/mock-definition.ts';
import { beforeText } from '../../client/reading/body.ts';
import { violationsKey } from '../../service/mock/input-violations.ts';
import { isAccountCall } from '../../interface/account-calls.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import { accountOutputsIn } from '../account-responses.ts';
import { recoveryCodesIn } from '../second-factor-client.ts';
import { inferTemplate, inferText, createFieldName, type TemplateContext } from './infer-template.ts';
import {
  readCsrfToken,
  isAcceptedCall,
  type CallContext,
  type AnalyzedCall,
  type IssuedValues,
} from './analyzed-calls.ts';
import { measuredLifetime, type MatchedScenario, type MockInference } from './mock-inference.ts';
import { isUuid, inferSegments } from './value-formats.ts';

type Sample = MatchedScenario;

/** More of one kind tell nothing more. */
const mostSamples = 12;
const mostCalls = 20;
/** A body of so many characters was kept by the run no further. */
const keptCharacters = 64 * 1024;

const isAllowed = (name: string): name is HeaderName => allowedHeaders.some((each) => each === name);

const keyOfSample = ({ match: { operation, situation, problems = [], path, method } }: Sample): string =>
  JSON.stringify([operation, situation, violationsKey(problems), path, method]);

/** Returns the names and kinds of what an answer holds: two answers of one kind have the same. */
export function structureOf(value: JsonValue, known?: CallContext, depth = 0): unknown {
  if (depth > 8) return '';
  if (isList(value)) return value.slice(0, 20).map((each) => structureOf(each, known, depth + 1));
  if (isNumber(value)) return 'number';
  if (!isJsonObject(value)) return typeof value;
  // Some languages write the fields of a map in another order each time.
  return [...value.values]
    .map(([name, each]): [string, unknown] => [
      JSON.stringify(createFieldName(name, known)),
      structureOf(each, known, depth + 1),
    ])
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
}

const kindOf = (call: AnalyzedCall): string => {
  const { status, json, text } = call;
  const structure = json === undefined ? text === '' : structureOf(json, createCallContext(call, undefined));
  return JSON.stringify([status, structure]).slice(0, 10_000);
};

const lengthOf = ([first]: readonly Sample[]): number =>
  first?.match.situation === 'invalid' ? first.call.text.length : 0;

/**
 * Returns the samples of the kind that came most often; among equals, of the kind that came first. Of refusals of one
 * problem the shortest is of that alone: a server may find the same value odd in more ways, such as a common password.
 */
function mostFrequent(samples: readonly Sample[]): { samples: Sample[]; isMixed: boolean } {
  const kinds = Map.groupBy(samples, ({ call }) => kindOf(call));
  const [most = []] = [...kinds.values()].toSorted((a, b) => b.length - a.length || lengthOf(a) - lengthOf(b));
  return { samples: most, isMixed: kinds.size > 1 };
}

/** Returns what is known of the call of an answer. */
export function createCallContext(
  call: AnalyzedCall,
  lifetimeSeconds: number | undefined,
  adapter?: ApiAdapter,
): CallContext {
  const { observation, person, sent, atMs, method, path } = call;
  const { summary } = observation.reading;
  const issued = adapter && issuedValuesIn(call, adapter);
  // Before its code, a login has no session token.
  const token = issued?.pendingLogin ? undefined : (summary.token ?? call.token);
  return {
    person,
    token: call.operation === 'csrf' && adapter ? readCsrfToken(call, adapter) : token,
    issued,
    sent,
    isSuccess: isAcceptedCall(call),
    atMs,
    lifetimeSeconds,
    waitSeconds: call.handling === 'throttled' ? summary.retryAfterSeconds : undefined,
    method,
    path,
  };
}

/** What an answer gave for a second factor. Outputs that are no secrets are ids like others. */
function issuedValuesIn({ observation, operation }: AnalyzedCall, adapter: ApiAdapter): IssuedValues | undefined {
  const { pending, call } = observation;
  if (pending) {
    const { token, outputs = {} } = pending.credential;
    const all = Object.entries({ ...outputs, ...(token !== undefined && { token }) });
    return { pendingLogin: Object.fromEntries(all.filter(([name]) => !adapter.publicOutputs.has(name))) };
  }
  if (!isAccountCall(operation) || !operation.startsWith('enrollment.') || !call?.response) return undefined;
  const { secret, recoveryCode } = accountOutputsIn(adapter, operation, call.response);
  const factorSecret = secret === undefined ? undefined : (URL.parse(secret)?.searchParams.get('secret') ?? secret);
  return { factorSecret, recoveryCodes: recoveryCodesIn(call.response.body, recoveryCode) };
}

/** A time to wait is written in seconds, or as the time when it is over (RFC 9110 section 10.2.3). */
const waitOf = (value: string): Placeholder =>
  /^\s*\d+\s*$/.test(value) ? { place: 'wait' } : { place: 'time', of: 'retry', form: { kind: 'http' } };

/** Returns where an answer leads, as a path below the base URL; undefined for another server. */
function pathBelow(location: string, { observation, path }: AnalyzedCall): string | undefined {
  const from = observation.call && URL.parse(observation.call.request.url);
  const to = from && URL.parse(location, from.href);
  if (!from || to?.origin !== from.origin) return undefined;
  const prefix = from.pathname.endsWith(path) ? from.pathname.slice(0, from.pathname.length - path.length) : '';
  const way = to.pathname.startsWith(`${prefix}/`) ? to.pathname.slice(prefix.length) : to.pathname;
  // A redirect may hand over what a log-in by GET had in its address.
  const secrets = new Set(observation.call?.request.secretsInUrl);
  const isEcho = [...to.searchParams.values()].some((value) => secrets.has(value));
  return (way + (isEcho ? '' : to.search)).slice(0, 2000);
}

function headersOf(
  samples: readonly Sample[],
  knowns: readonly CallContext[],
  context: TemplateContext,
): MockResponse['headers'] {
  const [first] = samples;
  const [known] = knowns;
  if (!first || !known) return [];
  return first.call.headers.flatMap(([name, value]): MockResponse['headers'] => {
    const lower = name.toLowerCase();
    if (!isAllowed(lower)) return [];
    if (lower === 'x-request-id') return [[lower, [{ place: 'random', segments: inferSegments([value]) }]]];
    if (lower === 'retry-after') return [[lower, [waitOf(value)]]];
    if (lower === 'location') {
      const way = pathBelow(value, first.call);
      return way === undefined ? [] : [[lower, inferText([way], [known], context)]];
    }
    const text = inferText([value.slice(0, 2000)], [known], context);
    // Another header of such a name is nobody's business.
    const isForToken = tokenHeaders.some((each) => each === lower);
    return isForToken && !text.some((part) => typeof part !== 'string' && part.place === 'token')
      ? []
      : [[lower, text]];
  });
}

function bodyOf(
  samples: readonly Sample[],
  knowns: readonly CallContext[],
  context: TemplateContext,
): MockResponse['body'] {
  const [first] = samples;
  const [known] = knowns;
  if (!first || !known || first.call.text === '') return { kind: 'empty' };
  const { json, text } = first.call;
  if (json !== undefined) {
    const before = beforeText(text);
    return {
      kind: 'json',
      ...(before !== '' && before.length <= mockFileLimits.beforeJson && { before }),
      template: inferTemplate(
        '',
        samples.map(({ call }) => call.json ?? null),
        knowns,
        context,
      ),
    };
  }
  if (text.length >= keptCharacters) context.addRemark({ kind: 'cut' });
  const parts: TextTemplate = isUuid(text)
    ? [{ place: 'random', segments: inferSegments([text]) }]
    : inferText(
        samples.map(({ call }) => call.text),
        knowns,
        context,
      );
  return { kind: 'text', text: parts };
}

/** The answer to each scenario that the run met. */
export function inferAnswers({ scenarios, rules, concurrentIds, templates, run }: MockInference): MockResponse[] {
  const { adapter } = run;
  const lifetimeSeconds = measuredLifetime(rules);
  const samples = scenarios.filter(({ call }) => call.specialRequest !== undefined || !concurrentIds.has(call.id));
  const answers: MockResponse[] = [];
  for (const group of Map.groupBy(samples, keyOfSample).values()) {
    const { samples: frequent, isMixed } = mostFrequent(group);
    const [first] = frequent;
    if (!first) continue;
    const { operation, situation, problems, path, method } = first.match;
    const where = path === undefined ? operation : templates.secretRegistry.mask(path);
    if (isMixed) templates.addRemark({ kind: 'several-ways', situation, where });
    const { status, observation } = first.call;
    if (operation === 'login' && situation === 'done' && observation.reading.summary.token === undefined) {
      templates.addRemark({ kind: 'no-token' });
    }
    const shown = frequent.slice(0, mostSamples);
    const knowns = shown.map(({ call }) => createCallContext(call, lifetimeSeconds, adapter));
    const headers = headersOf(shown, knowns, templates);
    const leads = status >= 300 && status < 400;
    if (leads && headers.every(([name]) => name !== 'location')) templates.addRemark({ kind: 'redirect', where });
    answers.push({
      operation,
      situation,
      problems,
      path: path === undefined ? undefined : templates.secretRegistry.mask(path),
      method,
      status,
      headers,
      body: bodyOf(shown, knowns, templates),
      calls: group.slice(0, mostCalls).map(({ call }) => call.id),
    });
  }
  return withoutSame(answers, adapter);
}

const gistOf = ({ status, headers, body }: MockResponse): string => JSON.stringify([status, headers, body]);

/** Drops what an unknown path is answered, too. */
function withoutSame(answers: readonly MockResponse[], adapter: ApiAdapter): MockResponse[] {
  const unknown = [adapter.unknownPath('llavero-unknown'), '/llavero-unknown'];
  const [, root = ''] = /^(\/[^/]*)/.exec(adapter.paths.prefix) ?? [];
  const isGeneral = ({ path = '' }: MockResponse): boolean => unknown.includes(path);
  const general = (path: string): MockResponse | undefined => {
    const wanted = path.startsWith(`${root}/`) ? unknown[0] : unknown[1];
    return answers.find((each) => each.path === wanted) ?? answers.find((each) => each.path === unknown[0]);
  };
  return answers.filter((each) => {
    if (each.path === undefined || isGeneral(each)) return true;
    const its = general(each.path);
    return its === undefined || gistOf(its) !== gistOf(each);
  });
}
