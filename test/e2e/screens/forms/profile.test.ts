import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually, expectNoComplaints, hasFocus } from '../../../support/screens.ts';
import type { AppError } from '../../../../preload/contract/result.ts';
import { firstStart, heldSessions, signedIn } from '../../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
beforeEach(() => stub.start());
afterEach(() => expectNoComplaints(stub));

const button = (name: string) => page.getByRole('button', { name, exact: true });
const heading = (name: string) => page.getByRole('heading', { name, exact: true });

describe('the profile', () => {
  it('shows the known fields first, every other one as text, and no secret', async () => {
    await stub.start({ session: signedIn });
    await hasFocus(heading('Profile'));
    const terms = await page.getByRole('term').allInnerTexts();
    expect(terms).toEqual(['Name', 'Email', 'ID', 'created_at', 'address.city', 'bio', 'password_hash']);
    const text = await page.getByRole('main').innerText();
    expect(text).toContain('<img src=x onerror=alert(1)>');
    expect(text).toContain('hidden: the server sent a secret here');
    expect(text).toMatch(/Checked with the server at \d/);
  });

  it('asks the server again, and keeps the session when it does not answer', async () => {
    await stub.start({ session: signedIn });
    await stub.answer('sessions.check', 'hold');
    await button('Check again').click();
    const error = { kind: 'offline' } as const;
    await stub.change({ session: { ...signedIn, check: { state: 'unchecked', error } } });
    await stub.release('sessions.check', { ok: false, error });
    await page.getByText('Could not be checked: This computer has no network connection.').waitFor();
    // Main says it twice, with the state and with the answer. The screen says it once.
    await button('Check again').and(page.locator('[aria-busy=false]')).waitFor();
    expect(await page.getByText('This computer has no network connection.').count()).toBe(1);
    expect(await stub.callsOf('sessions.check')).toEqual([{ id: 's1' }]);
    expect(await page.getByText('Ana Prueba').count()).toBe(1);
    await hasFocus(button('Check again'));
  });

  it('shows who it was while the session is restored', async () => {
    await stub.start({ session: { step: 'restoring', sessionId: 's1', user: { name: 'Ana Prueba', rest: [] } } });
    await page.getByText('Checking with the server…').waitFor();
    expect(await page.getByText('Ana Prueba').count()).toBe(1);
    await stub.change({ session: { step: 'signed-out', notice: { kind: 'session-ended' } } });
    await hasFocus(page.getByRole('alert').filter({ hasText: 'Your session has ended' }));
  });

  it('logs out once, and says where that leads', async () => {
    await stub.start({ session: signedIn });
    await stub.answer('sessions.logout', 'hold');
    await button('Log out').press('Enter');
    await button('Log out').press('Enter');
    const session = { step: 'signed-out', notice: { kind: 'logged-out' } } as const;
    await stub.release('sessions.logout', { ok: true, value: { ...firstStart, revision: 9, session } });
    await hasFocus(page.getByRole('status').filter({ hasText: 'You are logged out.' }));
    expect(await heading('Log in').count()).toBe(1);
    expect(await stub.callsOf('sessions.logout')).toHaveLength(1);
  });

  it('says of a server without a logout that retrying does not help, wherever it is tried again', async () => {
    const error: AppError = { kind: 'unexpected', reason: 'operation-missing', status: 404 };
    const noHelp = page.getByText(/Notifying it again does not help/);
    await stub.start({
      session: { step: 'signed-out', notice: { kind: 'logged-out-no-way-to-tell', error } },
      sessions: heldSessions,
    });
    await page.getByText(/this server offers no logout/).waitFor();
    expect(await noHelp.count()).toBe(1);
    await stub.fails('sessions.revoke', error);
    await button('Notify again').click();
    await eventually(async () => expect(await noHelp.count()).toBe(2));

    await stub.start({ sessions: heldSessions });
    await button('Servers').click();
    await page.getByRole('menuitem', { name: 'Sessions' }).click();
    await stub.fails('sessions.revoke', error);
    await button('Notify again for carl@example.test').click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    expect(await page.getByRole('dialog').getByRole('alert').innerText()).toMatch(/Notifying it again does not help/);
  });
});
