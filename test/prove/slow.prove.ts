import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { recordedCall } from '../../main/client/recording/recorded-call.ts';
import { interpret } from '../../main/client/interpret.ts';
import { redactionJob } from '../../main/client/interpret-for-display.ts';
import { createClient } from '../../main/client/client.ts';
import { longText } from '../../main/client/text-worker.ts';
import { createTransport } from '../../main/client/transport.ts';
import { readReportOnWorker } from '../../main/check/reports/json-report.ts';
import { loadMockFileOnWorker } from '../../main/tools/local-servers/mock-file-job.ts';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { writeFile } from 'node:fs/promises';
import { outsideVitest } from '../support/outside-vitest.ts';
import { createCallsAlone } from './calls-alone.ts';
import { folder, given, print, say } from './given.ts';
import { holdsOf, startAnswering } from './slow-holds.ts';
import { password, type AnswerShape, type HostileAnswer } from './slow-answers.ts';
import { readingSources, searchSlow, shortBytes, type Slow } from './slow.ts';
import { watchTurns, type Held } from './watch-turns.ts';

/**
 * What one kind of text did: the longest that main was held, in processor and in wall time, and the whole, in ms; of
 * `check`, what its process took to end.
 */
type Row = {
  what: string;
  where: 'answer' | 'model' | 'report' | 'check';
  bytes: number;
  heldCpuMs: number;
  heldWallMs: number;
  totalMs: number;
};

const mark = '\u0301\u0316';
const json = (value: unknown): string => JSON.stringify(value);

/** Texts of about so many bytes. */
const kinds: Readonly<Record<string, (bytes: number) => string>> = {
  'combining marks': (bytes) => json({ message: `a${mark.repeat(bytes / 4)}` }),
  'combining marks in names': (bytes) => json({ errors: { [`a${mark.repeat(bytes / 4)}`]: ['wrong'] } }),
  blanks: (bytes) => json({ message: `<${' '.repeat(bytes)}` }),
  'angle brackets': (bytes) => json({ message: '<'.repeat(bytes) }),
  'deep nesting': (bytes) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
  'deep nesting of objects': (bytes) => '{"a":'.repeat(bytes / 6) + '1' + '}'.repeat(bytes / 6),
  'a long name': (bytes) => json({ ['n'.repeat(bytes)]: 1 }),
  'many names': (bytes) => `{${Array.from({ length: bytes / 12 }, (_, at) => `"n${at}":1`).join()}}`,
  'many secrets': (bytes) => `[${Array.from({ length: bytes / 24 }, (_, at) => `"${at}|abcdefghij1234${at}"`).join()}]`,
  'password hashes': (bytes) =>
    json({ hashes: Array.from({ length: bytes / 64 }, (_, at) => `$2b$10$${String(at).padEnd(53, 'aB3dE5')}`) }),
  'errors by field': (bytes) =>
    json({ errors: Object.fromEntries(Array.from({ length: bytes / 28 }, (_, at) => [`field${at}`, ['is wrong']])) }),
  'texts of one field': (bytes) =>
    json({ errors: { email: Array.from({ length: bytes / 24 }, (_, at) => `The email is bad ${at}`) } }),
  'words of letters and digits': (bytes) => json({ message: 'abcdefghij1234567890'.repeat(bytes / 20) }),
  'a picture': (bytes) =>
    json({ user: { id: 1, photo: `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUg'.repeat(bytes / 22)}` } }),
  'gzip in base64': (bytes) => json({ message: gzipSync(mark.repeat(bytes)).toString('base64') }),
};

async function watched(work: () => Promise<unknown>): Promise<Held & { totalMs: number }> {
  const turns = watchTurns();
  const before = performance.now();
  await work();
  const totalMs = performance.now() - before;
  return { ...(await turns.end()), totalMs };
}

