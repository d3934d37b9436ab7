import path from 'node:path';
import { expect, it } from 'vitest';
import { budgets, sizesOf } from '../../../scripts/package-size.mjs';

const root = path.resolve(import.meta.dirname, '../../..');

it('no part of the package is larger than its budget', async () => {
  const sizes = await sizesOf(root);
  const over = Object.entries(budgets).filter(([part, most]) => sizes[part as keyof typeof sizes] > most);
  expect([sizes, over]).toEqual([sizes, []]);
  // A part that was not found has no bytes.
  expect(Math.min(...Object.values(sizes))).toBeGreaterThan(1_000);
});
