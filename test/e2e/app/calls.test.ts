import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import {
  askAgain,
  ana,
  createAccount,
  expectProfile,
  heading,
  logOut,
  seen,
  useServer,
} from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

/** The calls: their room, or in a wide window their dock beside the account. */
const calls = (page: Page) => page.getByRole('region', { name: 'Calls', exact: true });
const options = (page: Page) => calls(page).getByRole('listbox').getByRole('option');
const details = (page: Page) => page.getByRole('article');

/** Returns what one part of the call that is looked at says. */
async function textOf(page: Page, part: 'Understood' | 'Response' | 'Request' | 'Timing'): Promise<string> {
  await details(page).getByRole('tab', { name: part, exact: true }).click();
  return details(page).getByRole('tabpanel', { name: part, exact: true }).innerText();
}

async function openCalls(page: Page): Promise<void> {
  await page.keyboard.press('Control+e');
  await seen(calls(page));
}

const wide = { width: 1400, height: 880 };

describe('the calls of a journey', () => {
  it('are in their room with their heads and without their secrets, also after a restart', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const first = await launchApp({ userDataDir });
    const { page } = first;
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    const again = page.getByRole('button', { name: 'Check again', exact: true });
    await again.click();
    await expect.poll(() => foreign.calls.length).toBe(4);
    // A logout would cut the answer off.
    await expect.poll(() => again.getAttribute('aria-busy')).toBe('false');
    await logOut(page);
    const [token = ''] = foreign.issued;
    const secrets = [token, token.slice(token.indexOf('|') + 1), ana.password, '$2y$10$abcdefghijklmnopqrstuv'];
    const expectNoSecret = async (shown: Page): Promise<void> => {
      const content = await shown.content();
      for (const secret of secrets) expect(content).not.toContain(secret);
    };

    await openCalls(page);
    await expect.poll(() => options(page).count()).toBe(5);
    const lines = (await options(page).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(lines.map((line) => line.slice(0, line.indexOf(' 127.') + 1 || undefined))).toEqual([
      expect.stringContaining('POST /app/api/v1/auth/salir 204'),
      expect.stringContaining('GET /app/api/v1/auth/perfil 200'),
      expect.stringContaining('GET /app/api/v1/auth/perfil 200'),
      expect.stringContaining('POST /app/api/v1/auth/login 200'),
      expect.stringContaining('POST /app/api/v1/auth/registro 201'),
    ]);
    for (const [index, call] of foreign.calls.toReversed().entries()) {
      await options(page).nth(index).click();
      await expect
        .poll(() => details(page).getByRole('heading', { level: 2 }).innerText())
        .toBe(`${call.method} ${call.path}`);
      const head = await textOf(page, 'Request');
      expect(head).toContain(`http://${foreign.host}:${foreign.port}${call.path}`);
      expect(head).toContain(`${call.method} ${call.path} HTTP/1.1\n`);
      expect(head).toContain(`Host: ${foreign.host}:${foreign.port}`);
      expect(head.includes('Authorization: Bearer ‹token 1›')).toBe(call.headers.authorization !== undefined);
      expect(await textOf(page, 'Timing')).toMatch(/Total\s+[\d.]+ (?:ms|sec)/);
      await expectNoSecret(page);
    }
    expect(await textOf(page, 'Request')).toContain('"password": "‹password 1›"');
    // A wide window has room for the calls beside the account, also after a restart.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await seen(heading(page, 'Log in'));
    await page.setViewportSize(wide);
    await openCalls(page);
    await seen(heading(page, 'Log in'));
    await first.quit();
    for (const secret of secrets) expect(await filesContaining(userDataDir, secret)).toEqual([]);
    expect((await readFile(path.join(userDataDir, 'calls.sqlite'))).length).toBeGreaterThan(0);

    const second = await launchApp({ userDataDir });
    await seen(heading(second.page, 'Log in'));
    await second.page.setViewportSize(wide);
    await seen(calls(second.page));
    await expect.poll(() => options(second.page).count()).toBe(5);
    await options(second.page).nth(3).click();
    expect(await textOf(second.page, 'Understood')).toContain('datos.access_token');
    await expectNoSecret(second.page);
    await second.page.getByRole('button', { name: 'Open the room', exact: true }).click();
    await second.page.getByRole('textbox', { name: 'Search calls' }).fill('registro');
    await expect.poll(() => options(second.page).count()).toBe(1);
    await second.quit();
    for (const secret of secrets) expect(await filesContaining(userDataDir, secret)).toEqual([]);
  });
});

