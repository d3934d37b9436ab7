import { describe, expect, it } from 'vitest';
import { compareTimes, timesDiffer } from '../../../main/contract/compare-times.ts';

const around = (ms: number): number[] => Array.from({ length: 20 }, (_, at) => ms + (at - 9.5) / 10);

describe('the comparison of times', () => {
  it('gives the value of the test of Mann and Whitney that the documentation of SciPy gives', () => {
    const males = [19, 22, 16, 29, 24];
    const females = [20, 11, 17, 12];
    // U is 17 of 20 pairs, and p is 0.11134688653314041 by the normal approximation.
    expect(compareTimes(females, males)).toEqual({
      samples: 4,
      knownMedianMs: 14.5,
      unknownMedianMs: 22,
      pValue: expect.closeTo(0.111_346_886, 6),
      effect: 0.7,
    });
  });

  it('finds no difference in the same times, and a full one between times that never overlap', () => {
    expect(compareTimes(around(50), around(50))).toMatchObject({ pValue: 1, effect: 0 });
    expect(compareTimes(around(50), around(20))).toMatchObject({ samples: 20, effect: -1 });
    expect(compareTimes(around(50), around(20)).pValue).toBeLessThan(1e-7);
  });

  it.each([
    ['is beyond chance and large', around(50), around(20), true],
    ['is beyond chance, and too small for a network', around(4.9), around(1), false],
    ['is beyond chance, and a small share of the time', around(110), around(100), false],
    ['is large, and may be chance', [10, 10, 10, 900, 900, 900], [10, 10, 900, 900, 900, 900], false],
  ])('says that times differ only where the difference %s', (_what, known, unknown, differ) => {
    expect(timesDiffer(compareTimes(known, unknown))).toBe(differ);
  });
});
