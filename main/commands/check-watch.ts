import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Report, ReportDifference } from '../../preload/contract/contract-report.ts';
import { codeOf } from '../error-code.ts';
import { problemOf } from '../files/own-database.ts';
import { measuredNothing } from '../contract-run/history.ts';
import { openReportStore, type ReportStore } from '../contract-run/report-store.ts';
import { mostFailures, waitOf } from '../contract-run/watch-pace.ts';
import { read, wrong, type Read } from './read-arguments.ts';
import type { CommandIo } from './process.ts';

/** How often a server is measured again, and what is started for each change. */
export type Watch = { everyMs: number; onChange: string | undefined };

const dayMs = 86_400_000;
const units = new Map([
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', dayMs],
]);
const leastMs = 60_000;
const mostMs = 7 * dayMs;

/** Milliseconds after which what was started for a change is ended. */
const commandWithinMs = 60_000;

/** What a watch does not go together with: it leaves accounts behind with each run, or its result is that of one run. */
const forOneRun = ['report', 'compare', 'baseline', 'accept', 'fail-on', 'bail', 'races', 'throttling'] as const;

type Values = Partial<Record<(typeof forOneRun)[number], unknown>> &
  Partial<Record<'watch' | 'history' | 'on-change' | 'variant', string | undefined>>;

/** Reads what the options say of a watch. */
export function readWatch(values: Values, hasAccount: boolean): Read<Watch | undefined> {
  const { watch: every, 'on-change': command } = values;
  if (every === undefined)
    return command === undefined ? read(undefined) : wrong('The option --on-change needs --watch.');
  const [, digits = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(every) ?? [];
  const everyMs = Number(digits) * (units.get(unit) ?? Number.NaN);
  if (!(everyMs >= leastMs && everyMs <= mostMs)) {
    return wrong(`The option --watch takes a time from 1m to 7d, such as 15m or 2h, not "${every}".`);
  }
  if (values.history === undefined) return wrong('The option --watch needs --history FOLDER.');
  if (!hasAccount || (values.variant !== undefined && values.variant !== 'none')) {
    return wrong('The option --watch needs an account that is there, since a run leaves those that it makes.');
  }
  const other = forOneRun.find((name) => values[name] !== undefined);
  if (other !== undefined) return wrong(`The option --${other} does not go together with --watch.`);
  if (command === '') return wrong('The option --on-change takes a program.');
  return read({ everyMs, onChange: command });
}

/** Opens the file of a folder of earlier runs, and makes both if need be. */
export function openHistory(
  folder: string | undefined,
): { ok: true; store: ReportStore | undefined } | { ok: false; sentence: string } {
  if (folder === undefined) return { ok: true, store: undefined };
  try {
    mkdirSync(folder, { recursive: true });
    return { ok: true, store: openReportStore(path.join(folder, 'reports.sqlite')) };
  } catch (error) {
    const why = {
      broken: 'its file is damaged, or of another program',
      'other-version': 'it was written by another version of Llavero',
      unreadable: codeOf(error) ?? String(error),
    }[problemOf(error)];
    return { ok: false, sentence: `The history "${folder}" cannot be used: ${why}.` };
  }
}

/** What is told of a change, as one line of JSON. */
type ChangeEvent = {
  event: 'changed';
  server: string;
  /** When the run began that saw it, and the one before, in ISO 8601. */
  at: string;
  since: string;
  changes: ReportDifference[];
};

/**
 * Measures a server again and again until it is stopped, and tells each change once.
 * @param options.measure makes one run
 * @returns 0 when it was stopped, and 3 when it ended by itself
 */
export async function watch(options: {
  measure: () => Promise<Report>;
  store: ReportStore;
  io: Pick<CommandIo, 'out' | 'err' | 'stop'>;
  of: Watch & { baseUrl: string };
  /** The moment between two runs, and chance. */
  pause?: (ms: number, stop: AbortSignal) => Promise<unknown>;
  random?: () => number;
}): Promise<0 | 3> {
  const { measure, store, io, of } = options;
  const pause = options.pause ?? ((ms, signal) => wait(ms, undefined, { signal }).catch(() => undefined));
  const random = options.random ?? Math.random;
  let failures = 0;
  while (!io.stop.aborted) {
    const report = await measure();
    if (io.stop.aborted) break;
    failures = measuredNothing(report) ? failures + 1 : 0;
    if (failures === 0) await tell(store.add(of.baseUrl, report), of, io);
    if (failures >= mostFailures) {
      io.out(`${JSON.stringify({ event: 'stopped', server: of.baseUrl, at: report.endedAt, runs: failures })}\n`);
      return 3;
    }
    await pause(waitOf(of.everyMs, random()), io.stop);
  }
  return 0;
}

async function tell(
  { comparison }: ReturnType<ReportStore['add']>,
  { baseUrl, onChange }: Watch & { baseUrl: string },
  { out, err, stop }: Pick<CommandIo, 'out' | 'err' | 'stop'>,
): Promise<void> {
  if (!comparison || comparison.differences.length === 0) return;
  const event: ChangeEvent = {
    event: 'changed',
    server: baseUrl,
    at: comparison.after.startedAt,
    since: comparison.before.startedAt,
    changes: comparison.differences,
  };
  const line = `${JSON.stringify(event)}\n`;
  out(line);
  if (onChange === undefined) return;
  const problem = await give(onChange, line, stop);
  if (problem !== undefined) err(`"${onChange}" ${problem}.\n`);
}

/** Starts a program without a shell, and gives it a text. What it prints goes to standard error. */
async function give(command: string, text: string, stop: AbortSignal): Promise<string | undefined> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(commandWithinMs)]);
  const child = spawn(command, [], { stdio: ['pipe', 2, 2], shell: false, signal });
  // It may end without having read its input.
  child.stdin?.on('error', () => undefined).end(text);
  try {
    const [code] = (await once(child, 'close')) as unknown[];
    return code === 0 ? undefined : `ended with ${String(code)}`;
  } catch (error) {
    return signal.aborted ? 'took too long and was ended' : `could not be started (${String(error)})`;
  }
}