/** Receives, reads and records answers, and reads models and reports, as the application does. The longest of three times counts. */
async function slowRows(): Promise<Row[]> {
  const rows: Row[] = [];
  const server = await startAnswering();
  const calls = createCallsAlone({
    file: path.join(folder, 'rows.sqlite'),
    secretRegistry: new SecretRegistry(),
    limits: () => ({ count: 1000, bytes: 100_000_000 }),
  });
  const transport = createTransport({ record: (call) => calls.record('server', call) });
  const client = createClient({ transport, baseUrl: server.baseUrl });
  const receive = async (): Promise<void> => {
    await client.login({ email: 'ana@example.test', password });
    await client.profile({ token: `1|${password}` });
    await calls.settled();
  };
  const add = async (row: Pick<Row, 'what' | 'where' | 'bytes'>, work: () => Promise<unknown>): Promise<void> => {
    await work();
    const times = [await watched(work), await watched(work), await watched(work)];
    const most = (of: 'heldCpuMs' | 'heldWallMs' | 'totalMs'): number =>
      Math.round(Math.max(...times.map((each) => each[of])));
    rows.push({ ...row, heldCpuMs: most('heldCpuMs'), heldWallMs: most('heldWallMs'), totalMs: most('totalMs') });
  };

  for (const [what, make] of Object.entries(kinds)) {
    for (const size of [longText - 200, 256 * 1024 - 200, 16 * 1024 * 1024 - 200]) {
      const text = make(size);
      await server.tell(answerWith(Buffer.from(text)));
      await add({ what, where: 'answer', bytes: text.length }, receive);
    }
    const file = path.join(folder, 'model.json');
    await writeFile(file, `{"schema":"llavero-model","version":1,"more":${make(4_900_000)}}`);
    await add({ what, where: 'model', bytes: 4_900_000 }, () => loadMockFileOnWorker(file));
    const report = `{"schema":"llavero-report","version":1,"more":${make(16_000_000)}}`;
    await add({ what, where: 'report', bytes: report.length }, () => readReportOnWorker(report));
  }
  for (const [coding, pack] of [
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const) {
    const bytes = 500_000_000;
    await server.tell(answerWith(pack(Buffer.alloc(bytes, 'a')), [['Content-Encoding', coding]]));
    await add({ what: `a bomb of ${coding}`, where: 'answer', bytes }, receive);
  }
  transport.close();
  calls.close();
  for (const what of ['combining marks', 'blanks', 'deep nesting', 'words of letters and digits']) {
    await server.tell(answerWith(Buffer.from(kinds[what]!(16 * 1024 * 1024 - 200))));
    rows.push(await endOfCheck(what, server));
  }
  await server.close();
  return rows;
}

const answerWith = (body: Buffer, headers: [string, string][] = []): HostileAnswer => ({
  status: 200,
  headers: [['Content-Type', 'application/json'], ...headers],
  body,
});

/**
 * Runs `check` at the server, and ends it with SIGTERM once it has an answer to read: the processor and wall time of that
 * process from the signal to its end.
 */
async function endOfCheck(what: string, server: Awaited<ReturnType<typeof startAnswering>>): Promise<Row> {
  const entry = path.resolve(import.meta.dirname, '../../main/commands/cli.ts');
  const answered = server.answered();
  const args = [entry, 'check', server.baseUrl, '--rate', '100'];
  const child = spawn(process.execPath, args, { stdio: 'ignore', env: outsideVitest() });
  await answered;
  const exit = once(child, 'exit');
  const before = { wall: performance.now(), cpu: processorMs(child.pid!) ?? 0 };
  child.kill('SIGTERM');
  let cpu = before.cpu;
  const watching = setInterval(() => (cpu = processorMs(child.pid!) ?? cpu), 5);
  await exit;
  clearInterval(watching);
  const totalMs = Math.round(performance.now() - before.wall);
  return { what, where: 'check', bytes: 16 * 1024 * 1024, heldCpuMs: cpu - before.cpu, heldWallMs: totalMs, totalMs };
}

/** The processor time of a process so far, in steps of 10 ms (proc_pid_stat(5)). Undefined once it has ended. */
function processorMs(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds of processor time that some work takes on average. */
function msOf(work: () => unknown, rounds: number): number {
  for (let round = 0; round < 10; round += 1) work();
  const before = process.threadCpuUsage();
  for (let round = 0; round < rounds; round += 1) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000 / rounds;
}

const person = { id: 1, name: 'Ana', email: 'ana@example.test', about: 'She writes about gardens and their people. ' };
const profiles: Readonly<Record<string, unknown>> = {
  'many people': { data: Array.from({ length: 1200 }, (_, id) => ({ ...person, id, tags: ['a', 'b'], active: true })) },
  'a picture': { user: person, photo: `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUg'.repeat(9000)}` },
  'a long text': { user: person, about: person.about.repeat(4500) },
};

/** Returns what reading, hiding and recording a profile of 200 KB costs beside `JSON.parse` of its text, in processor time. */
function costsBesideParse(rounds = 100) {
  const url = 'http://127.0.0.1/api/v1/auth/perfil';
  const secret = `1|${password}`;
  const secretRegistry = new SecretRegistry();
  secretRegistry.register(secret, 'token', 'sent');
  return Object.entries(profiles).map(([what, value]) => {
    const body = json(value);
    const rawHeaders = [['Content-Type', 'application/json']] as const;
    const response = {
      status: 200,
      statusText: 'OK',
      httpVersion: '1.1',
      rawHeaders,
      body,
      bodyBytes: Buffer.from(body),
    };
    const head = { text: '', source: 'as-written' } as const;
    const call = {
      id: '1',
      startedAt: '',
      request: { method: 'GET', url, headers: [], head },
      reusedConnection: false,
      timings: { totalMs: 1 },
      response,
    };
    const interpreted = interpret('profile', response, url, {});
    const parts = {
      parse: msOf(() => JSON.parse(body), 20 * rounds),
      read: msOf(() => interpret('profile', response, url, {}), rounds),
      hide: msOf(() => redactionJob.work({ ...interpreted, secrets: [secret] }), rounds),
      record: msOf(() => recordedCall('server', { ...call, interpreted }, secretRegistry), rounds),
    };
    const all = parts.read + parts.hide + parts.record;
    const fixed = (ms: number): number => Number(ms.toFixed(2));
    return {
      what,
      bytes: body.length,
      parseMs: fixed(parts.parse),
      readMs: fixed(parts.read),
      hideMs: fixed(parts.hide),
      recordMs: fixed(parts.record),
      timesParse: Math.round(all / parts.parse),
      nsCharacter: Math.round((all * 1e6) / body.length),
    };
  });
}

const machine = (): string => `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`;

type SlowSummary = {
  name: 'slow';
  seed: number;
  /** The number of answers that were made, and of those that were worth the full length. */
  tried: number;
  triedInFull: number;
  slowest: Slow | undefined;
  /** The number of slow ones sent over a socket, at 64 KB and at a megabyte, and of those that were too hard. */
  sent: number;
  resourceLimits: number;
  /** Milliseconds of processor time for which the receiving thread was longest held. */
  longestHoldMs: number;
  heldBy: AnswerShape | undefined;
};

const longBytes = 1024 * 1024;

/** Searches for the slowest answers, and has the application receive them. */
async function proveSlow(): Promise<SlowSummary> {
  const onSlower = ({ ms, stage, shape }: Slow): void =>
    say(`  ${ms.toFixed(1)} ms ${stage}: ${JSON.stringify(shape)}`);
  const { tried, triedInFull, slow } = searchSlow({ written: readingSources(), seed, seconds, onSlower });
  const shapes = slow.map(({ shape }) => shape);
  const short = await holdsOf(shapes, shortBytes, path.join(folder, 'short.sqlite'));
  const long = await holdsOf(shapes, longBytes, path.join(folder, 'long.sqlite'));
  const [slowest] = slow;
  return {
    name: 'slow',
    seed,
    tried,
    triedInFull,
    slowest: slowest && { ms: slowest.ms, stage: slowest.stage, shape: slowest.shape },
    sent: 2 * shapes.length,
    resourceLimits: short.resourceLimits + long.resourceLimits,
    longestHoldMs: Math.max(short.longestHoldMs, long.longestHoldMs),
    heldBy: short.longestHoldMs > long.longestHoldMs ? short.heldBy : long.heldBy,
  };
}

/** The most milliseconds that the main thread may be held. */
const mostHeldMs = 50;
const { seconds, seed } = given({ seconds: z.number(), seed: z.number() });

it('no response holds main for long', async () => {
  say(`slow: ${seconds} s, --seed ${seed}`);
  say(machine());
  console.table(costsBesideParse());
  const rows = await slowRows();
  console.table(rows);
  const summary = await proveSlow();
  print(summary);
  const holds = rows.filter(({ where }) => where !== 'check').map(({ heldCpuMs }) => heldCpuMs);
  const longest = Math.max(summary.longestHoldMs, summary.slowest?.ms ?? 0, ...holds);
  const ends = rows.filter(({ where }) => where === 'check').map(({ totalMs }) => totalMs);
  say(`check ended ${Math.max(...ends)} ms after the signal at the latest.`);
  say(`The longest hold of main: ${longest} ms; the goal is ${mostHeldMs}.`);
  expect(longest).toBeLessThanOrEqual(mostHeldMs);
});
