import type { Page } from 'playwright-core';
import { startForeignServer } from './foreign-server.ts';
import { startKeyring } from './keyring.ts';
import { launchApp, makeProfile } from './launch-app.ts';
import { ana, createAccount, expectProfile, seen, useServer } from './screens.ts';

export const pin = 'four words of a PIN';

/** Starts with Ana logged in to a foreign server, with a keyring. */
export async function signedIn() {
  const foreign = await startForeignServer();
  const userDataDir = await makeProfile();
  const { env } = await startKeyring();
  const open = () => launchApp({ userDataDir, env, args: ['--password-store=gnome-libsecret'] });
  const running = await open();
  await useServer(running.page, foreign.baseUrl);
  await createAccount(running.page, ana);
  await expectProfile(running.page, ana);
  const [token] = foreign.tokens.keys();
  return { ...running, foreign, open, token: token! };
}

export async function openSettings(page: Page): Promise<void> {
  await page.keyboard.press('ControlOrMeta+,');
  await seen(page.getByRole('heading', { name: 'Settings', exact: true }));
}

export const toAccount = (page: Page) => page.keyboard.press('Alt+1');

export async function setPin(page: Page): Promise<void> {
  await openSettings(page);
  await page.getByRole('button', { name: 'Set a PIN…' }).click();
  await page.getByLabel('New PIN', { exact: true }).fill(pin);
  await page.getByLabel('Repeat the new PIN').fill(pin);
  await page.getByRole('button', { name: 'Set PIN' }).click();
  await seen(page.getByText('The PIN is set.'));
  await toAccount(page);
}

export async function unlock(page: Page, given: string): Promise<void> {
  await page.getByLabel('PIN', { exact: true }).fill(given);
  await page.getByRole('button', { name: 'Unlock', exact: true }).click();
}
