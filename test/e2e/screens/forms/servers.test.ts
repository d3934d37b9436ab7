import { seen } from '../../../support/screens.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  eventually,
  expectNoComplaints,
  expectServer,
  expectText,
  hasFocus,
  openServers,
  serverChip,
} from '../../../support/screens.ts';
import { firstStart, heldSessions, locked, production, signedIn, staging } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
beforeEach(async () => {
  await page.setViewportSize({ width: 1000, height: 700 });
  await stub.start();
});
afterEach(() => expectNoComplaints(stub));

const field = (name: string) => page.getByLabel(name, { exact: true });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

async function typeLogin() {
  await field('Email').fill('ana@example.test');
  await field('Password').fill(' p|ñ 漢 ');
}

describe('the server', () => {
  const several = { servers: [...firstStart.servers, staging, production] };
  const search = () => page.getByLabel('Search or type an address', { exact: true });
  const servers = () => page.getByRole('listbox', { name: 'Servers', exact: true });

  it('is an address typed in: Enter selects it, and the chip shows what main made of it', async () => {
    await (await openServers(page)).fill('staging.example.test:8000/app/');
    const state = { ...firstStart, servers: [...firstStart.servers, staging], activeServerId: staging.id };
    await stub.answer('servers.chooseAddress', { state });
    const report = { baseUrl: staging.baseUrl, status: 401, milliseconds: 12, secure: true, software: 'nginx/1.27' };
    await stub.answer('servers.test', { ok: true, value: { ...report, reached: true, answered: 'asks-for-token' } });
    await search().press('Enter');
    await expectServer(page, staging.name);
    await search().waitFor({ state: 'hidden' });
    await hasFocus(serverChip(page));
    await expect
      .poll(() => stub.callsOf('servers.chooseAddress'))
      .toEqual([{ address: 'staging.example.test:8000/app/' }]);
    await expect.poll(() => stub.callsOf('servers.test')).toEqual([{ address: 'staging.example.test:8000/app/' }]);
    // What was found before there was a server is on its page.
    await page.locator('[data-page=servers]').click();
    await page.getByRole('main').getByRole('button', { name: staging.name }).first().click();
    await seen(page.getByText(/ 401 .* 12 ms.*nginx\/1\.27/));
  });

  it('is tested before an address that was typed is used, and a person who knows better goes on', async () => {
    await (await openServers(page)).fill('pages.example.test');
    const report = { baseUrl: 'https://pages.example.test', status: 200, milliseconds: 9, secure: true };
    await stub.answer('servers.test', { ok: true, value: { ...report, reached: true, answered: 'web-page' } });
    await search().press('Enter');
    const alert = await seen(page.getByRole('alert'));
    expect(await search().getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'));
    await seen(servers().getByText('Continue anyway'));
    await hasFocus(search());
    await expectNotAsked('servers.chooseAddress');
    // Another address is tested again.
    await search().press('x');
    await alert.waitFor({ state: 'detached' });
    await search().press('Backspace');
    await seen(page.getByRole('alert'));
    await search().press('Enter');
    await search().waitFor({ state: 'hidden' });
    await expect.poll(() => stub.callsOf('servers.chooseAddress')).toEqual([{ address: 'pages.example.test' }]);
    await expect.poll(() => stub.callsOf('servers.test')).toHaveLength(1);
  });

  it('says under the field what is wrong with an address, and keeps it', async () => {
    await (await openServers(page)).fill('ftp://x');
    await stub.fails('servers.chooseAddress', { kind: 'invalid-address', problem: 'not-http' });
    await search().press('Enter');
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.innerText()).toContain('http:// or https://');
    expect(await search().getAttribute('aria-describedby')).toBe(await alert.getAttribute('id'));
    expect(await search().getAttribute('aria-invalid')).toBe('true');
    expect(await search().inputValue()).toBe('ftp://x');
    await hasFocus(search());
    await search().press('x');
    await alert.waitFor({ state: 'detached' });
  });

  it('is not changed by leaving the menu, nor by Escape, which gives the focus back', async () => {
    await (await openServers(page)).fill('elsewhere');
    await search().press('Tab');
    await search().waitFor({ state: 'hidden' });
    await (await openServers(page)).fill('elsewhere');
    await search().press('Escape');
    await search().waitFor({ state: 'hidden' });
    await hasFocus(serverChip(page));
    expect(await (await openServers(page)).inputValue()).toBe('');
    await page.getByRole('heading', { name: 'Log in' }).click();
    await search().waitFor({ state: 'hidden' });
    await expectServer(page, 'Built-in');
    await expectNotAsked('servers.chooseAddress');
  });

  it('is chosen among the known ones with the arrows', async () => {
    await stub.start(several);
    await serverChip(page).focus();
    await page.keyboard.press('Enter');
    await hasFocus(search());
    await page.getByRole('option', { name: /^Built-in/ }).waitFor();
    // The mark shows the one in use, which the arrows begin from.
    for (const name of [/Built-in/, new RegExp(staging.name)]) {
      await search().press('ArrowDown');
      await eventually(async () => {
        const active = await search().getAttribute('aria-activedescendant');
        expect(await page.locator(`id=${active}`).innerText()).toMatch(name);
      });
    }
    await search().press('Enter');
    await expect.poll(() => stub.callsOf('servers.choose')).toEqual([{ id: 'staging' }]);
    await hasFocus(serverChip(page));
  });

  it('is found by a part of its name or host, and chosen by a press', async () => {
    await stub.start(several);
    await openServers(page);
    await page.keyboard.type('shop');
    await eventually(async () => expect(await page.getByRole('option', { name: /Ctrl/ }).count()).toBe(1));
    expect(await page.getByRole('option', { name: /Ctrl/ }).innerText()).toMatch(/production/i);
    await page.getByRole('option', { name: /^Shop/ }).click();
    await expect.poll(() => stub.callsOf('servers.choose')).toEqual([{ id: 'production' }]);
  });

  it('fits with 40 others of long names into a small window, in Spanish too', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      ...staging,
      id: `m${index}`,
      name: `${'largo '.repeat(16)}${index}`,
    }));
    await page.setViewportSize({ width: 320, height: 400 });
    await stub.start({
      servers: [...firstStart.servers, ...many],
      language: 'es',
      settings: { ...firstStart.settings, language: 'es' },
    });
    await page.getByRole('button', { name: /^Servidor:/ }).click();
    // The field takes the focus a moment after the menu is there, and a key before that is the chip's.
    await hasFocus(page.getByRole('combobox'));
    await page.keyboard.press('ArrowUp');
    await eventually(async () => {
      const box = await page.getByRole('option', { name: 'Todos los servidores' }).boundingBox();
      expect(box && box.x >= 0 && box.x + box.width <= 320 && box.y >= 0 && box.y + box.height <= 400).toBe(true);
    });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  });

  it('gives the focus to a field that is pressed while its menu is open, and takes it back from nothing else', async () => {
    await openServers(page);
    await field('Email').click();
    await search().waitFor({ state: 'hidden' });
    await hasFocus(field('Email'));
    await openServers(page);
    await search().press('Tab');
    await search().waitFor({ state: 'hidden' });
    const focused = await page.evaluate(() => document.activeElement?.closest('header') !== null);
    expect(focused).toBe(true);
    expect(await serverChip(page).evaluate((node) => node === document.activeElement)).toBe(false);
  });

  it('leads to all servers, whose list is one stop: arrows choose, Alt with an arrow moves, Enter opens', async () => {
    await stub.start(several);
    await openServers(page);
    await page.getByRole('option', { name: 'All servers' }).click();
    await hasFocus(heading('Servers'));
    await servers().focus();
    const selected = () => servers().locator('[aria-selected=true]');
    await expectText(selected(), /Built-in/);
    await page.keyboard.press('End');
    await expectText(selected(), /Shop/);
    await heading('Shop').waitFor();
    await page.keyboard.press('ArrowUp');
    await heading(staging.name).waitFor();
    await page.keyboard.press('Alt+ArrowDown');
    await expect.poll(() => stub.callsOf('servers.move')).toEqual([{ id: 'staging', by: 1 }]);
    await hasFocus(servers());
    await page.keyboard.press('Enter');
    await hasFocus(heading(staging.name));
    await page.keyboard.press('Escape');
    await hasFocus(servers());
  });

  it('keeps what was typed about it until it is saved or discarded, and forgets it with a lock', async () => {
    await stub.start(several);
    await page.locator('[data-page=servers]').click();
    await page.getByRole('option', { name: /^Shop/ }).click();
    await field('Address').fill('https://other.example.test');
    await page.getByText('Unsaved changes').waitFor();
    await page.getByRole('option', { name: /^Built-in/ }).click();
    await page.locator('[data-page=account]').click();
    await page.locator('[data-page=servers]').click();
    await page.getByRole('option', { name: /^Shop.*unsaved/ }).click();
    expect(await field('Address').inputValue()).toBe('https://other.example.test');
    await button('Save').click();
    await page.getByText('All changes saved').waitFor();
    await expect
      .poll(() => stub.callsOf('servers.edit'))
      .toEqual([expect.objectContaining({ id: 'production', address: 'https://other.example.test', name: 'Shop' })]);

    await field('Server name').fill('Shop 2');
    await button('Discard changes').click();
    expect(await field('Server name').inputValue()).toBe('Shop');
    await field('Server name').fill('Shop 3');
    await stub.send(locked);
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await stub.send({ ...firstStart, ...several });
    await page.locator('[data-page=servers]').click();
    await page.getByRole('option', { name: /^Shop/ }).click();
    expect(await field('Server name').inputValue()).toBe('Shop');
  });

  it('opens the fold of a field that is wrong, and gives it the focus', async () => {
    await stub.start(several);
    await page.locator('[data-page=servers]').click();
    await page.getByRole('option', { name: /^Shop/ }).click();
    await field('Server name').fill('Shop 2');
    await stub.fails('servers.edit', { kind: 'invalid-connection', field: 'limits' });
    await button('Save').click();
    await hasFocus(field('Connect timeout (seconds)'));
    const tops = await page
      .getByLabel(/timeout/)
      .evaluateAll((inputs) => inputs.map((each) => each.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  });

  it('has fields for its time limits that stand beside each other, also where a label needs two lines', async () => {
    await stub.start({ ...several, language: 'es', settings: { ...firstStart.settings, language: 'es' } });
    await page.locator('[data-page=servers]').click();
    await page.getByRole('option', { name: /^Shop/ }).click();
    await page.getByText('Límites de tiempo').click();
    const fields = page.getByLabel(/\(segundos\)/);
    expect(await fields.count()).toBe(3);
    const tops = await fields.evaluateAll((inputs) => inputs.map((each) => each.getBoundingClientRect().top));
    expect(new Set(tops).size).toBe(1);
  });

  it('is a list and then a form in a narrow window, with a way back', async () => {
    await page.setViewportSize({ width: 480, height: 640 });
    await stub.start(several);
    await page.locator('[data-page=servers]').click();
    await page.getByRole('option', { name: /^Shop/ }).click();
    await hasFocus(heading('Shop'));
    expect(await servers().isVisible()).toBe(false);
    await button('All servers').click();
    await hasFocus(servers());
  });

  it('takes the error of another server off the screen, not what was typed', async () => {
    await typeLogin();
    await stub.fails('session.login', { kind: 'validation', fields: { email: ['Unknown.'] }, form: [] });
    await button('Log in').click();
    await hasFocus(field('Email'));
    await seen(page.getByText('Unknown.'));
    await stub.change({ servers: [...firstStart.servers, staging], activeServerId: staging.id });
    await page.getByText('Unknown.').waitFor({ state: 'detached' });
    expect(await field('Email').inputValue()).toBe('ana@example.test');
  });
});

