import { expect, it } from 'vitest';
import { launchForAll } from '../../support/launch-app.ts';
import { pageHeading, seen } from '../../support/screens.ts';

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
    return (shown?.memory.workingSetSize ?? 0) / 1024;
  });

/** Returns what the page has while sixty megabytes more are held, which are let go of after it has looked. */
async function sizeWhileHeld(look = megabytes): Promise<number> {
  const { page } = running();
  await seen(pageHeading(page, 'Log in'));
  await page.evaluate(takeMuch);
  const full = await look();
  await page.evaluate(letGo);
  return full;
}

async function expectGivenBack(full: number): Promise<void> {
  await expect.poll(megabytes, { timeout: 40_000 }).toBeLessThan(full - 40);
}

it('what a page has taken goes back to the system once nobody does anything', async () => {
  const full = await sizeWhileHeld();
  const { page } = running();
  // The first move only enters the window.
  await page.mouse.move(300, 300);
  await page.mouse.move(310, 310);
  await expectGivenBack(full);
});

it('what was held at a rest goes back once it is let go of, although nobody does anything', async () => {
  const full = await sizeWhileHeld(async () => {
    const { page } = running();
    const rested = page.evaluate(() => new Promise((resolve) => window.events['app.idle'](() => resolve(true))));
    await page.mouse.move(320, 320);
    await page.mouse.move(330, 330);
    await rested;
    return megabytes();
  });
  await expectGivenBack(full);
});
