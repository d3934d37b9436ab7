import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElectronApplication, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, onTestFinished, type TestContext } from 'vitest';
import { slowDown } from './slow-page.ts';
import { startApp, type StartOptions } from './start-app.ts';

export type RunningApp = {
  page: Page;
  app: ElectronApplication;
  userDataDir: string;
  /** Quits as a person does, by closing the window, and waits until the process has ended. */
  quit: () => Promise<void>;
};

/** A profile of somebody who has begun long ago, and works in the Workbench. */
async function newProfile(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'llavero-profile-'));
  const settings = { welcomed: true, workbench: true };
  await writeFile(path.join(folder, 'config.json'), JSON.stringify({ version: 1, settings }));
  return folder;
}

/**
 * A user-data folder of its own for one test, removed when it ends. Ask for it before the first start, so that it
 * outlives the application.
 * @param again the folder of a test that has ended, where it must be the same
 */
export async function makeProfile(again?: string): Promise<string> {
  const folder = again ?? (await newProfile());
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

/** Starts the built application on the Electron these tests run on, and waits for its window. */
export async function launchApp(options: Partial<StartOptions> = {}): Promise<RunningApp> {
  const { userDataDir = await makeProfile() } = options;
  const running = await open({ ...options, userDataDir });
  onTestFinished(async ({ task }) => {
    await printWhenFailed(task, running);
    await running.quit();
  });
  return running;
}

/** Prints what a person would have seen, and what the application has logged. */
async function printWhenFailed({ result }: TestContext['task'], { app, page, userDataDir }: RunningApp): Promise<void> {
  if (result?.state !== 'fail') return;
  if (app.windows().length > 0) console.log(`On the screen at the end:\n${await page.locator('body').innerText()}`);
  console.log(`In its log at the end:\n${(await logOf(userDataDir)).slice(-5_000)}`);
}

const logOf = (userDataDir: string): Promise<string> =>
  readFile(path.join(userDataDir, 'logs', 'main.log'), 'utf8').catch(() => '');

/** One application for all tests of a `describe`, each of which begins where the one before has left it. */
export function launchForAll(): () => RunningApp {
  let running: RunningApp | undefined;
  beforeAll(async () => {
    running = await open({ userDataDir: await newProfile() });
  });
  afterEach(({ task }) => running && printWhenFailed(task, running));
  afterAll(async () => {
    await running?.quit();
    if (running) await rm(running.userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return () => running!;
}

async function open(options: StartOptions): Promise<RunningApp> {
  const { userDataDir } = options;
  const app = await startApp({ ...options, read: path.join(import.meta.dirname, 'agree-to-origins.cjs') });
  const page = await app.firstWindow();
  await slowDown(page);
  // Nobody presses what they do not see yet, and Chromium drops what is pressed before it has painted.
  await page.waitForFunction(() => performance.getEntriesByType('paint').length > 0);
  // Until main has read its modules, Playwright may lose what it evaluates there ("Resulting promise was garbage
  // collected"). The first state is answered before.
  await page.waitForFunction(async () => (await window.api.app.about(undefined)).ok);
  let ended = false;
  app.once('close', () => (ended = true));
  const quit = async (): Promise<void> => {
    if (ended) return;
    await app.close();
    await expectNoFault(userDataDir);
  };
  return { page, app, userDataDir, quit };
}

/** Fails when the application has logged a fault of ours, which it survives without a word on the screen. */
async function expectNoFault(userDataDir: string): Promise<void> {
  const log = await logOf(userDataDir);
  if (log.includes('[error]')) throw new Error(`The application logged a fault:\n${log}`);
}
