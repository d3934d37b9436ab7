import { expect, it } from 'vitest';
import { z } from 'zod';
import { proveCrashLogins } from './crash-logins.ts';
import { folder, given, print, say } from './given.ts';

const { rounds, seed, only } = given({ rounds: z.number(), seed: z.number(), only: z.literal('kills').optional() });

it('a session that was shown is there after a kill, and a token of none is not', async () => {
  say(`crash-logins: ${rounds} kills within half a second of the answer, and each write point, --seed ${seed}`);
  const summary = await proveCrashLogins({
    folder,
    rounds,
    points: only === undefined,
    seed,
    onRound: (round, number) => say(`  ${number}: ${JSON.stringify(round)}`),
  });
  print(summary);
  expect(summary.lost).toBe(0);
});
