import { expect, it, vi } from 'vitest';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { measureMockRates, proveMockCrash } from '../../prove/mock-load.ts';
import { briefly } from '../support/mock-servers.ts';
import { fixedSeed } from '../../support/fixed-seeds.ts';

vi.setConfig({ testTimeout: 120_000 });

// These are a hundredth of `npm run prove -- mock-load`.
it('a mock server loses nothing of what it answered when it is killed, and answers a load without an error', async () => {
  const folder = await makeTemporaryFolder();
  const summary = await proveMockCrash({ folder, rounds: 2, operations: 80, seed: fixedSeed, haste: briefly });
  expect(summary).toMatchObject({ rounds: 2, lost: 0, findings: [], seed: fixedSeed });
  expect(summary.acknowledged).toBeGreaterThanOrEqual(80);
  const rates = await measureMockRates(folder, `${folder}/service-model.json`, { rounds: 1, seconds: 1 });
  expect([rates.service.length, rates.mock.length]).toEqual([1, 1]);
});
