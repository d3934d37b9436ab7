import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runChild, say, stop } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { findPostgres, startPostgres } from './postgres.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { hasDisplay, startVirtualDisplay } from './virtual-display.mjs';
import { build } from './build.mjs';

const projectRoot = path.resolve(import.meta.dirname, '..');
const bin = (/** @type {string} */ name) => path.join(projectRoot, 'node_modules', name);

const electron = await findElectron();
await ensureSystemPackages(electron.executable, {
  display: !hasDisplay(),
  keyring: true,
  clients: true,
  database: !process.env.LLAVERO_TEST_POSTGRES,
});

/** What is checked before anything runs. @type {[string, string[]][]} */
const checks = [
  ['types', [bin('typescript/bin/tsc'), '-b']],
  ['lint', [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings']],
  ['format', [bin('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.']],
];
if (process.argv.length === 2) {
  for (const [name, args] of checks) {
    say(`Checking ${name} …`);
    const code = await runChild(process.execPath, args, { cwd: projectRoot });
    if (code !== 0) stop(code, `The ${name} check failed.`);
  }
}

await build();
// One that is named is used as it is; where there is none at all, the tests that need it say that they are skipped.
const postgres = process.env.LLAVERO_TEST_POSTGRES || !findPostgres() ? undefined : await startPostgres();
const display = hasDisplay() ? undefined : await startVirtualDisplay();
const results = await mkdtemp(path.join(tmpdir(), 'llavero-test-'));
const file = path.join(results, 'results.json');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
// On Electron's own Node, so that the tests use the node:sqlite and BoringSSL that ship.
const env = {
  ...process.env,
  ...display?.env,
  ...(postgres && { LLAVERO_TEST_POSTGRES: postgres.url }),
  ELECTRON_RUN_AS_NODE: '1',
};
const args = [bin('vitest/vitest.mjs'), 'run', ...reporters, ...process.argv.slice(2)];
const code = await runChild(electron.executable, args, { env, cwd: projectRoot });
display?.close();
await postgres?.stop();

const summary = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
await rm(results, { recursive: true, force: true });
if (!summary) stop(code || 1, 'The tests ended without a result.');
const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = summary;
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
process.exitCode = code || (failed > 0 || passed === 0 ? 1 : 0);
