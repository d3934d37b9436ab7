import { expect, it, onTestFinished } from 'vitest';
import { findPostgres, startPostgres } from '../../scripts/postgres.mjs';
import { proveCrash } from '../prove/crash.ts';
import { fixedSeed } from '../support/fixed-seeds.ts';

// A few rounds of `npm run prove -- crash`, in a file of its own so that it runs beside the ones on SQLite.
// The database server is killed as well, in every second round.
it('loses nothing of what it answered on PostgreSQL', { timeout: 120_000 }, async (context) => {
  if (!findPostgres()) {
    const reason = 'PostgreSQL is not installed; on Debian: apt-get install postgresql';
    console.log(`Skipped "${context.task.name}": ${reason}`);
    context.skip(reason);
  }
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const database = { url: server.url };
  const summary = await proveCrash({
    engine: 'postgres',
    database,
    server,
    rounds: 4,
    operations: 160,
    seed: fixedSeed,
  });
  expect(summary).toMatchObject({ rounds: 4, serverKills: 2, lost: 0, findings: [], seed: fixedSeed });
  expect(summary.acknowledged).toBeGreaterThanOrEqual(160);
});
