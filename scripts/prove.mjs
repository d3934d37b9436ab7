import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, buildIfChanged } from './build.mjs';
import { stop } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { allFrameworks } from './frameworks.mjs';
import { neededByTests } from './needed-by-tests.mjs';
import { help, readProof } from './proofs.mjs';
import { runVitest } from './run-vitest.mjs';
import { installServerPackages } from './server-packages.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';

/** What is asked for; undefined once the help was printed. */
function asked() {
  try {
    const proof = readProof(process.argv.slice(2));
    if (!proof) process.stdout.write(help());
    return proof;
  } catch (error) {
    const sentence = error instanceof Error ? error.message : String(error);
    return stop(2, `${sentence}\n\`npm run prove -- --help\` lists the proofs with their options.`);
  }
}

/**
 * Runs a proof as the one file of the project `prove` that has its name.
 * @param {NonNullable<ReturnType<typeof readProof>>} proof
 */
async function prove({ name, needs, options }) {
  const needed = new Set(needs);
  const electron = await findElectron();
  const withTests = { ...neededByTests(), frameworks: [] };
  const withoutTests = {
    display: needed.has('displays') || (needed.has('window') && !hasDisplay()),
    frameworks: needed.has('frameworks') ? allFrameworks : [],
  };
  await ensureSystemPackages(electron.executable, needed.has('tests') ? withTests : withoutTests);
  if (needed.has('server packages')) await installServerPackages();
  if (needed.has('window')) await build();
  if (needed.has('commands')) await buildIfChanged(['cli', 'workers']);
  const display = needed.has('window') ? await displayIfNone() : undefined;

  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-prove-'));
  try {
    const reporter = path.join(import.meta.dirname, 'prove-reporter.mjs');
    const args = ['--project', 'prove', `--reporter=${reporter}`, `test/prove/${name}.prove.ts`];
    const env = { ...display?.env, LLAVERO_PROVE: JSON.stringify({ folder, options }) };
    process.exitCode = await runVitest(electron.executable, args, folder, env);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    display?.close();
  }
}

const proof = asked();
if (proof) await prove(proof);
