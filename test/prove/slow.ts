import path from 'node:path';
import { defaultInterface } from '../../main/interface/shipped.ts';
import { ApiAdapter } from '../../main/interface/api-adapter.ts';
import { recordedCall } from '../../main/client/recording/recorded-call.ts';
import { searchedOf, summaryOf } from '../../main/client/recording/call-summary.ts';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { interpret } from '../../main/client/interpret.ts';
import type { TransportCall } from '../../main/client/call.ts';
import { redactInterpretation, redactResponse } from '../../main/client/redact-interpretation.ts';
import { createSecretFinder, maskStrings } from '../../main/client/secrets/mask-secrets.ts';
import { appErrorOfAnswer } from '../../main/client/map-error.ts';
import type { InterpretedResponse } from '../../main/client/parse-response.ts';
import { longText } from '../../main/client/text-worker.ts';
import { createInterpretationTrace } from '../../main/client/interpretation-trace.ts';
import { casesById } from '../../main/check/plan.ts';
import type { TestClient } from '../../main/check/test-client.ts';
import {
  listResponseFields,
  createReplyAnswer,
  createObservation,
  type Observation,
} from '../../main/check/observation.ts';
import { createSeededRandom, type Random } from './random.ts';
import { answerOf, createGrammar, dictionaryOf, password, type AnswerShape } from './slow-answers.ts';
import { writtenIn, type Written } from './slow-patterns.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** What a short answer is read on is the thread that asks, so this is its longest text. */
export const shortBytes = 64 * 1024;

/** Most shapes are no slower than others, and a short text shows that already. */
const screeningBytes = 8 * 1024;

/** A shape with the milliseconds of the thread's own work that it takes, and the stage that takes them. */
export type Slow = { ms: number; stage: string; shape: AnswerShape };

function callOf(shape: AnswerShape, size: number) {
  const url = `http://127.0.0.1:8000/api/v1/auth/${shape.operation}`;
  const { status, headers, body } = answerOf(shape, size);
  return {
    id: 'slow',
    startedAt: new Date().toISOString(),
    request: {
      method: 'POST',
      url,
      headers: [['Accept', 'application/json']],
      body: JSON.stringify({ email: 'ana@example.test', password }),
      head: { text: `POST ${url} HTTP/1.1\r\nAccept: application/json\r\n\r\n`, source: 'as-written' },
    },
    reusedConnection: false,
    timings: { totalMs: 1 },
    response: {
      status,
      statusText: 'OK',
      httpVersion: '1.1',
      rawHeaders: headers,
      body: body.toString(),
      bodyBytes: body,
    },
  } satisfies TransportCall;
}

const lookingBack = [
  'errors.form',
  'errors.internals',
  'errors.secrets-sent',
  'headers.of-answers',
  'token.form',
] as const;

/** The application does this with an answer, each in one turn of its thread. */
const stages: Readonly<Record<string, (call: TransportCall, understood: InterpretedResponse) => unknown>> = {
  reading(_call, { operation, response: answer, interpretation }) {
    redactInterpretation({ operation, interpretation, response: answer }, [password]);
    const { hide } = createSecretFinder([password]);
    const safe = redactResponse({ response: answer, interpretation }, hide);
    maskStrings(appErrorOfAnswer(operation, safe.response, safe.interpretation), hide);
    return createInterpretationTrace(operation, interpretation);
  },
  recording(call) {
    const { recorded } = recordedCall('server', call, new SecretRegistry());
    return [JSON.stringify(recorded), summaryOf(recorded), searchedOf(recorded)];
  },
  judging(call, understood) {
    const seen = createObservation(understood, call, new SecretRegistry());
    return [
      createReplyAnswer('wrong-method', seen, new SecretRegistry()),
      listResponseFields(seen, new SecretRegistry()),
    ];
  },
  ...Object.fromEntries(
    lookingBack.map((id) => [
      id,
      (call: TransportCall, understood: InterpretedResponse) =>
        casesById.get(id)?.run(probeOf(createObservation(understood, call, new SecretRegistry()))),
    ]),
  ),
};

