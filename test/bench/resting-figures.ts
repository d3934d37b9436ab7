import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as after } from 'node:timers/promises';
import { processTree } from '../support/process-tree.ts';
import { argumentsFor, bareScript, environment, MEGABYTE } from './application-figures.ts';
import type { Measure } from './context.ts';
import { figure } from './figures.ts';

const signedInScript = path.join(import.meta.dirname, 'electron/signed-in.mjs');
/** This is far beyond any start and registration, so a longer one means that something is wrong. */
const READY_WITHIN_MS = 60_000;

/**
 * Copies the Electron that runs this. Processes of the same file share its memory, so another Electron on this machine,
 * such as the one that measures, would take some of what is counted.
 */
async function ownElectron(folder: string): Promise<string> {
  const copy = path.join(folder, 'electron');
  // Electron as Node takes an archive of its own for a folder.
  Object.assign(process, { noAsar: true });
  await cp(path.dirname(process.execPath), copy, { recursive: true, verbatimSymlinks: true });
  return path.join(copy, path.basename(process.execPath));
}

/** Starts a script without a debugger, waits for its line of JSON, and ends it after the use. */
async function whileItRuns<T>(
  { executable, script, folder }: { executable: string; script: string; folder: string },
  use: (pid: number) => Promise<T>,
): Promise<T> {
  const child = spawn(executable, await argumentsFor(script, folder), {
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const late = setTimeout(() => child.kill(), READY_WITHIN_MS);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('{')) continue;
      clearTimeout(late);
      return await use(child.pid ?? 0);
    }
    throw new Error(`${path.basename(script)} ended before it was ready`);
  } finally {
    clearTimeout(late);
    child.kill();
    await ended;
  }
}

/** Adds up, for a process and all below it, lines of `/proc/…/smaps_rollup`, in megabytes. */
async function megabytes(root: number, line: RegExp): Promise<number> {
  let kibibytes = 0;
  for (const pid of await processTree(root)) {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    for (const [, value] of rollup.matchAll(line)) kibibytes += Number(value);
  }
  return (kibibytes * 1024) / MEGABYTE;
}

/** Returns the proportional set size. Memory that several processes share counts once, in parts. */
const pssMegabytes = (root: number): Promise<number> => megabytes(root, /^Pss:\s+(\d+) kB/gm);

/** Returns what the processes share with nobody. */
export const privateMegabytes = (root: number): Promise<number> => megabytes(root, /^Private_\w+:\s+(\d+) kB/gm);

/** After this long, what a start or a click has begun is done, collected and given back. */
const SETTLE_MS = 5000;

/** Measures the memory of all processes after a registration, against a bare window. */
export const measureMemory: Measure = async ({ runs, folder, say }) => {
  if (process.platform !== 'linux') {
    say('memory: skipped, since only Linux tells how processes share it');
    return [];
  }
  const ours: number[] = [];
  const bare: number[] = [];
  const executable = await ownElectron(folder);
  const settled = (script: string) =>
    whileItRuns({ executable, script, folder }, async (pid) => {
      await after(SETTLE_MS);
      return pssMegabytes(pid);
    });
  for (let run = 0; run < runs; run++) {
    bare.push(await settled(bareScript));
    ours.push(await settled(signedInScript));
    say(`memory, run ${run + 1} of ${runs}: ${ours.at(-1)?.toFixed(0)} MB, bare window ${bare.at(-1)?.toFixed(0)} MB`);
  }
  return [figure('memory', 'MB', ours, bare), figure('bare-window-memory', 'MB', bare)];
};

/** Counts how often the threads of a process and of all below it have waited, which each began with waking up. */
async function waits(root: number): Promise<number> {
  let count = 0;
  for (const pid of await processTree(root)) {
    for (const thread of await readdir(`/proc/${pid}/task`).catch(() => [])) {
      const status = await readFile(`/proc/${pid}/task/${thread}/status`, 'utf8').catch(() => '');
      count += Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
    }
  }
  return count;
}

/** V8 collects by itself until then, in the bare window too. */
const ASLEEP_AFTER_MS = 40_000;
const IDLE_SECONDS = 60;

/** Measures how often a signed-in window that nobody touches wakes the processor, beside a bare one at the same time. */
export const measureIdle: Measure = async ({ folder, say }) => {
  if (process.platform !== 'linux') {
    say('idle: skipped, since only Linux tells how often each thread wakes');
    return [];
  }
  say(`idle: watching for ${IDLE_SECONDS} seconds …`);
  const wakeUps = (script: string) =>
    whileItRuns({ executable: process.execPath, script, folder }, async (pid) => {
      await after(ASLEEP_AFTER_MS);
      const before = await waits(pid);
      await after(IDLE_SECONDS * 1000);
      return ((await waits(pid)) - before) / IDLE_SECONDS;
    });
  const [ours = 0, bare = 0] = await Promise.all([signedInScript, bareScript].map(wakeUps));
  return [
    figure('idle-wake-ups', '1/s', [ours], [bare]),
    figure('idle-wake-ups-beyond-bare', '1/s', [ours - bare]),
    figure('bare-window-wake-ups', '1/s', [bare]),
  ];
};
