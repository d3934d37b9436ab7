import { afterEach, describe, expect, it } from 'vitest';
import { expectNoComplaints, hasFocus, seen } from '../../../support/screens.ts';
import { demoSession, signedIn } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';
import {
  answerButton,
  button,
  openAt,
  question,
  region,
  rows,
  says,
  tab,
  toasts,
} from '../../../support/built-in-page.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

describe('the tables', () => {
  it('show 500 accounts in pages, with names of every kind as text', async () => {
    await openAt('People');
    await says('1–50 of 500');
    await says('<script>alert(1)</script>');
    expect(await rows().count()).toBe(51);
    // A name of 255 letters takes two lines, and no more of the width than the table has.
    const long = await rows().nth(3).boundingBox();
    expect(long!.height).toBeLessThan(80);
    for (let turn = 0; turn < 9; turn += 1) await button('Next').click();
    await says('451–500 of 500');
    await says('person.500@example.test');
    await button('Next').press('Enter');
    expect(await button('Next').getAttribute('aria-disabled')).toBe('true');
    await expect.poll(() => stub.callsOf('builtIn.accounts')).toHaveLength(10);
  });

  it('are one stop of the Tab key, and arrows lead through their rows', async () => {
    await openAt('Sessions');
    await seen(button('Revoke token 41'));
    const row = (id: number) => rows().filter({ hasText: `person.${id}@example.test` });
    await button('End all sessions').focus();
    await page.keyboard.press('Tab');
    await hasFocus(row(41));
    await page.keyboard.press('ArrowDown');
    await hasFocus(row(42));
    await page.keyboard.press('End');
    await hasFocus(row(43));
    await page.keyboard.press('ArrowDown');
    await hasFocus(row(43));
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await hasFocus(button('Expire token 42 now'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    expect(
      await region()
        .getByRole('grid')
        .evaluate((table) => table.contains(document.activeElement)),
    ).toBe(false);
    await page.keyboard.press('Shift+Tab');
    await hasFocus(button('Revoke token 42'));
  });

  it('offer to sign in as the seeded accounts alone, and give way to the account', async () => {
    await openAt('People');
    const signIn = (number: number) => button(`Log in as person.${number}@example.test`);
    await seen(signIn(1));
    expect(await signIn(2).count()).toBe(0);
    await stub.answer('demo.logInAs', 'hold');
    await signIn(1).click();
    await says('Logging in…');
    await stub.release('demo.logInAs', { ok: false, error: { kind: 'not-seeded' } });
    await hasFocus(region().getByRole('alert'));
    await says('Llavero does not have the password of this account.');

    await stub.answer('demo.logInAs', 'hold');
    await signIn(1).focus();
    await page.keyboard.press('Enter');
    await says('Logging in…');
    await stub.change({ sessions: [demoSession], session: signedIn });
    await stub.release('demo.logInAs', { ok: true, value: null });
    await region().waitFor({ state: 'detached' });
    await hasFocus(page.getByRole('main').getByRole('heading', { level: 1 }));
    await expect.poll(() => stub.callsOf('demo.logInAs')).toEqual([{ id: 1 }, { id: 1 }]);
  });

  it('lead from the people to where others are made up', async () => {
    await openAt('People');
    await button('Made-up people…').click();
    await says('Replace everything with');
    expect(await tab('Data').getAttribute('aria-selected')).toBe('true');
    await hasFocus(tab('Data'));
  });

  it('end sessions one by one and all together, after a question', async () => {
    await openAt('Sessions');
    await says('expired');
    await button('Expire token 42 now').click();
    await toasts('Token 42 expired. The next request with it will be rejected.');
    await hasFocus(button('Expire token 42 now'));
    // It has the focus still, and there is nothing more to expire.
    await expect.poll(() => button('Expire token 42 now').getAttribute('aria-disabled')).toBe('true');
    await button('End all sessions').click();
    await hasFocus(answerButton('Keep sessions'));
    expect(await question().innerText()).toContain('This cannot be undone.');
    await page.keyboard.press('Enter');
    await hasFocus(button('End all sessions'));
    await expectNotAsked('builtIn.revokeAllTokens');
    await page.keyboard.press('Enter');
    await hasFocus(answerButton('Keep sessions'));
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await toasts('Sessions ended: 3');
    await says('Nobody is logged in.');
    await hasFocus(button('Refresh'));
  });

  it('show requests as they come, with what was done to them', async () => {
    await openAt('Requests');
    await seen(rows().nth(3));
    const cells = await rows().nth(2).getByRole('gridcell').allInnerTexts();
    expect(cells.slice(1)).toEqual(['GET /api/v1/auth/perfil', 'no response', '812 ms', 'Latency, Connection reset']);
    expect(await rows().nth(1).innerText()).toContain('GET, no such path');
    const asked = (await stub.callsOf('builtIn.requests')).length;
    await stub.app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]!.webContents.send('builtIn.requested', null),
    );
    await expect.poll(() => stub.callsOf('builtIn.requests')).toHaveLength(asked + 1);
    await button('Clear').click();
    await says(/^No requests yet/);
  });

  it('say why they could not be read', async () => {
    await stub.start();
    await stub.fails('builtIn.accounts', { kind: 'database-unavailable', reason: 'locked' });
    await page.keyboard.press('Control+b');
    await tab('People').click();
    await says('Another program is using the database of the built-in server.');
    expect(await region().getByRole('grid').count()).toBe(0);
  });
});

describe('the data', () => {
  it('is replaced after a question, and restored once', async () => {
    await openAt('Data');
    await says('Accounts now: 500');
    await button('Replace everything…').click();
    await seen(question().getByText(/Accounts to be removed: 500/));
    await hasFocus(answerButton('Keep accounts'));
    await page.keyboard.press('Enter');
    await expectNotAsked('builtIn.reset');
    await region().getByLabel('Empty').check();
    await region().getByLabel('People seed').fill('9');
    await button('Replace everything…').click();
    await answerButton('Replace now').click();
    await toasts('Replaced. Accounts now: 0');
    await expect.poll(() => stub.callsOf('builtIn.reset')).toEqual([{ set: 'empty', seed: 9 }]);
    // Nothing is asked where nothing would be lost.
    await region().getByLabel('Three people').check();
    await button('Replace everything…').click();
    await toasts('Replaced. Accounts now: 3');

    await button('Undo').click();
    await toasts('Undone. Accounts now: 0');
    expect(await button('Undo').getAttribute('aria-disabled')).toBe('true');
  });

  it('stays as it was when no copy could be kept, with the reason', async () => {
    await openAt('Data');
    await stub.fails('builtIn.reset', { kind: 'copy-failed', reason: 'unwritable' });
    await button('Replace everything…').click();
    await answerButton('Replace now').click();
    await hasFocus(region().getByRole('alert'));
    await says('Llavero could not save a copy, so nothing was changed.');
    await says('Accounts now: 500');
    expect(await button('Undo').getAttribute('aria-disabled')).toBe('true');
  });
});
