import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { startService } from '../../../main/service/server.ts';
import en from '../../../renderer/locales/en.json' with { type: 'json' };
import { launchApp } from '../../support/launch-app.ts';
import { ana, createAccount, heading, logIn, logOut, seen, useServer } from '../../support/screens.ts';

const { doubles: labels } = en;
const room = (page: Page) => page.getByRole('main');
const button = (page: Page, name: string | RegExp) => room(page).getByRole('button', { name, exact: true });

/** As much time as the loaded computer of a test may take for two whole runs. */
const runs = { timeout: 120_000 };

describe('a double', () => {
  it('comes of an address, differs in nothing, and takes a login while its original is away', async () => {
    const database = { file: ':memory:' } as const;
    const started = await startService({ database, port: 0, rateLimit: 'off', behaviour: { dialect: 'spring' } });
    if (!started.ok) throw new Error(started.message);
    const { service } = started;
    const { page } = await launchApp();
    await useServer(page, service.baseUrl);
    await page.evaluate(() => window.api.settings.change({ callsPerSecond: 100 }));
    await page.keyboard.press('Alt+5');
    await button(page, labels.measureAndMake).click();
    await button(page, /^Show “Double of /).click(runs);
    await seen(room(page).getByText(labels.run.running, { exact: true }).first());
    await expect.poll(() => room(page).innerText(), runs).toContain('Nothing differs from');
    await service.close();

    await button(page, /^Use Double of /).click();
    await page.keyboard.press('Alt+1');
    await seen(page.getByRole('banner').getByText(/^Double of /));
    await createAccount(page, ana);
    await seen(heading(page, 'Profile'));
    await logOut(page);
    await logIn(page, ana);
    await seen(heading(page, 'Profile'));
  }, 300_000);
});
