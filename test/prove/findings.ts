import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { checkCommand } from '../../main/commands/check-command.ts';
import { readReport } from '../../main/check/reports/json-report.ts';
import type { Report, FindingId } from '../../preload/contract/report.ts';
import { startServer, type RunningServer } from '../servers/start-server.ts';

const CLI = path.resolve(import.meta.dirname, '../../main/commands/cli.ts');

type Target = { start: (folder: string) => Promise<RunningServer>; finds: readonly FindingId[] };

const planted = (faults: string, ...finds: FindingId[]): Target => ({
  start: () => startServer('planted', { FAULTS: faults }),
  finds,
});

/** Servers with one planted fault each, and right ones, at which nothing is to be found. */
const targets = {
  unverified: planted('unverified', 'token-unverified'),
  trace: planted('trace', 'stack-traces'),
  echo: planted('echo', 'password-echoed'),
  race: planted('race', 'account-doubled'),
  right: planted(''),
  // As it ships, with its limits and the whole cost of its hashes.
  service: { start: startServe, finds: [] },
  all: planted('unverified,trace,echo,race', 'account-doubled', 'password-echoed', 'stack-traces', 'token-unverified'),
} satisfies Record<string, Target>;

export type TargetName = keyof typeof targets;

/** Those that the proof goes through. With all faults in one server a test needs one run. */
export const targetNames = (Object.keys(targets) as TargetName[]).filter((name) => name !== 'all');

/** What came of the runs at one server. */
export type FoundAt = {
  name: 'findings';
  server: TargetName;
  finds: readonly FindingId[];
  runs: number;
  /** In how many runs this was found, and nothing else. */
  right: number;
  missed: string[];
  wronglyFound: string[];
  /** The files with the reports of the runs that were wrong. */
  kept: string[];
  /** The most of any run. */
  seconds: number;
  calls: number;
  accounts: number;
};

type Options = {
  names: readonly TargetName[];
  runs: number;
  folder: string;
  /** The options of `check` beside `--races`. Without any, a run is one as a person starts it. */
  args?: string[];
  onRun?: (name: TargetName, found: readonly string[]) => void;
};

/** This many runs are under way at the same time, since a run mostly waits for its pace. */
const atOnce = 6;

/** Runs `check --races` again and again, each time at a server that has just been started. */
export async function proveFindings(options: Options): Promise<FoundAt[]> {
  const { names, runs, folder, args = [], onRun } = options;
  const summaries = names.map((server): FoundAt => {
    const { finds } = targets[server];
    return {
      name: 'findings',
      server,
      finds,
      runs: 0,
      right: 0,
      missed: [],
      wronglyFound: [],
      kept: [],
      seconds: 0,
      calls: 0,
      accounts: 0,
    };
  });
  const left = Array.from({ length: runs }, () => summaries).flat();

  async function work(): Promise<void> {
    for (let summary = left.shift(); summary; summary = left.shift()) {
      const report = await runAt(targets[summary.server], folder, args);
      // A note is no fault: the form of a token is one where nobody chose the API type.
      const found = report.findings.flatMap(({ id, severity }) => (severity === 'info' ? [] : [id]));
      if (!add(summary, report, found)) await keep(summary, report);
      onRun?.(summary.server, found);
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work));
  return summaries;
}

/** Counts a run, and says whether it found what is there, and nothing else. */
function add(summary: FoundAt, { durationMs, calls, accounts, ended }: Report, found: readonly FindingId[]): boolean {
  const missed = summary.finds.filter((id) => !found.includes(id));
  const wronglyFound = found.filter((id) => !summary.finds.includes(id));
  const isWhole = ended.kind === 'complete';
  summary.runs += 1;
  const isRight = isWhole && missed.length + wronglyFound.length === 0;
  summary.right += isRight ? 1 : 0;
  summary.missed.push(...missed, ...(isWhole ? [] : [`the run ended: ${ended.kind}`]));
  summary.wronglyFound.push(...wronglyFound);
  summary.seconds = Math.max(summary.seconds, Math.round(durationMs / 100) / 10);
  summary.calls = Math.max(summary.calls, calls);
  summary.accounts = Math.max(summary.accounts, accounts.length);
  return isRight;
}

/** Keeps the report of a run that was wrong, so that the cause can be found. */
async function keep(summary: FoundAt, report: Report): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), `llavero-findings-${summary.server}-`));
  const file = path.join(folder, 'report.json');
  await writeFile(file, JSON.stringify(report));
  summary.kept.push(file);
}

async function runAt({ start }: Target, parent: string, args: string[]): Promise<Report> {
  const folder = await mkdtemp(path.join(parent, 'findings-'));
  const server = await start(folder);
  try {
    // What is new may take long for its first answer on a busy machine.
    await (await fetch(`${server.origin}/api/v1/auth/perfil`)).body?.cancel();
    return await checkAt(server.origin, folder, ['--races', ...args]);
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the command `check`, and returns its report. */
export async function checkAt(origin: string, folder: string, args: string[]): Promise<Report> {
  const file = path.join(folder, 'report.json');
  let said = '';
  await checkCommand([origin, ...args, '--report', `json=${file}`], {
    out: () => undefined,
    err: (text) => void (said += text),
    stop: new AbortController().signal,
    env: {},
    input: () => Readable.from([]),
    toolVersion: '0.0.0',
  });
  const read = readReport(await readFile(file, 'utf8').catch(() => ''));
  if (!read.ok) throw new Error(`There is no report. The command said:\n${said}`);
  return read.report;
}

/** Starts the service as the command `serve` does it. */
export async function startServe(folder: string): Promise<RunningServer> {
  const args = [CLI, 'serve', '--port', '0', '--data', folder];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  const kill = (): void => void child.kill('SIGTERM');
  process.once('exit', kill);
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  while (!said.includes('\n')) {
    const isOver = await Promise.race([once(child.stdout, 'data').then(() => false), ended.then(() => true)]);
    if (isOver) throw new Error('The service did not start.');
  }
  const [, origin = ''] = /"baseUrl":"([^"]+)"/.exec(said) ?? [];
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    kill();
    await ended;
  };
  return { origin, folder, stop };
}
