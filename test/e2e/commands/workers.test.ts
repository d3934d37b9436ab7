import { spawn } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const folder = path.resolve(import.meta.dirname, '../../../dist/workers');

/** Prints whether Electron is asked for, once the file of the argument is loaded. */
const watch = `
const Module = require('node:module');
const load = Module._load;
let asked = false;
Module._load = (name, ...rest) => {
  asked ||= name === 'electron';
  return load(name, ...rest);
};
import(process.argv[2]).then(() => {
  process.stdout.write(JSON.stringify({ asked }));
  process.exit();
});
`;

it('every worker starts alone on Node, and none loads Electron', async () => {
  const workers = (await readdir(folder)).filter((name) => /^(?:keyring-host|worker|import-worker)\.js$/.test(name));
  expect(workers).toHaveLength(3);
  const watcher = path.join(await makeTemporaryFolder(), 'watch.cjs');
  await writeFile(watcher, watch);
  for (const name of workers) {
    const started = spawn(process.execPath, [watcher, pathToFileURL(path.join(folder, name)).href]);
    const output = (await started.stdout.toArray()).join('');
    expect([name, output]).toEqual([name, '{"asked":false}']);
  }
});
