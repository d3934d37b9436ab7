import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Locator } from 'playwright-core';
import { expectNoComplaints, expectText, hasFocus, seen, serverChip } from '../../../support/screens.ts';
import type { BuiltInStatus, Server, AuthState } from '../../../../preload/contract/models.ts';
import { sentRows } from '../../../support/sent-rows.ts';
import { firstStart, signedIn, stagingMock } from '../../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
beforeEach(() => stub.start());
afterEach(() => expectNoComplaints(stub));

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const link = (name: string) => page.getByRole('link', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });
/** Presses a key until something has the focus. */
async function tabTo(target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let presses = 0; presses < 30; presses += 1) {
    if (await target.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  throw new Error('It never has the focus');
}
const signedInState = { ...firstStart, session: signedIn };

describe('the window', () => {
  it('follows the language and the theme without a restart', async () => {
    await page.locator('[data-page=settings]').click();
    await page.getByRole('radio', { name: 'Español' }).click();
    await page.getByRole('radio', { name: 'Dark' }).click();
    await expect.poll(() => stub.callsOf('settings.change')).toEqual([{ language: 'es' }, { theme: 'dark' }]);
    await stub.change({ language: 'es', settings: { ...firstStart.settings, language: 'es', theme: 'dark' } });
    await page.locator('[data-page=account]').click();
    await page.getByRole('heading', { name: 'Iniciar sesión' }).waitFor();
    expect(await page.locator('html').getAttribute('lang')).toBe('es');
    expect(await page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark');
    expect(await page.title()).toBe('Iniciar sesión – Llavero');
  });

  it('says when the built-in server does not run, and which Electron this is', async () => {
    await stub.start({ builtIn: { state: 'failed', message: 'listen EACCES' } });
    const said = page.getByRole('contentinfo').getByRole('status').last();
    for (const text of ['The built-in server did not start.', 'listen EACCES', '42.0.0'])
      await expectText(said, new RegExp(text));
    await button('Development build').click();
    await page
      .getByRole('dialog')
      .getByText(/Third-party Electron|third party/i)
      .waitFor();
    expect(await serverChip(page).innerText()).toContain('Not running');
  });

  it('lets a person start a server of this computer that does not run, and says below its line what went wrong', async () => {
    const failed: BuiltInStatus = { state: 'failed', message: 'listen EACCES' };
    const start = page.getByRole('main').getByRole('button', { name: 'Start', exact: true });
    const places = () =>
      page
        .locator('main :is(h1, input, button[type=submit])')
        .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().y));
    await stub.start({ builtIn: failed });
    await seen(start);
    const before = await places();
    await stub.fails('builtIn.start', { kind: 'built-in-stopped', message: 'listen EACCES' });
    await start.click();
    await expectText(page.getByRole('main').getByRole('alert'), /did not start/);
    expect((await places())[0]).toBe(before[0]);
    const message = (await page.getByRole('main').getByRole('alert').boundingBox())!;
    expect(message.y).toBeGreaterThan((await start.boundingBox())!.y);
    expect(message.y).toBeLessThan((await page.getByLabel('Email').boundingBox())!.y);
    await stub.answer('builtIn.start', 'hold');
    await start.click();
    await seen(page.getByRole('main').getByText('(Starting…)', { exact: true }));
    await stub.change({ builtIn: firstStart.builtIn });
    await stub.release('builtIn.start');
    await start.waitFor({ state: 'detached' });
    await hasFocus(page.getByLabel('Email'));
    expect(await places()).toEqual(before);

    const mockServer: Server = { ...stagingMock, mock: { ...stagingMock.mock, run: { state: 'stopped' } } };
    await stub.start({ servers: [...firstStart.servers, mockServer], activeServerId: mockServer.id });
    await page.getByRole('link', { name: 'Create account' }).click();
    await start.click();
    await stub.change({ servers: [...firstStart.servers, stagingMock] });
    await hasFocus(page.getByLabel('Name'));
    expect(await stub.callsOf('mocks.start')).toEqual([{ id: mockServer.id }]);
  });

  it('does not lose a press that began before the store of the tokens was known', async () => {
    await stub.start({ vault: { state: 'asking' }, builtIn: { state: 'starting' } });
    const box = await page.getByRole('link', { name: 'Create account', exact: true }).boundingBox();
    await page.mouse.move(box!.x + box!.width / 2, box!.y + box!.height / 2);
    await page.mouse.down();
    await stub.change({
      vault: { state: 'memory-only', reason: 'no-keyring' },
      builtIn: { state: 'running', baseUrl: 'http://127.0.0.1:43127' },
    });
    await seen(page.getByText(/Memory only/).first());
    await page.mouse.up();
    await seen(page.getByRole('heading', { name: 'Create account', exact: true }));
  });

  it('does not scroll sideways at 320 pixels', async () => {
    const long = 'x'.repeat(300);
    const rest = sentRows({ [long]: long });
    const sessions: AuthState[] = [
      { step: 'signed-out' },
      { ...signedIn, user: { name: long, email: `${long}@example.test`, rest } },
    ];
    for (const session of sessions) {
      await stub.start({ session, vault: { state: 'memory-only', reason: 'keyring-failed' } });
      await page.setViewportSize({ width: 320, height: 256 });
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
    }
    await page.setViewportSize({ width: 1000, height: 700 });
  });

  it('can be used by keyboard alone', async () => {
    await hasFocus(field('Email'));
    await page.keyboard.type('ana@example.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type('secret');
    for (const next of [
      button('Show password'),
      page.getByRole('checkbox', { name: 'Remember me on this computer' }),
      button('Log in'),
      link('Create account'),
    ])
      await tabTo(next);
    await page.keyboard.press('Enter');
    await hasFocus(field('Name'));
    await page.keyboard.type('Ana');
    await page.keyboard.press('Tab');
    expect(await field('Email').inputValue()).toBe('ana@example.test');
    await page.keyboard.press('Tab');
    await page.keyboard.type('secret');
    await tabTo(button('Change the registration path'));
    await page.keyboard.press('Enter');
    await hasFocus(page.getByRole('menuitemradio', { name: '/registro' }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await field('Repeat password').waitFor();
    await tabTo(field('Repeat password'), 'Shift+Tab');
    await page.keyboard.type('secret');
    await stub.answer('session.register', { state: signedInState });
    await page.keyboard.press('Enter');
    await hasFocus(heading('Ana Prueba'));
    await tabTo(button('Check again'));
    await tabTo(button('Log out'), 'Shift+Tab');
    await page.keyboard.press('Space');
    await expect.poll(() => stub.callsOf('sessions.logout')).toHaveLength(1);
    await expect
      .poll(() => stub.callsOf('session.register'))
      .toEqual([
        {
          path: 'register',
          name: 'Ana',
          email: 'ana@example.test',
          password: 'secret',
          cpassword: 'secret',
          remember: true,
        },
      ]);
  });
});
