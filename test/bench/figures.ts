import path from 'node:path';

type Budget = { of: 'ratio' | 'value'; bound: '≥' | '≤'; limit: number };

/** A longer task is one that people feel, and that Chromium calls long. */
const longestTask: Budget = { of: 'value', bound: '≤', limit: 50 };

const longestStart: Budget = { of: 'ratio', bound: '≤', limit: 1.35 };

/** The bounds of issues 33 and 51, by the name of the figure. A figure without one explains the others. */
const budgets: Partial<Record<string, Budget>> = {
  'profiles beside a constant response': { of: 'ratio', bound: '≥', limit: 0.8 },
  'profiles beside better-auth': { of: 'ratio', bound: '≥', limit: 24 },
  'start: welcome': longestStart,
  'start: welcome, kept profile': longestStart,
  'start: form': longestStart,
  'start: form, kept profile': longestStart,
  'start: logged in': longestStart,
  'start: logged in, kept profile': longestStart,
  'click to profile, server 0 ms away, without the requests': { of: 'value', bound: '≤', limit: 30 },
  'all sessions, 200 of them: longest task': longestTask,
  'login form, 20 accounts of the server: longest task': longestTask,
  '200 servers: longest task': longestTask,
  'menu of 200 servers: longest task': longestTask,
  '5000 calls: longest task': longestTask,
  'report of 150 calls: longest task': longestTask,
  'memory, logged in': { of: 'ratio', bound: '≤', limit: 1.3 },
  'unpacked, beyond Electron': { of: 'value', bound: '≤', limit: 15 },
};

/** One measurement, as its line of JSON has it. */
export type Figure = {
  name: string;
  unit: 'requests/s' | 'µs' | 'ms' | 'MB' | 'faults' | 'elements';
  /** The median of the runs. */
  value: number;
  /** The median of the peer that the figure is measured beside, and of the ratios of the runs. */
  peer: number | null;
  ratio: number | null;
  runs: number;
  /** The smallest and the largest run: of the ratio where there is one, else of the value. */
  range: [number, number];
};

/** What every measurement is told. */
export type Context = {
  runs: number;
  /** The seconds that each run of the service takes. */
  seconds: number;
  /** The built copies of this project to measure in turns: this one first. */
  roots: string[];
  /** A folder that is removed at the end. */
  folder: string;
  /** Writes one line for who waits. */
  say: (line: string) => void;
};

/** Returns the name of a figure of one of the built copies. */
export const ofRoot = (name: string, { roots }: Context, at: number): string =>
  at === 0 ? name : `${name}, ${path.basename(roots[at] ?? '')}`;

export type Measure = (context: Context) => Promise<Figure[]>;

/** Returns the middle value, or the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  if (low === undefined || high === undefined) throw new Error('There is no median of nothing');
  return (low + high) / 2;
}

const round = (value: number): number => Number(value.toPrecision(3));

/**
 * Makes a figure of its runs.
 * @param peers what each run is divided by: both were measured right after each other, so what slowed the machine slowed both
 */
export function figure(name: string, unit: Figure['unit'], values: number[], peers?: number[]): Figure {
  const ratios = peers?.map((peer, run) => (values[run] ?? NaN) / peer);
  const ranged = ratios ?? values;
  return {
    name,
    unit,
    value: round(median(values)),
    peer: peers ? round(median(peers)) : null,
    ratio: ratios ? round(median(ratios)) : null,
    runs: values.length,
    range: [round(Math.min(...ranged)), round(Math.max(...ranged))],
  };
}

/** Says whether a figure keeps its bound; undefined without a bound. */
export function isWithin({ name, value, ratio }: Figure): boolean | undefined {
  const budget = budgets[name];
  const measured = budget?.of === 'ratio' ? ratio : value;
  if (budget === undefined || measured === null) return undefined;
  return budget.bound === '≥' ? measured >= budget.limit : measured <= budget.limit;
}

function cellsOf(shown: Figure): (string | number)[] {
  const { name, unit, value, peer, ratio, runs, range } = shown;
  const budget = budgets[name];
  const bound = budget ? `${budget.of === 'ratio' ? '' : 'value '}${budget.bound} ${budget.limit}` : '';
  const isOutside = isWithin(shown) === false;
  const said = `${value} ${unit}`;
  return [name, isOutside ? `**${said}**` : said, peer ?? '', ratio ?? '', bound, range.join(' to '), runs];
}

/** Writes the figures as a table of Markdown. What is bold is outside its budget. */
export function tableOf(figures: readonly Figure[]): string {
  const heads = ['what', 'value', 'beside', 'ratio', 'budget', 'range', 'runs'];
  const rows = [heads, heads.map(() => '---'), ...figures.map(cellsOf)];
  return rows.map((row) => `| ${row.join(' | ')} |`).join('\n');
}
