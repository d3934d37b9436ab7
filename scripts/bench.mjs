import path from 'node:path';
import { build } from './build.mjs';
import { runChild } from './child-process.mjs';
import { findElectron } from './electron-binary.mjs';
import { keyringSession } from './keyring-session.mjs';
import { ensureSystemPackages } from './system-packages.mjs';
import { installPackagesOf } from './server-packages.mjs';
import { displayIfNone, hasDisplay } from './virtual-display.mjs';

const args = process.argv.slice(2);
const only = args[args.indexOf('--only') + 1]?.split(',') ?? [];
// The service alone needs neither a build nor a window.
const needsWindow = !args.includes('--help') && !(args.includes('--only') && only.every((name) => name === 'service'));
const hasKeyring = needsWindow && process.platform === 'linux';

const electron = await findElectron();
await ensureSystemPackages(electron.executable, { display: needsWindow && !hasDisplay(), keyring: hasKeyring });
if (needsWindow) await build();
if (only.includes('tools')) await installPackagesOf('bench/tools');
const display = needsWindow ? await displayIfNone() : undefined;

const session = hasKeyring ? keyringSession() : undefined;
const entry = path.resolve(import.meta.dirname, '../test/bench/run.ts');
const env = { ...process.env, ...display?.env, ...session?.env, ELECTRON_RUN_AS_NODE: '1' };
const [program = '', ...rest] = [...(session?.command ?? []), electron.executable, entry, ...args];
process.exitCode = await runChild(program, rest, { env });
display?.close();
session?.close();
