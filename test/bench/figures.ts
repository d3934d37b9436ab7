import { median, medianInterval, ratios, spread } from './statistics.ts';

type Budget = { of: 'ratio' | 'value'; bound: 'at least' | 'at most'; limit: number };

/** The bounds of DESIGN section 7, by the name of the figure. A figure without one explains the others. */
const budgets: Partial<Record<string, Budget>> = {
  'profile-rate-to-constant': { of: 'ratio', bound: 'at least', limit: 0.8 },
  'profile-rate-to-better-auth': { of: 'ratio', bound: 'at least', limit: 24 },
  'profile-p99-during-logins': { of: 'ratio', bound: 'at most', limit: 5 },
  'login-lookup-p99-1000000-accounts': { of: 'ratio', bound: 'at most', limit: 1.3 },
  'profile-p99-1000000-accounts': { of: 'ratio', bound: 'at most', limit: 1.2 },
  'seed-1000000-accounts': { of: 'value', bound: 'at most', limit: 120 },
  'cold-start': { of: 'ratio', bound: 'at most', limit: 1.3 },
  memory: { of: 'ratio', bound: 'at most', limit: 1.3 },
  'idle-wake-ups-beyond-bare': { of: 'value', bound: 'at most', limit: 1 },
  'soak-private-rise': { of: 'value', bound: 'at most', limit: 1 },
  'soak-main-heap-rise': { of: 'value', bound: 'at most', limit: 0.25 },
  'soak-page-heap-rise': { of: 'value', bound: 'at most', limit: 0.1 },
  'soak-handles-rise': { of: 'value', bound: 'at most', limit: 0.5 },
  'soak-nodes-rise': { of: 'value', bound: 'at most', limit: 5 },
  'soak-listeners-rise': { of: 'value', bound: 'at most', limit: 5 },
  'submit-to-profile': { of: 'value', bound: 'at most', limit: 16 },
  ...Object.fromEntries(
    ['account', 'calls', 'contract', 'built-in', 'servers', 'settings'].map((room) => [
      `room-${room}-p95`,
      { of: 'value', bound: 'at most', limit: 50 } as const,
    ]),
  ),
  'kept-runs-1000-history': { of: 'value', bound: 'at most', limit: 200 },
  'unpacked-beyond-electron': { of: 'value', bound: 'at most', limit: 15 },
};

/** One measurement, as its line of JSON has it. */
export type Figure = {
  name: string;
  /** The median of the runs. */
  value: number;
  unit: 'requests/s' | 'µs' | 'ms' | 's' | 'MB' | 'MB/min' | '1/min' | '1/s';
  /** The ratio to the peer that the figure is measured against: the median of each run's own ratio. */
  ratio: number | null;
  /** The bound of the ratio where there is one and the design bounds it, else of the value. */
  budget: number | null;
  runs: number;
  /** Between these lies the true median in 95 of 100 benches: of the ratio where there is one, else of the value. */
  interval: [number, number];
  /** (largest − smallest) / median, of the ratios where there are some, else of the values. */
  spread: number;
};

const round = (value: number): number => Number(value.toPrecision(4));

/**
 * Makes a figure of its runs.
 * @param peers what each run is divided by, in the order of the runs
 */
export function figure(name: string, unit: Figure['unit'], values: number[], peers?: number[]): Figure {
  const each = peers && ratios(values, peers);
  const [low, high] = medianInterval(each ?? values);
  return {
    name,
    value: round(median(values)),
    unit,
    ratio: each ? round(median(each)) : null,
    budget: budgets[name]?.limit ?? null,
    runs: values.length,
    interval: [round(low), round(high)],
    spread: round(spread(each ?? values)),
  };
}

/** Says whether a figure keeps its bound; undefined where the design sets none. */
export function isWithin({ name, value, ratio }: Figure): boolean | undefined {
  const budget = budgets[name];
  const measured = budget?.of === 'ratio' ? ratio : value;
  if (budget === undefined || measured === null) return undefined;
  return budget.bound === 'at least' ? measured >= budget.limit : measured <= budget.limit;
}

const heads = ['figure', 'value', 'unit', 'ratio', 'budget', 'within', 'runs', 'median within', 'spread'];

function cellsOf(shown: Figure): string[] {
  const budget = budgets[shown.name];
  const within = isWithin(shown);
  return [
    shown.name,
    String(shown.value),
    shown.unit,
    shown.ratio === null ? '' : String(shown.ratio),
    budget ? `${budget.of} ${budget.bound} ${budget.limit}` : '',
    within === undefined ? '' : within ? 'yes' : 'NO',
    String(shown.runs),
    shown.interval.join(' – '),
    `${(shown.spread * 100).toFixed(0)} %`,
  ];
}

/** Writes the figures for people, in columns. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [heads, ...figures.map(cellsOf)];
  const widths = heads.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
