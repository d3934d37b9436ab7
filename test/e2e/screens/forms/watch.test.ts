import { afterEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../../preload/contract/models.ts';
import { expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { firstStart, staging, watchedStaging } from '../../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const fold = () => page.locator('details').filter({ hasText: 'Llavero measures again and again' });
const password = () => fold().getByLabel('Password', { exact: true });

/** Opens the room of servers with staging in use, and its watch. */
async function open(settings: Partial<AppState['settings']> = { notifications: true }): Promise<AppState> {
  const state: AppState = {
    ...firstStart,
    servers: [...firstStart.servers, staging],
    activeServerId: staging.id,
    settings: { ...firstStart.settings, ...settings },
  };
  await stub.start(state);
  await page.keyboard.press('Alt+5');
  await page.locator('summary').filter({ hasText: 'Watch' }).click();
  return state;
}

async function fill(): Promise<void> {
  await fold().getByLabel('Email', { exact: true }).fill('ana@example.test');
  await password().fill('correct horse');
}

describe('the watch of a server', () => {
  it('begins with an account and a pace, and the password leaves the form; it ends with a press', async () => {
    const state = await open();
    await fill();
    await fold().getByLabel('How often, about').selectOption('1 hour');
    await stub.answer('watch.start', { ok: true, value: state });
    await button('Watch this server').click();
    const asked = { email: 'ana@example.test', password: 'correct horse', everyMinutes: 60, serverId: staging.id };
    await expect.poll(() => stub.callsOf('watch.start')).toEqual([asked]);
    await expect.poll(() => password().inputValue()).toBe('');

    await stub.change({ watches: [watchedStaging] });
    await seen(fold().getByText(/^Watched as /));
    await hasFocus(button('Stop watching'));
    await stub.answer('watch.stop', { ok: true, value: { ...state, revision: 50 } });
    await button('Stop watching').click();
    await expect.poll(() => stub.callsOf('watch.stop')).toEqual([{ serverId: staging.id }]);
    await hasFocus(button('Watch this server'));
  });

  it('leaves the focus where the person is when it ends by itself', async () => {
    await open();
    await stub.change({ watches: [watchedStaging] });
    await page.locator('[data-notes] textarea').focus();
    const ended = { step: 'ended', why: 'moved', at: '2026-11-22T08:00:00.000Z' } as const;
    await stub.change({ watches: [{ ...watchedStaging, state: ended }] });
    await seen(button('Watch this server'));
    await hasFocus(page.locator('[data-notes] textarea'));
  });

  it('says why it was refused, and keeps what was typed', async () => {
    await open();
    await fill();
    await stub.fails('watch.start', { kind: 'run-refused', problem: 'short-password' });
    await button('Watch this server').click();
    await expectText(page.getByRole('alert'), /password/);
    expect(await password().inputValue()).toBe('correct horse');
  });

  it('sends nothing while nobody would be told, and leads to the notifications', async () => {
    await open({ notifications: false });
    await fill();
    await password().press('Enter');
    await seen(fold().getByText('Notifications are off, so nothing would be told.'));
    await button('Turn notifications on').click();
    await expect.poll(() => stub.callsOf('settings.change')).toEqual([{ notifications: true }]);
    await stub.change({ settings: { ...firstStart.settings, notifications: true } });
    await hasFocus(button('Watch this server'));
    expect(await stub.callsOf('watch.start')).toEqual([]);
  });
});
