import type { Figure } from './figures.ts';

/** What every measurement is told. */
export type Context = {
  runs: number;
  /** The seconds that each run measures. */
  seconds: number;
  /** The sizes of database to compare, the smallest first. */
  accounts: number[];
  /** A folder that is removed at the end. */
  folder: string;
  /** Writes one line for who waits. */
  say: (line: string) => void;
};

export type Measure = (context: Context) => Promise<Figure[]>;
