import { appendFileSync } from 'node:fs';
import type { TestContext } from 'vitest';
import type { Compared } from './compare-lines.ts';
import {
  serverNames,
  startServer,
  whyNot,
  type AnyServer,
  type RunningServer,
  type ServerName,
} from './start-server.ts';

/**
 * The names of servers with commas between them, or `all`, as `.ci/run` has it. `npm test` by itself takes two.
 * `npm run prove -- servers` also names a file for what was compared.
 */
const { LLAVERO_SERVERS: wanted = 'express,flask', LLAVERO_SERVERS_COMPARED: file } = process.env;

/** Whether each server is looked at as a whole, as the proof does it. */
export const isWhole = file !== undefined;

export const serversAskedFor: readonly ServerName[] =
  wanted === 'all' ? serverNames : serverNames.filter((name) => wanted.split(',').includes(name));

/** Starts a server for a test, which is skipped with the reason where it cannot be started. */
export async function startFor(
  test: TestContext,
  name: AnyServer,
  more?: Record<string, string>,
): Promise<RunningServer> {
  const reason = whyNot(name);
  if (reason !== undefined) {
    console.log(reason);
    test.skip(reason);
  }
  const server = await startServer(name, more);
  test.onTestFinished(server.stop);
  return server;
}

/** Hands what was compared to the proof. */
export function report(name: ServerName, part: 'journey' | 'check', compared: Compared, since: number): void {
  if (file === undefined) return;
  const seconds = Math.round((performance.now() - since) / 100) / 10;
  appendFileSync(file, `${JSON.stringify({ name: 'servers', server: name, part, seconds, ...compared })}\n`);
}
