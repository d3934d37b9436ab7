import { expect, it } from 'vitest';
import { z } from 'zod';
import { proveCrash, withDatabase } from './crash.ts';
import { folder, given, print, say } from './given.ts';

const { engine, operations, seed, ...more } = given({
  engine: z.enum(['sqlite', 'postgres']).optional(),
  rounds: z.number().optional(),
  operations: z.number(),
  seed: z.number(),
});
// What a crash loses is the database's, so each of them is tried.
const engines = engine === undefined ? (['sqlite', 'postgres'] as const) : [engine];

it.each(engines)('a service on %s that is killed has all that it had answered', async (engine) => {
  const { rounds = engine === 'sqlite' ? 100 : 20 } = more;
  say(`crash: ${engine}, ${rounds} rounds, at least ${operations} operations, minimal Argon2, --seed ${seed}`);
  const summary = await withDatabase(engine, folder, (database, server) =>
    proveCrash({
      engine,
      database,
      ...(server && { server }),
      rounds,
      operations,
      seed,
      onRound: (round, { acknowledged, lost }) => {
        if ((round + 1) % 10 === 0) say(`  round ${round + 1}: ${acknowledged} acknowledged, ${lost} lost`);
      },
    }),
  );
  print(summary);
  expect(summary.lost).toBe(0);
  expect(summary.rounds).toBe(rounds);
});