describe('a production server', () => {
  const state = {
    servers: [...firstStart.servers, production],
    activeServerId: production.id,
    session: signedIn,
    sessions: heldSessions,
  };
  const refused = { kind: 'production-not-confirmed', serverId: production.id, host: 'shop.example.test' } as const;
  const askToLogOut = async () => {
    await stub.start(state);
    await page.getByRole('banner').getByRole('button').last().click();
    await stub.fails('sessions.logout', refused);
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await hasFocus(field('Host'));
  };

  it('asks what is to be done there, and goes on with the host that was typed', async () => {
    await askToLogOut();
    const dialog = page.getByRole('dialog', { name: 'Log out on the production server?' });
    expect(await dialog.innerText()).toMatch(/production/i);
    const yes = dialog.getByRole('button', { name: 'Log out', exact: true });
    expect(await yes.getAttribute('aria-disabled')).toBe('true');
    await stub.fails('servers.confirmProduction', { kind: 'wrong-host', host: refused.host });
    await page.keyboard.type('shop');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await field('Host').fill(refused.host);
    await yes.click();
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => stub.callsOf('servers.confirmProduction'))
      .toEqual([
        { id: production.id, host: 'shop' },
        { id: production.id, host: refused.host },
      ]);
    await expect.poll(() => stub.callsOf('sessions.logout')).toHaveLength(2);
  });

  it.each(['Escape', 'Keep the session'])('keeps the session: %s', async (how) => {
    await askToLogOut();
    if (how === 'Escape') await page.keyboard.press('Escape');
    else await button(how).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => stub.callsOf('sessions.logout')).toHaveLength(1);
  });
});

