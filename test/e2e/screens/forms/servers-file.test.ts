import { afterEach, beforeEach, expect, it } from 'vitest';
import { expectNoComplaints, hasFocus } from '../../../support/screens.ts';
import { firstStart, production, staging } from '../../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
beforeEach(() => page.setViewportSize({ width: 1000, height: 700 }));
afterEach(() => expectNoComplaints(stub));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const alert = () => page.locator('main').getByRole('alert');
const counts = { outcome: 'imported', added: 0, changed: 0, unchanged: 3, ended: 0, pendingLogouts: 0 } as const;

async function openPage() {
  await stub.start({ servers: [...firstStart.servers, staging, production] });
  await page.locator('[data-page=servers]').click();
  await page.getByRole('listbox').waitFor();
}

it('an import says what it added and changed, or that nothing differs, and nothing after a cancellation', async () => {
  await openPage();
  await button('Import…').click();
  await stub.answer('servers.importFile', { ok: true, value: { ...counts, added: 2, changed: 1 } });
  await button('Import…').click();
  await page.getByText('Servers added: 2, changed: 1, unchanged: 3.', { exact: true }).waitFor();
  await stub.answer('servers.importFile', { ok: true, value: { ...counts, changed: 1, ended: 2, pendingLogouts: 1 } });
  await button('Import…').click();
  await page.getByText(/unchanged: 3\. Sessions ended: 2\. Logouts not confirmed: 1;/).waitFor();
  await stub.answer('servers.importFile', { ok: true, value: counts });
  await button('Import…').click();
  await page.getByText('The servers match the file.').waitFor();
  expect(await alert().count()).toBe(0);
});

it('a file that cannot be used is one sentence, which takes the focus and goes with the next action', async () => {
  await openPage();
  const fault = { problem: 'unreadable', at: '', name: 'ENOENT' } as const;
  await stub.answer('servers.importFile', { ok: true, value: { outcome: 'refused', file: 'team.json', fault } });
  await button('Import…').click();
  await hasFocus(alert());
  expect(await alert().innerText()).toBe('The file of servers “team.json” cannot be used: it cannot be read (ENOENT).');
  await button('Import…').click();
  await alert().waitFor({ state: 'detached' });
});

it('the host of a production server is typed before its sessions end, and the file is not chosen again', async () => {
  await openPage();
  const { host } = new URL(production.baseUrl);
  await stub.fails('servers.importFile', { kind: 'production-not-confirmed', serverId: production.id, host });
  await button('Import…').click();
  await page.getByRole('dialog').getByRole('textbox').fill(host);
  await stub.answer('servers.importFile', { ok: true, value: { ...counts, changed: 1, ended: 1 } });
  await page.keyboard.press('Enter');
  await page.getByText(/Sessions ended: 1\./).waitFor();
  expect(await stub.callsOf('servers.importFile')).toEqual([{ again: false }, { again: true }]);
});
