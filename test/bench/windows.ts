import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { z } from 'zod';
import { person } from './requests.ts';

export const projectRoot = path.resolve(import.meta.dirname, '../..');

/** Makes the folder of a person who has begun: at the very first start there is no form to log in yet. */
export async function newProfile(folder: string, more: object = {}): Promise<string> {
  const profile = await mkdtemp(path.join(folder, 'profile-'));
  const config = { version: 1, settings: { welcomed: true }, ...more };
  // The application writes both.
  for (const name of ['config.json', 'config.json.last-good'])
    await writeFile(path.join(profile, name), JSON.stringify(config));
  return profile;
}

/** Returns what Electron is started with on this machine. */
function argumentsFor(script: string, profile: string): string[] {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const keyring = process.platform === 'linux' ? ['--password-store=gnome-libsecret'] : [];
  return [script, ...asRoot, ...keyring, '--disable-gpu', `--user-data-dir=${profile}`, '--lang=en'];
}

/** Returns the environment variables of a person's start, since this process itself runs Electron as Node. */
export function environment(): Record<string, string> {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...inherited } = process.env;
  return Object.fromEntries(
    Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** This is far beyond any start, so a longer one means that something is wrong. */
const startLimitMs = 60_000;
const Ready = z.object({ readyAtMs: z.number() });

/**
 * Starts a window without a debugger and waits for its line of JSON, then ends it after the use.
 * @param start.script bare.mjs or watched.mjs
 * @param start.watched what watched.mjs is to start, and the heading that it waits for
 */
export async function whileItRuns<T>(
  start: {
    script: 'bare' | 'watched';
    profile: string;
    watched?: [root: string, heading: string];
    executable?: string;
  },
  use: (pid: number, ms: number) => Promise<T>,
): Promise<T> {
  const { script, profile, watched = [], executable = process.execPath } = start;
  const file = path.join(import.meta.dirname, 'electron', `${script}.mjs`);
  const spawnedAt = performance.timeOrigin + performance.now();
  const child = spawn(executable, argumentsFor(file, profile), {
    env: { ...environment(), BENCH_WATCHED: JSON.stringify(watched) },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const late = setTimeout(() => child.kill(), startLimitMs);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('{"readyAtMs"')) continue;
      clearTimeout(late);
      return await use(child.pid ?? 0, Ready.parse(JSON.parse(line)).readyAtMs - spawnedAt);
    }
    throw new Error(`${script}.mjs ended without its window`);
  } finally {
    clearTimeout(late);
    child.kill();
    await ended;
  }
}

/** Starts the application for one use, driven by Playwright, and ends it whatever happens. */
export async function withWindow<T>(
  root: string,
  profile: string,
  use: (page: Page, app: ElectronApplication) => Promise<T>,
): Promise<T> {
  const app = await _electron.launch({
    executablePath: process.execPath,
    args: argumentsFor(root, profile),
    env: environment(),
    // Playwright adds its own otherwise, also for people who are not root.
    chromiumSandbox: true,
  });
  try {
    return await use(await app.firstWindow(), app);
  } finally {
    await app.close();
  }
}

/** Makes the folder of a person who is signed in to the built-in server, with the token in the system's keyring. */
export async function signedInProfile(root: string, folder: string): Promise<string> {
  const profile = await newProfile(folder);
  await withWindow(root, profile, async (page) => {
    await page.getByRole('link', { name: 'Create account', exact: true }).click();
    await page.getByLabel('Name', { exact: true }).fill(person.name);
    await page.getByLabel('Email', { exact: true }).fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Create account', exact: true }).click();
    await page.getByRole('heading', { name: person.name, exact: true }).waitFor();
  });
  return profile;
}
