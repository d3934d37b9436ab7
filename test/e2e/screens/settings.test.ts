import { describe, expect, it } from 'vitest';
import { expectText, hasFocus, seen } from '../../support/screens.ts';
import { firstStart, heldSessions, production, signedIn, staging } from '../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();

const button = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
const part = (name: string) => page.getByRole('navigation', { name: 'Sections' }).getByRole('button', { name });
const section = (name: string) => page.getByRole('main').getByRole('region', { name, exact: true });

async function open(state: Parameters<typeof stub.start>[0] = {}) {
  await stub.start(state);
  await page.locator('[data-page=settings]').click();
  await seen(page.locator('[data-section]').first());
}

describe('the settings', () => {
  it('have parts, lead to each, and mark the one that is in sight', async () => {
    await open();
    await expect.poll(() => part('General').getAttribute('aria-current')).toBe('true');
    await part('About').click();
    await hasFocus(page.getByRole('heading', { name: 'About' }));
    await expect.poll(() => part('About').getAttribute('aria-current')).toBe('true');
    expect(await part('General').getAttribute('aria-current')).toBeNull();
  });

  it('show what fits each word of a search, in names and sentences, whatever the accents', async () => {
    await open({ language: 'es', settings: { ...firstStart.settings, language: 'es' } });
    const field = page.getByRole('searchbox', { name: 'Buscar en los ajustes' });
    await field.fill('sesion PIN');
    await expect.poll(() => page.locator('[data-section]').count()).toBe(1);
    expect(await page.locator('[data-section]').innerText()).toMatch(/^Bloqueo y PIN\s+PIN\s/);
    await field.fill('nothing like that');
    await seen(page.getByRole('status').filter({ hasText: 'Ningún ajuste coincide.' }));
    await field.fill('');
    await expect.poll(() => page.locator('[data-section]').count()).toBe(8);
  });

  it('change language and theme with the arrows, and the rest with a press', async () => {
    await open();
    await page.getByRole('radio', { name: 'English' }).press('ArrowRight');
    await page.getByRole('radiogroup', { name: 'Theme' }).getByRole('radio', { name: 'Dark' }).click();
    await page.getByText('Presenter’s view', { exact: true }).click();
    await page.getByText(/^When a session or check ends/).click();
    await expect
      .poll(() => stub.callsOf('settings.change'))
      .toEqual([{ language: 'es' }, { theme: 'dark' }, { presenting: true }, { notifications: true }]);
  });

  it('say under its row why a setting was not changed, until it is', async () => {
    await open();
    const alert = section('Lock and PIN').getByRole('alert');
    await stub.fails('settings.change', { kind: 'bug', id: 'b-1' });
    await page.getByText('Lock before sleep', { exact: true }).click();
    await hasFocus(alert);
    await stub.answer('settings.change', { ok: true, value: null });
    await page.getByText('Lock before sleep', { exact: true }).click();
    await alert.waitFor({ state: 'detached' });
    expect(await stub.callsOf('settings.change')).toEqual([{ lockOnSleep: true }, { lockOnSleep: true }]);
  });

  it('say at the field which limit is wrong, and in a toast that the limits are saved', async () => {
    await open();
    const count = page.getByLabel('Maximum requests', { exact: true });
    await expect.poll(() => count.inputValue()).toBe('500');
    await count.fill('9');
    await button('Save').click();
    await seen(section('Recorded requests').getByText('Enter a whole number from 10 to 100000.'));
    await hasFocus(count);
    await count.fill('1000');
    await button('Save').click();
    await seen(page.getByRole('status').filter({ hasText: 'Saved. Applies from the next request.' }));
    await expect.poll(() => stub.callsOf('calls.setLimits')).toEqual([{ count: 1000, bytes: 20_000_000 }]);
  });

  it('name what the application runs on, and every part with its licence', async () => {
    await open();
    const about = section('About');
    await expectText(
      about,
      /Version[^]*0\.1\.0[^]*Chromium 148\.0\.1 and Node\.js 24\.1\.0[^]*42\.0\.0[^]*Linux 6\.1\.0/,
    );
    await expectNotAsked('app.licences');
    await button('Show licences').click();
    await expect
      .poll(() => about.getByRole('listitem').allInnerTexts())
      .toEqual(['@fontsource-variable/inter 5.3.0 OFL-1.1', 'react 19.3.1 MIT', 'tslib 2.8.1 0BSD']);
    await about.getByText('@fontsource-variable/inter').click();
    await seen(about.getByText('SIL OPEN FONT LICENSE'));
    await button('Hide licences').click();
    expect(await about.getByRole('listitem').count()).toBe(0);
  });

  it('show to others no email of an account and no notes', async () => {
    const settings = { ...firstStart.settings, presenting: true };
    await stub.start({
      settings,
      servers: [...firstStart.servers, production],
      sessions: heldSessions,
      session: signedIn,
    });
    await seen(page.getByRole('heading', { name: 'Details' }));
    expect(await page.locator('html').innerHTML()).not.toContain('ana@example');
    await seen(page.getByRole('main').getByText('a•••@e•••.test').first());
    expect(await page.evaluate(() => document.documentElement.hasAttribute('data-presenting'))).toBe(true);
  });

  it('show to others no email on any page', async () => {
    const email = 'ana.secreta@correo.example';
    const named = { ...staging, name: `Shop of ${email}`, notes: `call ${email}` };
    await stub.start({
      settings: { ...firstStart.settings, presenting: true, notifications: true },
      servers: [...firstStart.servers, named],
      activeServerId: staging.id,
      sessions: heldSessions.map((held) =>
        Object.assign({}, held, { serverId: staging.id, account: email, name: `A ${email}` }),
      ),
      session: { ...signedIn, user: { ...signedIn.user, name: email, email } },
      vault: { state: 'protected', backend: email, unreadable: 0, before: [email] },
    });
    for (const name of ['account', 'calls', 'checks', 'built-in', 'servers', 'settings']) {
      await page.locator(`[data-page=${name}]`).click();
      await seen(page.getByRole('main').getByRole('heading').first());
      const shown = await page.evaluate(() => {
        const typed = [...document.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value);
        return [document.title, document.documentElement.outerHTML, ...typed].join(' ');
      });
      expect(shown).not.toMatch(/secreta|correo/);
    }
    // What is not typed again is saved as it was.
    await page.locator('[data-page=servers]').click();
    await page.locator('input[data-colour=pink]').check({ force: true });
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => stub.callsOf('servers.edit')).toMatchObject([{ name: named.name, notes: named.notes }]);
  });
});

