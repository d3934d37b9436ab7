import type { ElectronApplication, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openSettings, pin, setPin, openSignedIn, openAccountPage, unlock } from '../../support/lock.ts';
import { ana, expectProfile, seen } from '../../support/screens.ts';
import { filesContaining } from '../../support/temporary-folder.ts';

const lockedHeading = (page: Page) => page.getByRole('heading', { name: 'Locked', exact: true });

const clickMenu = (app: ElectronApplication, id: string) =>
  app.evaluate(({ Menu }, wanted) => Menu.getApplicationMenu()?.getMenuItemById(wanted)?.click(), id);

describe('the lock', () => {
  it('with a PIN hides everything from page and calls, keeps nothing in clear, and opens again', async () => {
    const { page, app, quit, open, token, foreign, userDataDir } = await openSignedIn();
    await setPin(page);
    await page.keyboard.press('Control+e');
    await clickMenu(app, 'lock');
    await seen(lockedHeading(page));

    expect(await page.locator('html').innerHTML()).not.toMatch(/ana@example|Ana Prueba|127\.0\.0\.2/);
    expect(await page.title()).toBe('Locked – Llavero');
    const calls = await page.evaluate(async () => ({
      state: JSON.stringify(await window.api.app.state(undefined)),
      refused: await Promise.all([
        window.api.sessions.check({ id: 'x' }),
        window.api.sessions.logout({ id: 'x', tellServer: true }),
        window.api.session.login({ email: 'ana@example.test', password: 'x' }),
        window.api.calls.list({
          filter: { search: '', outcome: 'all', checks: 'with', pinnedOnly: false },
          offset: 0,
        }),
        window.api.servers.exportFile(undefined),
        window.api.lock.removePin({ current: 'x' }),
        window.api.settings.change({ lockOnSleep: false }),
      ]),
    }));
    expect(calls.state).not.toMatch(/ana|Prueba|127\.0\.0/i);
    expect(calls.refused).toEqual(calls.refused.map(() => ({ ok: false, error: { kind: 'locked' } })));
    expect(foreign.tokens.has(token)).toBe(true);
    for (const secret of [token, token.split('|')[1]!, pin])
      expect(await filesContaining(userDataDir, secret)).toEqual([]);

    await unlock(page, 'not the PIN');
    await seen(page.getByText(/Wrong PIN/));
    await unlock(page, pin);
    await seen(page.getByRole('navigation', { name: 'Pages' }));
    await openAccountPage(page);
    await expectProfile(page, ana);
    await seen(page.getByText(/Checked/));

    await openSettings(page);
    await page.getByText('Lock with the screen', { exact: true }).click();
    await app.evaluate(({ powerMonitor }) => void powerMonitor.emit('lock-screen'));
    await seen(page.getByText('Locked together with the screen.'));
    await quit();

    // The application starts locked. After the unlock it shows the stored session.
    const calledBefore = foreign.calls.length;
    const next = await open();
    await seen(next.page.getByText('Locked on start because a PIN is set.'));
    expect(foreign.calls).toHaveLength(calledBefore);
    await unlock(next.page, pin);
    await expectProfile(next.page, ana);
    await expect.poll(() => foreign.calls.at(-1)?.headers.authorization).toBe(`Bearer ${token}`);
  });
});
