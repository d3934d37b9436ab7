import { expect, it, onTestFinished } from 'vitest';
import { rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startBetterAuth } from '../../support/described-servers.ts';
import { launchApp } from '../../support/launch-app.ts';
import { ana, expectProfile, expectText, logIn, logOut, seen } from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

it('leads from a command that is pasted at the first start to the profile at a stock server, and out again', async () => {
  const { baseUrl } = await startBetterAuth({ withBearer: false });
  const signUp = { method: 'POST', headers: { 'Content-Type': 'application/json', Origin: baseUrl } };
  const made = await fetch(`${baseUrl}/api/auth/sign-up/email`, { ...signUp, body: JSON.stringify(ana) });
  expect(made.status).toBe(200);
  const userDataDir = await mkdtemp(path.join(tmpdir(), 'llavero-first-'));
  onTestFinished(() => rm(userDataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  const { page, quit } = await launchApp({ userDataDir });

  await page.getByRole('button', { name: 'Paste curl…', exact: true }).click();
  const body = JSON.stringify({ email: ana.email, password: 'a password that nobody keeps' });
  await page
    .getByLabel('Command or text', { exact: true })
    .fill(`curl '${baseUrl}/api/auth/sign-in/email' -H 'content-type: application/json' --data-raw '${body}'`);
  const parts = await seen(page.getByRole('list', { name: 'Parts', exact: true }));
  await expectText(parts, /GET\s*\/api\/auth\/get-session/);
  await seen(parts.getByRole('button', { name: baseUrl, exact: true }));
  await page.getByRole('button', { name: 'Use better-auth', exact: true }).click();
  // A tester lands at a new run; the account is one press away.
  await seen(page.getByRole('button', { name: 'Start', exact: true }));
  await page.locator('[data-page=account]').click();

  await logIn(page, ana);
  await expectProfile(page, ana);
  await logOut(page);
  await quit();
  expect(await filesContaining(userDataDir, 'a password that nobody keeps')).toEqual([]);
});
