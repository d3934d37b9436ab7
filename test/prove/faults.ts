import { execFile } from 'node:child_process';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { copyProject, linkAllPackages } from '../support/copy-project.ts';
import { outsideVitest } from '../support/outside-vitest.ts';
import type { PlantedFault } from './planted-faults.ts';

/** What came of one fault. It is found if a test failed in each of the files that are to find it. */
export type FaultOutcome = {
  planted: PlantedFault;
  came: 'found' | 'not found' | 'broken';
  /** Why it is not found or broken. */
  why: string;
  /** By file. */
  failed: Readonly<Record<string, number>>;
  seconds: number;
};

/** What a run of some files of tests came to, by file; undefined for one of which no test ran. */
type Ran = Readonly<Record<string, { passed: number; failed: number } | undefined>>;

type Faults = {
  planted: readonly PlantedFault[];
  /** It is empty, and becomes the copy in which the faults are planted. */
  folder: string;
  onOutcome?: (outcome: FaultOutcome) => void;
};

const root = path.resolve(import.meta.dirname, '../..');

/** Milliseconds after which a run of tests hangs: a fault may leave each test waiting to its own limit. */
const runLimitMs = 30 * 60_000;

/** Says of each fault why it cannot be planted, if its text is not in its file exactly once. */
export async function unplantable(planted: readonly PlantedFault[]): Promise<string[]> {
  const sentences = await Promise.all(
    planted.map(async ({ file, fault, from }) => {
      const parts = (await readFile(path.join(root, file), 'utf8').catch(() => '')).split(from).length - 1;
      return parts === 1 ? [] : [`${file} has the text of "${fault}" ${parts} times.`];
    }),
  );
  return sentences.flat();
}

/**
 * Plants each fault alone in a copy of the project, and runs the tests that are to find it.
 * @returns what came of each, or the files that fail or run no test without any fault, where nothing is planted
 */
export async function proveFaults({
  planted,
  folder,
  onOutcome,
}: Faults): Promise<{ outcomes: FaultOutcome[]; unsound: string[] }> {
  const copy = path.join(folder, 'copy');
  await mkdir(copy, { recursive: true });
  await copyProject(copy, linkAllPackages);

  const files = [...new Set(planted.flatMap(({ found }) => found))].toSorted();
  const without = await run(files, folder);
  const unsound = files.filter((file) => !without[file] || without[file].failed > 0);
  if (unsound.length > 0) return { outcomes: [], unsound };

  const outcomes: FaultOutcome[] = [];
  for (const each of planted) {
    const outcome = await plant(each, folder);
    onOutcome?.(outcome);
    outcomes.push(outcome);
  }
  return { outcomes, unsound };
}

async function plant(planted: PlantedFault, folder: string): Promise<FaultOutcome> {
  const { file, from, to, found } = planted;
  const place = path.join(folder, 'copy', file);
  const right = await readFile(place, 'utf8');
  const began = Date.now();
  let ran: Ran;
  await writeFile(
    place,
    right.replace(from, () => to),
  );
  try {
    ran = await run(found, folder);
  } finally {
    await writeFile(place, right);
  }
  const failed = Object.fromEntries(found.map((each) => [each, ran[each]?.failed ?? 0]));
  const notRun = found.filter((each) => !ran[each]);
  const green = found.filter((each) => ran[each]?.failed === 0);
  const seconds = Math.round((Date.now() - began) / 1000);
  const outcome = { planted, failed, seconds };
  if (notRun.length > 0) return { ...outcome, came: 'broken', why: `no test ran in ${notRun.join(' and ')}` };
  if (green.length > 0) return { ...outcome, came: 'not found', why: `no test fails in ${green.join(' and ')}` };
  return { ...outcome, came: 'found', why: '' };
}

/** What vitest's reporter writes, as far as it is read. A file that cannot be loaded has no tests. */
const Results = z.object({
  testResults: z.array(z.object({ name: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/** Runs files of tests in the copy as `npm test` does, on the Node of this process, which is Electron's own. */
async function run(files: readonly string[], folder: string): Promise<Ran> {
  // A temporary folder may be reached by a link, which vitest follows.
  const copy = await realpath(path.join(folder, 'copy'));
  const results = path.join(folder, 'results.json');
  await writeFile(results, '{"testResults":[]}');
  // Without a cache, it leaves nothing in the packages that the two share.
  const args = [
    path.join(copy, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--reporter=json',
    `--outputFile=${results}`,
    '--no-cache',
    ...files,
  ];
  await new Promise<void>((resolve) => {
    const options = { cwd: copy, env: environment(folder), timeout: runLimitMs, maxBuffer: 2 ** 28 };
    const end = (): void => void child.kill();
    const child = execFile(process.execPath, args, options, () => {
      // Tests that fail are what is looked for, so the code says nothing.
      process.off('exit', end);
      resolve();
    });
    process.once('exit', end);
  });
  const { testResults } = Results.parse(JSON.parse(await readFile(results, 'utf8')));
  const entries = testResults.map(({ name, assertionResults }) => {
    const count = (wanted: string): number => assertionResults.filter(({ status }) => status === wanted).length;
    const counts = { passed: count('passed'), failed: count('failed') };
    const file = path.relative(copy, name).split(path.sep).join('/');
    return [file, counts.passed + counts.failed > 0 ? counts : undefined] as const;
  });
  return Object.fromEntries(entries);
}

/** What the runs inherit. They may be begun by a test, whose own settings are not theirs. */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...outsideVitest(),
  ELECTRON_RUN_AS_NODE: '1',
  NODE_COMPILE_CACHE: path.join(folder, 'compiled'),
});

/** A table of what came of each fault, one a line. */
export const faultTable = (outcomes: readonly FaultOutcome[]): string =>
  [
    '| fault | file | tests that failed | seconds | |',
    '|---|---|---|---|---|',
    ...outcomes.map(({ planted: { fault, file }, failed, seconds, came, why }) => {
      const counts = Object.entries(failed).map(([each, count]) => `${each.replace(/^test\//, '')}: ${count}`);
      return `| ${fault} | ${file} | ${counts.join(', ')} | ${seconds} | ${came}${why === '' ? '' : `: ${why}`} |`;
    }),
  ].join('\n');

/**
 * Chooses faults by a text in their file, their sentence or a test, and then by a part, such as 2/4.
 * @returns undefined for anything but a part
 */
export function chosenFaults(
  all: readonly PlantedFault[],
  only = '',
  part = '1/1',
): readonly PlantedFault[] | undefined {
  const [, which, of] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(part) ?? [];
  if (which === undefined || of === undefined || Number(which) > Number(of)) return undefined;
  return all
    .filter(({ file, fault, found }) => [file, fault, ...found].some((text) => text.includes(only)))
    .filter((_each, at) => at % Number(of) === Number(which) - 1);
}
