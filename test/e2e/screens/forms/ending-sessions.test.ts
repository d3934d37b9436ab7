import { afterEach, describe, expect, it } from 'vitest';
import type { SessionInfo } from '../../../../preload/contract/models.ts';
import { layoutShift } from '../../../support/layout-shift.ts';
import { eventually, expectNoComplaints, hasFocus, seen } from '../../../support/screens.ts';
import { someCalls } from '../../../support/stub-main/calls.ts';
import { firstStart, heldSessions, production, signedIn } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const main = () => page.getByRole('main');
const first = heldSessions[0]!;

/** Sixty sessions with long names, of which some end in seconds, minutes, hours and days, and some at a time unknown. */
function sixty(): SessionInfo[] {
  const inSeconds = [118, 119, 121, 125, 3601, 7300, 90_000, -10, undefined, 59];
  return Array.from({ length: 60 }, (_, index) => {
    const seconds = inSeconds[index % inSeconds.length];
    const at = seconds === undefined ? '' : new Date(Date.now() + seconds * 1000).toISOString();
    const end = { at, by: 'expires_at', in: 'answer' } as const;
    const long = `${'a-very-long-name-of-an-account'.repeat(3)}${index}`;
    return {
      ...first,
      id: `long-${index}`,
      account: `${long}@example.test`,
      name: long,
      end: at === '' ? undefined : end,
    };
  });
}

async function openSessions(sessions: readonly SessionInfo[]) {
  await stub.start({ servers: [...firstStart.servers, production], session: signedIn, sessions: [...sessions] });
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem', { name: /^All sessions/ }).click();
  await hasFocus(page.getByRole('heading', { name: 'All sessions', exact: true }));
}

describe('the time that is left of sessions', () => {
  it.each([1200, 480])('is counted at a width of %d without moving anything', async (width) => {
    await page.setViewportSize({ width, height: 640 });
    await openSessions(sixty());
    const left = () =>
      main()
        .getByText(/^Expires in \d+ seconds$/)
        .first()
        .innerText();
    const counted = await layoutShift(page);
    for (let second = 0; second < 2; second += 1) {
      const before = await left();
      await eventually(async () => expect(await left()).not.toBe(before));
    }
    expect(await layoutShift(page)).toEqual(counted);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.setViewportSize({ width: 1200, height: 800 });
  });
});

describe('a session that ends soon', () => {
  const soon = { ...first, expiryState: 'soon' as const };

  it('masks the account that it asks for while others look on', async () => {
    const settings = { ...firstStart.settings, presenting: true };
    await stub.start({ session: signedIn, sessions: [soon], settings });
    await button('Session expires soon').click();
    await button('Log in again').click();
    await seen(page.getByRole('dialog', { name: /^Log in again as .•••@/ }));
  });

  it('can be started again from the status bar, and what was typed outlives the session and a wrong password', async () => {
    await stub.start({ session: signedIn, sessions: [soon] }, someCalls);
    await page.keyboard.press('Alt+2');
    const search = page.getByRole('textbox', { name: 'Search requests', exact: true });
    await search.fill('what I was looking for');
    await button('Session expires soon').click();
    await button('Log in again').click();
    const dialog = page.getByRole('dialog', { name: /Log in again as/ });
    const password = dialog.getByLabel('Password', { exact: true });
    await hasFocus(password);
    await password.fill('correct horse');
    await stub.change({
      session: { step: 'signed-out', notice: { kind: 'session-ended', at: '2026-11-22T10:41:00.000Z' } },
      sessions: [],
    });
    await eventually(async () => expect(await button('Session expires soon').count()).toBe(0));
    expect(await password.inputValue()).toBe('correct horse');
    await stub.fails('sessions.logInAgain', { kind: 'unauthenticated', message: 'No.' });
    await password.press('Enter');
    await dialog.getByRole('alert').waitFor();
    expect(await password.inputValue()).toBe('correct horse');
    await password.press('End');
    await password.pressSequentially(' battery');
    await password.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const asked = { serverId: first.serverId, email: first.account, remember: true };
    expect(await stub.callsOf('sessions.logInAgain')).toEqual([
      { ...asked, password: 'correct horse' },
      { ...asked, password: 'correct horse battery' },
    ]);
    expect(await search.inputValue()).toBe('what I was looking for');
  });
});

describe('log out everywhere', () => {
  const waiting = {
    ...first,
    id: 'away',
    account: 'away@example.test',
    state: 'to-revoke',
    logoutPending: true,
  } as const;

  it('is asked about, says how many servers know of it, and a row that is told later stays where it was', async () => {
    await openSessions([first, waiting, heldSessions[1]!]);
    await button('Log out of all accounts here').click();
    await hasFocus(button('Keep the sessions'));
    await seen(page.getByRole('dialog').getByText(/^2 sessions on \d servers?\./));
    await page.keyboard.press('Escape');
    await expectNotAsked('sessions.logoutEverywhere');
    await hasFocus(button('Log out of all accounts here'));
    await button('Log out of all accounts here').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out of all accounts here' }).click();
    await page.getByText('Logged out and confirmed by the server: 18. Not confirmed: 2.').waitFor();

    const rows = () =>
      main()
        .locator('[data-line]')
        .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().top));
    const before = await rows();
    await page
      .getByRole('button', { name: /logout of away@example.test/ })
      .first()
      .focus();
    await stub.change({ sessions: [first, heldSessions[1]!] });
    await main().getByText('Logged out here and on the server.').waitFor();
    expect(await rows()).toEqual(before);
    expect(await page.getByRole('button', { name: /logout of away@example.test/ }).count()).toBe(0);
    await hasFocus(main().locator('[data-line=away]'));
  });

  it('is asked about from the palette too, in every page, also a second time', async () => {
    await openSessions([first]);
    for (const keys of ['Alt+1', 'Alt+5', 'Escape']) {
      await page.keyboard.press(keys);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search or run' }).fill('all accounts here');
      await page.keyboard.press('Enter');
      await hasFocus(button('Keep the sessions'));
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await expectNotAsked('sessions.logoutEverywhere');
  });

  it('is told of in the form, in one notice that tells the server and gives the focus to the first empty field', async () => {
    await stub.start({ sessions: [waiting, { ...waiting, id: 'other', account: 'other@example.test' }] });
    await seen(main().getByText('Logged out on this computer only.'));
    // Nothing else says so while the form does.
    expect(await page.getByRole('contentinfo').getByText('Logout not confirmed').count()).toBe(0);
    await button('Why?').click();
    await seen(main().getByText(/Logout of away@example\.test not confirmed/));
    await stub.fails('sessions.revoke', { kind: 'offline' });
    await button('Retry logout').click();
    await seen(main().getByText('The server has still not confirmed the logout.'));
    await stub.answer('sessions.revoke', { state: { ...firstStart, sessions: [] } });
    await button('Retry logout').press('Enter');
    await seen(main().getByText('The server accepted the logout.'));
    await hasFocus(page.getByLabel('Email', { exact: true }));
    expect(await button('Retry logout').count()).toBe(0);
  });
});
