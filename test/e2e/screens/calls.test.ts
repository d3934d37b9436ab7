import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually, expectText, hasFocus, seen } from '../../support/screens.ts';
import type { RecordedCall, ReplayOutcome } from '../../../preload/contract/calls.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { manyCalls, someCalls, someLogout } from '../../support/stub-main/calls.ts';
import { firstStart, heldSessions, production, staging } from '../../support/stub-main/states.ts';
import { openStubApp, type StubApp } from '../../support/stub-main/stub-app.ts';

let stub: StubApp;
let page: Page;

beforeAll(async () => {
  stub = await openStubApp();
  page = stub.page;
});
afterAll(() => stub.close());
afterEach(() => {
  const complaints = stub.complaints.splice(0);
  if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('\n')}`);
});

const several = { servers: [...firstStart.servers, staging, production] };
const drawer = () => page.getByRole('region', { name: 'Calls', exact: true });
const list = () => page.getByRole('listbox', { name: 'Calls', exact: true });
const options = () => list().getByRole('option');
const option = (text: string) => options().filter({ hasText: text });
const call = (number: number) => list().getByRole('option', { name: `/call/${number},` });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const search = () => page.getByRole('textbox', { name: 'Search calls', exact: true });
const details = () => page.getByRole('article');
const count = () => drawer().getByRole('status').first();

const activeOption = async () => {
  const id = await list().getAttribute('aria-activedescendant');
  return page.locator(`[id="${id}"]`).innerText();
};

async function openWith(calls = someCalls) {
  await stub.start(several, calls);
  await page.keyboard.press('Control+e');
  await drawer().waitFor();
}

describe('the drawer', () => {
  it('is opened and closed by its shortcut, and gives the focus back to where it was', async () => {
    await stub.start(several, someCalls);
    const email = page.getByLabel('Email', { exact: true });
    await email.focus();
    await page.keyboard.press('Control+e');
    await hasFocus(search());
    await page.keyboard.press('Control+e');
    await hasFocus(email);
    expect(await drawer().count()).toBe(0);
  });

  it('is opened by its button, which Escape gives the focus back to', async () => {
    await stub.start(several, someCalls);
    await button('Calls').click();
    await hasFocus(search());
    expect(await button('Calls').getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('Escape');
    await hasFocus(button('Calls'));
    expect(await drawer().count()).toBe(0);
  });

  it('stays closed while a dialog is open', async () => {
    await stub.start(several, someCalls);
    await button('Servers').click();
    await page.getByRole('menuitem').first().click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+e');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await drawer().count()).toBe(0);
  });

  it('can be resized with the keys and the pointer, and is there again, as high, when the window is', async () => {
    await openWith();
    const edge = page.getByRole('separator', { name: 'Height of the calls' });
    const height = async () => (await drawer().boundingBox())?.height ?? 0;
    expect(await height()).toBe(320);
    await edge.press('ArrowUp');
    await eventually(async () => expect(await height()).toBe(344));
    expect(await edge.getAttribute('aria-valuenow')).toBe('344');

    const box = (await edge.boundingBox())!;
    await page.mouse.move(box.x + 300, box.y + 4);
    await page.mouse.down();
    await page.mouse.move(box.x + 300, box.y + 54, { steps: 3 });
    await page.mouse.up();
    await eventually(async () => expect(await height()).toBe(294));
    await page.reload();
    await drawer().waitFor();
    expect(await height()).toBe(294);
    await hasFocus(page.getByLabel('Email', { exact: true }));

    await edge.press('End');
    await eventually(async () => expect(await height()).toBe(420));
    await edge.press('Home');
    await eventually(async () => expect(await height()).toBe(140));
  });

  it('is not loaded before it is opened', async () => {
    await stub.start(several, someCalls);
    const loaded = () => page.evaluate(() => document.querySelectorAll('link[href*="calls-drawer"]').length);
    expect(await loaded()).toBe(0);
    expect(await stub.callsOf('calls.list')).toEqual([]);
    await page.keyboard.press('Control+e');
    await drawer().waitFor();
    expect(await loaded()).toBeGreaterThan(0);
  });
});

describe('the list', () => {
  it('says of each what went where, how it ended and how long it took', async () => {
    await openWith();
    await option('/auth/login').waitFor();
    const text = (await option('/auth/login').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/^POST \/api\/v1\/auth\/login 200 Shop 11\/20, .* 152 ms 194 bytes$/);
    const named = list().getByRole('option', {
      name: /^POST \/api\/v1\/auth\/login, 200, Shop, .*, 152 ms, 194 bytes$/,
    });
    expect(await named.count()).toBe(1);
    expect(await option('/registro').innerText()).toContain('not reached');
    expect(await option('502').innerText()).toContain('pinned');
    await expectText(count(), /^Found: 7$/);
  });

  it('is walked through with the keys, and Enter opens', async () => {
    await openWith();
    await option('/auth/login').waitFor();
    await search().press('ArrowDown');
    await hasFocus(list());
    expect(await activeOption()).toContain('/auth/login');
    await list().press('ArrowDown');
    await eventually(async () => expect(await activeOption()).toContain('502'));
    await list().press('End');
    await eventually(async () => expect(await activeOption()).toContain('/gone'));
    await list().press('Home');
    await list().press('ArrowUp');
    await eventually(async () => expect(await activeOption()).toContain('/auth/login'));
    await list().press('Enter');
    await hasFocus(details().getByRole('heading', { level: 3 }));
    expect(await option('/auth/login').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await hasFocus(list());
    expect(await details().count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await drawer().count()).toBe(0);
  });

  it('is searched, with one question to main at a time, and says how many it found', async () => {
    await openWith();
    await expectText(count(), /^Found: 7$/);
    await stub.answer('calls.list', 'hold');
    await search().pressSequentially('ABIERTA');
    await eventually(async () => expect(await search().inputValue()).toBe('ABIERTA'));
    const asked = await stub.callsOf('calls.list');
    await stub.release('calls.list', { ok: false, error: { kind: 'bug', id: 'b-1' } });
    await expectText(count(), /^Found: 1$/);
    const searched = (await stub.callsOf('calls.list')).slice(asked.length);
    expect(searched).toEqual([
      { filter: { search: 'ABIERTA', outcome: 'all', contractRuns: 'with', pinnedOnly: false }, offset: 0 },
    ]);
    expect(await options().count()).toBe(1);

    await search().fill('nothing has this');
    await drawer().getByText('No call matches the search and the filters.').waitFor();
    await expectText(count(), /^Found: 0$/);
    await search().press('Escape');
    await expectText(count(), /^Found: 7$/);
    expect(await drawer().count()).toBe(1);
  });

  it('is filtered by server, outcome and pins', async () => {
    await openWith();
    await page.getByRole('combobox', { name: 'Calls to' }).selectOption('this');
    await expectText(count(), /^Found: 5$/);
    await stub.change({ activeServerId: production.id });
    await expectText(count(), /^Found: 1$/);
    await page.getByRole('combobox', { name: 'Calls to' }).selectOption('all');
    const outcome = page.getByRole('combobox', { name: 'Outcome', exact: true });
    for (const [value, found] of [
      ['succeeded', 4],
      ['refused', 2],
      ['failed', 1],
      ['all', 7],
    ] as const) {
      await outcome.selectOption(value);
      await expectText(count(), new RegExp(`^Found: ${found}$`));
    }
    await page.getByRole('checkbox', { name: 'Pinned only' }).check();
    await expectText(count(), /^Found: 1$/);
    expect(await options().innerText()).toContain('502');
  });

  it('marks the calls of contract runs, which can be left out or shown alone', async () => {
    const [first, ...others] = someCalls;
    const contractRun = true as const;
    const ofRun = { summary: { ...first!.summary, contractRun }, recorded: { ...first!.recorded!, contractRun } };
    await openWith([ofRun, ...others]);
    const named = list().getByRole('option', { name: /, contract run$/ });
    await seen(named.getByTitle('contract run'));
    const which = page.getByRole('combobox', { name: 'Contract runs', exact: true });
    await which.selectOption('Without contract runs');
    await expectText(count(), /^Found: 6$/);
    await eventually(async () => expect(await named.count()).toBe(0));
    await which.selectOption('Contract runs only');
    await expectText(count(), /^Found: 1$/);
    await named.click();
    await seen(details().getByText('Call of a contract run'));
    await search().fill('nothing has this');
    await seen(drawer().getByText('No call matches the search and the filters.'));
  });

  it('loads ten thousand page by page as it is scrolled, with few of them on the page', async () => {
    await openWith(manyCalls(10_000));
    await expectText(count(), /^Found: 10000$/);
    await search().press('ArrowDown');
    for (let pages = 1; pages <= 3; pages += 1) {
      await list().press('End');
      await eventually(async () =>
        expect((await stub.callsOf('calls.list')).map((input) => (input as { offset: number }).offset)).toContain(
          pages * 200,
        ),
      );
      await eventually(async () => expect(await activeOption()).toContain(`/call/${10_001 - pages * 200}`));
    }
    expect(await options().count()).toBeLessThan(60);
    expect(await options().last().getAttribute('aria-setsize')).toBe('10000');
  });

  it('takes in new ones at the top without moving what is being read', async () => {
    await openWith(manyCalls(300));
    await expectText(count(), /^Found: 300$/);
    await list().evaluate((node) => (node.scrollTop = 1500));
    const read = call(250);
    await read.waitFor();
    const before = (await read.boundingBox())?.y;
    await stub.record(manyCalls(3, 301).toReversed());
    await expectText(count(), /^Found: 303$/);
    expect((await read.boundingBox())?.y).toBe(before);

    await list().evaluate((node) => (node.scrollTop = 0));
    await call(303).waitFor();
    await stub.record(manyCalls(1, 304));
    await call(304).waitFor();
    expect(await list().evaluate((node) => node.scrollTop)).toBe(0);
  });

  it('begins at the top with what a new search finds', async () => {
    await openWith(manyCalls(300));
    await expectText(count(), /^Found: 300$/);
    await list().evaluate((node) => (node.scrollTop = 1500));
    await search().fill('/call/1');
    await expectText(count(), /^Found: 111$/);
    expect(await list().evaluate((node) => node.scrollTop)).toBe(0);
  });

  it('says that there is nothing yet, and shows the first one when it comes', async () => {
    await openWith([]);
    await seen(drawer().getByText('Nothing has gone over the wire yet.'));
    await stub.record(manyCalls(1));
    await seen(option('/call/1'));
  });

  it('is cleared after a question, of one server or of all, and keeps the pinned ones unless asked', async () => {
    await openWith();
    await expectText(count(), /^Found: 7$/);
    await button('Clear…').click();
    await hasFocus(button('Keep them'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await drawer().count()).toBe(1);
    expect(await stub.callsOf('calls.clear')).toEqual([]);

    await button('Clear…').click();
    await page.getByRole('radio', { name: 'Those of Built-in' }).waitFor();
    await button('Clear').click();
    await expectText(count(), /^Found: 3$/);
    await button('Clear…').click();
    await page.getByRole('radio', { name: 'Those of all servers' }).check();
    await page.getByRole('checkbox', { name: 'The pinned ones too' }).check();
    await button('Clear').click();
    await expectText(count(), /^Found: 0$/);
    expect(await stub.callsOf('calls.clear')).toEqual([
      { serverId: 'built-in', pinnedToo: false },
      { pinnedToo: true },
    ]);
  });
});

describe('one call', () => {
  const part = (name: string) => details().getByRole('region', { name, exact: true });

  it('shows the request as it was written and the answer as it came, with marks where secrets were', async () => {
    await openWith();
    await option('/auth/login').click();
    await part('Request').waitFor();
    const request = await part('Request').innerText();
    expect(request).toContain('POST /api/v1/auth/login HTTP/1.1\nAccept: application/json\n');
    expect(request).toContain('"password": "‹password 1›"');
    const response = await part('Response').innerText();
    expect(response).toContain('HTTP/1.1 200 OK');
    expect(response).toMatch(/Set-Cookie: a=‹cookie 1›; Path=\/; HttpOnly\s+set-cookie: b=‹cookie 2›/);
    expect(response).toContain('"numero": 12345678901234567890.10');
    expect(response).toContain('¡Bienvenida, Ana!');
    expect(await part('Response').getByRole('img', { name: 'Secret left out: token 1' }).count()).toBe(1);
    await part('Response').getByRole('button', { name: 'Raw', exact: true }).click();
    await expectText(part('Response'), /"access_token":"‹token 1›","numero"/);
  });

  it('has the same number for the same secret in another call', async () => {
    await openWith();
    await option('/auth/login').click();
    await details().getByRole('img', { name: 'Secret left out: token 1' }).waitFor();
    await option('502').click();
    await expectText(part('Request'), /Authorization: Bearer ‹token 1›/);
  });

  it('shows what the app understood, and leads to the form where other places are pinned', async () => {
    await openWith();
    await option('/auth/login').click();
    const understood = part('What the app understood');
    await expectText(understood, /datos\.access_token\s+a field named access_token/);
    await understood.getByRole('button', { name: 'Pin other places' }).click();
    await seen(page.getByRole('dialog', { name: 'Edit Shop' }));
  });

  it('says in numbers where the time went, and over which connection', async () => {
    await openWith();
    await option('/auth/login').click();
    await part('Timing').waitFor();
    expect((await part('Timing').innerText()).replaceAll(/\s+/g, ' ')).toBe(
      'Timing DNS 3 ms Connect 9 ms TLS 37 ms Until the first byte 93 ms Download 10 ms In all 152 ms',
    );
    const connection = await part('Connection').innerText();
    for (const text of ['192.0.2.17:3128', 'http://proxy.example.test:3128', 'TLSv1.3', 'new', 'CN=shop.example.test'])
      expect(connection).toContain(text);
    await option('502').click();
    await expectText(part('Connection'), /reused/);
  });

  it('shows a page as text, and runs nothing of it', async () => {
    await openWith();
    await option('502').click();
    await expectText(part('Response'), /<script>alert\(2\)<\/script>/);
    expect(await details().locator('script, img').count()).toBe(0);
    expect(await part('Response').getByRole('button').count()).toBe(0);
  });

  it('shows the first bytes of what is no text', async () => {
    await openWith();
    await option('?token=').click();
    await expectText(part('Response'), /Binary, 48\.2 kB\. The first bytes:/);
    expect(await part('Response').innerText()).toContain('0000  89 ae d3 f8 1d 42 67 8c  ·····Bg·');
  });

  it('says a failure in words, and that a head was not seen as it was written', async () => {
    await openWith();
    await option('/registro').click();
    await details().getByText('Nothing answers at staging.example.test:8000.').waitFor();
    expect(await part('Request').innerText()).toContain('As it was prepared');
    expect(await part('Response').count()).toBe(0);
    expect(await part('Timing').innerText()).toContain('Until it failed');
  });

  it('is pinned and let go again', async () => {
    await openWith();
    await option('/auth/login').click();
    const pin = details().getByRole('button', { name: 'Pin', exact: true });
    await pin.click();
    await eventually(async () => expect(await pin.getAttribute('aria-pressed')).toBe('true'));
    expect(await option('/auth/login').innerText()).toContain('pinned');
    await pin.click();
    await eventually(async () => expect(await pin.getAttribute('aria-pressed')).toBe('false'));
    expect(await stub.callsOf('calls.pin')).toEqual([
      { id: 'login', pinned: true },
      { id: 'login', pinned: false },
    ]);
  });

  it('says when it is not kept any more', async () => {
    await openWith();
    await option('/gone').click();
    await seen(details().getByText('This call is not kept any more'));
  });

  it('shows a very long body piece by piece', async () => {
    const [login] = someCalls;
    const text = `{"a":"${'x'.repeat(300_000)}"}`;
    const response = { ...login!.recorded!.response!, body: { form: 'text' as const, text: [text], bytes: 300_008 } };
    await openWith([{ summary: login!.summary, recorded: { ...login!.recorded!, response } }]);
    await option('/auth/login').click();
    await part('Response').getByRole('button', { name: 'Show all of it (300 kB)' }).click();
    await eventually(async () => expect((await part('Response').innerText()).length).toBeGreaterThan(300_000));
  });

  it.each([800, 600])('nothing stands out of a window %i pixels wide', async (width) => {
    await stub.app.evaluate(({ BrowserWindow }, given) => {
      BrowserWindow.getAllWindows()[0]?.setContentSize(given, 700);
    }, width);
    await eventually(async () => expect(await page.evaluate(() => window.innerWidth)).toBe(width));
    await openWith();
    for (const each of await options().all()) {
      if (!(await each.isVisible())) await button('Close details').click();
      await each.click();
      await details().waitFor();
      const tooWide = await page.evaluate(() =>
        [document.documentElement, ...document.querySelectorAll('#calls, article, article *')]
          .filter((node) => node.scrollWidth > node.clientWidth + 1 && getComputedStyle(node).display !== 'inline')
          .map((node) => node.outerHTML.slice(0, 100)),
      );
      expect(tooWide).toEqual([]);
    }
    await stub.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1000, 700));
    await eventually(async () => expect(await page.evaluate(() => window.innerWidth)).toBe(1000));
  });
});

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
    await hasFocus(item('As it was'));
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
    // In words for those who hear it, as signs for those who see it.
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
    await item('As it was').evaluate((node: HTMLElement) => {
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
    await choose('As it was');
    await hasFocus(page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await stub.callsOf('calls.replay')).toEqual([]);
    await choose('As it was');
    await button('Send it').click();
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
    await seen(details().getByText('This call went to another address than its server has now.'));
    expect(await page.getByRole('menu').count()).toBe(0);
  });
});
