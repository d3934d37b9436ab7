import type { Figure } from './figures.ts';

/** What every measurement is told. */
export type Context = {
  runs: number;
  /** How long each run measures. */
  seconds: number;
  /** The sizes of database to compare, smallest first. */
  accounts: number[];
  /** Removed at the end. */
  folder: string;
  /** One line for who waits. */
  say: (line: string) => void;
};

export type Measure = (context: Context) => Promise<Figure[]>;
