import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { say, stop } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { installServerPackages } from './server-packages.mjs';
import { neededByTests } from './needed-by-tests.mjs';
import { runVitest } from './run-vitest.mjs';
import { ensureSystemPackages } from './system-packages.mjs';

const projectRoot = path.resolve(import.meta.dirname, '..');
const bin = (/** @type {string} */ name) => path.join(projectRoot, 'node_modules', name);

/** What is checked before anything runs. @type {Record<string, string[]>} */
const checks = {
  // Several checkers read the types that they share once each: four, as without this, need twice the processor.
  types: [bin('typescript/bin/tsc'), '-b', '--checkers', '1'],
  lint: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
  format: [bin('oxfmt/bin/oxfmt'), '--check'],
  'unused code': [bin('knip/bin/knip.js')],
};

/** Milliseconds between two lines about the checks that still run. */
const beatMs = 30_000;

/** The compiler and the linter are written in Go, which clears memory away all the time unless it may use more. */
const forChecks = { ...process.env, GOGC: '400' };

/**
 * Runs one check. What it says is shown in one piece, since others run meanwhile.
 * @param {string} name
 * @param {string[]} args
 * @returns {Promise<boolean>} whether it passed
 */
const passes = (name, args) =>
  new Promise((resolve) => {
    const from = Date.now();
    execFile(process.execPath, args, { cwd: projectRoot, env: forChecks, maxBuffer: 2 ** 26 }, (error, out, err) => {
      const seconds = Math.round((Date.now() - from) / 1000);
      say(error ? `The ${name} check failed.\n${out}${err}`.trimEnd() : `Checked ${name} in ${seconds} s.`);
      resolve(!error);
    });
  });

// `npm test -- --shipped` runs nothing on another Electron than the one that people get.
const isForShipped = process.argv.includes('--shipped');
const given = process.argv.slice(2).filter((arg) => arg !== '--shipped');
const electron = await findElectron();
const { version: shipped } = JSON.parse(await readFile(bin('electron/package.json'), 'utf8'));
if (isForShipped && (electron.thirdParty || electron.version !== shipped))
  stop(1, `Electron ${shipped} ships, and here is only ${electron.version}: nothing was tested.`);
await ensureSystemPackages(electron.executable, neededByTests());
say(`The tests run on the Node of Electron ${electron.version}: ${electron.executable}`);

/** The milliseconds of each part, in the order of the parts. @type {Record<string, number>} */
const times = {};
if (given.length === 0) {
  // The compiler reads the types of what the servers of test/servers/ are made with.
  await installServerPackages();
  const names = Object.keys(checks);
  say(`Checking ${names.join(', ')} …`);
  const from = Date.now();
  /** @type {Set<string>} */
  const open = new Set(names);
  const beat = setInterval(() => say(`Still checking ${[...open].join(', ')} …`), beatMs);
  const passed = await Promise.all(
    Object.entries(checks).map(([name, args]) => passes(name, args).finally(() => open.delete(name))),
  );
  clearInterval(beat);
  times[names.join(', ')] = Date.now() - from;
  if (passed.includes(false)) process.exit(1);
}

const results = await mkdtemp(path.join(tmpdir(), 'llavero-test-'));
const file = path.join(results, 'outcome.json');
const reporters = ['--reporter=default', `--reporter=${path.join(import.meta.dirname, 'part-reporter.mjs')}`];
// `npm run prove` runs the proofs, each of which takes minutes.
const args = ['--project=!prove', ...reporters, ...given];
const code = await runVitest(electron.executable, args, results, { LLAVERO_TEST_OUTCOME: file });

/** @type {import('./part-reporter.mjs').Outcome | undefined} */
const outcome = await readFile(file, 'utf8').then(JSON.parse, () => undefined);
await rm(results, { recursive: true, force: true });
if (!outcome) stop(code || 1, 'The tests ended without a result.');
const { passed, failed, notRun, parts } = outcome;
const skipped = notRun.length;
for (const [part, ms] of Object.entries({ ...times, ...parts })) console.log(`${part}: ${(ms / 1000).toFixed(1)} s`);
// What this machine cannot run is known by name: on CI, anything else that was not run is a failure.
const known = new Set((await readFile(path.join(projectRoot, 'test/not-run-here.txt'), 'utf8')).split('\n'));
const unknown = notRun.filter((line) => !known.has(line));
for (const line of notRun) console.log(`Not run: ${line}`);
if (process.env.CI && unknown.length > 0) console.log(`${unknown.length} of these are not in test/not-run-here.txt.`);
console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`);
if (isForShipped) console.log(`on Electron ${electron.version}, which ships`);
// A developer who changed nothing that a test imports has no test to run.
const isEmpty = passed + skipped === 0 && !process.argv.includes('--changed');
const isLess = Boolean(process.env.CI) && given.length === 0 && unknown.length > 0;
process.exitCode = code || (failed > 0 || isEmpty || isLess ? 1 : 0);
