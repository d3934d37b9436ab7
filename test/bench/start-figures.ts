import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { processTree } from '../support/process-tree.ts';
import { figure, ofRoot, type Figure, type Measure } from './figures.ts';
import { person } from './requests.ts';
import { newProfile, signedInProfile, whileItRuns } from './windows.ts';

/** The screens with which the application starts, by the heading that each is known by. */
const screens = { welcome: 'Welcome to Llavero', form: 'Log in', 'logged in': person.name } as const;
type Screen = keyof typeof screens;

/** Adds up what a file of each process of a tree says. */
async function sumOf(root: number, file: string, read: (text: string) => number): Promise<number> {
  let sum = 0;
  for (const pid of await processTree(root))
    sum += read(await readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''));
  return sum;
}

/** Returns the processor time of a tree in milliseconds, with that of its children that have ended. */
const cpuMs = (root: number): Promise<number> =>
  sumOf(root, 'stat', (text) => {
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    // utime, stime, cutime and cstime, in ticks of 10 ms.
    return fields.slice(11, 15).reduce((all, ticks) => all + Number(ticks) * 10, 0);
  });

/** Returns the proportional set size in megabytes. Memory that several processes share counts once, in parts. */
const pssMegabytes = (root: number): Promise<number> =>
  sumOf(root, 'smaps_rollup', (text) => (Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024) / 1e6);

type Start = { ms: number; cpu: number };

/** So often Chromium loads a script before it keeps what it compiled of it, and once more. */
const startsBefore = 3;

/** After this long, what a start has compiled is stored. */
const storedAfterMs = 1500;

/** Makes the profiles of a checkout from which its starts are: new ones, and kept ones that were started before. */
async function makeProfiles(root: string, folder: string): Promise<Record<Screen, { fresh: string; kept: string }>> {
  const made = {
    welcome: () => mkdtemp(path.join(folder, 'profile-')),
    form: () => newProfile(folder),
    'logged in': () => signedInProfile(root, folder),
  };
  const profilesOf = async (screen: Screen) => {
    const fresh = await made[screen]();
    await rm(path.join(fresh, 'Code Cache'), { recursive: true, force: true });
    const kept = await copyOf(fresh, folder);
    for (let start = 0; start < startsBefore; start++)
      await whileItRuns({ script: 'watched', profile: kept, watched: [root, screens[screen]] }, () =>
        after(storedAfterMs),
      );
    return { fresh, kept };
  };
  return {
    welcome: await profilesOf('welcome'),
    form: await profilesOf('form'),
    'logged in': await profilesOf('logged in'),
  };
}

async function copyOf(profile: string, folder: string): Promise<string> {
  const copy = await mkdtemp(path.join(folder, 'profile-'));
  await cp(profile, copy, { recursive: true });
  return copy;
}

/**
 * Measures from spawn until the screen is painted, for each start of a new profile and of a kept one, in turns with a bare
 * window.
 */
export const measureStarts: Measure = async (context) => {
  const { runs, roots, folder, say } = context;
  const profiles: Awaited<ReturnType<typeof makeProfiles>>[] = [];
  for (const root of roots) profiles.push(await makeProfiles(root, folder));
  const measured = async (pid: number, ms: number): Promise<Start> => ({ ms, cpu: await cpuMs(pid) });

  const bare: Start[] = [];
  const ours = new Map<string, Start[]>();
  // The first start of each fills the disk's cache.
  for (let run = -1; run < runs; run++) {
    const said: string[] = [];
    const bareStart = await whileItRuns({ script: 'bare', profile: await newProfile(folder) }, measured);
    if (run >= 0) bare.push(bareStart);
    for (const screen of Object.keys(screens) as Screen[]) {
      for (const which of ['fresh', 'kept'] as const) {
        for (const [at, root] of roots.entries()) {
          const name = ofRoot(`start: ${screen}${which === 'kept' ? ', kept profile' : ''}`, context, at);
          const profile = await copyOf(profiles[at]![screen][which], folder);
          const start = await whileItRuns({ script: 'watched', profile, watched: [root, screens[screen]] }, measured);
          said.push(`${name} ${start.ms.toFixed(0)} ms`);
          if (run >= 0) ours.set(name, [...(ours.get(name) ?? []), start]);
        }
      }
    }
    say(`run ${run + 1} of ${runs}: ${said.join(', ')}, bare ${bareStart.ms.toFixed(0)} ms`);
  }
  const of = (starts: Start[], part: keyof Start) => starts.map((start) => start[part]);
  return [...ours].flatMap(([name, starts]): Figure[] => {
    const wall = figure(name, 'ms', of(starts, 'ms'), of(bare, 'ms'));
    if (process.platform !== 'linux') return [wall];
    return [wall, figure(`${name}, processor`, 'ms', of(starts, 'cpu'), of(bare, 'cpu'))];
  });
};

/** After this long, what a start has begun is done, collected and given back. */
const settledAfterMs = 5000;

/** Measures the memory of all processes of a start that is signed in, beside a bare window. */
export const measureMemory: Measure = async ({ runs, roots: [root = ''], folder, say }) => {
  if (process.platform !== 'linux') {
    say('memory: skipped, since only Linux tells how processes share it');
    return [];
  }
  // Processes of one file share its memory, so the Electron that measures would take some of what is counted.
  const copy = path.join(folder, 'electron');
  Object.assign(process, { noAsar: true });
  await cp(path.dirname(process.execPath), copy, { recursive: true, verbatimSymlinks: true });
  const executable = path.join(copy, path.basename(process.execPath));
  const settled = async (pid: number): Promise<number> => {
    await after(settledAfterMs);
    return pssMegabytes(pid);
  };
  const profile = await signedInProfile(root, folder);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let run = 0; run < Math.ceil(runs / 3); run++) {
    bare.push(await whileItRuns({ script: 'bare', profile: await newProfile(folder), executable }, settled));
    const watched: [string, string] = [root, screens['logged in']];
    ours.push(await whileItRuns({ script: 'watched', profile, watched, executable }, settled));
    say(`memory, run ${run + 1}: ${ours.at(-1)?.toFixed(0)} MB, bare ${bare.at(-1)?.toFixed(0)} MB`);
  }
  return [figure('memory, logged in', 'MB', ours, bare)];
};
