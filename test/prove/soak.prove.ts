import { expect, it } from 'vitest';
import { z } from 'zod';
import { withDatabase } from './crash.ts';
import { folder, given, print, say } from './given.ts';
import { proveSoak } from './soak.ts';

const { engine = 'sqlite', minutes } = given({
  engine: z.enum(['sqlite', 'postgres']).optional(),
  minutes: z.number(),
});

it('a load is answered without an error', async () => {
  say(`soak: ${engine}, ${minutes} minutes, minimal Argon2`);
  const summary = await withDatabase(engine, folder, (database) =>
    proveSoak({
      engine,
      database,
      minutes,
      onProgress: ({ seconds, requests, errors, memoryMostMB }) => {
        if (Math.floor(seconds / 10) % 6 === 0)
          say(`  ${seconds} s: ${requests} requests, ${errors} errors, ${memoryMostMB} MB`);
      },
    }),
  );
  print(summary);
  expect(summary.errors).toBe(0);
});
