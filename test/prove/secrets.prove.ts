import { expect, it } from 'vitest';
import { z } from 'zod';
import { given, print, say } from './given.ts';
import { proveSecrets } from './secrets.ts';

const { combinations, seed } = given({ combinations: z.number(), seed: z.number() });

it('no secret of a hostile server is shown or kept', () => {
  say(`secrets: ${combinations} hostile servers, --seed ${seed}`);
  const summary = proveSecrets({ seed, servers: combinations });
  print(summary);
  expect(summary.leaks).toEqual([]);
});
