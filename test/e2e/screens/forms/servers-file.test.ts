import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ServersFilePreview } from '../../../../preload/contract/servers-file.ts';
import { expectNoComplaints, hasFocus } from '../../../support/screens.ts';
import { firstStart, production, staging } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
beforeEach(() => page.setViewportSize({ width: 1000, height: 700 }));
afterEach(() => expectNoComplaints(stub));

const file = '/home/ana/shop/llavero.servers.json';
const fromFile = { ...staging, name: 'staging', file: { path: file, name: 'staging' } };
const state = { servers: [...firstStart.servers, fromFile, production] };
const reading: ServersFilePreview = {
  readable: true,
  file,
  key: 'k1',
  added: [],
  changed: [
    {
      id: staging.id,
      name: 'staging',
      sessions: 1,
      changes: [{ what: 'address', from: 'http://a.test', to: 'http://b.test' }],
    },
  ],
  gone: [],
  same: 0,
};
const button = (name: string) => page.getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog', { name: 'Servers from a file' });

async function openPage(readings: ServersFilePreview[] = []) {
  await stub.start(state);
  await stub.answer('servers.rereadFiles', { ok: true, value: readings });
  await page.locator('[data-page=servers]').click();
  await page.getByRole('listbox').waitFor();
}

it('a file that is opened changes nothing before it is taken over, and leaving it takes nothing', async () => {
  await openPage();
  await stub.answer('servers.openFile', { ok: true, value: { reading } });
  await button('Import…').click();
  await dialog().waitFor();
  await hasFocus(button('Leave unchanged'));
  expect(await dialog().innerText()).toMatch(/Here: http:\/\/a\.test\s+In the file: http:\/\/b\.test/);
  await dialog().getByText('1 session ends.').waitFor();
  await button('Leave unchanged').click();
  await dialog().waitFor({ state: 'detached' });
  await expectNotAsked('servers.applyFile');
  await hasFocus(button('Import…'));
});

it('what is taken over is what was shown, and it is said that its sessions ended', async () => {
  await openPage([reading]);
  await button('Show').click();
  await stub.answer('servers.applyFile', { ok: true, value: { ended: 1, pendingLogouts: 0 } });
  await button('Apply').click();
  await dialog().waitFor({ state: 'detached' });
  expect(await stub.callsOf('servers.applyFile')).toEqual([{ key: 'k1' }]);
  await page.getByText('Sessions logged out at the old address: 1.').waitFor();
  // It was read again, and says nothing else any more.
  await button('Show').waitFor({ state: 'detached' });
});

it('a refusal says why in the dialog, which stays', async () => {
  await openPage([reading]);
  await button('Show').click();
  await stub.fails('servers.applyFile', { kind: 'not-now' });
  await button('Apply').click();
  expect(await dialog().getByRole('alert').innerText()).not.toBe('');
  await button('Leave unchanged').click();
  await page.getByRole('alert').waitFor({ state: 'detached' });
});

it('a server says which file it came from, is compared with it on demand, and can be made the person’s own', async () => {
  await openPage();
  await page.getByRole('option', { name: /^staging .*from a file/ }).click();
  await page.getByText(file).waitFor();
  await stub.answer('servers.rereadFiles', {
    ok: true,
    value: [{ readable: false, file, fault: { problem: 'unreadable', at: '', name: 'ENOENT' } }],
  });
  await button('Compare with the file').click();
  await dialog().getByText('it cannot be read (ENOENT)').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await button('Detach from file').click();
  await expect.poll(() => stub.callsOf('servers.detachFromFile')).toEqual([{ id: staging.id }]);
});
