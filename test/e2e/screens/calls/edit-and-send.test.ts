import { afterEach, describe, expect, it } from 'vitest';
import { callsPage, withSeveralServers } from '../../../support/calls-page.ts';
import { expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { someCalls } from '../../../support/stub-main/calls.ts';
import { firstStart } from '../../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const { list, option, details } = callsPage(() => stub);

describe('edit and send', () => {
  const inDetails = (name: string) => details().getByRole('button', { name, exact: true });
  const field = (name: string) => details().getByRole('textbox', { name, exact: true });
  const asked = () => stub.callsOf('calls.replay');
  const password = { secret: 'password', id: 'p1' };

  async function openEdit() {
    await stub.start(withSeveralServers, someCalls);
    await page.keyboard.press('Control+e');
    await option('/auth/login').click();
    await inDetails('Edit and send…').click();
    await hasFocus(details().getByRole('heading', { level: 2 }));
  }

  it('shows the request with the names of its secrets, and says where it goes and at what pace', async () => {
    await openEdit();
    await expectText(details().getByRole('heading', { level: 2 }), /^Edit and send from the request of /);
    expect(await field('Path').inputValue()).toBe('/api/v1/auth/login');
    expect(await field('Body').inputValue()).toBe('{\n  "email": "ana@example.test",\n  "password": "‹password 1›"\n}');
    await seen(details().getByText('Sent only to shop.example.test.'));
    await seen(details().getByText('Llavero fills in ‹password 1› when sending. Type over it to change it.'));
    await seen(details().getByText('Limited to 5 requests per second for this server.'));
  });

  it('sends what was edited, and the new call is on top and looked at', async () => {
    await openEdit();
    await details().getByRole('combobox', { name: 'Method', exact: true }).selectOption('PUT');
    await field('Path').fill('/api/v1/auth/registro');
    await inDetails('Add').click();
    await hasFocus(field('Header name').last());
    await page.keyboard.type('X-Trace');
    await field('Value of X-Trace').fill('lucia-1');
    await field('Body').fill((await field('Body').inputValue()).replace('ana@', 'Ana@'));
    expect(await details().getByText('1 change', { exact: true }).count()).toBe(2);
    await details().getByRole('radio', { name: 'Form', exact: true }).check();
    await inDetails('Send').click();
    await hasFocus(details().getByRole('heading', { level: 2, name: /POST .*login/ }));
    await seen(details().getByText('Replay: Edited'));
    await seen(list().getByRole('option', { selected: true, name: /Replay: Edited/ }));
    expect(await list().getByRole('option').first().getAttribute('aria-selected')).toBe('true');
    expect(await asked()).toEqual([
      {
        id: 'login',
        request: {
          method: 'PUT',
          path: ['/api/v1/auth/registro'],
          headers: [
            { name: 'Accept', value: ['application/json'] },
            { name: 'Content-Type', value: ['application/x-www-form-urlencoded'] },
            { name: 'X-Trace', value: ['lucia-1'] },
          ],
          body: ['{\n  "email": "Ana@example.test",\n  "password": "', password, '"\n}'],
        },
      },
    ]);
  });

  it('keeps what was typed where main refuses it, marks the place, and undoes it when asked to', async () => {
    await openEdit();
    await inDetails('Add').click();
    await page.keyboard.type('Host');
    await stub.fails('calls.replay', { kind: 'invalid-header', row: 2, problem: 'name-taken', name: 'Host' });
    await inDetails('Send').click();
    await seen(details().getByText(/^Llavero or the connection sets the header Host\./));
    expect(await field('Header name').last().getAttribute('aria-invalid')).toBe('true');
    await field('Path').fill('//evil.example');
    await stub.fails('calls.replay', { kind: 'not-replayable', problem: 'unsafe-path' });
    await page.keyboard.press('Enter');
    await seen(details().getByText(/^This path leads outside the server’s address\./));
    expect(await field('Path').getAttribute('aria-invalid')).toBe('true');
    expect(await field('Header name').last().inputValue()).toBe('Host');
    await inDetails('Undo changes').click();
    expect(await field('Path').inputValue()).toBe('/api/v1/auth/login');
    expect(await field('Header name').count()).toBe(2);
    await page.keyboard.press('Escape');
    await hasFocus(details().getByRole('heading', { level: 2, name: /POST .*login/ }));
  });

  it('asks before it ends a session at the server, and for secrets that are gone', async () => {
    await openEdit();
    await field('Path').fill('/api/v1/auth/salir');
    await inDetails('Send').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).click();
    expect(await asked()).toEqual([]);
    await field('Path').fill('/api/v1/auth/login');
    await stub.answer('calls.replay', {
      ok: true,
      value: { outcome: 'secrets-missing', missing: [{ secret: 'password', id: 'p1' }] },
    });
    await inDetails('Send').click();
    await page.getByLabel('‹password 1›', { exact: true }).fill('typed by hand');
    await page.keyboard.press('Enter');
    await seen(details().getByText('Replay: Edited'));
    expect((await asked()).at(-1)).toMatchObject({ secrets: { p1: 'typed by hand' }, request: { method: 'POST' } });
    expect(await page.content()).not.toContain('typed by hand');
  });

  it('copies what was edited as a command', async () => {
    await openEdit();
    await field('Path').fill('/x');
    await stub.answer('calls.copy', { ok: true, value: { copied: true, missing: 0 } });
    await inDetails('Copy as').click();
    await page.getByRole('menuitem').first().click();
    await expect
      .poll(() => stub.callsOf('calls.copy'))
      .toMatchObject([{ id: 'login', request: { path: ['/x'], method: 'POST' } }]);
  });

  it('is not offered while the person presents, since the emails of the request are masked', async () => {
    await stub.start({ ...withSeveralServers, settings: { ...firstStart.settings, presenting: true } }, someCalls);
    await page.keyboard.press('Control+e');
    await option('/auth/login').click();
    await seen(inDetails('Send again'));
    expect(await inDetails('Edit and send…').count()).toBe(0);
  });
});
