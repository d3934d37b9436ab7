import { describe, expect, it } from 'vitest';
import { compareTimes, detectNoise, timesDiffer } from '../../../main/check/compare-times.ts';

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

  /** Twenty times from one to another, evenly. */
  const between = (least: number, most: number): number[] =>
    Array.from({ length: 20 }, (_, at) => least + ((most - least) * at) / 19);
  /** These times with some in the place of as many of them. */
  const replaced = (ms: number[], ...others: number[]): number[] => [...ms.slice(others.length), ...others];

  it.each<[what: string, known: number[], unknown: number[], noisy: boolean]>([
    ['differ by more than equal calls do', between(48, 56), between(8, 16), false],
    [
      'differ by more, but for two slow answers of each',
      replaced(between(48, 56), 400, 900),
      replaced(between(8, 16), 400, 900),
      false,
    ],
    ['differ by little more than equal calls do', between(30, 90), between(1, 3), true],
    ['differ by less than equal calls do', between(20, 100), between(1, 3), true],
    ['differ by less than equal calls do, the other way round', between(1, 3), between(20, 100), true],
    [
      'differ by less than equal calls do, although none is as fast as the others',
      between(600, 1_400),
      between(500, 530),
      true,
    ],
    ['do not differ, and equal calls hardly do', between(48, 56), between(48, 56), false],
    [
      'do not differ, and equal calls differ by less than their whole time',
      between(240, 480),
      between(240, 480),
      false,
    ],
    [
      'do not differ, and nothing could be seen, so far apart are equal calls',
      between(10, 300),
      between(10, 300),
      true,
    ],
    [
      'are those of a fast server on a busy machine',
      replaced(between(1, 3), 20, 30, 40),
      replaced(between(1, 3), 60, 25, 30),
      false,
    ],
  ])('says of times that %s whether the run was noisy', (_what, known, unknown, noisy) => {
    expect(detectNoise(known, unknown)?.kind).toBe(noisy ? 'noisy' : undefined);
  });

  it('says how far apart equal calls are, and the two kinds', () => {
    expect(detectNoise(between(20, 101), between(1, 3))).toEqual({ kind: 'noisy', spreadMs: 63.9, differenceMs: 58.5 });
  });
});
