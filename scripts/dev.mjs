import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createServer } from 'vite';
import { say, whenNpmIsGone } from './child-process.mjs';
import { build } from './build.mjs';
import { findElectron } from './electron-binary.mjs';
import { sandboxArguments } from './sandbox.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';

const projectRoot = path.resolve(import.meta.dirname, '..');
/** Several files are often saved at once, so a build waits this long after a change. */
const settleMs = 150;
/** An application that has not ended this long after it was asked to is killed. */
const quitMs = 15_000;

const electron = await findElectron();
await ensureSystemPackages(electron.executable, { display: !hasDisplay() });
await build(['main', 'workers', 'preload']);
const display = await displayIfNone();

const server = await createServer({ configFile: path.join(projectRoot, 'vite.config.ts') });
await server.listen();
// Without the slash at its end. It is the next port that is free when another project has Vite's.
const [origin] = (server.resolvedUrls?.local ?? []).map((url) => new URL(url).origin);

const args = [
  projectRoot,
  ...sandboxArguments(),
  ...(display ? ['--disable-gpu', '--virtual-display'] : []),
  ...process.argv.slice(2),
];
const env = { ...process.env, ...display?.env, LLAVERO_DEV_SERVER: origin };
/** @type {import('node:child_process').ChildProcess | undefined} */
let application;
/** Whether what was changed is being built, and whether something was changed since that began. */
let isFollowing = false;
let hasChanged = false;
let ending = false;

function open() {
  if (ending) {
    void end(0);
    return;
  }
  const started = spawn(electron.executable, args, { stdio: 'inherit', env });
  application = started;
  started.once('close', (code) => {
    if (application !== started) return;
    application = undefined;
    // A closed window ends the command. An application that found half of a build is opened again after it.
    if (code === 0 || ending || !isFollowing) void end(code ?? 0);
  });
}

/**
 * Ends an application. One whose files a build has just replaced may not be able to load what it needs to quit, and one
 * was left behind by a whole run of the tests.
 * @param {import('node:child_process').ChildProcess} running
 */
function stop(running) {
  running.kill('SIGTERM');
  const killing = setTimeout(() => running.kill('SIGKILL'), quitMs);
  running.once('close', () => clearTimeout(killing));
}

async function restart() {
  const previous = application;
  application = undefined;
  if (previous) {
    stop(previous);
    await once(previous, 'close');
  }
  open();
}

/** Builds main and preload, and says what is wrong with them. @returns {Promise<boolean>} whether nothing is */
async function isBuilt() {
  try {
    await build(['main', 'workers', 'preload']);
    return true;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/**
 * Builds what was changed and opens the application again, one after the other, since a build empties the folder that the
 * application starts from. While nothing can be built, the running application stays until the next change.
 */
async function follow() {
  hasChanged = true;
  if (isFollowing) return;
  isFollowing = true;
  hasChanged = false;
  if ((await isBuilt()) && !hasChanged) await restart();
  isFollowing = false;
  if (hasChanged && !ending) await follow();
  else if (ending && !application) await end(0);
}

/** @param {number} code */
async function end(code) {
  await server.close();
  display?.close();
  process.exit(code);
}

/** @type {NodeJS.Timeout | undefined} */
let settling;
server.watcher.add([path.join(projectRoot, 'main'), path.join(projectRoot, 'preload')]);
server.watcher.on('all', (event, file) => {
  const changed = path.relative(projectRoot, file).replaceAll(path.sep, '/');
  // A new language is also one of the menus and of the settings. A changed text of the window only loads the page again.
  const isOfWindow = event === 'change' && changed.startsWith('preload/contract/locales/window/');
  const isOfMain =
    event === 'change' ? /^(?:main|preload)\//.test(changed) : changed.startsWith('preload/contract/locales/');
  if (!isOfMain || isOfWindow) return;
  clearTimeout(settling);
  settling = setTimeout(() => {
    say(`${changed} changed: restarting.`);
    void follow();
  }, settleMs);
});

/** Between two runs no application is open, so it is enough not to open the next one. */
function stopApplication() {
  ending = true;
  if (application) stop(application);
  else if (!isFollowing) void end(0);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopApplication);
whenNpmIsGone(stopApplication);
open();
