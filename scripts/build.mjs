import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createBuilder } from 'vite';
import { say } from './child-process.mjs';

const projectRoot = path.resolve(import.meta.dirname, '..');

/** The folder that each of Vite's environments is built into. */
const folders = {
  main: 'dist/main',
  workers: 'dist/workers',
  preload: 'dist/preload',
  client: 'dist/renderer',
  cli: 'dist/cli',
};
/** @typedef {keyof typeof folders} Environment */
/** @type {Environment[]} */
const application = ['main', 'workers', 'preload', 'client'];

/** What the builds read. The lock file stands for the packages. */
const sources = [
  'main',
  'preload',
  'renderer',
  'scripts',
  'build',
  'vite.config.ts',
  'tsconfig.json',
  'package.json',
  'package-lock.json',
];

/**
 * Builds main, preload and renderer into `dist/`, each with a note from what it was built.
 * @param {Environment[]} [only] what to build; the application unless told
 */
export async function build(only = application) {
  const sourcesNow = await fingerprint();
  const { NODE_ENV } = process.env;
  // What is built is what ships, whatever the shell or vitest says: React would come in its form for development.
  process.env.NODE_ENV = 'production';
  try {
    const builder = await createBuilder({
      configFile: path.join(projectRoot, 'vite.config.ts'),
      logLevel: 'warn',
    });
    for (const [name, environment] of Object.entries(builder.environments)) {
      if (only.some((each) => each === name)) await builder.build(environment);
    }
  } finally {
    // The page that `npm run dev` shows is made for development, so that it keeps what was typed over a change.
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
  }
  // A build empties its folder, so that a note never tells of another build.
  await Promise.all(only.map((name) => writeFile(noteOf(name), sourcesNow)));
}

/**
 * Builds what was not built from the sources as they are, and returns what that was.
 * @param {Environment[]} [only] what is needed; the application unless told
 */
export async function buildIfChanged(only = application) {
  const now = await fingerprint();
  const built = await Promise.all(only.map((name) => readFile(noteOf(name), 'utf8').catch(() => '')));
  const changed = only.filter((_name, index) => built[index] !== now);
  if (changed.length > 0) await build(changed);
  return changed;
}

const noteOf = (/** @type {Environment} */ name) => path.join(projectRoot, folders[name], 'built-from');

/** Returns a digest of the names and contents of all sources, the same in a copy of them. */
async function fingerprint() {
  const digest = createHash('sha256');
  for (const source of sources) {
    const from = path.join(projectRoot, source);
    const files = (await stat(from)).isDirectory() ? await filesIn(from) : [from];
    const read = await Promise.all(files.map(async (file) => ({ file, content: await readFile(file) })));
    for (const { file, content } of read)
      digest.update(`${path.relative(projectRoot, file)} ${content.length}\n`).update(content);
  }
  return digest.digest('hex');
}

/** Lists the files of a folder and of those in it, in one order. @param {string} folder */
async function filesIn(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? path.join(entry.parentPath, entry.name) : [])).toSorted();
}

if (process.argv[1] === import.meta.filename && (await buildIfChanged([...application, 'cli'])).length === 0)
  say('dist/ was built from these sources. Remove it to build it anew.');
