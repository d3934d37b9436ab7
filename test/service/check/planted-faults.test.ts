import { expect, it } from 'vitest';
import { proveFindings } from '../../prove/findings.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const only = [
  'registration.password-strength',
  'token.altered',
  'errors.body-not-json',
  'errors.internals',
  'errors.secrets-sent',
  'races.registration',
];

// A hundredth of `npm run prove -- findings`, which plants each fault alone and runs all cases 20 times.
it(
  'check finds every fault that is planted in a right server, and nothing without them',
  { timeout: 120_000 },
  async () => {
    const folder = await makeTemporaryFolder();
    const args = ['--rate', '100', '--only', only.join()];
    const found = await proveFindings({ names: ['all', 'right'], runs: 1, folder, args });
    expect(
      found.map(({ server, runs, right, missed, wronglyFound }) => ({ server, runs, right, missed, wronglyFound })),
    ).toEqual([
      { server: 'all', runs: 1, right: 1, missed: [], wronglyFound: [] },
      { server: 'right', runs: 1, right: 1, missed: [], wronglyFound: [] },
    ]);
  },
);
