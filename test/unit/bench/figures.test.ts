import { describe, expect, it } from 'vitest';
import { figure, isWithin, median, tableOf } from '../../bench/figures.ts';

describe('the median', () => {
  it('is in the middle, or between the two there, of numbers ordered as numbers', () => {
    const values = [1000, 9, 80];
    expect(median(values)).toBe(80);
    expect(values).toEqual([1000, 9, 80]);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(() => median([])).toThrow('nothing');
  });
});

describe('a ratio', () => {
  it('is taken within each run, so that a slow moment of the machine cancels out', () => {
    // The machine was at half its speed in the second run.
    expect(figure('profiles beside a constant response', 'requests/s', [600, 300, 600], [1000, 500, 1000])).toEqual({
      name: 'profiles beside a constant response',
      unit: 'requests/s',
      value: 600,
      peer: 1000,
      ratio: 0.6,
      runs: 3,
      range: [0.6, 0.6],
    });
  });
});

describe('a budget', () => {
  const memory = (megabytes: number) => figure('memory, logged in', 'MB', [megabytes], [100]);

  it('is met at its very bound, and said when it is not', () => {
    expect(isWithin(memory(130))).toBe(true);
    expect(isWithin(memory(131))).toBe(false);
    expect(tableOf([memory(131)])).toContain('| **131 MB** | 100 | 1.31 | ≤ 1.3 | 1.31 to 1.31 | 1 |');
    expect(tableOf([memory(130)])).not.toContain('**');
  });

  it('bounds some figures from below, and some by their value', () => {
    expect(isWithin(figure('profiles beside a constant response', 'requests/s', [49], [100]))).toBe(false);
    expect(isWithin(figure('unpacked, beyond Electron', 'MB', [15]))).toBe(true);
  });

  it('is not invented', () => {
    expect(isWithin(figure('unpacked', 'MB', [1]))).toBeUndefined();
  });
});
