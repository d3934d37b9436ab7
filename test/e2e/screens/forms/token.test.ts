import { afterEach, describe, expect, it } from 'vitest';
import { expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';
import { firstStart, heldSessions, signedIn } from '../../../support/stub-main/states.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const card = () => page.getByRole('region', { name: 'Token', exact: true });
const inCard = (name: string) => card().getByRole('button', { name, exact: true });
const dialog = () => page.getByRole('dialog', { name: 'Use a token', exact: true });
const field = () => dialog().getByLabel('Token', { exact: true });

describe('the token of a session', () => {
  const open = () => stub.start({ session: signedIn, sessions: heldSessions });

  it('says its claims once asked, and that nobody verified them', async () => {
    await open();
    await inCard('Content').click();
    await seen(card().getByText('Not verified', { exact: true }));
    await expectText(card().locator('dl'), /Issuer\s*iss\s*https:\/\/shop\.example\.test/);
    await expectText(card().locator('dl'), /Audience\s*aud\s*shop-web/);
    expect(await inCard('Content').getAttribute('aria-expanded')).toBe('true');
    expect(await stub.callsOf('sessions.token')).toEqual([{ id: signedIn.sessionId }]);
    await inCard('Content').click();
    expect(await card().locator('dl').count()).toBe(0);
  });

  it('is copied by main, alone or as a header, and what came of it is said', async () => {
    await open();
    await inCard('Copy token…').click();
    await seen(page.getByText('Token in the clipboard for 30 seconds.'));
    await stub.answer('sessions.copyToken', { ok: true, value: { copied: false } });
    await inCard('Copy as header…').click();
    await seen(page.getByText('Nothing copied.'));
    const { sessionId: id } = signedIn;
    expect(await stub.callsOf('sessions.copyToken')).toEqual([
      { id, as: 'token' },
      { id, as: 'header' },
    ]);
    await stub.fails('sessions.token', { kind: 'token-unreadable' });
    await inCard('Content').click();
    await seen(card().getByRole('alert'));
  });

  it('is not there in the Simple face, nor is the way to use one', async () => {
    const settings = { ...firstStart.settings, workbench: false };
    await stub.start({ session: signedIn, sessions: heldSessions, settings });
    await seen(page.getByRole('region', { name: 'Session', exact: true }));
    expect(await card().count()).toBe(0);
    await stub.start({ settings });
    expect(await page.getByRole('button', { name: 'Use a token…' }).count()).toBe(0);
  });
});

describe('a pasted token', () => {
  it('can be pasted while the server is asked about the session that there is', async () => {
    const user = { name: 'Ana Prueba', rest: [] };
    await stub.start({ session: { step: 'restoring', sessionId: 's1', user }, sessions: heldSessions });
    await inCard('Use another token…').click();
    await field().fill('3|of-another-account');
    await stub.change({ session: signedIn });
    await seen(page.getByText(/^Checked/));
    expect(await field().inputValue()).toBe('3|of-another-account');
  });

  it('is typed in a field for secrets, goes to main once, and what the server says of it is beside it', async () => {
    await stub.start();
    await page.getByRole('button', { name: 'Use a token…', exact: true }).click();
    await hasFocus(field());
    expect(await field().getAttribute('type')).toBe('password');
    await page.keyboard.press('Enter');
    await seen(dialog().getByText('Paste the token.'));
    await field().fill('eyJ.a.b');
    await stub.fails('session.adoptToken', {
      kind: 'unexpected',
      reason: 'pasted-token-refused',
      message: 'No such token.',
    });
    await page.keyboard.press('Enter');
    await expectText(dialog().getByRole('alert'), /did not accept the pasted text/);
    await dialog().getByRole('button', { name: 'Why?' }).click();
    await seen(dialog().getByText(/No such token\./));
    expect(await field().inputValue()).toBe('eyJ.a.b');
    await stub.answer('session.adoptToken', { state: { ...firstStart, session: signedIn, sessions: heldSessions } });
    await dialog().getByRole('button', { name: 'Use token', exact: true }).click();
    await dialog().waitFor({ state: 'detached' });
    await seen(card());
    expect(await stub.callsOf('session.adoptToken')).toEqual([{ token: 'eyJ.a.b' }, { token: 'eyJ.a.b' }]);
    expect(await page.content()).not.toContain('eyJ.a.b');
  });
});
