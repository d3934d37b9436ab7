import { on } from 'node:events';
import { Worker } from 'node:worker_threads';
import { SecretRegistry } from '../../main/client/secrets/secret-registry.ts';
import { createClient } from '../../main/client/client.ts';
import { createTransport } from '../../main/client/transport.ts';
import { answerOf, password, type AnswerShape, type HostileAnswer } from './slow-answers.ts';
import { createCallsAlone } from './calls-alone.ts';
import { watchTurns } from './watch-turns.ts';

/** This is a server on a thread of its own, which answers as it was last told. */
const server = `
  const { parentPort } = require('node:worker_threads');
  let answer = { status: 200, headers: [], body: '' };
  const { Server } = require('node:http');
  const server = new Server((request, response) => {
    request.resume();
    response.writeHead(answer.status, [...answer.headers, ['Content-Length', answer.body.length]].flat());
    response.end(answer.body, () => parentPort.postMessage('answered'));
  });
  parentPort.on('message', (told) => {
    answer = told;
    parentPort.postMessage('told');
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

/** Resolves with the next message of a thread that is wanted. */
async function nextMessage(thread: Worker, isWanted: (message: unknown) => boolean): Promise<unknown> {
  for await (const [message] of on(thread, 'message')) if (isWanted(message)) return message;
  throw new Error('The thread ended.');
}

/** Starts that server. */
export async function startAnswering() {
  const thread = new Worker(server, { eval: true, execArgv: [] });
  const port = await nextMessage(thread, (message) => typeof message === 'number');
  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    async tell(answer: HostileAnswer): Promise<void> {
      const told = nextMessage(thread, (message) => message === 'told');
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- This is a thread, and no window.
      thread.postMessage(answer);
      await told;
    },
    /** Resolves when the next answer was sent whole. */
    answered: () => nextMessage(thread, (message) => message === 'answered'),
    close: () => thread.terminate(),
  };
}

/** Receives, reads and records answers of these shapes as the application does, and says how long its thread was held. */
export async function holdsOf(
  shapes: readonly AnswerShape[],
  size: number,
  file: string,
): Promise<{ longestHoldMs: number; heldBy: AnswerShape | undefined; resourceLimits: number }> {
  const answering = await startAnswering();
  const { baseUrl } = answering;
  const secretRegistry = new SecretRegistry();
  const calls = createCallsAlone({
    file,
    secretRegistry,
    limits: () => ({ count: 1000, bytes: 100_000_000 }),
  });
  const transport = createTransport({ record: (call) => calls.record('server', call) });
  const client = createClient({ transport, baseUrl });
  const ask: Record<AnswerShape['operation'], () => Promise<unknown>> = {
    registro: () =>
      client.register({ path: 'registro', name: 'Ana', email: 'ana@example.test', password, cpassword: '' }),
    register: () =>
      client.register({ path: 'register', name: 'Ana', email: 'ana@example.test', password, cpassword: password }),
    login: () => client.login({ email: 'ana@example.test', password }),
    profile: () => client.profile({ token: `1|${password}` }),
    logout: () => client.logout({ token: `1|${password}` }),
  };
  let longestHoldMs = 0;
  let heldBy: AnswerShape | undefined;
  let resourceLimits = 0;
  async function receive(shape: AnswerShape): Promise<number> {
    const turns = watchTurns();
    await ask[shape.operation]();
    await calls.settled();
    return (await turns.end()).heldCpuMs;
  }

  for (const shape of shapes) {
    await answering.tell(answerOf(shape, size));
    // Code is compiled the first time.
    await receive(shape);
    const ms = await receive(shape);
    if (ms > longestHoldMs) [longestHoldMs, heldBy] = [ms, shape];
    const page = calls.list({ search: '', outcome: 'all', checks: 'with', pinnedOnly: false }, 0);
    const [newest] = page.ok ? page.value.calls : [];
    const call = calls.get(newest?.id ?? '');
    const { failure } = call.ok ? call.value : {};
    if (failure?.kind === 'not-an-api-answer' && failure.reason === 'resource-limit') resourceLimits += 1;
  }
  transport.close();
  calls.close();
  await answering.close();
  return { longestHoldMs, heldBy, resourceLimits };
}
