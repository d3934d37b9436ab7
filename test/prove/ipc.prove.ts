import path from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { folder, given, print, say } from './given.ts';
import { proveIpc } from './ipc.ts';

const { calls, seed } = given({ calls: z.number(), seed: z.number() });

it('every call with an input of any shape is answered, and changes nothing', async () => {
  say(`ipc: ${calls} calls, --seed ${seed}`);
  const summary = await proveIpc({
    calls,
    seed,
    folder: path.join(folder, 'profile'),
    onProgress: ({ calls: made }) => {
      if (made % 1000 === 0) say(`  ${made} calls`);
    },
  });
  print(summary);
  expect(summary.findings).toEqual([]);
});
