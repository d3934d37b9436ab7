import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measureSize, measureStart, measureSubmit } from './application-figures.ts';
import type { Context, Measure } from './context.ts';
import { measureCalls } from './call-figures.ts';
import { measureHistory } from './history-figures.ts';
import { isWithin, tableOf, type Figure } from './figures.ts';
import { describeMachine } from './machine.ts';
import { measureIdle, measureMemory } from './resting-figures.ts';
import { measureRooms } from './room-figures.ts';
import { measureSoak } from './soak-figures.ts';
import { measureGrowth, measureLogins, measureRates } from './service-figures.ts';

/** The measurements, in the order in which they run. `--quick` leaves out those of the application. */
const measures: Record<string, { isQuick: boolean; isOnlyNamed?: boolean; measure: Measure }> = {
  rates: { isQuick: true, measure: measureRates },
  logins: { isQuick: true, measure: measureLogins },
  growth: { isQuick: true, measure: measureGrowth },
  start: { isQuick: false, measure: measureStart },
  memory: { isQuick: false, measure: measureMemory },
  idle: { isQuick: false, measure: measureIdle },
  submit: { isQuick: false, measure: measureSubmit },
  rooms: { isQuick: false, measure: measureRooms },
  calls: { isQuick: false, measure: measureCalls },
  history: { isQuick: false, measure: measureHistory },
  size: { isQuick: false, measure: measureSize },
  // It takes ten minutes.
  soak: { isQuick: false, isOnlyNamed: true, measure: measureSoak },
};

const HELP = `Usage: npm run bench -- [--quick] [--only NAME,...] [--runs N] [--json FILE]

Measures the service and the application against their peers, on this machine and in turns.

  --quick         the service only, and for less long
  --only NAME,... of ${Object.keys(measures).join(', ')}; a soak takes ten minutes and runs only so
  --runs N        how often each is measured, 5 unless given, 3 with --quick; a start 20 times at least
  --seconds N     how long each run of the service takes, 8 unless given; 3 with --quick
  --accounts N,.. the sizes of database to compare, 1000,100000,1000000 unless given
  --json FILE     writes the machine, the versions and the figures there too

Exit codes: 0 every figure is within its budget; 1 a figure is outside; 2 wrong usage; 4 could not measure.
`;

type Usage =
  | { kind: 'run'; names: string[]; settings: Pick<Context, 'runs' | 'seconds' | 'accounts'>; json: string | undefined }
  | { kind: 'help' }
  | { kind: 'wrong'; sentence: string };

const options = {
  quick: { type: 'boolean' },
  only: { type: 'string' },
  runs: { type: 'string' },
  seconds: { type: 'string' },
  accounts: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const isCount = (text: string): boolean => /^[1-9]\d{0,8}$/.test(text);

function readArgs(args: string[]): Usage {
  const wrong = (sentence: string): Usage => ({ kind: 'wrong', sentence });
  let values;
  try {
    ({ values } = parseArgs({ args, options, allowPositionals: false }));
  } catch (error) {
    return wrong(error instanceof Error ? error.message : String(error));
  }
  if (values.help) return { kind: 'help' };
  const { quick = false, runs = quick ? '3' : '5', seconds = quick ? '3' : '8' } = values;
  if (!isCount(runs)) return wrong(`The option --runs takes a whole number from 1 on, not "${runs}".`);
  if (!/^\d{1,3}(?:\.\d+)?$/.test(seconds) || Number(seconds) === 0) {
    return wrong(`The option --seconds takes a number above 0, not "${seconds}".`);
  }
  const accounts = (values.accounts ?? '1000,100000,1000000').split(',');
  if (!accounts.every(isCount)) return wrong('The option --accounts takes whole numbers with commas between them.');

  const offered = Object.keys(measures).filter((name) => !quick || measures[name]?.isQuick);
  const names = values.only?.split(',') ?? offered.filter((name) => !measures[name]?.isOnlyNamed);
  const unknown = names.find((name) => !offered.includes(name));
  if (unknown !== undefined) return wrong(`There is no "${unknown}" to measure here, only ${offered.join(', ')}.`);
  return {
    kind: 'run',
    names: offered.filter((name) => names.includes(name)),
    settings: { runs: Number(runs), seconds: Number(seconds), accounts: accounts.map(Number) },
    json: values.json,
  };
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);

async function bench(args: string[]): Promise<number> {
  const usage = readArgs(args);
  if (usage.kind === 'help') {
    process.stdout.write(HELP);
    return 0;
  }
  if (usage.kind === 'wrong') {
    say(usage.sentence);
    return 2;
  }
  const machine = await describeMachine();
  const figures: Figure[] = [];
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-bench-'));
  try {
    for (const name of usage.names) {
      figures.push(...((await measures[name]?.measure({ ...usage.settings, folder, say })) ?? []));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const beyond = figures.filter((figure) => isWithin(figure) === false).map(({ name }) => name);
  const verdict =
    beyond.length === 0 ? 'Every figure with a budget is within it.' : `Outside their budgets: ${beyond.join(', ')}.`;
  const lines = figures.map((figure) => JSON.stringify(figure));
  const described = Object.entries(machine).map(([what, value]) => `${what}: ${value}`);
  process.stdout.write(`${[...described, '', tableOf(figures), '', verdict, '', ...lines].join('\n')}\n`);
  if (usage.json !== undefined) await writeFile(usage.json, `${JSON.stringify({ machine, figures }, undefined, 2)}\n`);
  return beyond.length === 0 ? 0 : 1;
}

process.exitCode = await bench(process.argv.slice(2)).catch((error: unknown) => {
  say(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return 4;
});
