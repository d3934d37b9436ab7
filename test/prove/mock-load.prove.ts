import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { measureMockRates, proveMockCrash } from './mock-load.ts';
import { folder, given, print, say } from './given.ts';

const { rounds, seed } = given({ rounds: z.number(), seed: z.number() });

it('a mock that is killed has all that it had answered, and is as quick as its original', async () => {
  say(`mock-load: ${rounds} rounds, --seed ${seed}`);
  const crashed = await proveMockCrash({ folder, rounds, operations: 10_000, seed });
  const model = path.join(folder, 'service-model.json');
  const rates = await measureMockRates(folder, model, { rounds: 9, seconds: 3 });
  print({ ...crashed, name: 'mock-load', rates });
  expect(crashed.lost).toBe(0);
  expect(rates.ratio).toBeGreaterThan(0.8);
  expect(rates.ratio).toBeLessThan(1.25);
});
