import { expect, it } from 'vitest';
import { inWholeMs } from '../../../../../renderer/screens/calls/timing.tsx';

it('the parts of a call add up to its total as both are shown', () => {
  const phases = [
    { name: 'dns', ms: 46.5 },
    { name: 'firstByte', ms: 7.6 },
    { name: 'download', ms: 1.6 },
  ] as const;
  expect(inWholeMs(phases).map(({ ms }) => ms)).toEqual([47, 7, 2]);
  expect(Math.round(46.5 + 7.6 + 1.6)).toBe(47 + 7 + 2);
});
