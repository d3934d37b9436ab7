import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { launchForAll } from '../../support/launch-app.ts';
import { heading, seen } from '../../support/screens.ts';

const running = launchForAll();

/** Takes sixty megabytes. */
function takeMuch(): void {
  const taken = Array.from({ length: 60 }, (_, index) => Array.from<number>({ length: 125_000 }).fill(index + 0.5));
  Object.assign(globalThis, { taken });
}

/** Lets go of them. V8 alone then keeps them: it collects where it needs room, and an idle page needs none. */
function letGo(): void {
  Object.assign(globalThis, { taken: undefined });
}

const megabytes = () =>
  running().app.evaluate(({ app: electron, BrowserWindow }) => {
    const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
    const shown = electron.getAppMetrics().find((each) => each.pid === pid);
    return { main: process.memoryUsage().heapTotal / 1e6, page: (shown?.memory.workingSetSize ?? 0) / 1024 };
  });

const inBoth = async (act: () => void): Promise<unknown> =>
  Promise.all([running().app.evaluate(act), running().page.evaluate(act)]);

/** Returns what both have while sixty megabytes more are held, which are let go of after it has looked. */
async function sizesWhileHeld(look = megabytes): Promise<{ main: number; page: number }> {
  await seen(heading(running().page, 'Log in'));
  await inBoth(takeMuch);
  const full = await look();
  await inBoth(letGo);
  return full;
}

async function expectGivenBack(full: { main: number; page: number }): Promise<void> {
  for (const part of ['main', 'page'] as const)
    await expect.poll(async () => (await megabytes())[part], { timeout: 40_000 }).toBeLessThan(full[part] - 40);
}

it('what something has taken goes back to the system once nobody does anything', async () => {
  const full = await sizesWhileHeld();
  const { page } = running();
  // The first move only enters the window.
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await expectGivenBack(full);
});

it('what was held at a rest goes back once it is let go of, although nobody does anything', async () => {
  const full = await sizesWhileHeld(async () => {
    const { page } = running();
    const rested = page.evaluate(() => new Promise((resolve) => window.events['app.rested'](() => resolve(true))));
    await page.mouse.move(320, 320);
    await page.mouse.move(330, 330);
    await rested;
    return megabytes();
  });
  await expectGivenBack(full);
});

it('V8 keeps the source of main in one byte a character', async () => {
  const folder = path.resolve(import.meta.dirname, '../../../dist/main');
  const scripts = (await readdir(folder)).filter((name) => name.endsWith('.js'));
  expect(scripts.length).toBeGreaterThan(10);
  const wide: string[] = [];
  for (const name of scripts) {
    if (/[\u0100-\uffff]/.test(await readFile(path.join(folder, name), 'utf8'))) wide.push(name);
  }
  expect(wide).toEqual([]);
});
