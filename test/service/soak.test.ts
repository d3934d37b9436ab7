import { join } from 'node:path';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { proveSoak } from '../prove/soak.ts';

// A few seconds of `npm run prove -- soak`, which takes ten minutes.
it('answers every request of a load that is held', { timeout: 120_000 }, async () => {
  const database = { file: join(await makeTemporaryFolder(), 'service.sqlite') };
  const summary = await proveSoak({ engine: 'sqlite', database, minutes: 0.04, warmUpMs: 1000 });
  expect(summary).toMatchObject({ errors: 0, findings: [] });
  expect(summary.requests).toBeGreaterThan(0);
});
