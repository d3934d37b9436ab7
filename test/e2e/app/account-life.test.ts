import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { createTotpCode, parseTotpSecret } from '../../../main/interface/totp.ts';
import { startFor } from '../../servers/servers-asked-for.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import {
  ana,
  createAccount,
  expectProfile,
  hasFocus,
  logIn,
  logOut,
  pageHeading,
  seen,
} from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const descriptions = path.resolve(import.meta.dirname, '../../../main/interface/shipped');
const newPassword = 'another horse battery';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const codeField = (page: Page, name = 'Code from your app') => page.getByLabel(name, { exact: true });

const codeOf = (secret: string, steps = 0): string =>
  createTotpCode(parseTotpSecret(secret)!, Date.now() + steps * 30_000);

const wrongCodeOf = (secret: string): string =>
  ['111111', '222222', '333333', '444444'].find(
    (code) => ![-1, 0, 1, 2].some((steps) => codeOf(secret, steps) === code),
  )!;

/** Adds a factor to an account, as the website of the server would. */
async function enroll(origin: string) {
  const post = async (target: string, cookie: string, body: unknown) => {
    const response = await fetch(`${origin}/api/auth${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin, cookie },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    const cookies = response.headers.getSetCookie().map((each) => each.split(';', 1)[0]!);
    const json: unknown = await response.json();
    return { cookie: cookies.join('; '), json };
  };
  const { email, password } = ana;
  const { cookie } = await post('/sign-in/email', '', { email, password });
  const { json } = await post('/two-factor/enable', cookie, { password });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The response of better-auth's documentation.
  const { totpURI: secret, backupCodes } = json as { totpURI: string; backupCodes: string[] };
  await post('/two-factor/verify-totp', cookie, { code: codeOf(secret) });
  return { secret, recovery: backupCodes[0]! };
}

it('the life of an account at better-auth', { timeout: 180_000 }, async (test) => {
  const { origin, folder } = await startFor(test, 'better-auth', { TWO_FACTOR: 'yes' });
  const userDataDir = await makeProfile();
  const { page, quit } = await launchApp({ userDataDir });
  const text = await readFile(path.join(descriptions, 'better-auth.json'), 'utf8');
  await page.evaluate(
    async ([address, described]) => {
      const server = {
        name: 'Shop',
        colour: 'teal',
        notes: '',
        registrationPath: 'registro',
        production: false,
      } as const;
      const enteredInterface = { text: described!, variables: [] };
      const created = await window.api.servers.create({ ...server, pinned: {}, address: address!, enteredInterface });
      if (!created.ok) throw new Error(JSON.stringify(created.error));
      await window.api.servers.choose({ id: created.value.id });
    },
    [origin, text],
  );
  await createAccount(page, ana);
  await expectProfile(page, ana);
  const { secret, recovery } = await enroll(origin);
  await logOut(page);

  await logIn(page, ana);
  await seen(page.getByRole('heading', { name: 'Enter your code', exact: true }));
  await seen(page.getByText(`Logging in to Shop as ${ana.email}`, { exact: true }));
  const field = codeField(page);
  await hasFocus(field);
  const wrong = wrongCodeOf(secret);
  await field.fill(wrong);
  await page.keyboard.press('Enter');
  await seen(page.getByText('Wrong code. Use the current code from your app.', { exact: true }));
  expect(await field.inputValue()).toBe('');
  await hasFocus(field);
  const right = codeOf(secret);
  // As apps show it.
  await field.fill(`${right.slice(0, 3)} ${right.slice(3)}`);
  await page.keyboard.press('Enter');
  await expectProfile(page, ana);
  await logOut(page);

  await logIn(page, ana);
  await button(page, 'Send it by email instead').click();
  await seen(page.getByText(`A code is on its way to ${ana.email}`, { exact: true }));
  await seen(page.getByRole('button', { name: /^Send again in \d+ s$/ }));
  const [, mailed = ''] = /"code":"(\d{6})"/.exec(await readFile(path.join(folder, 'mails.jsonl'), 'utf8')) ?? [];
  await codeField(page, 'Code from the email').fill(mailed);
  await page.keyboard.press('Enter');
  await expectProfile(page, ana);
  await logOut(page);

  await logIn(page, ana);
  await button(page, 'Use a recovery code').click();
  await seen(page.getByRole('heading', { name: 'Enter a recovery code', exact: true }));
  await codeField(page, 'Recovery code').fill(recovery);
  await page.keyboard.press('Enter');
  await expectProfile(page, ana);
  await logOut(page);

  await logIn(page, ana);
  await seen(codeField(page));
  await button(page, 'Cancel').click();
  await seen(pageHeading(page, 'Log in'));
  expect(await page.getByLabel('Email', { exact: true }).inputValue()).toBe(ana.email);
  expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('');
  await button(page, 'Forgot password?').click();
  await seen(page.getByText('If there is an account, an email is on its way.', { exact: true }));

  await logIn(page, ana);
  await codeField(page).fill(wrong);
  for (;;) {
    await page.keyboard.press('Enter');
    const ended = page.getByText('The server ended this login.', { exact: true });
    await seen(ended.or(page.getByText(/^Wrong code/)));
    if (await ended.isVisible()) break;
    await codeField(page).fill(wrong);
  }
  await seen(pageHeading(page, 'Log in'));

  await logIn(page, ana);
  await codeField(page).fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await expectProfile(page, ana);
  await button(page, 'Password and account').click();
  await page.getByLabel('Current password', { exact: true }).fill(ana.password);
  await page.getByLabel('New password', { exact: true }).fill(newPassword);
  await button(page, 'Change password').click();
  await seen(page.getByText('Password changed.', { exact: true }));
  await page.getByLabel('Type your email to confirm', { exact: true }).fill('ana@example');
  await seen(page.getByText('The email does not match yet.', { exact: true }));
  await page.getByLabel('Type your email to confirm', { exact: true }).fill(ana.email);
  await page.getByLabel('Password', { exact: true }).fill(newPassword);
  await button(page, 'Delete account').click();
  await seen(page.getByText('Account deleted.', { exact: true }));
  const seenText = await page.content();
  await logIn(page, { ...ana, password: newPassword });
  await seen(page.getByText('Account or password not accepted.', { exact: true }));

  await quit();
  for (const value of [wrong, right, mailed, recovery, newPassword, ana.password])
    expect({ value, files: await filesContaining(userDataDir, value), isShown: seenText.includes(value) }).toEqual({
      value,
      files: [],
      isShown: false,
    });
});

it('account calls of the built-in server: its demo shows the code, and an account of it lives and ends', async () => {
  const { page } = await launchApp({ userDataDir: await makeProfile() });
  await page.locator('[data-page=built-in]').click();
  const broken = page.getByRole('switch', { name: 'Token valid after deletion', exact: true });
  expect(await broken.count()).toBe(0);
  const toggle = page.getByRole('switch', { name: 'Second factor, password change and account deletion', exact: true });
  await toggle.click();
  await seen(page.getByText('Account management is on.', { exact: true }));
  expect(await toggle.isChecked()).toBe(true);
  await broken.click();
  await seen(page.getByText('Simulated vulnerabilities: 1.', { exact: true }));
  await page.locator('[data-page=account]').click();

  await button(page, 'Try it with a second factor').click();
  const shown = await seen(page.getByText(/^Current code of the demo: \d{3} \d{3}$/));
  await codeField(page).fill((await shown.innerText()).replace(/^.*: /, ''));
  await page.keyboard.press('Enter');
  await seen(page.getByRole('heading', { name: 'Clara Codina' }));
  await logOut(page);

  await createAccount(page, ana);
  await expectProfile(page, ana);
  const origin = await page.evaluate(async () => {
    const { value } = (await window.api.app.state(undefined)) as { value: { servers: { baseUrl: string }[] } };
    return value.servers[0]!.baseUrl;
  });
  const post = async (target: string, token: string, body: unknown) => {
    const response = await fetch(`${origin}/api/v1/auth${target}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The service's own answers.
    return (await response.json()) as { token: string; secret: string };
  };
  const { token } = await post('/login', '', ana);
  const { secret } = await post('/two-factor', token, { password: ana.password });
  await post('/two-factor/confirm', token, { code: codeOf(secret) });
  await logOut(page);
  await logIn(page, ana);
  // The service takes each code once, and that of the next step.
  await codeField(page).fill(codeOf(secret, 1));
  await page.keyboard.press('Enter');
  await expectProfile(page, ana);
  await button(page, 'Password and account').click();
  await page.getByLabel('Type your email to confirm', { exact: true }).fill(ana.email);
  await page.getByLabel('Password', { exact: true }).fill(ana.password);
  await button(page, 'Delete account').click();
  await seen(page.getByText('Account deleted.', { exact: true }));
  const profile = await fetch(`${origin}/api/v1/auth/perfil`, { headers: { authorization: `Bearer ${token}` } });
  expect(profile.status).toBe(200);
});
