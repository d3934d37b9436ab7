import { afterEach, describe, expect, it } from 'vitest';
import type { RecordedCall, ReplayOutcome } from '../../../../preload/contract/calls.ts';
import type { Result } from '../../../../preload/contract/result.ts';
import { callsPage, withSeveralServers } from '../../../support/calls-page.ts';
import { expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { someCalls, someLogout } from '../../../support/stub-main/calls.ts';
import { heldSessions, production } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const { list, option, button, details, count, heading } = callsPage(() => stub);

describe('a replay', () => {
  const [login] = someCalls;
  const recorded = login!.recorded!;
  const sent = (part: Partial<RecordedCall> = {}): Result<ReplayOutcome> => ({
    ok: true,
    value: { outcome: 'sent', call: { ...recorded, id: 'again', replayOf: { id: 'login' }, ...part } },
  });
  /** A button of the call that is looked at, or of the comparison that is shown instead. */
  const article = (name: string) => page.getByRole('main').getByRole('button', { name, exact: true });
  const comparison = () => page.getByRole('region', { name: 'Resent', exact: true });
  const compared = (part: string) => comparison().getByRole('group', { name: part, exact: true });
  /** What is said of a comparison to those who do not see it. */
  const said = () => page.locator('#calls > output');
  const sendAgain = () => details().getByRole('button', { name: 'Send again', exact: true });
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const signedIn = { ...withSeveralServers, sessions: heldSessions };

  async function openLogin(calls = someCalls) {
    await stub.start(signedIn, calls);
    await page.keyboard.press('Control+e');
    await option('/auth/login').click();
    await sendAgain().waitFor();
  }

  it('is sent with the keys, and its answer opens beside the original with the differences marked', async () => {
    await openLogin();
    const response: RecordedCall['response'] = {
      ...recorded.response!,
      status: 401,
      headers: [...recorded.response!.headers.slice(0, 1), ['X-New', ['1']], ['Date', ['later']]],
      body: {
        form: 'text',
        text: ['{"error":true,"datos":{"access_token":"', { secret: 'token', id: 'z' }, '"}}'],
        bytes: 60,
      },
    };
    await stub.answer('calls.replay', sent({ response }));
    await sendAgain().focus();
    await page.keyboard.press('Enter');
    await hasFocus(comparison().getByRole('heading', { level: 1, name: 'Resent' }));
    await expect.poll(() => stub.callsOf('calls.replay')).toEqual([{ id: 'login' }]);
    await expectText(said(), /^Response: 401\. Different lines: \d+$/);
    await seen(comparison().getByText('401, was 200', { exact: true }));
    const [original, replay] = [
      comparison().getByRole('region', { name: 'Original', exact: true }),
      comparison().getByRole('region', { name: 'Replay', exact: true }),
    ];
    // The difference is said in words for those who hear it, and in signs for those who see it.
    expect(await original.innerText()).toMatch(/≠\s*Changed: ?\s*HTTP\/1\.1 200/);
    expect(await replay.innerText()).toMatch(/≠\s*Changed: ?\s*HTTP\/1\.1 401/);
    expect(await replay.innerText()).toMatch(/\+\s*Only here: ?\s*X-New: 1/);
    expect(await original.innerText()).toMatch(/−\s*Only here: ?\s*"numero"/);
    expect(await replay.innerText()).toMatch(/~\s*Changes every time: ?\s*Date: later/);
    expect(await replay.innerText()).toMatch(/"access_token": "‹token \d›"\s+another token/);
    const [left, right] = [(await original.boundingBox())!, (await replay.boundingBox())!];
    expect(right.x).toBeGreaterThan(left.x + left.width - 1);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(700);

    await comparison().getByRole('radio', { name: 'Request', exact: true }).check();
    await expectText(compared('Request'), /POST \/api\/v1\/auth\/login HTTP\/1\.1/);
    await comparison().getByRole('radio', { name: 'Timing', exact: true }).check();
    await expectText(compared('Timing'), /Total 152 ms/);
    await comparison().getByRole('button', { name: 'Back to the request' }).click();
    await hasFocus(details().getByRole('heading', { level: 2 }));
  });

  it('is in the list, says that it was sent again, and opens beside its original later', async () => {
    await openLogin();
    await sendAgain().click();
    await expectText(said(), /^Response: 200\. Same as the original\.$/);
    const replayed = list().getByRole('option', { name: /^POST \/api\/v1\/auth\/login, .*, Resent$/ });
    await comparison().getByRole('button', { name: 'Back to the request' }).click();
    await expectText(count(), /^Found: 8$/);
    await expectText(replayed, /Resent/);
    await replayed.click();
    await seen(details().getByText('Resent', { exact: true }));
    await article('Compare').click();
    await item('With the original').click();
    await hasFocus(comparison().getByRole('heading', { level: 1 }));
    expect((await stub.callsOf('calls.get')).at(-1)).toEqual({ id: 'login' });
  });

  it('is sent once, however often it is pressed, and can be cancelled', async () => {
    await openLogin();
    await stub.answer('calls.replay', 'hold');
    await sendAgain().evaluate((node: HTMLElement) => {
      node.click();
      node.click();
    });
    await expectText(said(), /^Sending…$/);
    await article('Sending…').press('Enter');
    await article('Cancel the replay').click();
    await expect.poll(() => stub.callsOf('calls.cancelReplay')).toHaveLength(1);
    const { response: _none, ...unanswered } = recorded;
    const call = { ...unanswered, id: 'again', failure: { kind: 'cancelled' } as const, replayOf: { id: 'login' } };
    await stub.release('calls.replay', { ok: true, value: { outcome: 'sent', call } });
    await seen(comparison().getByText('Cancelled.'));
    await expectText(said(), /^No response: cancelled\.$/);
    await expect.poll(() => stub.callsOf('calls.replay')).toHaveLength(1);
    expect(await article('Cancel the replay').count()).toBe(0);
  });

  it('asks for secrets that are gone, hands them to main, and keeps them nowhere on the page', async () => {
    await openLogin();
    const password = { secret: 'password' as const, id: 'p1' };
    await stub.answer('calls.replay', { ok: true, value: { outcome: 'secrets-missing', missing: [password] } });
    await stub.answer('calls.replay', sent());
    await sendAgain().click();
    const field = page.getByLabel('‹password 1›', { exact: true });
    await hasFocus(field);
    expect(await field.getAttribute('type')).toBe('password');
    await expectText(page.getByRole('dialog'), /is sent to shop\.example\.test/);
    await button('Send').click();
    await expect.poll(() => stub.callsOf('calls.replay')).toHaveLength(1);
    await field.fill('typed by hand');
    await page.keyboard.press('Enter');
    await hasFocus(comparison().getByRole('heading', { level: 1 }));
    expect((await stub.callsOf('calls.replay'))[1]).toEqual({
      id: 'login',
      secrets: { p1: 'typed by hand' },
    });
    expect(await page.content()).not.toContain('typed by hand');
    expect(await field.count()).toBe(0);
  });

  it('of a logout says before that it ends the session at the server', async () => {
    await stub.start(signedIn, [someLogout]);
    await page.keyboard.press('Control+e');
    await option('/auth/salir').click();
    await sendAgain().click();
    await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectNotAsked('calls.replay');
    await sendAgain().click();
    await button('Send request').click();
    await hasFocus(comparison().getByRole('heading', { level: 1 }));
    await expect.poll(() => stub.callsOf('calls.replay')).toHaveLength(1);
  });

  it('on production waits for its host, and says in words why it cannot be made', async () => {
    await openLogin();
    const host = 'shop.example.test';
    await stub.fails('calls.replay', { kind: 'production-not-confirmed', serverId: production.id, host });
    await sendAgain().click();
    await page.getByRole('dialog').getByLabel('Host', { exact: true }).fill(host);
    await button('Send').click();
    await hasFocus(comparison().getByRole('heading', { level: 1 }));
    await expect.poll(() => stub.callsOf('servers.confirmProduction')).toEqual([{ id: production.id, host }]);

    const refused = page.getByRole('alert').filter({ hasText: 'The server’s address is no longer the one' });
    await stub.fails('calls.replay', { kind: 'not-replayable', problem: 'other-address' });
    await comparison().getByRole('button', { name: 'Send again', exact: true }).click();
    await hasFocus(refused);
    await page.keyboard.press('Escape');
    await refused.waitFor({ state: 'detached' });
    await stub.fails('calls.editableRequest', { kind: 'not-replayable', problem: 'other-address' });
    await article('Edit and send…').click();
    await hasFocus(refused);
  });

  it('is left by an Escape that comes before its heading has the focus', async () => {
    await openLogin();
    await sendAgain().click();
    await seen(comparison());
    await page.keyboard.press('Escape');
    await comparison().waitFor({ state: 'detached' });
  });

  it('is made once more out of its comparison', async () => {
    await openLogin();
    await sendAgain().click();
    await seen(page.getByRole('heading', { name: 'Resent' }));
    await comparison().getByRole('button', { name: 'Send again', exact: true }).click();
    await expect.poll(() => stub.callsOf('calls.replay')).toEqual([{ id: 'login' }, { id: 'login' }]);
    await hasFocus(comparison().getByRole('heading', { level: 1 }));
  });
});

describe('any two calls', () => {
  const comparison = () => page.getByRole('region', { name: 'Comparison of two requests', exact: true });
  const side = (name: string) => comparison().getByRole('region', { name, exact: true });
  const later = someCalls.map(({ summary, recorded }, index) => {
    const startedAt = `2026-11-20T09:0${9 - index}:00.000Z`;
    const moved = Object.assign({}, summary, { startedAt });
    return recorded ? { summary: moved, recorded: Object.assign({}, recorded, { startedAt }) } : { summary: moved };
  });

  async function startPicking() {
    await stub.start(withSeveralServers, later);
    await page.keyboard.press('Control+e');
    await option('/auth/login').click();
    await details().getByRole('button', { name: 'Compare with…', exact: true }).click();
    await seen(page.getByText('Choose the request to compare with POST /api/v1/auth/login.', { exact: true }));
    await hasFocus(list());
  }

  it('are compared after the second one is picked in the list, the earlier one first', async () => {
    await startPicking();
    await list().press('ArrowDown');
    await list().press('ArrowDown');
    await list().press('Enter');
    await hasFocus(heading());
    expect(await heading().innerText()).toBe('Comparison of two requests');
    await expectText(page.locator('#calls > output'), /^Later response: 200\. Lines that differ: \d+$/);
    await expectText(side('Later request'), /≠\s*Changed: ?\s*HTTP\/1\.1 200/);
    await expectText(side('Earlier request'), /≠\s*Changed: ?\s*HTTP\/1\.0 200/);
    await comparison().getByRole('radio', { name: 'Request', exact: true }).check();
    await expectText(side('Earlier request'), /≠\s*Changed: ?\s*GET \/api\/v1\/auth\/perfil HTTP\/1\.1/);
    await page.keyboard.press('Escape');
    await hasFocus(details().getByRole('heading', { level: 2 }));
  });

  it('are left alone when picking ends with Escape or its button, and say when one is not kept any more', async () => {
    await startPicking();
    await page.keyboard.press('Escape');
    await hasFocus(details().getByRole('heading', { level: 2 }));
    expect(await page.getByText(/^Choose the request to compare/).count()).toBe(0);
    await details().getByRole('button', { name: 'Compare with…', exact: true }).click();
    await button('Cancel').click();
    await hasFocus(details().getByRole('heading', { level: 2 }));
    await details().getByRole('button', { name: 'Compare with…', exact: true }).click();
    await option('/gone').click();
    await seen(page.getByText('This request is no longer stored', { exact: false }));
    expect(await comparison().count()).toBe(0);
  });
});
