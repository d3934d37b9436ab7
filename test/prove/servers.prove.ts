import { mkdtemp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import type { Report } from '../../preload/contract/report.ts';
import { runChild } from '../../scripts/child-process.mjs';
import { serverNames, startServer, whyNot, type RunningServer, type ServerName } from '../servers/start-server.ts';
import { outsideVitest } from '../support/outside-vitest.ts';
import { checkAt, startServe } from './findings.ts';
import { chosen, folder, given, print, say } from './given.ts';

const root = path.resolve(import.meta.dirname, '../..');

type ServersSummary = {
  name: 'servers';
  servers: string[];
  /** Why each of the others was left out. */
  skipped: string[];
  /** Of the tests: 0 when nothing differs. */
  code: number;
  /** Those at which a run at the defaults took longer than {@link mostSeconds}. */
  slow: string[];
  /** What each server took and showed, for people. */
  table: string;
};

/** A run at the defaults takes no longer, where it is not throttled. */
const mostSeconds = 60;

/**
 * Runs the tests of `test/e2e/servers/` with all servers, and prints what each of them compared. Then it runs `check`
 * at each of them in real time.
 */
async function proveServers(only: readonly string[]): Promise<ServersSummary> {
  const wanted = serverNames.filter((name) => only.includes(name));
  const skipped = wanted.flatMap((name) => whyNot(name) ?? []);
  const servers = wanted.filter((name) => whyNot(name) === undefined);
  const file = path.join(folder, 'compared');
  const env = { ...outsideVitest(), LLAVERO_SERVERS: servers.join(), LLAVERO_SERVERS_COMPARED: file };
  const args = [path.join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'e2e', 'test/e2e/servers/'];
  const code = servers.length === 0 ? 0 : await runChild(process.execPath, args, { env, cwd: root, stdout: 'stderr' });
  const compared = await readFile(file, 'utf8').catch(() => '');
  // The tests write these lines.
  const lines = compared.split('\n').flatMap((line) => (line ? [JSON.parse(line) as Compared] : []));
  lines.forEach(print);
  const runs: AtDefaults[] = [];
  for (const server of [...servers, 'service'] as const) {
    const figures = await atDefaults(server);
    print(figures);
    runs.push(figures);
  }
  const slow = runs.filter(({ seconds }) => seconds > mostSeconds).map(({ server }) => server);
  return { name: 'servers', servers, skipped, code, slow, table: tableOf(lines, runs) };
}

/** What a test compared with what the server's author knows. */
type Compared = { server: string; part: string; lines: number; differences: string[]; gaps: string[] };

type AtDefaults = Awaited<ReturnType<typeof atDefaults>>;

/** Runs `check` without any option, and says what it took. The service is started as `serve` does it. */
async function atDefaults(server: ServerName | 'service') {
  const own = await mkdtemp(path.join(folder, 'defaults-'));
  const running: RunningServer = server === 'service' ? await startServe(own) : await startServer(server);
  try {
    const report = await checkAt(running.origin, own, []);
    const { calls, accounts, throttlings = [], cases } = report;
    const made = accounts.filter(({ state }) => state === 'made').length;
    const unmeasured = cases.filter(
      (each) => each.outcome === 'not-measured' && each.reason.kind !== 'not-asked',
    ).length;
    const part = 'check at the defaults';
    const throttled = throttlings.length;
    return { name: 'servers', server, part, ...secondsOf(report), calls, accounts: made, unmeasured, throttled };
  } finally {
    await running.stop();
  }
}

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

/**
 * Says what the seconds of a run were: waiting until the next call may begin at its pace, waiting because the server
 * asked to, and waiting for answers. What is left is our own work.
 */
function secondsOf({ evidence, options, durationMs, throttlings = [] }: Report) {
  const times = evidence
    .map(({ startedAt, timings }) => ({ at: Date.parse(startedAt), ms: timings.totalMs }))
    .toSorted((a, b) => a.at - b.at);
  const server = times.reduce((sum, { ms }) => sum + ms, 0);
  const pace = times.reduce((sum, { at, ms }, index) => {
    const next = times[index + 1];
    return next ? sum + Math.max(0, Math.min(next.at - at - ms, 1000 / options.callsPerSecond - ms)) : sum;
  }, 0);
  const asked = throttlings.reduce((sum, { waitedSeconds }) => sum + waitedSeconds * 1000, 0);
  return {
    seconds: inSeconds(durationMs),
    byPace: inSeconds(pace),
    byServer: inSeconds(server),
    asked: inSeconds(asked),
    ours: inSeconds(Math.max(0, durationMs - pace - server - asked)),
  };
}

/** Makes one table of all, as Markdown has it. */
function tableOf(compared: readonly Compared[], runs: readonly AtDefaults[]): string {
  const linesOf = (server: string, wanted: string): string => {
    const found = compared.find((each) => each.server === server && each.part === wanted);
    if (!found) return '';
    const right = found.lines - found.differences.length - found.gaps.length;
    return `${right} of ${found.lines}`;
  };
  const head = [
    'server',
    'journey: lines right',
    'check: lines right',
    'run at the defaults (s)',
    'by our pace',
    'by the server',
    'it asked to wait',
    'ours',
    'calls',
    'accounts',
    'not measured',
  ];
  const rows = runs.map((run) => [
    run.server,
    linesOf(run.server, 'journey'),
    linesOf(run.server, 'check'),
    run.seconds,
    run.byPace,
    run.byServer,
    run.asked,
    run.ours,
    run.calls,
    run.accounts,
    run.unmeasured,
  ]);
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const { only } = given({ only: z.string().optional() });
const wanted = chosen(only, serverNames);

it('the servers of others are read as their authors know them, and checked in a minute', async () => {
  say(`servers: ${wanted.join(', ')}`);
  const { table, ...summary } = await proveServers(wanted);
  print(summary);
  say(table);
  expect(summary.code).toBe(0);
  expect(summary.slow).toEqual([]);
});
