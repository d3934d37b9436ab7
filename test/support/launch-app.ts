import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { slowDown } from './slow-page.ts';
import { startApp, type StartOptions } from './start-app.ts';

export type RunningApp = {
  page: Page;
  app: ElectronApplication;
  userDataDir: string;
  /** Quits as a person does, by closing the window, and waits until the process has ended. */
  quit: () => Promise<void>;
};

const ENDS_WITHIN_MS = 15_000;

/**
 * A user-data folder of its own for one test, removed when it ends. Ask for it before the first start, so that it
 * outlives the application.
 */
export async function makeProfile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-profile-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

/** Starts the built application on the Electron these tests run on, and waits for its window. */
export async function launchApp(options: Partial<StartOptions> = {}): Promise<RunningApp> {
  const { userDataDir = await makeProfile() } = options;
  const app = await startApp({ ...options, userDataDir });
  const page = await app.firstWindow();
  await slowDown(page);
  let ended = false;
  app.once('close', () => (ended = true));
  const quit = async (): Promise<void> => {
    if (ended) return;
    // On a loaded machine Electron 42 sometimes never ends while a debugger, as which Playwright drives it, is attached:
    // its `quit` event has come, and the process stays. What is ours has ended by then, which closed databases show.
    const late = setTimeout(() => {
      if (existsSync(path.join(userDataDir, 'service.sqlite-wal'))) return;
      console.log('The application has quit; Electron, with the debugger attached, did not end and was killed.');
      app.process().kill('SIGKILL');
    }, ENDS_WITHIN_MS);
    await app.close();
    clearTimeout(late);
  };
  onTestFinished(async ({ task }) => {
    // What a person would have seen, for whoever reads the run afterwards.
    if (task.result?.state === 'fail' && !ended)
      console.log(`On the screen at the end:\n${await page.locator('body').innerText()}`);
    await quit();
  });
  return { page, app, userDataDir, quit };
}
