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

it('what something has taken goes back to the system once nobody does anything', async () => {
  const { app, page } = running();
  await seen(heading(page, 'Log in'));
  const megabytes = () =>
    app.evaluate(({ app: electron, BrowserWindow }) => {
      const pid = BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId();
      const shown = electron.getAppMetrics().find((each) => each.pid === pid);
      return { main: process.memoryUsage().heapTotal / 1e6, page: (shown?.memory.workingSetSize ?? 0) / 1024 };
    });
  // The first move only enters the window. Until two seconds after the second nothing goes back.
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await Promise.all([app.evaluate(takeMuch), page.evaluate(takeMuch)]);
  const full = await megabytes();
  await Promise.all([app.evaluate(letGo), page.evaluate(letGo)]);
  await page.mouse.move(320, 320);
  await expect.poll(async () => (await megabytes()).main, { timeout: 12_000 }).toBeLessThan(full.main - 40);
  await expect.poll(async () => (await megabytes()).page, { timeout: 12_000 }).toBeLessThan(full.page - 40);
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
