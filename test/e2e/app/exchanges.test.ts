import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp, makeProfile } from '../../support/launch-app.ts';
import { ana, createAccount, expectProfile, heading, logOut, seen, useServer } from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const drawer = (page: Page) => page.getByRole('region', { name: 'Exchanges', exact: true });
const options = (page: Page) => drawer(page).getByRole('listbox').getByRole('option');
const details = (page: Page) => page.getByRole('article');
const part = (page: Page, name: string) => details(page).getByRole('region', { name, exact: true });

async function openDrawer(page: Page): Promise<void> {
  await page.keyboard.press('Control+e');
  await seen(drawer(page));
}

describe('the exchanges of a journey', () => {
  it('are in the drawer with their heads and without their secrets, also after a restart', async () => {
    const foreign = await startForeignServer();
    const userDataDir = await makeProfile();
    const first = await launchApp({ userDataDir });
    const { page } = first;
    await useServer(page, foreign.baseUrl);
    await createAccount(page, ana);
    await expectProfile(page, ana);
    await page.getByRole('button', { name: 'Check again', exact: true }).click();
    await expect.poll(() => foreign.calls.length).toBe(4);
    await logOut(page);
    const [token = ''] = foreign.issued;
    const secrets = [token, token.slice(token.indexOf('|') + 1), ana.password, '$2y$10$abcdefghijklmnopqrstuv'];
    const expectNoSecret = async (shown: Page): Promise<void> => {
      const content = await shown.content();
      for (const secret of secrets) expect(content).not.toContain(secret);
    };

    await openDrawer(page);
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
        .poll(() => details(page).getByRole('heading', { level: 3 }).innerText())
        .toBe(`${call.method} http://${foreign.host}:${foreign.port}${call.path}`);
      const head = await part(page, 'Request').innerText();
      expect(head).toContain(`${call.method} ${call.path} HTTP/1.1\n`);
      expect(head).toContain(`Host: ${foreign.host}:${foreign.port}`);
      expect(head.includes('Authorization: Bearer ‹token 1›')).toBe(call.headers.authorization !== undefined);
      expect(await part(page, 'Timing').innerText()).toMatch(/In all\s+[\d.]+ (?:ms|sec)/);
      await expectNoSecret(page);
    }
    expect(await part(page, 'Request').innerText()).toContain('"password": "‹password 1›"');
    await first.quit();
    for (const secret of secrets) expect(await filesContaining(userDataDir, secret)).toEqual([]);
    expect((await readFile(path.join(userDataDir, 'exchanges.sqlite'))).length).toBeGreaterThan(0);

    const second = await launchApp({ userDataDir });
    await seen(heading(second.page, 'Log in'));
    // It was open, so it is open.
    await seen(drawer(second.page));
    await expect.poll(() => options(second.page).count()).toBe(5);
    await options(second.page).nth(3).click();
    await seen(part(second.page, 'What the app understood'));
    expect(await part(second.page, 'What the app understood').innerText()).toContain('datos.access_token');
    await expectNoSecret(second.page);
    await second.page.getByRole('textbox', { name: 'Search exchanges' }).fill('registro');
    await expect.poll(() => options(second.page).count()).toBe(1);
    await second.quit();
    for (const secret of secrets) expect(await filesContaining(userDataDir, secret)).toEqual([]);
  });
});
