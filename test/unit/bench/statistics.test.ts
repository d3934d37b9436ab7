import { describe, expect, it } from 'vitest';
import { figure, isWithin, tableOf } from '../../bench/figures.ts';
import { median, medianInterval, percentile, ratios, spread } from '../../bench/statistics.ts';

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

describe('a percentile', () => {
  it('is a value that was measured, by nearest rank', () => {
    expect(percentile(hundred, 0.5)).toBe(50);
    expect(percentile(hundred, 0.99)).toBe(99);
    expect(percentile(hundred, 0.999)).toBe(100);
    expect(percentile(hundred, 0)).toBe(1);
    expect(percentile(hundred, 1)).toBe(100);
    expect(percentile([7], 0.99)).toBe(7);
  });

  it('orders numbers as numbers, and leaves what it is given as it was', () => {
    const values = [1000, 9, 80];
    expect(percentile(values, 0.5)).toBe(80);
    expect(values).toEqual([1000, 9, 80]);
  });

  it('of nothing is an error', () => {
    expect(() => percentile([], 0.5)).toThrow('nothing');
    expect(() => median([])).toThrow('nothing');
  });
});

describe('the median', () => {
  it('is in the middle, or between the two there', () => {
    expect(median([5, 1, 3])).toBe(3);
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });
});

describe('the interval of the median', () => {
  it('leaves out as many at each end as chance allows, and nothing of a few', () => {
    expect(medianInterval(hundred)).toEqual([41, 60]);
    expect(medianInterval([5, 1, 3])).toEqual([1, 5]);
    expect(medianInterval([7])).toEqual([7, 7]);
    expect(() => medianInterval([])).toThrow('nothing');
  });
});

describe('the spread', () => {
  it('is the range as a share of the median', () => {
    expect(spread([90, 100, 110])).toBeCloseTo(0.2);
    expect(spread([-30, -20, -10])).toBeCloseTo(1);
    expect(spread([42])).toBe(0);
    expect(spread([0, 0])).toBe(0);
  });
});

describe('a ratio', () => {
  it('is taken within each run, so that a slow moment of the machine cancels out', () => {
    // The machine was at half its speed in the second run.
    expect(ratios([600, 300, 600], [1000, 500, 1000])).toEqual([0.6, 0.6, 0.6]);
    const compared = figure('profile-rate-to-constant', 'requests/s', [600, 300, 600], [1000, 500, 1000]);
    expect(compared).toEqual({
      name: 'profile-rate-to-constant',
      value: 600,
      unit: 'requests/s',
      ratio: 0.6,
      budget: 0.8,
      runs: 3,
      interval: [0.6, 0.6],
      spread: 0,
    });
  });

  it('needs a peer for every run', () => {
    expect(() => ratios([1, 2], [1])).toThrow('Run 1');
  });
});

describe('a budget', () => {
  const memory = (megabytes: number): ReturnType<typeof figure> => figure('memory', 'MB', [megabytes], [100]);

  it('is met at its very bound, and said when it is not', () => {
    expect(isWithin(memory(130))).toBe(true);
    expect(isWithin(memory(131))).toBe(false);
    expect(tableOf([memory(131)])).toContain('NO');
    expect(tableOf([memory(130)])).not.toContain('NO');
  });

  it('bounds some figures from below, and some by their value', () => {
    expect(isWithin(figure('profile-rate-to-constant', 'requests/s', [49], [100]))).toBe(false);
    expect(isWithin(figure('submit-to-profile', 'ms', [15]))).toBe(true);
  });

  it('is not invented', () => {
    expect(isWithin(figure('constant-rate', 'requests/s', [1]))).toBeUndefined();
    expect(figure('constant-rate', 'requests/s', [1]).budget).toBeNull();
  });
});
