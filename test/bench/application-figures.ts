import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { lstat, mkdtemp, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { z } from 'zod';
import type { Measure } from './context.ts';
import { figure } from './figures.ts';
import { person } from './requests.ts';
import { percentile } from './statistics.ts';

export const projectRoot = path.resolve(import.meta.dirname, '../..');
export const bareScript = path.join(import.meta.dirname, 'electron/bare.mjs');
export const watchedScript = path.join(import.meta.dirname, 'electron/watched.mjs');
export const MEGABYTE = 1_000_000;

/** Makes a folder of somebody who has begun: at the very first start there is no form to log in yet. */
export async function newProfile(folder: string, more: object = {}): Promise<string> {
  const profile = await mkdtemp(path.join(folder, 'profile-'));
  await writeFile(
    path.join(profile, 'config.json'),
    JSON.stringify({ version: 1, settings: { welcomed: true }, ...more }),
  );
  return profile;
}

/** Returns what Electron is started with on this machine. A new user-data folder is made where none is given. */
export async function argumentsFor(script: string, folder: string, profile?: string): Promise<string[]> {
  const userData = profile ?? (await newProfile(folder));
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return [script, ...asRoot, '--disable-gpu', `--user-data-dir=${userData}`, '--lang=en'];
}

/** Returns the environment variables of a person's start, since this process itself runs Electron as Node. */
export function environment(): Record<string, string> {
  const { ELECTRON_RUN_AS_NODE: _asNode, NODE_OPTIONS: _options, ...inherited } = process.env;
  return Object.fromEntries(
    Object.entries(inherited).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** This is far beyond any start, so a longer one means that something is wrong. */
const START_LIMIT_MS = 30_000;

/** Milliseconds since 1970. The bare window has the marks that it comes past. */
const Marks = z.object({
  /** The script's first line. */
  main: z.number(),
  /** Electron is ready. */
  ready: z.number(),
  /** The window is made, and its page asked for. */
  window: z.number(),
  /** The page's document is parsed. */
  document: z.number().optional(),
  /** A frame with the Email field was painted; of the bare window, its first frame. */
  frame: z.number(),
  /** The Email field took a letter. */
  key: z.number().optional(),
  /** The page's own code shows the form, which can be sent. */
  screen: z.number().optional(),
});
const Ready = z.object({ readyAtMs: z.number(), marks: Marks });
type Start = { ms: number; marks: z.infer<typeof Marks> };

/** Starts the script once. Returns the milliseconds from spawn until it says that it is ready, and until each mark. */
export async function measureOneStart(script: string, folder: string, profile?: string): Promise<Start> {
  const args = await argumentsFor(script, folder, profile);
  const spawnedAt = performance.timeOrigin + performance.now();
  const child = spawn(process.execPath, args, {
    env: environment(),
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: START_LIMIT_MS,
  });
  const ended = once(child, 'exit');
  const since = (moment: number | undefined) => (moment === undefined ? undefined : moment - spawnedAt);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (!line.startsWith('{')) continue;
      const { readyAtMs, marks } = Ready.parse(JSON.parse(line));
      return {
        ms: readyAtMs - spawnedAt,
        marks: Marks.parse(Object.fromEntries(Object.entries(marks).map(([name, at]) => [name, since(at)]))),
      };
    }
    throw new Error(`${path.basename(script)} ended without a window`);
  } finally {
    child.kill();
    await ended;
  }
}

/** With fewer starts, the interval of the median is wider than what a lever brings. */
const LEAST_STARTS = 20;

/** Measures from spawn until the Email field is painted and has taken a letter, against a bare window. */
export const measureStart: Measure = async ({ runs: asked, folder, say }) => {
  const runs = Math.max(asked, LEAST_STARTS);
  const ours: Start[] = [];
  const bare: Start[] = [];
  // The first start of each fills the disk's cache.
  for (let run = -1; run < runs; run++) {
    const bareStart = await measureOneStart(bareScript, folder);
    const ourStart = await measureOneStart(watchedScript, folder);
    if (run < 0) continue;
    bare.push(bareStart);
    ours.push(ourStart);
    say(`start, run ${run + 1} of ${runs}: ${ourStart.ms.toFixed(0)} ms, bare window ${bareStart.ms.toFixed(0)} ms`);
  }
  const times = (starts: Start[]) => starts.map(({ ms }) => ms);
  const until = (starts: Start[], mark: keyof Start['marks']) => {
    const each = starts.flatMap(({ marks }) => marks[mark] ?? []);
    return each.length > 0 ? each : undefined;
  };
  return [
    figure('cold-start', 'ms', times(ours), times(bare)),
    figure('bare-window-start', 'ms', times(bare)),
    // A median does not see what happens at one start of four.
    figure('cold-start-p90', 'ms', [percentile(times(ours), 0.9)], [percentile(times(bare), 0.9)]),
    ...Marks.keyof().options.map((mark) => figure(`start-until-${mark}`, 'ms', until(ours, mark)!, until(bare, mark))),
  ];
};

/** Starts the application, or a bare window, for one use, and ends it whatever happens. */
export async function withWindow<T>(
  script: string,
  folder: string,
  use: (app: ElectronApplication, page: Page) => Promise<T>,
  profile?: string,
): Promise<T> {
  const app = await _electron.launch({
    executablePath: process.execPath,
    args: await argumentsFor(script, folder, profile),
    env: environment(),
    // Playwright adds its own otherwise, also for people who are not root.
    chromiumSandbox: true,
  });
  try {
    return await use(app, await app.firstWindow());
  } finally {
    await app.close();
  }
}

/** Registers a person on the screens. The profile is shown afterwards. */
export async function register(page: Page, email = person.email): Promise<void> {
  await page.getByRole('link', { name: 'Create account', exact: true }).click();
  await page.getByLabel('Name', { exact: true }).fill(person.name);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Create account', exact: true }).click();
  await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
}

/** Returns how long the newest login took at its server, in milliseconds, as the application says it of its own call. */
async function newestLogin(page: Page): Promise<number> {
  const listed = await page.evaluate(() => {
    const all = { search: '', outcome: 'all', contractRuns: 'with', pinnedOnly: false } as const;
    return window.api.calls.list({ filter: all, offset: 0 });
  });
  const login = listed.ok ? listed.value.calls.find(({ path }) => path.endsWith('/login')) : undefined;
  if (!login) throw new Error('The login made no call');
  return login.totalMs;
}

/**
 * Measures, in the page, the milliseconds from the button's click to the frame in which the heading is painted. A frame
 * is painted after its callbacks, so a task that they start runs once it is painted. It comes before all others: news of
 * main that arrived meanwhile would be drawn first, and its drawing counted. No frame is asked for before the heading is
 * there: the page would draw one every 16.7 ms, and the heading would wait for the end of it and for the next.
 */
function watchForProfile(): void {
  const shown = new Promise<number>((resolve, reject) => {
    setTimeout(() => reject(new Error('The profile did not come')), 10_000);
    document.addEventListener(
      'click',
      ({ timeStamp }) => {
        const painted = (): void => resolve(performance.now() - timeStamp);
        const watch = new MutationObserver(() => {
          const headings = [...document.querySelectorAll('h1, h2, h3')];
          if (headings.every(({ textContent }) => textContent !== 'Profile')) return;
          watch.disconnect();
          requestAnimationFrame(() => void scheduler.postTask(painted, { priority: 'user-blocking' }));
        });
        watch.observe(document.body, { childList: true, subtree: true });
      },
      { once: true, capture: true },
    );
  });
  Reflect.set(globalThis, 'benchShown', shown);
}

/**
 * Measures from the click on "Log in" to the Profile heading, less what the login's call to the service took. The profile
 * is asked for while the page is drawn already.
 */
export const measureSubmit: Measure = async ({ runs, folder, say }) =>
  withWindow(projectRoot, folder, async (_app, page) => {
    await register(page);
    const own: number[] = [];
    const whole: number[] = [];
    // The first login on the screens compiles what the others run.
    for (let run = -1; run < runs; run++) {
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
      await page.getByLabel('Email', { exact: true }).fill(person.email);
      await page.getByLabel('Password', { exact: true }).fill(person.password);
      await page.getByRole('button', { name: 'Log in', exact: true }).hover();
      // A press that came before this is in the page would not be seen.
      await page.evaluate(watchForProfile);
      // Playwright's own click looks in the page, with the first handler, whether the button takes it.
      await page.mouse.down();
      // A person's press lasts longer than a field takes to show that it has lost the focus, and ends at any moment of a
      // frame: looked for in each frame, that would always be right behind one.
      await page.waitForFunction(() => document.getAnimations().length === 0, undefined, { polling: 47 });
      await page.mouse.up();
      const total = z.number().parse(await page.evaluate(() => Reflect.get(globalThis, 'benchShown')));
      const login = await newestLogin(page);
      if (run < 0) continue;
      whole.push(total);
      own.push(total - login);
      say(`submit, run ${run + 1} of ${runs}: ${total.toFixed(1)} ms, of them ${login.toFixed(1)} in the login's call`);
    }
    return [figure('submit-to-profile', 'ms', own), figure('submit-with-calls', 'ms', whole)];
  });

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const status = await lstat(path.join(folder, name));
    if (status.isFile()) bytes += status.size;
  }
  return bytes;
}

/** Measures the unpacked application against the Electron it is made of. */
export const measureSize: Measure = async ({ say }) => {
  const made = path.join(projectRoot, 'release/test/linux-unpacked');
  if (process.platform !== 'linux') {
    say('size: skipped, since the folder that is measured is the one for Linux');
    return [];
  }
  say('size: packaging the application …');
  const child = spawn('node', [path.join(projectRoot, 'scripts/package.mjs'), '--test', 'dir'], {
    stdio: ['ignore', 2, 2],
    env: environment(),
  });
  const [code] = await once(child, 'exit');
  if (code !== 0 || !existsSync(made)) throw new Error(`The application could not be packaged (${String(code)})`);
  const ours = (await bytesIn(made)) / MEGABYTE;
  const electron = (await bytesIn(path.dirname(process.execPath))) / MEGABYTE;
  return [figure('unpacked-beyond-electron', 'MB', [ours - electron]), figure('unpacked', 'MB', [ours], [electron])];
};
