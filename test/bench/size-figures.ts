import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import path from 'node:path';
import { figure, type Measure } from './figures.ts';
import { environment, projectRoot } from './windows.ts';

async function megabytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const status = await lstat(path.join(folder, name));
    if (status.isFile()) bytes += status.size;
  }
  return bytes / 1e6;
}

/** Measures the unpacked application beside the Electron it is made of. */
export const measureSize: Measure = async ({ say }) => {
  if (process.platform !== 'linux') {
    say('size: skipped, since the folder that is measured is the one for Linux');
    return [];
  }
  say('size: packaging the application …');
  const made = path.join(projectRoot, 'release/test/linux-unpacked');
  const child = spawn('node', [path.join(projectRoot, 'scripts/package.mjs'), '--test', 'dir'], {
    stdio: ['ignore', 2, 2],
    env: environment(),
  });
  const [code] = await once(child, 'exit');
  if (code !== 0 || !existsSync(made)) throw new Error(`The application could not be packaged (${String(code)})`);
  const ours = await megabytesIn(made);
  const electron = await megabytesIn(path.dirname(process.execPath));
  return [figure('unpacked', 'MB', [ours], [electron]), figure('unpacked, beyond Electron', 'MB', [ours - electron])];
};
