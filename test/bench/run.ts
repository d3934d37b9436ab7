import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, tmpdir, totalmem, type } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isWithin, tableOf, type Context, type Figure, type Measure } from './figures.ts';
import { measureLists } from './list-figures.ts';
import { measurePress } from './press-figures.ts';
import { measureRates } from './service-figures.ts';
import { measureSize } from './size-figures.ts';
import { measureMemory, measureStarts } from './start-figures.ts';
import { measureTools } from './tool-figures.ts';
import { projectRoot } from './windows.ts';

/** The measurements, in the order in which they run. */
const measures: Record<string, Measure> = {
  service: measureRates,
  start: measureStarts,
  press: measurePress,
  lists: measureLists,
  memory: measureMemory,
  size: measureSize,
  tools: measureTools,
};

const HELP = `Usage: npm run bench -- [options]

Measures the built-in server and the application beside their peers, in turns on this computer.

  --only NAME,...  measures only these: ${Object.keys(measures).join(', ')}; tools, which installs
                   newman and Bruno's command line in test/bench/tools/, runs only when it is named
  --runs N         runs of each measurement (default: 10)
  --seconds N      length of each run of the built-in server (default: 3)
  --beside FOLDER  also measures starts, presses and lists of another built checkout of this
                   project; can be repeated
  --json FILE      also writes the computer and the figures to this file

Exit codes: 0 every figure is within its budget; 1 a figure is outside; 2 invalid usage; 4 could not
measure.
`;

const options = {
  only: { type: 'string' },
  runs: { type: 'string' },
  seconds: { type: 'string' },
  beside: { type: 'string', multiple: true },
  json: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const say = (line: string): void => void process.stderr.write(`${line}\n`);

/** Returns the values of the options, or a sentence on what is wrong with them. */
function readArgs(args: string[]) {
  try {
    const { values } = parseArgs({ args, options, allowPositionals: false });
    const { runs = '10', seconds = '3' } = values;
    const names = values.only?.split(',') ?? Object.keys(measures).filter((name) => name !== 'tools');
    const unknown = names.find((name) => !Object.hasOwn(measures, name));
    if (unknown !== undefined) return `There is no "${unknown}" to measure, only ${Object.keys(measures).join(', ')}.`;
    if (!/^[1-9]\d{0,4}$/.test(runs)) return `The option --runs takes a whole number from 1 on, not "${runs}".`;
    if (!(Number(seconds) > 0)) return `The option --seconds takes a number above 0, not "${seconds}".`;
    return { ...values, names, runs: Number(runs), seconds: Number(seconds) };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Says for people on what machine the figures were taken, and how busy it was. */
function describeMachine(loadBefore: number | undefined): string {
  const { electron, node, sqlite } = process.versions;
  const load = `load ${loadBefore?.toFixed(1)} before and ${loadavg()[0]?.toFixed(1)} after`;
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`;
  const made = `Electron ${electron}, Node ${node}, SQLite ${sqlite}`;
  return `${cpus()[0]?.model}, ${cpus().length} cores, ${memory}, ${type()} ${release()}; ${made}; ${load}`;
}

async function bench(args: string[]): Promise<number> {
  const usage = readArgs(args);
  if (typeof usage === 'string') {
    say(usage);
    return 2;
  }
  if (usage.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const [loadBefore] = loadavg();
  const figures: Figure[] = [];
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-bench-'));
  const roots = [projectRoot, ...(usage.beside ?? []).map((each) => path.resolve(each))];
  const context: Context = { runs: usage.runs, seconds: usage.seconds, roots, folder, say };
  try {
    for (const name of usage.names) figures.push(...((await measures[name]?.(context)) ?? []));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
  const machine = describeMachine(loadBefore);
  process.stdout.write(`${machine}\n\n${tableOf(figures)}\n`);
  if (usage.json !== undefined) await writeFile(usage.json, `${JSON.stringify({ machine, figures }, undefined, 2)}\n`);
  return figures.some((each) => isWithin(each) === false) ? 1 : 0;
}

process.exitCode = await bench(process.argv.slice(2)).catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 4;
});
