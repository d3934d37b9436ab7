import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Page } from 'playwright-core';
import { createTransport } from '../../main/client/transport.ts';
import type { Calls } from '../../main/calls/calls.ts';
import { createSecretReferences } from '../../main/secrets/secret-references.ts';
import { createCallsAlone } from '../prove/calls-alone.ts';
import { portOf } from '../support/recording-server.ts';
import { projectRoot, measureOneStart, watchedScript, withWindow } from './application-figures.ts';
import type { Measure } from './context.ts';
import { figure } from './figures.ts';
import { person, PROFILE_PATH, profileHeaders } from './requests.ts';
import { percentile } from './statistics.ts';

const COUNT = 10_000;
const limits = { count: 2 * COUNT, bytes: 1_000_000_000 };
const MEGABYTE = 1_000_000;

function openCalls(file: string): Calls {
  return createCallsAlone({
    file,
    references: createSecretReferences(),
    limits: () => limits,
  });
}

/** Starts a server of the interface that answers at once, with a new token for each login. */
async function startQuickServer() {
  let id = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const token = `${++id}|${id.toString(36).padStart(40, 'q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4RuTv')}`;
      const user = { id: 1, name: person.name, email: person.email };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(request.url === PROFILE_PATH ? user : { token, user }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { baseUrl: `http://127.0.0.1:${portOf(server)}`, close: () => void server.close() };
}

/** Collects garbage and returns the megabytes that are held. */
function heldMegabytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}

/** Sends and records calls. Every tenth one is a login, with a password and a token of its own. */
async function record(calls: Calls, from: number, to: number): Promise<number> {
  const server = await startQuickServer();
  const transport = createTransport({ record: (call) => calls.record('built-in', call) });
  const startedAt = performance.now();
  try {
    for (let n = from; n < to; n++) {
      const isLogin = n % 10 === 0;
      const body = JSON.stringify({ email: person.email, password: `${person.password} ${n}` });
      const token = `${n % 10}|q8ZrT3vLmN6xWc0Ks5Yb2Hd9Pf7Ga1Je4RuTv${n % 10}`;
      const headers = isLogin
        ? { Accept: 'application/json', 'Content-Type': 'application/json' }
        : profileHeaders(token);
      const url = `${server.baseUrl}${isLogin ? '/api/v1/auth/login' : PROFILE_PATH}`;
      const method = isLogin ? 'POST' : 'GET';
      const sent = await transport.send({ method, url, headers: Object.entries(headers), ...(isLogin && { body }) });
      if (!sent.ok) throw new Error(`A call of the bench failed: ${sent.failure.kind}`);
      await turn();
    }
  } finally {
    transport.close();
    server.close();
  }
  return (performance.now() - startedAt) / (to - from);
}

/** Makes a profile folder that keeps up to ten thousand calls, and has as many or none. */
async function makeProfile(folder: string, recorded: boolean): Promise<string> {
  const profile = await mkdtemp(path.join(folder, 'profile-'));
  await writeFile(path.join(profile, 'config.json'), JSON.stringify({ callLimits: limits }));
  if (!recorded) return profile;
  const calls = openCalls(path.join(profile, 'calls.sqlite'));
  await record(calls, 0, COUNT);
  calls.close();
  return profile;
}

/** Measures, in the page, the milliseconds of 400 frames while a list is scrolled `by` pixels in each. */
function frameTimes(list: Element, by: number): Promise<number[]> {
  return new Promise((resolve) => {
    const times: number[] = [];
    let last = performance.now();
    const step = (now: number): void => {
      times.push(now - last);
      last = now;
      list.scrollBy(0, by);
      if (times.length < 400) requestAnimationFrame(step);
      else resolve(times.slice(1));
    };
    requestAnimationFrame(step);
  });
}

async function openList(page: Page) {
  await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  await page.keyboard.press('Control+E');
  const list = page.getByRole('listbox', { name: 'Calls', exact: true });
  await list.getByRole('option').first().waitFor();
  return list;
}

/** Measures what ten thousand recorded calls hold and take, the list's frames, and the start. */
export const measureCalls: Measure = async ({ runs, folder, say }) => {
  const calls = openCalls(path.join(folder, 'recorded.sqlite'));
  const firstMs = await record(calls, 0, COUNT / 10);
  const before = heldMegabytes();
  const restMs = await record(calls, COUNT / 10, COUNT);
  const growth = heldMegabytes() - before;
  calls.close();
  say(`calls: ${COUNT} recorded, ${growth.toFixed(1)} MB more held than after ${COUNT / 10}`);

  const full = await makeProfile(folder, true);
  const empty = await makeProfile(folder, false);
  const starts: number[] = [];
  const emptyStarts: number[] = [];
  for (let run = -1; run < runs; run++) {
    const emptyTime = (await measureOneStart(watchedScript, folder, empty)).ms;
    const fullTime = (await measureOneStart(watchedScript, folder, full)).ms;
    if (run < 0) continue;
    emptyStarts.push(emptyTime);
    starts.push(fullTime);
    say(
      `start with ${COUNT} calls, run ${run + 1} of ${runs}: ${fullTime.toFixed(0)} ms, with none ${emptyTime.toFixed(0)} ms`,
    );
  }

  const [frames, idle] = await withWindow(
    projectRoot,
    folder,
    async (_app, page) => {
      const list = await openList(page);
      return [await list.evaluate(frameTimes, 300), await list.evaluate(frameTimes, 0)];
    },
    full,
  );
  return [
    figure('recording-10000-growth', 'MB', [growth]),
    figure('recorded-call', 'ms', [restMs], [firstMs]),
    figure('start-with-10000-calls', 'ms', starts, emptyStarts),
    figure('scrolling-10000-p95-frame', 'ms', [percentile(frames, 0.95)], [percentile(idle, 0.95)]),
    figure('scrolling-10000-longest-frame', 'ms', [Math.max(...frames)], [Math.max(...idle)]),
  ];
};
