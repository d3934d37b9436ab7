import path from 'node:path';
import { _electron, type ElectronApplication } from 'playwright-core';

const projectRoot = path.resolve(import.meta.dirname, '../..');

export type StartOptions = {
  /** The folder of the built application, if it is not this project's. */
  root?: string;
  /** The Electron that runs it, if it is not the one that runs us. */
  executable?: string | undefined;
  userDataDir: string;
  args?: string[];
  env?: Record<string, string | undefined>;
  /** A script that Electron reads before the application. */
  read?: string;
};

/** Starts the built application on the Electron that runs us, driven by Playwright. */
export function startApp({
  root = projectRoot,
  executable = process.execPath,
  userDataDir,
  args = [],
  env = {},
  read,
}: StartOptions): Promise<ElectronApplication> {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...inherited } = process.env;
  const defined = Object.fromEntries(
    Object.entries({ ...inherited, ...env }).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  // The window of the stub lies on the same display. Chromium draws no frames for a window that it takes for covered.
  const alwaysDrawn = ['--disable-backgrounding-occluded-windows', '--disable-renderer-backgrounding'];
  return _electron.launch({
    executablePath: executable,
    args: [
      ...(read === undefined ? [] : ['-r', read]),
      root,
      ...asRoot,
      ...alwaysDrawn,
      '--disable-gpu',
      `--user-data-dir=${userDataDir}`,
      '--lang=en',
      ...args,
    ],
    env: defined,
    // Playwright adds its own otherwise, also for people who are not root.
    chromiumSandbox: true,
  });
}
