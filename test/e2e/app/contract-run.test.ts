import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Report } from '../../../preload/contract/contract-report.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { launchApp } from '../../support/launch-app.ts';
import { seen, useServer } from '../../support/screens.ts';
import en from '../../../renderer/locales/en.json' with { type: 'json' };
import { filesContaining } from '../../support/temporary-folder.ts';

const { run: labels } = en;
const room = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string | RegExp) => room(page).getByRole('button', { name, exact: true });
const summary = (page: Page) => room(page).getByRole('region', { name: 'Summary', exact: true });
/** A line of the report, or of the results so far. */
const line = (page: Page, text: string) => room(page).getByRole('listitem').filter({ hasText: text });
const evidence = (page: Page) => room(page).getByRole('complementary', { name: 'Evidence' });

/** Opens the contract run, and lets it make as many calls a second as it can. */
async function openRun(page: Page): Promise<void> {
  await page.keyboard.press('Control+t');
  await room(page).getByLabel(labels.rate).fill('100');
}

describe('the contract run', () => {
  it('looks at a foreign server, is cancelled, measures one case again, and exports a report without secrets', async () => {
    let isHeld = true;
    const foreign = await startForeignServer({
      // The run waits here for its end, however late that is pressed.
      override: ({ path: called }) =>
        isHeld && foreign.issued.size > 0 && called.endsWith('/login') ? 'no answer' : undefined,
    });
    const { page, app, userDataDir } = await launchApp();
    const file = path.join(userDataDir, '..', `${path.basename(userDataDir)}.json`);
    onTestFinished(() => rm(file, { force: true }));
    await app.evaluate(({ dialog: system }, chosen) => {
      system.showSaveDialog = () => Promise.resolve({ canceled: false, filePath: chosen });
    }, file);
    await useServer(page, foreign.baseUrl);

    await openRun(page);
    await button(page, 'Start').click();
    await seen(line(page, 'A registration as the contract describes it is accepted'));
    await expect.poll(() => foreign.waiting.size).toBe(1);
    await button(page, 'End the run').click();
    await expect.poll(() => summary(page).innerText()).toContain('The run was cancelled');
    isHeld = false;
    expect([...foreign.tokens.keys()]).toEqual([]);
    const logins = line(page, 'Two logins one after the other');
    await seen(logins.getByText('the run ended before it'));
    await logins.getByRole('button').click();
    await button(page, 'Measure again: Two logins one after the other').click();
    await seen(logins.getByText('Two logins give two tokens'));

    await button(page, 'New run').click();
    await button(page, 'Start').click();
    await expect.poll(() => summary(page).innerText()).toContain('The run is complete');
    await line(page, 'A password hash is in an answer').getByRole('button').click();
    await seen(evidence(page).getByText('$TOKEN'));

    await button(page, 'Export').click();
    await page.getByRole('menuitem', { name: 'JSON', exact: true }).click();
    await seen(room(page).getByText('The report was written.'));
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

    await button(page, /^Open in Calls: /).click();
    await seen(page.getByRole('article').getByRole('heading', { level: 2, name: /api\/v1\/auth/ }));
    await seen(page.getByRole('article').getByText('Call of a contract run'));

    // A lock drops the run and keeps its report, which says so.
    await page.getByRole('button', { name: /^(Accounts$|Account menu of )/ }).click();
    await page.getByRole('menuitem', { name: /^Lock now/ }).click();
    await page.getByRole('button', { name: 'Unlock', exact: true }).click();
    await seen(page.getByRole('banner'));
    await page.keyboard.press('Alt+3');
    await expect.poll(() => summary(page).innerText()).toContain('no single case can be measured again');
    await logins.getByRole('button').click();
    await seen(evidence(page).getByText('Two logins give two tokens'));
    expect(await button(page, /^Measure again/).count()).toBe(0);
  });

  it('compares two servers, of which one is built in, and sends nothing to production', async () => {
    const foreign = await startForeignServer();
    const shop = await startForeignServer({ host: '127.0.0.3' });
    const { page } = await launchApp();
    await useServer(page, foreign.baseUrl);
    const created = await page.evaluate(
      (address) =>
        window.api.servers.create({
          address,
          name: 'Shop',
          colour: 'red',
          notes: '',
          registrationPath: 'registro',
          production: true,
          pinned: {},
        }),
      shop.baseUrl,
    );
    expect(created.ok).toBe(true);

    await openRun(page);
    const server = room(page).getByLabel(labels.server, { exact: true });
    await server.selectOption('Shop (production)');
    await button(page, 'Start').click();
    await seen(room(page).locator('[role=alert][tabindex]').filter({ hasText: 'marked as production' }));
    expect(shop.calls).toEqual([]);

    const names = await server.getByRole('option').allInnerTexts();
    await server.selectOption(names[1]!);
    await room(page).getByLabel(labels.compareWith).selectOption('Built-in');
    await button(page, 'Start').click();
    await room(page).getByRole('table').waitFor({ timeout: 120_000 });
    const rows = (await room(page).getByRole('row').allInnerTexts()).map((row) =>
      row.replaceAll(/\s+/g, ' ').toLowerCase(),
    );
    expect(rows).toContain('a password hash is in an answer high not found');
    expect(rows.filter((row) => row.startsWith('a login with the right email'))).toEqual([]);
  });
});
