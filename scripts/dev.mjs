import { spawn } from 'node:child_process';
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

const electron = await findElectron();
await ensureSystemPackages(electron.executable, { display: !hasDisplay() });
await build(['main', 'preload']);
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

let ending = false;

function open() {
  if (ending) {
    void end(0);
    return;
  }
  const started = spawn(electron.executable, args, { stdio: 'inherit', env });
  application = started;
  // A closed window ends the command, and a restart of ours does not.
  started.once('close', (code) => {
    if (application === started) void end(code ?? 0);
  });
}

function restart() {
  const previous = application;
  application = undefined;
  previous?.once('close', open);
  previous?.kill('SIGTERM');
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
server.watcher.on('change', (file) => {
  if (!/^(main|preload)\//.test(path.relative(projectRoot, file))) return;
  clearTimeout(settling);
  settling = setTimeout(() => {
    say(`${path.relative(projectRoot, file)} changed: restarting.`);
    // When it fails, Vite has printed why, and the running application stays until the next change.
    build(['main', 'preload']).then(restart, () => undefined);
  }, settleMs);
});

/** Between two runs of the application there is none to end, so the next one is not opened. */
function stopApplication() {
  ending = true;
  application?.kill('SIGTERM');
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stopApplication);
whenNpmIsGone(stopApplication);
open();
