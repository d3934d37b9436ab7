import { expect, it } from 'vitest';
import { z } from 'zod';
import { proveFuzz } from './fuzz.ts';
import { given, print, say } from './given.ts';

const { seconds, seed } = given({ seconds: z.number(), seed: z.number() });

it('hard input is answered as the documents say', async () => {
  say(`fuzz: ${seconds} s, --seed ${seed}`);
  const summary = await proveFuzz({ seed, seconds });
  print(summary);
  expect(summary.faults).toBe(0);
});
