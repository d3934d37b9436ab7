import * as fc from 'fast-check';
import { connect } from 'node:net';
import { z } from 'zod';
import { startService } from '../../main/service/server.ts';
import { createApi, tokenOfLogin } from './api.ts';
import { anyInput, SECRET, toBytes, type HardInput } from './hard-input.ts';

/** The service is documented to answer these statuses, never 500. */
const documented = new Set([200, 201, 400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 421, 422, 429, 431, 503]);
const AT_ONCE = 16;

/** What was received. HEAD has no body. */
export type Received = { status: number; type: string; body: string };

const Refusal = z.object({ message: z.string().min(1) });

/** Says what is wrong with an answer; undefined when it is as documented. */
export function faultOf({ status, type, body }: Received, method: string): string | undefined {
  if (!documented.has(status)) return `the status ${status}`;
  if (body.includes(SECRET)) return `a secret in the answer ${status}`;
  if (/\n\s+at |node_modules|\.ts:\d/.test(body)) return `a stack in the answer ${status}`;
  if (method === 'HEAD') return undefined;
  if (!type.startsWith('application/json')) return `the type ${type} with ${status}`;
  try {
    const parsed: unknown = JSON.parse(body);
    if (status >= 400 && !Refusal.safeParse(parsed).success) return `no message with ${status}`;
  } catch {
    return `no JSON with ${status}`;
  }
  return undefined;
}

/** Sends bytes and receives until the service closes the connection, as it must. */
function call(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.setEncoding('latin1').on('data', (text: string) => (received += text));
    // A reset also closes the connection.
    socket.on('error', () => {});
    socket.on('close', () => resolve(received));
    socket.write(bytes, 'latin1');
  });
}

/** Says what is wrong with what was received for an input that went over a socket. */
function faultOfBytes(input: HardInput, received: string): string | undefined {
  const answers = received.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  // Blank lines before a request are no request yet (RFC 9112 section 2.2).
  if (answers === '') return 'bytes' in input && input.bytes.trim() === '' ? undefined : 'no answer';
  const [head = '', ...bodies] = answers.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  const type = /^content-type: (.*)$/im.exec(head)?.[1] ?? '';
  const method = 'request' in input ? input.request.method : (input.bytes.trim().split(' ', 1)[0] ?? '');
  if ('request' in input || bodies.length === 1)
    return faultOf({ status, type, body: Buffer.from(bodies.join('\r\n\r\n'), 'latin1').toString() }, method);
  // Broken bytes may be several requests. Each answer then has a documented status, and no secret.
  const statuses = [...answers.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, code]) => Number(code));
  const undocumented = statuses.find((code) => !documented.has(code));
  return undocumented === undefined ? undefined : `the status ${undocumented}`;
}

type FuzzSummary = {
  name: 'fuzz';
  seed: number;
  seconds: number;
  inputs: number;
  answersByStatus: Record<string, number>;
  faults: number;
  /** The smallest input for the first fault, to be kept in `test/fixtures/hard-inputs.json`. */
  finding?: { fault: string; input?: HardInput };
};

type FuzzOptions = {
  seed: number;
  /** The proof ends after so many inputs, or so many seconds. */
  inputs?: number;
  seconds?: number;
};

/** Starts a service on a port that is asked anything at all. It must answer, keep its secrets, and live on. */
export async function startFuzzedService() {
  const log: string[] = [];
  const started = await startService({
    database: { file: ':memory:' },
    port: 0,
    rateLimit: 'off',
    argon2: { memoryKiB: 8, passes: 1, lanes: 1 },
    // A request that is never finished should not be waited for long.
    timeouts: { headersMs: 300, requestMs: 600, keepAliveMs: 100, checkEveryMs: 20 },
    log: (line) => log.push(line),
  });
  if (!started.ok) throw new Error(started.message);
  const { port, baseUrl } = started.service;

  return {
    close: () => started.service.close(),
    /** Sends one input, and answers the status and what is wrong with the answer, if anything. */
    async send(input: HardInput): Promise<{ status: string; fault: string | undefined }> {
      const bytes = 'request' in input ? toBytes(input.request, `127.0.0.1:${port}`) : input.bytes;
      const received = await call(port, bytes);
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(received)?.[1] ?? 'none';
      return { status, fault: faultOfBytes(input, received) };
    },
    /** Says what is wrong with the service after all that, if anything. */
    async faultAfterwards(key: string): Promise<string | undefined> {
      const told = log.find((line) => line.includes(SECRET) || line.includes(' failed: '));
      if (told !== undefined) return `the log says: ${told}`;
      const api = createApi(baseUrl);
      const person = { name: 'After', email: `after.${key}@example.test`, password: 'all that was sent' };
      const registered = await api.register(person);
      if (registered?.status !== 201) return `nobody can be registered any more: ${registered?.status}`;
      const token = tokenOfLogin((await api.login(person))?.body);
      const profile = await api.profile(token);
      return profile?.status === 200 ? undefined : `a new token answers ${profile?.status}`;
    },
  };
}

/** Sends random hard input until the time or the count is over, or something is wrong. */
export async function proveFuzz({ seed, inputs = Infinity, seconds }: FuzzOptions): Promise<FuzzSummary> {
  const service = await startFuzzedService();
  const summary: FuzzSummary = { name: 'fuzz', seed, seconds: 0, inputs: 0, answersByStatus: {}, faults: 0 };
  const startedAt = performance.now();
  let finding: FuzzSummary['finding'];

  const holds = fc.asyncProperty(fc.array(anyInput, { minLength: AT_ONCE, maxLength: AT_ONCE }), async (all) => {
    const results = await Promise.all(all.map((input) => service.send(input)));
    for (const { status } of results) summary.answersByStatus[status] = (summary.answersByStatus[status] ?? 0) + 1;
    summary.inputs += all.length;
    const at = results.findIndex(({ fault }) => fault !== undefined);
    if (at < 0) return true;
    // The last one kept is of the smallest failing array.
    finding = { fault: results[at]?.fault ?? '', input: all[at]! };
    return false;
  });
  try {
    const details = await fc.check(holds, {
      seed,
      numRuns: Number.isFinite(inputs) ? Math.ceil(inputs / AT_ONCE) : 1_000_000_000,
      ...(seconds !== undefined && { interruptAfterTimeLimit: seconds * 1000, markInterruptAsFailure: false }),
    });
    if (details.failed) {
      summary.faults++;
      if (finding) summary.finding = finding;
    }
    const afterwards = await service.faultAfterwards(String(seed));
    if (afterwards !== undefined) {
      summary.faults++;
      summary.finding ??= { fault: afterwards };
    }
  } finally {
    summary.seconds = Math.round((performance.now() - startedAt) / 1000);
    await service.close();
  }
  return summary;
}
