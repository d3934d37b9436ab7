import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { proveCrash } from '../prove/crash.ts';
import { createApi } from '../prove/api.ts';
import { forkService } from '../prove/run-service.ts';
import { fixedSeed } from '../support/fixed-seeds.ts';

// These are a few rounds of `npm run prove -- crash`, which has a hundred.
it('the service loses nothing of what it answered when it is killed', { timeout: 120_000 }, async () => {
  const database = { file: join(await makeTemporaryFolder(), 'service.sqlite') };
  const summary = await proveCrash({ engine: 'sqlite', database, rounds: 4, operations: 160, seed: fixedSeed });
  expect(summary).toMatchObject({ rounds: 4, lost: 0, findings: [], seed: fixedSeed });
  expect(summary.acknowledged).toBeGreaterThanOrEqual(160);
});

it('the service may be started several times at once on one file, which is made once', async () => {
  const file = join(await makeTemporaryFolder(), 'service.sqlite');
  const services = Array.from({ length: 3 }, () => forkService({ file }));
  onTestFinished(async () => void (await Promise.all(services.map((service) => service.kill()))));
  const [first, second] = await Promise.all(services.map((service) => service.ready()));
  const person = { name: 'Bob', email: 'bob@example.test', password: 'a secret of bob' };
  expect((await createApi(first!).register(person))?.status).toBe(201);
  expect((await createApi(second!).login(person))?.status).toBe(200);
});
