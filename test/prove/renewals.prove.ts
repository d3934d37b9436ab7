import { expect, it } from 'vitest';
import { z } from 'zod';
import { folder, given, print, say } from './given.ts';
import { proveRenewals } from './renewals.ts';

const { seconds, seed } = given({ seconds: z.number(), seed: z.number() });

it('sessions are renewed, and nobody is asked to log in again', async () => {
  say(`renewals: ${seconds} s, --seed ${seed}`);
  const onProgress = (summary: object): void => say(`  ${JSON.stringify(summary)}`);
  const summary = await proveRenewals({ folder, seconds, seed, onProgress });
  print(summary);
  expect(summary.findings).toEqual([]);
  expect(summary.logInsAskedFor).toBe(0);
  expect(summary.sessionsEnded).toBe(0);
});
