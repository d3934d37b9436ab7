import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createBuilder } from 'vite';

const projectRoot = path.resolve(import.meta.dirname, '..');

/** The folder that each of Vite's environments is built into. */
const folders = { main: 'dist/main', preload: 'dist/preload', client: 'dist/renderer' };
/** @typedef {keyof typeof folders} Environment */
/** @type {Environment[]} */
const everything = ['main', 'preload', 'client'];

/** What the builds read. The lock file stands for the packages. */
const sources = [
  'main',
  'preload',
  'renderer',
  'scripts',
  'build',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];

/**
 * Builds main, preload and renderer into `dist/`, each with a note from what it was built.
 * @param {Environment[]} [only] what to build; all unless told
 */
export async function build(only = everything) {
  const sourcesNow = await fingerprint();
  const builder = await createBuilder({
    configFile: path.join(projectRoot, 'vite.config.ts'),
    logLevel: 'warn',
  });
  for (const [name, environment] of Object.entries(builder.environments)) {
    if (only.some((each) => each === name)) await builder.build(environment);
  }
  // A build empties its folder, so that a note never tells of another build.
  await Promise.all(only.map((name) => writeFile(noteOf(name), sourcesNow)));
}

/**
 * Builds what was not built from the sources as they are.
 * @param {Environment[]} [only] what is needed; all unless told
 */
export async function buildIfChanged(only = everything) {
  const now = await fingerprint();
  const built = await Promise.all(only.map((name) => readFile(noteOf(name), 'utf8').catch(() => '')));
  const changed = only.filter((_name, index) => built[index] !== now);
  if (changed.length > 0) await build(changed);
}

const noteOf = (/** @type {Environment} */ name) => path.join(projectRoot, folders[name], 'built-from');

/** Returns a digest of the names, sizes and times of all sources, and of the mode of the build. */
async function fingerprint() {
  const digest = createHash('sha256').update(`${process.env.NODE_ENV}\n`);
  for (const source of sources) {
    const from = path.join(projectRoot, source);
    const files = (await stat(from)).isDirectory() ? await filesIn(from) : [from];
    for (const file of files) {
      const { size, mtimeMs } = await stat(file);
      digest.update(`${file} ${size} ${mtimeMs}\n`);
    }
  }
  return digest.digest('hex');
}

/** Lists the files of a folder and of those in it, in one order. @param {string} folder */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? path.join(entry.parentPath, entry.name) : [])).toSorted();
}

if (process.argv[1] === import.meta.filename) await build();
