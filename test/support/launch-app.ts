import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { startApp, type StartOptions } from './start-app.ts';

export type RunningApp = {
  page: Page;
  app: ElectronApplication;
  userDataDir: string;
  /** Quits as a person does, by closing the window, and waits until the process has ended. */
  quit: () => Promise<void>;
};

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
  let ended = false;
  app.once('close', () => (ended = true));
  const quit = async (): Promise<void> => {
    if (!ended) await app.close();
  };
  onTestFinished(async ({ task }) => {
    // What a person would have seen, for whoever reads the run afterwards.
    if (task.result?.state === 'fail' && !ended)
      console.log(`On the screen at the end:\n${await page.locator('body').innerText()}`);
    await quit();
  });
  return { page, app, userDataDir, quit };
}