/** Makes what cases ask of a run that only look back. */
const probeOf = (seen: Observation): TestClient =>
  ({
    secretRegistry: new SecretRegistry(),
    observations: () => [seen],
    observationsOf: () => [seen],
    passwords: () => new Set([password]),
    attributeToCurrentCase: () => undefined,
    adapter: new ApiAdapter(defaultInterface, 'https://api.example.test'),
  }) as unknown as TestClient;

/** What is longer is searched for secrets on the other thread. */
const searched: ReadonlySet<string> = new Set(['reading', 'recording']);

/** The stage that an answer of this shape takes longest in, of those that the thread which asks does with it. */
function slowestStage(shape: AnswerShape, size: number): Slow {
  let slowest: Slow = { ms: 0, stage: '', shape };
  const time = <T>(stage: string, work: () => T): T => {
    const before = process.threadCpuUsage();
    const done = work();
    const { user, system } = process.threadCpuUsage(before);
    if (user + system > slowest.ms * 1000) slowest = { ms: (user + system) / 1000, stage, shape };
    return done;
  };
  const [short, whole] = [Math.min(size, longText), size].map((bytes) => {
    const call = callOf(shape, bytes);
    const { response, request } = call;
    const understood = time('understanding', () => interpret(shape.operation, response, request.url, {}));
    return { call, understood };
  });
  for (const [stage, work] of Object.entries(stages)) {
    const { call, understood } = searched.has(stage) ? short! : whole!;
    time(stage, () => work(call, understood));
  }
  return slowest;
}

/** Measures twice, since the collector may have run, and takes the shorter time. */
function measured(shape: AnswerShape, size: number): Slow {
  const [one, other] = [slowestStage(shape, size), slowestStage(shape, size)];
  return one.ms < other.ms ? one : other;
}

/** The number of slow shapes that are kept and changed. */
const kept = 30;

type SearchOptions = {
  written: readonly Written[];
  seed: number;
  seconds: number;
  onSlower?: ((slow: Slow) => void) | undefined;
};

/** Looks for the answers that take longest: new ones, and some that differ a little from the slowest so far. */
export function searchSlow({ written, seed, seconds, onSlower }: SearchOptions) {
  const random: Random = createSeededRandom(seed);
  const grammar = createGrammar(dictionaryOf(written), seed, random);
  const until = performance.now() + seconds * 1000;
  const slow: (Slow & { screened: number })[] = [];
  let tried = 0;
  let triedInFull = 0;
  for (; performance.now() < until; tried++) {
    const known = slow[random.whole(0, slow.length)];
    const shape = known && random.chance(0.5) ? grammar.changed(known.shape) : grammar.fresh();
    const least = slow.length < kept ? 0 : slow.at(-1)!.screened;
    if (slowestStage(shape, screeningBytes).ms <= least) continue;
    const screened = measured(shape, screeningBytes).ms;
    if (screened <= least) continue;
    triedInFull++;
    const found = measured(shape, shortBytes);
    const alike = slow.findIndex(
      (each) =>
        each.stage === found.stage && each.shape.container === shape.container && each.shape.pump === shape.pump,
    );
    if (alike >= 0 && slow[alike]!.ms >= found.ms) continue;
    if (alike >= 0) slow.splice(alike, 1);
    if (found.ms > (slow[0]?.ms ?? 0)) onSlower?.(found);
    slow.push({ ...found, screened });
    slow.sort((a, b) => b.ms - a.ms);
    slow.length = Math.min(slow.length, kept);
  }
  return { tried, triedInFull, slow };
}

/** Returns every pattern and word of the sources that read what a server says. */
export const readingSources = (): Written[] =>
  ['main/client', 'main/check', 'main/tools/calls'].flatMap((folder) => writtenIn(path.join(root, folder)));