describe('the sessions', () => {
  const openSessions = async () => {
    await stub.start({ sessions: heldSessions, servers: [...firstStart.servers, production] });
    await page.getByRole('banner').getByRole('button').last().click();
    await page.getByRole('menuitem', { name: 'All sessions' }).click();
    await hasFocus(heading('All sessions'));
  };

  it('stand by server, and each has what can be done with it', async () => {
    await openSessions();
    const built = page.getByRole('region', { name: 'Built-in' });
    expect(await built.getByRole('listitem').count()).toBe(3);
    const other = page.getByRole('region', { name: 'Shop' }).getByRole('listitem');
    expect(await other.getByRole('button').count()).toBe(3);
    await button('Retry logout of carl@example.test').click();
    await expect.poll(() => stub.callsOf('sessions.revoke')).toEqual([{ id: 's4' }]);
    await button('More for ana@example.test').first().click();
    await page.getByRole('menuitem', { name: 'Check' }).click();
    await expect.poll(() => stub.callsOf('sessions.check')).toEqual([{ id: 's1' }]);
    await button('Show ana@example.test').first().click();
    await expect.poll(() => stub.callsOf('sessions.choose')).toEqual([{ id: 's1' }]);
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
  });

  it('say in their line that a server is asked, which can be cancelled and keeps nothing else from being done', async () => {
    await openSessions();
    await stub.answer('sessions.check', 'hold');
    const row = page
      .getByRole('listitem')
      .filter({ has: button('Show ana@example.test') })
      .first();
    const facts = row.getByRole('status');
    const known = await facts.innerText();
    await button('More for ana@example.test').first().click();
    await page.getByRole('menuitem', { name: 'Check' }).click();
    await expectText(facts, /^Checking with the server… Cancel$/);
    await button('Log out bea@example.test').click();
    await expect.poll(() => stub.callsOf('sessions.logout')).toHaveLength(1);
    await row.getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => stub.callsOf('session.cancel')).toHaveLength(1);
    await stub.release('sessions.check', { ok: false, error: { kind: 'cancelled' } });
    await expectText(facts, known);
    await hasFocus(row.getByRole('button', { name: 'Show ana@example.test' }));
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('give the focus to a neighbour of a session that was forgotten', async () => {
    await openSessions();
    await stub.answer('sessions.forget', {
      state: {
        ...firstStart,
        servers: [...firstStart.servers, production],
        sessions: heldSessions.slice(1),
      },
    });
    await button('More for ana@example.test').first().click();
    await page.getByRole('menuitem', { name: 'Forget' }).click();
    await hasFocus(button('Show bea@example.test'));
    await expect.poll(() => stub.callsOf('sessions.forget')).toEqual([{ id: 's1' }]);
  });

  it('say what went wrong in their line, until the next attempt', async () => {
    await openSessions();
    const row = page.getByRole('listitem').first();
    await stub.fails('sessions.check', { kind: 'offline' });
    await button('More for ana@example.test').first().click();
    await page.getByRole('menuitem', { name: 'Check' }).click();
    const alert = row.getByRole('alert');
    await hasFocus(alert);
    await stub.answer('sessions.check', { ok: true, value: null });
    await button('More for ana@example.test').first().click();
    await page.getByRole('menuitem', { name: 'Check' }).click();
    await alert.waitFor({ state: 'detached' });
    expect(await stub.callsOf('sessions.check')).toHaveLength(2);
  });
});
