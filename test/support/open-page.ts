import path from 'node:path';
import { _electron, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { makeTemporaryFolder } from './temporary-folder.ts';

/** Opens a file, or an address, in a browser window that ends with the test. */
export async function openPage(fileOrUrl: string): Promise<Page> {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...env } = process.env;
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const app = await _electron.launch({
    executablePath: process.execPath,
    args: [
      path.join(import.meta.dirname, 'page-window.mjs'),
      ...asRoot,
      '--disable-gpu',
      `--user-data-dir=${await makeTemporaryFolder()}`,
      fileOrUrl,
    ],
    env: Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined)),
    chromiumSandbox: true,
  });
  onTestFinished(() => app.close());
  return app.firstWindow();
}
