import { afterEach, describe, expect, it } from 'vitest';
import type { RecordedCall, ReplayOutcome } from '../../../../preload/contract/calls.ts';
import type { Result } from '../../../../preload/contract/result.ts';
import { callsDrawer, several } from '../../../support/calls-drawer.ts';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { someCalls, someLogout } from '../../../support/stub-main/calls.ts';
import { heldSessions, production } from '../../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const { list, option, button, details, count } = callsDrawer(() => stub);

describe('a replay', () => {
  const [login] = someCalls;
  const recorded = login!.recorded!;
  const sent = (part: Partial<RecordedCall> = {}): Result<ReplayOutcome> => ({
    ok: true,
    value: { outcome: 'sent', call: { ...recorded, id: 'again', replayOf: { id: 'login' }, ...part } },
  });
  const article = (name: string) => details().getByRole('button', { name, exact: true });
  const comparison = () => details().getByRole('region', { name: /^Replay: / });
  const said = () => details().getByRole('status').first();
  const item = (name: string) => page.getByRole('menuitem', { name, exact: true });
  const signedIn = { ...several, sessions: heldSessions };

  async function openLogin(calls = someCalls) {
    await stub.start(signedIn, calls);
    await page.keyboard.press('Control+e');
    await option('/auth/login').click();
    await article('Replay…').waitFor();
  }

  async function choose(name: string) {
    await article('Replay…').click();
    await item(name).click();
  }

  it('is chosen by name with the keys, and its answer opens beside the original with the differences marked', async () => {
    await openLogin();
    const response: RecordedCall['response'] = {
      ...recorded.response!,
      status: 401,
      statusText: ['Unauthorized'],
      headers: [...recorded.response!.headers.slice(0, 1), ['X-New', ['1']], ['Date', ['later']]],
      body: {
        form: 'text',
        text: ['{"error":true,"datos":{"access_token":"', { secret: 'token', id: 'z' }, '"}}'],
        bytes: 60,
      },
    };
    await stub.answer('calls.replay', sent({ response }));
    await article('Replay…').focus();
    await page.keyboard.press('Enter');
    await hasFocus(item('Unchanged'));
    await page.keyboard.press('ArrowUp');
    await hasFocus(item('With another cpassword'));
    await eventually(async () => {
      const box = (await item('With another cpassword').boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(700);
    });
    await page.keyboard.press('Home');
    for (let step = 0; step < 6; step += 1) await page.keyboard.press('ArrowDown');
    await hasFocus(item('With the token of bea@example.test'));
    await page.keyboard.press('Enter');
    await hasFocus(comparison().getByRole('heading', { level: 4 }));
    expect(await stub.callsOf('calls.replay')).toEqual([
      { id: 'login', change: { change: 'other-token', sessionId: 's2' } },
    ]);
    await expectText(said(), /^Answer: 401\. Differences from the original: \d+$/);
    const sides = comparison().getByRole('region');
    const [original, replay] = await sides.all();
    // The difference is said in words for those who hear it, and in signs for those who see it.
    expect(await original!.innerText()).toMatch(/≠\s*Changed: ?\s*HTTP\/1\.1 200 OK/);
    expect(await replay!.innerText()).toMatch(/≠\s*Changed: ?\s*HTTP\/1\.1 401 Unauthorized/);
    expect(await replay!.innerText()).toMatch(/\+\s*Only here: ?\s*X-New: 1/);
    expect(await original!.innerText()).toMatch(/−\s*Only here: ?\s*"numero"/);
    expect(await replay!.innerText()).toMatch(/~\s*Differs each time: ?\s*Date: later/);
    expect(await replay!.innerText()).toMatch(/"access_token": "‹token \d›"\s+another token/);
    const [left, right] = [(await original!.boundingBox())!, (await replay!.boundingBox())!];
    expect(right.x).toBeGreaterThan(left.x + left.width - 1);
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(700);

    await comparison().getByRole('button', { name: 'Close the comparison' }).click();
    await hasFocus(details().getByRole('heading', { level: 3 }));
  });

  it('is in the list, says of which change it is, and opens beside its original later', async () => {
    await openLogin();
    await choose('Without Accept');
    await expectText(said(), /^Answer: 200\. It does not differ from the original\.$/);
    await expectText(count(), /^Found: 8$/);
    const replayed = list().getByRole('option', { name: /^POST \/api\/v1\/auth\/login, .*, replay$/ });
    expect(await replayed.innerText()).toContain('↻');
    await replayed.click();
    await seen(details().getByText('Replay: Without Accept'));
    await article('Compare with the original').click();
    await hasFocus(comparison().getByRole('heading', { level: 4 }));
    expect((await stub.callsOf('calls.get')).at(-1)).toEqual({ id: 'login' });
  });

  it('is sent once, however often it is pressed, and can be cancelled', async () => {
    await openLogin();
    await stub.answer('calls.replay', 'hold');
    await article('Replay…').click();
    await item('Unchanged').evaluate((node: HTMLElement) => {
      node.click();
      node.click();
    });
    await expectText(said(), /^Sending…$/);
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await article('Replay…').click();
    expect(await page.getByRole('menu').count()).toBe(0);
    await article('Cancel the replay').click();
    expect(await stub.callsOf('calls.cancelReplay')).toHaveLength(1);
    const { response: _none, ...unanswered } = recorded;
    const call = { ...unanswered, id: 'again', failure: { kind: 'cancelled' } as const, replayOf: { id: 'login' } };
    await stub.release('calls.replay', { ok: true, value: { outcome: 'sent', call } });
    await seen(comparison().getByText('Cancelled.'));
    await expectText(said(), /^No answer: cancelled\.$/);
    expect(await stub.callsOf('calls.replay')).toHaveLength(1);
    expect(await article('Cancel the replay').count()).toBe(0);
  });

  it('asks for secrets that are gone, hands them to main, and keeps them nowhere on the page', async () => {
    await openLogin();
    const password = { secret: 'password' as const, id: 'p1' };
    await stub.answer('calls.replay', { ok: true, value: { outcome: 'secrets-missing', missing: [password] } });
    await stub.answer('calls.replay', sent());
    await choose('Without Accept');
    const field = page.getByLabel('‹password 1›', { exact: true });
    await hasFocus(field);
    expect(await field.getAttribute('type')).toBe('password');
    await expectText(page.getByRole('dialog'), /goes to shop\.example\.test/);
    await button('Send').click();
    expect(await stub.callsOf('calls.replay')).toHaveLength(1);
    await field.fill('typed by hand');
    await page.keyboard.press('Enter');
    await hasFocus(comparison().getByRole('heading', { level: 4 }));
    expect((await stub.callsOf('calls.replay'))[1]).toEqual({
      id: 'login',
      secrets: { p1: 'typed by hand' },
      change: { change: 'without-accept' },
    });
    expect(await page.content()).not.toContain('typed by hand');
    expect(await field.count()).toBe(0);
  });

  it('of a logout says before that it ends the session at the server, unless it carries no token', async () => {
    await stub.start(signedIn, [someLogout]);
    await page.keyboard.press('Control+e');
    await option('/auth/salir').click();
    await article('Replay…').waitFor();
    await choose('Unchanged');
    await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stub.callsOf('calls.replay')).toEqual([]);
    await choose('Unchanged');
    await button('Send call').click();
    await hasFocus(comparison().getByRole('heading', { level: 4 }));
    await choose('Without a token');
    await seen(page.getByRole('heading', { name: 'Replay: Without a token' }));
    expect(await stub.callsOf('calls.replay')).toHaveLength(2);
  });

  it('on production waits for its host, and says in words why it cannot be made', async () => {
    await openLogin();
    const host = 'shop.example.test';
    await stub.fails('calls.replay', { kind: 'production-not-confirmed', serverId: production.id, host });
    await choose('Without Accept');
    await page.getByRole('dialog').getByLabel('Host', { exact: true }).fill(host);
    await button('Confirm').click();
    await hasFocus(comparison().getByRole('heading', { level: 4 }));
    expect(await stub.callsOf('servers.confirmProduction')).toEqual([{ id: production.id, host }]);

    await stub.fails('calls.replayChanges', { kind: 'not-replayable', problem: 'other-address' });
    await article('Replay…').click();
    await seen(details().getByText('This call went to a different address from the one its server has now.'));
    expect(await page.getByRole('menu').count()).toBe(0);
  });
});
