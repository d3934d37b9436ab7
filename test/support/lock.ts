import type { Page } from 'playwright-core';
import { openAtServer } from './open-at-server.ts';
import { ana, createAccount, expectProfile, seen } from './screens.ts';

export const pin = 'four words of a PIN';

/** Starts with Ana logged in to a foreign server, with a keyring. */
export async function openSignedIn() {
  const running = await openAtServer();
  await createAccount(running.page, ana);
  await expectProfile(running.page, ana);
  const [token] = running.foreign.tokens.keys();
  return { ...running, token: token! };
}

export async function openSettings(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+,');
  await seen(page.getByRole('heading', { name: 'Settings', exact: true }));
}

export const openAccountPage = (page: Page) => page.keyboard.press('Alt+1');

export async function setPin(page: Page): Promise<void> {
  await openSettings(page);
  await page.getByRole('button', { name: 'Set a PIN…' }).click();
  await page.getByLabel('New PIN', { exact: true }).fill(pin);
  await page.getByLabel('Repeat the new PIN').fill(pin);
  await page.getByRole('button', { name: 'Set PIN' }).click();
  await seen(page.getByText('PIN set.'));
  await openAccountPage(page);
}

export async function unlock(page: Page, given: string): Promise<void> {
  await page.getByLabel('PIN', { exact: true }).fill(given);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}