describe('what leaves the application', () => {
  it('is a command with variables or, after the system’s question only, with secrets, and a file without secrets', async () => {
    const foreign = await startForeignServer();
    const { page, app, userDataDir } = await launchApp();
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    const [token = ''] = foreign.issued;
    const file = path.join(userDataDir, '..', `${path.basename(userDataDir)}.har`);
    onTestFinished(() => rm(file, { force: true }));
    await app.evaluate(({ dialog }, chosen) => {
      // The dialog's first answer declines, and its second one agrees.
      const answers = [1, 0];
      dialog.showMessageBox = () => Promise.resolve({ response: answers.shift() ?? 1, checkboxChecked: false });
      dialog.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
    }, file);
    const clipboard = (): Promise<string> => app.evaluate(({ clipboard: system }) => system.readText());
    const copy = async (item: string): Promise<void> => {
      await details(page).getByRole('button', { name: 'Copy as' }).click();
      if (item.includes('with the secrets')) await page.getByRole('menuitem', { name: /^With the secrets/ }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };

    await openCalls(page);
    await options(page).first().click();
    await copy('cURL (bash)');
    await seen(page.getByText(/Variables such as TOKEN replace the secrets/));
    expect(await clipboard()).toContain('Bearer \'"$TOKEN"');
    await copy('cURL (bash), with the secrets');
    await seen(page.getByText('Nothing was copied.'));
    expect(await clipboard()).not.toContain(token);
    await askAgain(app);
    await copy('cURL (bash), with the secrets');
    await seen(page.getByText('Copied with its secrets, for 30 seconds.'));
    expect(await clipboard()).toContain(token);

    await calls(page).getByRole('button', { name: 'Export, clear' }).click();
    await page.getByRole('menuitem', { name: 'HTTP archive (HAR)', exact: true }).click();
    await seen(page.getByText('Calls written: 3'));
    const har = await readFile(file, 'utf8');
    expect(JSON.parse(har).log.entries).toHaveLength(3);
    for (const secret of [token, ana.password]) expect(har).not.toContain(secret);
    expect(await page.content()).not.toContain(token);
  });
});

describe('a replay', () => {
  const comparison = (page: Page) => page.getByRole('region', { name: /^Replay: / });
  const side = (page: Page, name: string) => comparison(page).getByRole('region', { name, exact: true }).innerText();
  const replay = async (page: Page, change: string): Promise<void> => {
    await details(page).getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByRole('menuitem', { name: change, exact: true }).click();
  };
  const option = (page: Page, name: string) => options(page).filter({ hasText: name }).last();

  it('without the token shows its refusal beside the first answer, and after a restart it asks for the password', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const first = await launchApp({ userDataDir });
    const { page } = first;
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await openCalls(page);
    await option(page, '/perfil').click();
    await replay(page, 'Without a token');
    await seen(comparison(page));
    const [original, answer] = [await side(page, 'Original'), await side(page, 'Replay')];
    expect(original).toMatch(/≠\s*Changed:\s*HTTP\/1\.1 200 OK/);
    expect(original).toContain('"ciudad": "Quito"');
    expect(answer).toMatch(/≠\s*Changed:\s*HTTP\/1\.1 401 Unauthorized/);
    expect(answer).toMatch(/Changed:\s*"mensaje": "No autenticado"/);
    expect(foreign.calls.at(-1)).toMatchObject({ method: 'GET', path: '/app/api/v1/auth/perfil' });
    expect(foreign.calls.at(-1)?.headers.authorization).toBeUndefined();
    await page.keyboard.press('Escape');
    await expect.poll(() => options(page).count()).toBe(4);
    // Nobody was logged out by it.
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expectProfile(page, ana);
    await first.quit();

    const second = await launchApp({ userDataDir });
    await seen(heading(second.page, 'Log in'));
    await openCalls(second.page);
    await option(second.page, '/login').click();
    await replay(second.page, 'Unchanged');
    const field = await seen(second.page.getByLabel('‹password 1›', { exact: true }));
    const before = foreign.calls.length;
    await field.fill(ana.password);
    await field.press('Enter');
    await seen(comparison(second.page));
    await expect.poll(() => foreign.calls.length).toBe(before + 1);
    expect(JSON.parse(foreign.calls.at(-1)!.body)).toEqual({ email: ana.email, password: ana.password });
    expect(await comparison(second.page).innerText()).toContain('another token');
    expect(foreign.issued.size).toBe(2);
    const secrets = [...foreign.issued, ana.password];
    const content = await second.page.content();
    for (const secret of secrets) expect(content).not.toContain(secret);
    await second.quit();
    for (const secret of secrets) expect(await filesContaining(userDataDir, secret)).toEqual([]);
  });
});
