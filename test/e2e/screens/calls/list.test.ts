import { afterEach, describe, expect, it } from 'vitest';
import { callsPage, withSeveralServers } from '../../../support/calls-page.ts';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../../support/screens.ts';
import { manyCalls, someCalls } from '../../../support/stub-main/calls.ts';
import { withOnlyFindings, withReport } from '../../../support/stub-main/checks.ts';
import { production } from '../../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const { region, list, options, option, call, button, search, details, count, activeOption, chooseInMenu, openWith } =
  callsPage(() => stub);

describe('the list', () => {
  it('says of each call what went where, how it ended and how long it took', async () => {
    await openWith();
    await option('/auth/login').waitFor();
    const text = (await option('/auth/login').innerText()).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(/^POST \/api\/v1\/auth\/login 200 152 ms Shop$/);
    await expectText(list(), /^Nov 20, 2026/);
    const named = list().getByRole('option', {
      name: /^POST \/api\/v1\/auth\/login, 200, Shop, Nov 20, 2026, .*, 152 ms, 194 bytes$/,
    });
    expect(await named.count()).toBe(1);
    expect(
      await list()
        .getByRole('option', { name: /registro, not reached/ })
        .innerText(),
    ).toContain('none');
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
    await hasFocus(details().getByRole('heading', { level: 2 }));
    expect(await option('/auth/login').getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Escape');
    await hasFocus(list());
    expect(await details().count()).toBe(0);
    await page.keyboard.press('Escape');
    expect(await region().count()).toBe(0);
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
      { filter: { search: 'ABIERTA', outcome: 'all', checks: 'with', pinnedOnly: false }, offset: 0 },
    ]);
    expect(await options().count()).toBe(1);

    await search().fill('nothing has this');
    await region().getByText('No request matches the search and the filters.').waitFor();
    await expectText(count(), /^Found: 0$/);
    await search().press('Escape');
    await expectText(count(), /^Found: 7$/);
    expect(await region().count()).toBe(1);
  });

  it('is filtered by server, outcome and pins', async () => {
    await openWith();
    await page.getByRole('combobox', { name: 'Requests to' }).selectOption('this');
    await expectText(count(), /^Found: 5$/);
    await stub.change({ activeServerId: production.id });
    await expectText(count(), /^Found: 1$/);
    await page.getByRole('combobox', { name: 'Requests to' }).selectOption('all');
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
    await button('Pinned').click();
    expect(await button('Pinned').getAttribute('aria-pressed')).toBe('true');
    await expectText(count(), /^Found: 1$/);
    expect(await options().innerText()).toContain('502');
  });

  it('marks the requests of checks, which can be left out or shown alone', async () => {
    const [first, ...others] = someCalls;
    const contractRun = 7;
    const ofRun = { summary: { ...first!.summary, contractRun }, recorded: { ...first!.recorded!, contractRun } };
    await openWith([ofRun, ...others]);
    const named = list().getByRole('option', { name: /, check$/ });
    await list()
      .getByRole('option', { name: /^check, 1 request, .*collapsed$/ })
      .click();
    await seen(named);
    const which = page.getByRole('combobox', { name: 'Checks', exact: true });
    await which.selectOption('Without checks');
    await expectText(count(), /^Found: 6$/);
    await eventually(async () => expect(await named.count()).toBe(0));
    await which.selectOption('Checks only');
    await expectText(count(), /^Found: 1$/);
    await named.click();
    await seen(details().getByText('Request of a check'));
    await search().fill('nothing has this');
    await seen(region().getByText('No request matches the search and the filters.'));
    // What is only filtered has no picture of what comes, but a way back to all of it.
    expect(await region().locator('svg[viewBox="0 0 232 132"]').count()).toBe(0);
    await button('Clear filters').click();
    await hasFocus(search());
    await expectText(count(), /^Found: 7$/);
  });

  it('shows a check as one line, which expands', async () => {
    const calls = manyCalls(450);
    // Three calls, two runs of 200, and 47 calls that are beyond the second page.
    for (const [index, { summary }] of calls.entries())
      if (index >= 3 && index < 403) summary.contractRun = index < 203 ? 2 : 1;
    await openWith(calls);
    const run = (name: RegExp) => list().getByRole('option', { name });
    await expectText(run(/^check, 200 requests, /).first(), /200 requests/);
    expect(await options().first().getAttribute('aria-setsize')).toBe('52');
    await search().press('ArrowDown');
    // It leads to the end of what is loaded, and has more loaded.
    await eventually(async () => {
      await list().press('End');
      expect(await activeOption()).toContain('/call/1');
    });
    await list().press('Home');
    for (let line = 0; line < 3; line += 1) await list().press('ArrowDown');
    await list().press('Enter');
    await seen(run(/^check, 200 requests, .*expanded$/));
    expect(await options().first().getAttribute('aria-setsize')).toBe('252');
    await list().press('Enter');
    await eventually(async () => expect(await options().first().getAttribute('aria-setsize')).toBe('52'));
    // A search looks for calls.
    await search().fill('/call/100');
    await eventually(async () => expect(await run(/check, \d+ request/).count()).toBe(1));
    await seen(run(/\/call\/100,.*check$/));
  });

  it('opens three calls of a run whose report is kept, says how it ended, and leads to the report', async () => {
    const begun = Date.parse(withReport.reports[0]!.report.startedAt) - 5;
    const calls = manyCalls(9);
    for (const { summary } of calls.slice(2, 8)) Object.assign(summary, { contractRun: begun, serverId: 'staging' });

    await stub.start(withSeveralServers, calls);
    await stub.runs(withReport);
    await page.keyboard.press('Control+e');
    const run = list().getByRole('option', { name: /^check, 6 requests, Failed 1, findings 1, / });
    await run.click();
    const more = list().getByRole('option', { name: '3 more, in the report', exact: true });
    await seen(more);
    expect(await options().count()).toBe(8);
    expect(await options().first().getAttribute('aria-setsize')).toBe('8');
    await more.click();
    await seen(page.getByRole('region', { name: 'Checks', exact: true }).getByText('117 requests'));
  });

  it('does not call a check clean that has findings, although every requirement passed', async () => {
    const begun = Date.parse(withReport.reports[0]!.report.startedAt) - 5;
    const calls = manyCalls(3);
    for (const { summary } of calls) Object.assign(summary, { contractRun: begun, serverId: 'staging' });
    await stub.start(withSeveralServers, calls);
    await stub.runs(withOnlyFindings);
    await page.keyboard.press('Control+e');
    await seen(list().getByRole('option', { name: /^check, 3 requests, Failed 0, findings 1, / }));
  });

  it('is made wider by dragging and by arrows, goes back at a double press, and stays so', async () => {
    await openWith();
    const pane = page.getByRole('separator', { name: 'Pane width' });
    const width = async () => Math.round((await list().boundingBox())!.width);
    const usual = await width();
    await pane.press('ArrowLeft');
    await eventually(async () => expect(await width()).toBe(usual - 16));
    const box = (await pane.boundingBox())!;
    const x = box.x + box.width / 2;
    await page.mouse.move(x, box.y + 200);
    await page.mouse.down();
    await page.mouse.move(x - 100, box.y + 200, { steps: 4 });
    await page.mouse.up();
    await eventually(async () => expect(await width()).toBe(usual - 116));
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('Alt+2');
    await eventually(async () => expect(await width()).toBe(usual - 116));
    for (let press = 0; press < 30; press += 1) await pane.press('ArrowLeft');
    await eventually(async () => expect(await width()).toBe(320));
    await pane.press('End');
    await eventually(async () => expect((await region().boundingBox())!.width - (await width())).toBeGreaterThan(319));
    await pane.dblclick();
    await eventually(async () => expect(await width()).toBe(usual));
    await page.setViewportSize({ width: 880, height: 700 });
    await pane.waitFor({ state: 'hidden' });
  });

  it('loads ten thousand page by page as it is scrolled, with few of them on the page', async () => {
    await openWith(manyCalls(10_000));
    await expectText(count(), /^Found: 10000$/);
    await search().press('ArrowDown');
    const offsets = async () => (await stub.callsOf('calls.list')).map((input) => (input as { offset: number }).offset);
    await eventually(async () => {
      await list().press('End');
      expect(await offsets()).toEqual(expect.arrayContaining([200, 400, 600]));
    });
    // It is at the end of a page.
    await expect.poll(activeOption).toMatch(/\/call\/\d\d?[02468]01\b/);
    expect(await options().count()).toBeLessThan(60);
    expect(await options().last().getAttribute('aria-setsize')).toBe('10000');
  });

  it('takes in new ones at the top without moving what is being read', async () => {
    await openWith(manyCalls(300));
    await expectText(count(), /^Found: 300$/);
    await list().evaluate((node) => (node.scrollTop = 1000));
    const read = call(270);
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
    await seen(region().getByRole('heading', { name: 'No requests yet' }));
    await seen(region().getByRole('button', { name: 'Log in to Built-in' }));
    expect(await search().count()).toBe(0);
    await stub.record(manyCalls(1));
    await seen(option('/call/1'));
  });

  it('is cleared after a question, of one server or of all, and keeps the pinned ones unless asked', async () => {
    await openWith();
    await expectText(count(), /^Found: 7$/);
    await chooseInMenu('Clear…');
    await hasFocus(button('Keep requests'));
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await region().count()).toBe(1);
    await expectNotAsked('calls.clear');

    await chooseInMenu('Clear…');
    await page.getByRole('radio', { name: 'Requests to Built-in' }).waitFor();
    await button('Clear').click();
    await expectText(count(), /^Found: 3$/);
    await chooseInMenu('Clear…');
    await page.getByRole('radio', { name: 'Requests to all servers' }).check();
    await page.getByRole('checkbox', { name: 'Include pinned requests' }).check();
    await button('Clear').click();
    await seen(region().getByRole('heading', { name: 'No requests yet' }));
    await expect
      .poll(() => stub.callsOf('calls.clear'))
      .toEqual([{ serverId: 'built-in', pinnedToo: false }, { pinnedToo: true }]);
  });
});
