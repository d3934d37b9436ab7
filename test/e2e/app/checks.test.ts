import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, it, onTestFinished } from 'vitest';
import { startExtendedService } from '../../../main/service/fault-injection/extended-service.ts';
import { Report } from '../../../preload/contract/report.ts';
import en from '../../../preload/contract/locales/window/en.json' with { type: 'json' };
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import {
  ana,
  createAccount,
  eventually,
  expectProfile,
  expectServer,
  pageHeading,
  logIn,
  logOut,
  seen,
  enterServer,
} from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const main = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name, exact: true });
const summary = (page: Page) => main(page).getByRole('region', { name: 'Summary', exact: true });
const evidence = (page: Page) => main(page).getByRole('complementary', { name: 'Details' });

const isFocused = (locator: Locator): Promise<boolean> =>
  locator.evaluateAll((found) => found.length === 1 && found[0] === document.activeElement);

/** Presses a key until something has the focus, as a person does who cannot use a mouse. */
async function keyTo(page: Page, key: 'Tab' | 'ArrowDown', wanted: Locator): Promise<void> {
  for (let presses = 0; presses < 80; presses += 1) {
    // A row far below is rendered once the focus is near it.
    if ((await wanted.count()) > 0 && (await isFocused(wanted))) return;
    await page.keyboard.press(key);
  }
  throw new Error(`No number of presses of ${key} leads to ${String(wanted)}.`);
}

async function tabTo(page: Page, wanted: Locator): Promise<void> {
  await seen(wanted);
  await keyTo(page, 'Tab', wanted);
}

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
  const main = page.getByRole('main');
  await seen(page.getByRole('heading', { name: 'Welcome to Llavero' }));
  await watchMouse(page);

  // Through the offline door into the demo, and on to the Workbench.
  await tabTo(page, page.getByRole('button', { name: 'Start the demo', exact: true }));
  await keyboard.press('Enter');
  await expectProfile(page, { name: 'Alba Demo', email: 'demo@llavero.invalid' });
  await keyboard.press('Control+j');
  await seen(page.getByRole('navigation', { name: 'Pages' }));

  // A second server, typed into the menu of servers, and back to the first one.
  await tabTo(page, page.getByRole('button', { name: /^Server:/ }));
  await keyboard.press('Enter');
  await eventually(async () => expect(await isFocused(page.getByLabel('Search or type an address'))).toBe(true));
  await keyboard.type(foreign.baseUrl);
  await keyboard.press('Enter');
  await expectServer(page, `${foreign.host}:${foreign.port}`);
  await seen(pageHeading(page, 'Log in'));
  await keyboard.press('Control+1');
  await expectServer(page, 'Built-in');

  // A run of the contract on the built-in server, compared with the other.
  await keyboard.press('Control+t');
  await tabTo(page, main.getByLabel('Compare with', { exact: true }));
  await keyboard.press('ArrowDown');
  await tabTo(page, main.getByLabel('Maximum requests per second', { exact: true }));
  await keyboard.press('Control+a');
  await keyboard.type('100');
  await tabTo(page, main.getByRole('button', { name: 'Start', exact: true }));
  await keyboard.press('Enter');
  await main.getByRole('table', { name: 'Differences' }).waitFor({ timeout: 120_000 });

  // From the comparison to the report, with one answer and its evidence.
  await tabTo(page, main.getByRole('button', { name: 'Back to the report', exact: true }));
  await keyboard.press('Enter');
  await expect.poll(() => summary(page).innerText()).toContain('The check is complete');
  await tabTo(page, main.getByRole('region', { name: 'Results', exact: true }).locator('[data-line][tabindex="0"]'));
  const line = main.getByRole('listitem').filter({ hasText: 'Two logins in a row' });
  await keyTo(page, 'ArrowDown', line.locator('[data-line]'));
  await keyboard.press('Enter');
  await seen(main.getByRole('complementary', { name: 'Details' }));
  await keyboard.press('Escape');

  // And back to the account, still with the focus somewhere.
  await keyboard.press('Alt+1');
  await expectProfile(page, { name: 'Alba Demo', email: 'demo@llavero.invalid' });
  expect(await page.evaluate(() => document.activeElement?.tagName)).not.toBe('BODY');
  expect(await page.evaluate(() => Reflect.get(globalThis, 'mouseOfTest'))).toEqual({ presses: 0 });
});

