import { expect, it } from 'vitest';
import { z } from 'zod';
import { proveFiles } from './files.ts';
import { given, print, say } from './given.ts';

const { seed, rounds: wanted } = given({ rounds: z.number().optional(), seed: z.number() });

it('settings and vault are whole after every end of the process', async () => {
  say(`files: --seed ${seed}`);
  const summary = await proveFiles({
    ...(wanted !== undefined && { rounds: wanted }),
    seed,
    onRound: (_round, { rounds, lost, findings }) => {
      if (rounds % 100 === 0) say([`  round ${rounds}: ${lost} lost`, ...findings].join('\n  '));
    },
  });
  print(summary);
  expect(summary.lost).toBe(0);
});
