import { allFrameworks } from './frameworks.mjs';

/**
 * Returns what the tests need of a Linux machine.
 * @returns {import('./system-packages.mjs').Needs}
 */
export const neededByTests = () => ({
  display: true,
  keyring: true,
  clients: true,
  database: !process.env.LLAVERO_TEST_POSTGRES,
  frameworks: process.env.LLAVERO_SERVERS === 'all' ? allFrameworks : ['flask', 'djoser', 'oauth-toolkit'],
});
