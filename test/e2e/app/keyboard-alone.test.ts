import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { eventually, expectProfile, expectServer, heading, seen } from '../../support/screens.ts';

const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluateAll((found) => found.length === 1 && found[0] === document.activeElement);

/** Presses a key until something has the focus, as a person does who cannot use a mouse. */
async function keyTo(page: Page, key: 'Tab' | 'ArrowDown', wanted: Locator): Promise<void> {
  await seen(wanted);
  for (let presses = 0; presses < 80; presses += 1) {
    if (await isFocused(wanted)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`No number of presses of ${key} leads to ${String(wanted)}.`);
}

const tabTo = (page: Page, wanted: Locator): Promise<void> => keyTo(page, 'Tab', wanted);

/** Counts what a mouse does in the page from now on. */
const watchMouse = (page: Page) =>
  page.evaluate(() => {
    const seenOf = { presses: 0 };
    for (const kind of ['pointerdown', 'mousedown'])
      addEventListener(kind, () => (seenOf.presses += 1), { capture: true });
    Object.assign(globalThis, { mouseOfTest: seenOf });
  });

it('a tester goes from the first start to two compared servers and back with the keyboard alone', async () => {
  const userDataDir = await mkdtemp(path.join(tmpdir(), 'llavero-keys-'));
  onTestFinished(() => rm(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const foreign = await startForeignServer();
  const { page } = await launchApp({ userDataDir });
  const { keyboard } = page;
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const main = page.getByRole('main');
  await seen(page.getByRole('heading', { name: 'Welcome to Llavero' }));
  await watchMouse(page);

  // Through the offline door into the demo, and on to the Workbench.
  await tabTo(page, button('Start the demo'));
  await keyboard.press('Enter');
  await expectProfile(page, { name: 'Alba Demo', email: 'demo@llavero.invalid' });
  await keyboard.press('Control+j');
  await seen(page.getByRole('navigation', { name: 'Rooms' }));

  // A second server, typed into the menu of servers, and back to the first one.
  await tabTo(page, page.getByRole('button', { name: /^Server:/ }));
  await keyboard.press('Enter');
  await eventually(async () => expect(await isFocused(page.getByLabel('Find, or type an address'))).toBe(true));
  await keyboard.type(foreign.baseUrl);
  await keyboard.press('Enter');
  await expectServer(page, `${foreign.host}:${foreign.port}`);
  await seen(heading(page, 'Log in'));
  await keyboard.press('Control+1');
  await expectServer(page, 'Built-in');

  // A run of the contract on the built-in server, compared with the other.
  await keyboard.press('Control+t');
  await tabTo(page, main.getByLabel('Compare with', { exact: true }));
  await keyboard.press('ArrowDown');
  await tabTo(page, main.getByLabel('Maximum calls per second', { exact: true }));
  await keyboard.press('Control+a');
  await keyboard.type('100');
  await tabTo(page, main.getByRole('button', { name: 'Start', exact: true }));
  await keyboard.press('Enter');
  await main.getByRole('table', { name: 'Differences' }).waitFor({ timeout: 120_000 });

  // From the comparison to the report, with one answer and its evidence.
  await tabTo(page, main.getByRole('button', { name: 'Back to the report', exact: true }));
  await keyboard.press('Enter');
  const summary = main.getByRole('region', { name: 'Summary', exact: true });
  await expect.poll(() => summary.innerText()).toContain('The run is complete');
  await tabTo(page, main.getByRole('region', { name: 'Results', exact: true }).locator('[data-line][tabindex="0"]'));
  const line = main.getByRole('listitem').filter({ hasText: 'Two logins one after the other' });
  await keyTo(page, 'ArrowDown', line.locator('[data-line]'));
  await keyboard.press('Enter');
  await seen(main.getByRole('complementary', { name: 'Evidence' }));
  await keyboard.press('Escape');

  // And back to the account, still with the focus somewhere.
  await keyboard.press('Alt+1');
  await expectProfile(page, { name: 'Alba Demo', email: 'demo@llavero.invalid' });
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'mouseOfTest'))).toEqual({ presses: 0 });
}, 120_000);
