import { findPostgres, startPostgres } from '../../scripts/postgres.mjs';

/**
 * Before the tests of the service: starts a PostgreSQL, unless `LLAVERO_TEST_POSTGRES` names one. Where there is none to
 * start, the tests that need it say that they are skipped.
 */
export default async function setup(): Promise<() => Promise<void>> {
  if (process.env['LLAVERO_TEST_POSTGRES'] || !findPostgres()) return () => Promise.resolve();
  const postgres = await startPostgres();
  // The workers start later, and inherit it.
  process.env['LLAVERO_TEST_POSTGRES'] = postgres.url;
  return () => postgres.stop();
}