it('a run at a foreign server leaves a report without secrets, in its file and in the profile', async () => {
  const foreign = await startForeignServer();
  const { page, app, userDataDir } = await launchApp();
  const file = path.join(userDataDir, '..', `${path.basename(userDataDir)}.json`);
  onTestFinished(() => rm(file, { force: true }));
  await app.evaluate(({ dialog: system }, chosen) => {
    system.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
  }, file);
  await enterServer(page, foreign.baseUrl);
  await page.keyboard.press('Control+t');
  await main(page).getByLabel(en.run.rate).fill('100');
  await button(page, 'Start').click();
  await expect.poll(() => summary(page).innerText()).toContain('The check is complete');
  const line = main(page).getByRole('listitem').filter({ hasText: 'A response contains a password hash' });
  await line.getByRole('button').click();
  await seen(evidence(page).getByText('$TOKEN'));

  await button(page, 'Export').click();
  await page.getByRole('menuitem', { name: 'JSON', exact: true }).click();
  await seen(page.getByText('The report was saved.'));
  const text = await readFile(file, 'utf8');
  const report = Report.parse(JSON.parse(text));
  expect(report.ended).toEqual({ kind: 'complete' });
  expect(report.findings.map(({ id }) => id)).toContain('password-hash-shown');
  const passwords = foreign.calls.flatMap(({ body }) =>
    [...body.matchAll(/"c?password":"(Ll4![^"]{10,})"/g)].map(([, password]) => password!),
  );
  const secrets = [...new Set([...passwords, ...foreign.issued, '$2y$10$abcdefghijklmnopqrstuv'])];
  expect(secrets.length).toBeGreaterThan(5);
  const content = await page.content();
  for (const secret of secrets) {
    expect(text).not.toContain(secret);
    expect(content).not.toContain(secret);
    expect(await filesContaining(userDataDir, secret)).toEqual([]);
  }

  await button(page, /^Open in Requests: /).click();
  await seen(page.getByRole('article').getByRole('heading', { level: 2, name: /api\/v1\/auth/ }));
  await seen(page.getByRole('article').getByText('Request of a check'));
});

/** As much time as the loaded computer of a test may take for two whole runs. */
const runs = { timeout: 120_000 };

it('a mock server comes of an address, differs in nothing, and takes a login while its original is away', async () => {
  const database = { file: ':memory:' } as const;
  const started = await startExtendedService({
    database,
    port: 0,
    rateLimit: 'off',
    faultInjection: { dialect: 'spring' },
  });
  if (!started.ok) throw new Error(started.message);
  const { service } = started;
  const { page } = await launchApp();
  await enterServer(page, service.baseUrl);
  await page.evaluate(() => window.api.settings.change({ callsPerSecond: 100 }));
  await page.keyboard.press('Alt+5');
  await button(page, en.mocks.checkAndCreate).click();
  await button(page, /^Show “Mock of /).click(runs);
  await seen(main(page).getByText(en.mocks.run.running, { exact: true }).first());
  await expect.poll(() => main(page).innerText(), runs).toContain('No differences from');
  await service.close();

  await button(page, /^Use Mock of /).click();
  await page.keyboard.press('Alt+1');
  await seen(page.getByRole('banner').getByText(/^Mock of /));
  await createAccount(page, ana);
  await seen(pageHeading(page, 'Details'));
  await logOut(page);
  await logIn(page, ana);
  await seen(pageHeading(page, 'Details'));
}, 300_000);
