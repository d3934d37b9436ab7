import path from 'node:path';
import { createSecretReferences } from '../../main/calls/secret-references.ts';
import { recordedCall } from '../../main/calls/recorded-call.ts';
import { searchedOf, summaryOf } from '../../main/calls/call-summary.ts';
import { understand } from '../../main/client/answer.ts';
import type { Call } from '../../main/client/call.ts';
import { createSecretFinder, hideIn, hideInReading } from '../../main/client/hide-secrets.ts';
import { appErrorOfAnswer } from '../../main/client/map-error.ts';
import { understandingOf } from '../../main/client/understanding.ts';
import { casesById } from '../../main/contract-run/plan.ts';
import type { Probe } from '../../main/contract-run/probe.ts';
import { fieldsOf, replyAnswer, seenAnswer } from '../../main/contract-run/seen.ts';
import { createRandom } from './random.ts';
import { writtenIn } from './slow-patterns.ts';
import { answerOf, createGrammar, dictionaryOf, type AnswerShape, type HostileAnswer } from './slow-answers.ts';

const root = path.resolve(import.meta.dirname, '../..');

const password = 'kR7-never-to-be-seen-again-2xQ';

export function callOf(shape: Pick<AnswerShape, 'operation'>, { status, headers, body }: HostileAnswer): Call {
  const url = `http://127.0.0.1:8000/api/v1/auth/${shape.operation}`;
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
      statusText: '',
      httpVersion: '1.1',
      rawHeaders: headers,
      body: body.toString(),
      bodyBytes: body,
    },
  };
}

/** What the application does with an answer, each without a pause. */
const stages: Record<string, (call: Call, shape: AnswerShape) => void> = {
  reading({ request, response }, { operation }) {
    const understood = understand(operation, response!, request.url, undefined);
    hideInReading(understood.reading, [password]);
    hideIn(appErrorOfAnswer(operation, understood.answer, understood.reading), createSecretFinder([password]).hide);
    understandingOf(operation, understood.reading);
  },
  recording(call) {
    const recorded = recordedCall('server', call, createSecretReferences());
    JSON.stringify(recorded);
    summaryOf(recorded);
    searchedOf(recorded);
  },
  judging(call, { operation }) {
    const references = createSecretReferences();
    const understood = understand(operation, call.response!, call.request.url, undefined);
    const seen = seenAnswer(understood, call);
    replyAnswer('wrong-method', seen, references);
    fieldsOf(seen);
  },
  lookingBack(call, { operation }) {
    const references = createSecretReferences();
    const understood = understand(operation, call.response!, call.request.url, undefined);
    const seen = seenAnswer(understood, call);
    const probe = {
      references,
      everything: () => [seen],
      passwords: () => new Set([password]),
      ofCase: () => [seen],
      baseUrl: 'http://127.0.0.1:8000',
      recorded: () => new Map(),
      tokens: () => [],
    } as unknown as Probe;
    for (const id of [
      'errors.form',
      'errors.internals',
      'errors.secrets-sent',
      'headers.of-answers',
      'token.lifetime',
      'token.form',
    ] as const)
      void casesById.get(id)?.run(probe);
  },
};

export type Slowest = { ms: number; stage: string; shape: AnswerShape };

const screeningBytes = 8 * 1024;

function slowestStage(shape: AnswerShape, size: number): Slowest {
  const call = callOf(shape, answerOf(shape, size));
  let slowest: Slowest = { ms: 0, stage: '', shape };
  for (const [stage, work] of Object.entries(stages)) {
    const before = process.threadCpuUsage();
    work(call, shape);
    const { user, system } = process.threadCpuUsage(before);
    const ms = (user + system) / 1000;
    if (ms > slowest.ms) slowest = { ms, stage, shape };
  }
  return slowest;
}
export const measure = slowestStage;

const kept = 30;

export function search(options: { seed: number; seconds: number; size: number; onSlower: (slowest: Slowest) => void }) {
  const random = createRandom(options.seed);
  const written = ['main/client', 'main/contract-run', 'main/calls'].flatMap((room) =>
    writtenIn(path.join(root, room)),
  );
  const grammar = createGrammar(dictionaryOf(written), options.seed, random);
  const until = performance.now() + options.seconds * 1000;
  const slow: (Slowest & { small: number })[] = [];
  let tried = 0;
  let whole = 0;
  for (; performance.now() < until; tried++) {
    const shape =
      slow.length === 0 || random.chance(0.5)
        ? grammar.fresh()
        : grammar.changed(slow[random.whole(0, slow.length)]!.shape);
    const small = slowestStage(shape, screeningBytes);
    if (slow.length >= kept && small.ms <= slow.at(-1)!.small) continue;
    // The collector may have run: the shorter of two times counts.
    const ms = Math.min(small.ms, slowestStage(shape, screeningBytes).ms);
    if (slow.length >= kept && ms <= slow.at(-1)!.small) continue;
    whole++;
    const [a, b] = [slowestStage(shape, options.size), slowestStage(shape, options.size)];
    const it = a.ms < b.ms ? a : b;
    const alike = slow.findIndex(
      (each) => each.stage === it.stage && each.shape.container === shape.container && each.shape.pump === shape.pump,
    );
    if (alike >= 0 && slow[alike]!.ms >= it.ms) continue;
    if (alike >= 0) slow.splice(alike, 1);
    if (slow.length === 0 || it.ms > slow[0]!.ms) options.onSlower(it);
    slow.push({ ...it, small: ms });
    slow.sort((a, b) => b.ms - a.ms);
    slow.length = Math.min(slow.length, kept);
  }
  return { tried, whole, slow };
}
