import { findPostgres, startPostgres } from '../../scripts/postgres.mjs';

/**
 * Starts a PostgreSQL before the tests of the service, unless `LLAVERO_TEST_POSTGRES` names one. Where it cannot be
 * started, the tests that need it say that they are skipped.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env['LLAVERO_TEST_POSTGRES'] || !findPostgres()) return () => Promise.resolve();
  const postgres = await startPostgres();
  // The workers start later, and inherit it.
  process.env['LLAVERO_TEST_POSTGRES'] = postgres.url;
  return () => postgres.stop();
}
