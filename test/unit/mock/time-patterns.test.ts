import { expect, it } from 'vitest';
import { readByPatterns, formatByPattern } from '../../../main/service/mock/time-patterns.ts';

it.each([
  ['2026-11-29', 86_400_000],
  ['29/11/2026 10:41', 60_000],
  ['2026-11-29 10:41', 60_000],
  ['29.11.2026 10:41:07', 1000],
  ['Sun, 29 Nov 2026 10:41:07 +0000', 1000],
] as const)('%s is any moment of %d ms, and no later one', (text, stepMs) => {
  const [read] = readByPatterns(text);
  expect(read).toMatchObject({ stepMs });
  const { ms, pattern } = read!;
  const later = [0, stepMs - 1, stepMs].map((after) => formatByPattern(ms + after, pattern) === text);
  expect(later).toEqual([true, true, false]);
});