describe('the settings of lock and sessions', () => {
  const openPin = async (state: Parameters<typeof open>[0], name: string) => {
    await open(state);
    await button(name).click();
    await hasFocus(page.locator('form input').first());
  };

  it('changes when the application locks itself, and whether sessions outlive it', async () => {
    await open();
    await page.getByLabel('Lock when idle').selectOption({ label: 'After 15 minutes' });
    await page.getByText('Lock with the screen', { exact: true }).click();
    await page.getByText('Lock before sleep', { exact: true }).click();
    await page.getByText('Forget sessions on quit', { exact: true }).click();
    await expect
      .poll(() => stub.callsOf('settings.change'))
      .toEqual([{ lockAfterMinutes: 15 }, { lockOnScreenLock: true }, { lockOnSleep: true }, { clearOnQuit: true }]);
  });

  it('sets a PIN that was typed twice the same, and says that it is set', async () => {
    await openPin({}, 'Set a PIN…');
    const next = page.getByLabel('New PIN', { exact: true });
    const repeated = page.getByLabel('Repeat the new PIN');
    const set = page.getByRole('button', { name: 'Set PIN' });
    await next.fill('123');
    await set.click();
    await seen(page.getByText('Use 4 to 64 characters.'));
    await next.fill('1234');
    await repeated.fill('1235');
    await set.click();
    await seen(page.getByText('The PINs do not match.'));
    await expectNotAsked('lock.setPin');
    await repeated.fill('1234');
    await set.click();
    await seen(page.getByText('PIN set.'));
    await expect.poll(() => stub.callsOf('lock.setPin')).toEqual([{ pin: '1234' }]);
    await hasFocus(button('Set a PIN…'));
    await button('Set a PIN…').click();
    await page.keyboard.press('Escape');
    await hasFocus(button('Set a PIN…'));
    expect(await next.count()).toBe(0);
  });

  it('changes and removes a PIN with the current one only', async () => {
    await openPin({ pin: true }, 'Change or remove…');
    await page.getByRole('button', { name: 'Remove PIN' }).click();
    await seen(page.getByText('Enter the current PIN.'));
    await page.getByLabel('Current PIN').fill('1234');
    await page.getByRole('button', { name: 'Remove PIN' }).click();
    await seen(page.getByText('PIN removed.'));
    await expect.poll(() => stub.callsOf('lock.removePin')).toEqual([{ current: '1234' }]);
  });
});
