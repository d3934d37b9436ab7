import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../support/screens.ts';
import en from '../../../preload/contract/locales/window/en.json' with { type: 'json' };
import type { ChecksState } from '../../../preload/contract/checks.ts';
import { evidenceId, hostile, checkReport, results, running, withReport } from '../../support/stub-main/checks.ts';
import { someCalls } from '../../support/stub-main/calls.ts';
import { firstStart, production, staging } from '../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();
beforeAll(() => page.setViewportSize({ width: 1100, height: 700 }));
afterEach(() => expectNoComplaints(stub));

const several = { servers: [...firstStart.servers, staging, production], activeServerId: 'staging' };
const main = () => page.getByRole('main');
const button = (name: string | RegExp) => main().getByRole('button', { name, exact: true });
const opener = () => page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: /^Checks/ });
const title = (name: string) => main().getByRole('heading', { level: 1, name, exact: true });
const server = () => main().getByLabel(labels.server, { exact: true });
const section = (name: string) => main().getByRole('region', { name, exact: true });
/** A line of the report, or of the results so far. */
const line = (text: string) => main().getByRole('listitem').filter({ hasText: text });
const lineButton = (text: string) => line(text).getByRole('button');
const evidence = () => main().getByRole('complementary', { name: 'Details' });
/** The live region of the page. */
const said = () => main().getByRole('status').first();

const { run: labels } = en;

async function open(runs: ChecksState = { reports: [] }, calls = someCalls) {
  await stub.start(several, calls);
  await stub.runs(runs);
  await page.keyboard.press(runs.reports.length > 0 || runs.running ? 'Alt+3' : 'Control+t');
  await main().locator('form, progress, section h2').first().waitFor();
}

it('of a server that may have another interface, its report leads to where that is chosen', async () => {
  const { baseUrl } = staging;
  const other = { ...checkReport, baseUrl, otherInterfaces: ['laravel-sanctum'] };
  await open({ reports: [{ serverId: 'staging', report: other, canRerun: true }] });
  await seen(main().getByText(/^Login and profile were not found/));
  await button('Choose API type').click();
  await seen(title('Servers'));
  await expectText(main().locator('details[open] fieldset label').first(), /^Laravel Sanctum.*\s*Detected/);
});

describe('a check before it begins', () => {
  it('is loaded only when it is entered: by its shortcut or the rail, and its heading takes the focus', async () => {
    await stub.start(several);
    const loaded = () => page.evaluate(() => document.querySelectorAll('link[href*="checks-page"]').length);
    expect(await loaded()).toBe(0);
    await expectNotAsked('checks.state');
    await page.getByLabel('Email', { exact: true }).focus();
    await page.keyboard.press('Control+t');
    await hasFocus(title('New check'));
    expect(await loaded()).toBeGreaterThan(0);
    expect(await opener().getAttribute('aria-current')).toBe('page');
    await page.keyboard.press('Tab');
    await hasFocus(server());
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await title('New check').waitFor({ state: 'detached' });
    await opener().click();
    await hasFocus(title('Checks'));
  });

  it('shows what comes of one before there was any, and its button leads to the choice', async () => {
    await stub.start(several);
    await page.keyboard.press('Alt+3');
    await seen(main().getByRole('heading', { level: 2 }));
    await main().getByRole('button', { name: 'New check', exact: true }).last().click();
    await hasFocus(server());
    await seen(title('New check'));
  });

  it('is opened by its key also over a report, and by the rail shows the report again', async () => {
    await open(withReport);
    await hasFocus(title('Checks'));
    await page.keyboard.press('Control+t');
    await seen(title('New check'));
    await opener().click();
    await seen(title('Checks'));
    await page.keyboard.press('Alt+1');
    await page.keyboard.press('Control+t');
    await seen(title('New check'));
  });

  it('says what it will do, and sends what was chosen', async () => {
    await open();
    await main().getByText('At most 165 requests, about 33 seconds.').waitFor();
    expect(await main().innerText()).toContain('up to 6 accounts with addresses under example.test');
    expect(await server().inputValue()).toBe('staging');
    await main().getByLabel('Only /registro').check();
    await main().getByLabel(labels.rate).fill('2.5');
    await main().getByLabel(labels.throttling).check();
    await main().getByLabel(labels.compareWith).selectOption('Built-in');
    const asked = { variant: 'registro', callsPerSecond: 2.5, throttling: true };
    const options = { ...asked, races: false, accounts: 8, bail: false, keepAccounts: false };
    await eventually(async () =>
      expect((await stub.callsOf('checks.plan')).at(-1)).toEqual({
        serverId: 'staging',
        compareWith: 'built-in',
        options,
      }),
    );
    await button('Start').click();
    await expect
      .poll(() => stub.callsOf('checks.start'))
      .toEqual([{ serverId: 'staging', compareWith: 'built-in', options }]);
    await expect.poll(() => stub.callsOf('settings.change')).toEqual([{ callsPerSecond: 2.5 }]);
  });

  it('is meant for the server of the window, until another one is chosen', async () => {
    await open();
    expect(await server().inputValue()).toBe('staging');
    await stub.change({ activeServerId: production.id });
    await expect.poll(() => server().inputValue()).toBe(production.id);
    await server().selectOption('built-in');
    await stub.change({ activeServerId: 'staging' });
    await eventually(async () => expect(await page.title()).toContain('staging'));
    expect(await server().inputValue()).toBe('built-in');
  });

  it('runs against the built-in server with one press', async () => {
    await open();
    await button('Try it on the built-in server').click();
    await expect.poll(() => stub.callsOf('checks.start')).toMatchObject([{ serverId: 'built-in' }]);
  });

  it('says of production that nothing is sent there, also when main refuses', async () => {
    await open();
    const others = main().getByLabel(labels.compareWith).getByRole('option');
    expect(await others.allInnerTexts()).toEqual(['None', 'Built-in']);
    await server().selectOption('Shop (production)');
    await main().getByText('This server is marked as production, so nothing was sent.').waitFor();
    await stub.fails('checks.start', { kind: 'run-refused', problem: 'production' });
    await button('Start').click();
    await hasFocus(main().locator('[role=alert][tabindex]'));
  });
});

describe('a run', () => {
  it('shows results as they come, and says now and then how far it is', async () => {
    await open({ reports: [], running });
    const bar = main().getByRole('progressbar');
    await bar.waitFor();
    expect(await bar.getAttribute('aria-valuetext')).toMatch(/^2 of 4 tests, 48 requests so far, about 1 min/);
    await expectText(line('Login response'), /Success status \(login\): 200/);
    expect(await line('A login with a wrong password is rejected').count()).toBe(0);
    await expectText(said(), '2 of 4 tests');

    const progress = { ...running.progress, casesDone: 3, callsMade: 60, secondsLeft: 20 };
    await stub.step({ running: { ...running, progress, results: [results[2]!] } });
    await expectText(line('A login with a wrong password is rejected'), /accepted, 200/i);
    expect(await line('Login response').count()).toBe(1);
    expect(await main().innerText()).toMatch(/3 of 4 tests, about 20 seconds left[^]*60 of at most 165 requests/);
    // Ten seconds have not gone by.
    expect(await said().innerText()).toContain('2 of 4 tests');

    const waitingUntil = new Date(2026, 10, 21, 10, 11, 12).toISOString();
    await stub.step({ running: { ...running, progress: { ...progress, waitingUntil }, results: [] } });
    await main().getByText('The server asked to wait until 10:11:12').waitFor();

    await stub.runs(withReport);
    await stub.step({});
    await expectText(said(), 'The check has ended. 1 high finding; 1 of 2 requirements failed');
    expect(await main().getByRole('progressbar').count()).toBe(0);
    // Nobody was taken away from where they were.
    await hasFocus(title('Checks'));
  });

  it('says which extra headers were in its calls, and nothing of them where there were none', async () => {
    const names = ['CF-Access-Client-Id', 'X-Api-Key'];
    await open({ reports: [{ serverId: 'staging', report: { ...checkReport, extraHeaders: names }, canRerun: true }] });
    await seen(main().getByText('Extra request headers: CF-Access-Client-Id, X-Api-Key'));
    await stub.runs(withReport);
    await stub.step({});
    await eventually(async () => expect(await main().innerText()).not.toContain('Extra request headers'));
  });

  it('is begun, cancelled and ended without the focus getting lost', async () => {
    await open();
    await stub.runs({ reports: [], running });
    await button('Start').click();
    await hasFocus(main().getByRole('region', { name: 'Progress of the check' }));
    await stub.runs({ reports: [], running: { ...running, cancelled: true } });
    await button('End check').click();
    await expectText(said(), /^Ending/);
    await hasFocus(button('End check'));
    await button('End check').press('Enter');
    await expect.poll(() => stub.callsOf('checks.cancel')).toHaveLength(1);
    await stub.runs({
      reports: [{ serverId: 'staging', report: { ...checkReport, ended: { kind: 'cancelled' } }, canRerun: true }],
    });
    await stub.step({});
    await hasFocus(section('Summary'));
    expect(await section('Summary').innerText()).toContain('The check was cancelled');
  });

  it('goes on in any other page, which the rail says', async () => {
    await open({ reports: [], running });
    await page.getByRole('button', { name: 'Account', exact: true }).click();
    await title('Checks').waitFor({ state: 'detached' });
    await expectNotAsked('checks.cancel');
    await stub.step({ running });
    const mark = opener().getByText('Check running: 2 of 4');
    await mark.waitFor({ state: 'attached' });
    await stub.step({});
    await mark.waitFor({ state: 'detached' });
  });
});

describe('a report', () => {
  const rows = () => section('Results').getByRole('listitem').allInnerTexts();

  it('begins with the worst, has one row for each thing, and shows the first one beside them, as text', async () => {
    await open(withReport);
    await main()
      .getByRole('heading', { level: 2, name: '1 high finding; 1 of 2 requirements failed', exact: true })
      .waitFor();
    await expectText(section('Summary'), '117 requests in 33 seconds');
    expect(await rows()).toEqual([
      expect.stringMatching(/^high\s+A wrong password is accepted\s+Finding$/i),
      expect.stringMatching(/^high\s+A login with a wrong password is rejected\s+Requirement failed$/i),
      expect.stringMatching(/^note\s+Headers show the software version\s+Note$/i),
      expect.stringMatching(/^Login response\s+\d answers$/),
      expect.stringMatching(/^A valid registration succeeds\s+\S+$/),
      expect.stringMatching(/^Limit on failed logins\s+Off by default$/i),
    ]);
    expect(await lineButton('A wrong password is accepted').getAttribute('aria-current')).toBe('true');
    await expectText(evidence(), 'A wrong password is accepted');
    await lineButton('A login with a wrong password is rejected').click();
    await expectText(evidence(), /Expected\s+A rejection, such as 401[^]*Seen[^]*accepted, 200: <img/i);
    expect(await main().locator('img[src=x]').count()).toBe(0);
    expect(await main().locator('a').count()).toBe(0);
    await main().getByText('Accounts created: 2').click();
    await expectText(main(), /llavero-53c3fdffd480c08f@example\.test · .* · perhaps/);
  });

  it('has filters that add up to all of its rows', async () => {
    await open(withReport);
    const picks = main().getByRole('group', { name: 'Show' }).getByRole('button');
    expect((await picks.allInnerTexts()).map((text) => text.replace('\n', ' '))).toEqual([
      'All 6',
      'Problems 2',
      'Notes 1',
      'Unspecified 1',
      'Passed 1',
      'Not tested 1',
    ]);
    const counts: number[] = [];
    for (const pick of (await picks.all()).slice(1)) {
      await pick.click();
      expect(await pick.getAttribute('aria-pressed')).toBe('true');
      counts.push((await rows()).length);
    }
    expect(counts).toEqual([2, 1, 1, 1, 1]);
    await button('All 6').click();
    expect(await rows()).toHaveLength(6);
  });

  it('is read with the arrow keys, and Enter shows what a line rests on', async () => {
    await open(withReport);
    await button('Not tested 1').focus();
    await page.keyboard.press('Tab');
    await hasFocus(lineButton('A wrong password is accepted'));
    await page.keyboard.press('ArrowDown');
    const refused = lineButton('A login with a wrong password is rejected');
    await hasFocus(refused);
    await page.keyboard.press('Enter');
    expect(await refused.getAttribute('aria-current')).toBe('true');
    await hasFocus(refused);
    await expectText(evidence(), 'interface.md, section 5 (line 65)');
    await expectText(evidence(), hostile.slice(0, 20));
    await lineButton('A valid registration succeeds').press('Enter');
    await expectText(evidence(), 'interface.md, section 4 (lines 46, 47)');
    await page.keyboard.press('End');
    await hasFocus(lineButton('Limit on failed logins'));
    // The list is one stop.
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('[aria-label=Results]'))).toBeNull();
  });

  it('opens runs and evidence over the report where there is no room beside it, and gives the focus back', async () => {
    await page.setViewportSize({ width: 480, height: 640 });
    onTestFinished(() => page.setViewportSize({ width: 1100, height: 700 }));
    await open({ reports: [...withReport.reports, { serverId: 'built-in', report: checkReport, canRerun: true }] });
    expect(await evidence().count()).toBe(0);
    const login = lineButton('Login response');
    await login.click();
    await hasFocus(evidence().getByRole('heading', { name: 'Login response' }));
    expect(await section('Results').count()).toBe(0);
    await page.keyboard.press('Escape');
    await hasFocus(login);
    await login.click();
    await evidence().getByRole('button', { name: 'Back to the report' }).click();
    await hasFocus(login);
    await main()
      .getByRole('button', { name: /^Checks: staging/ })
      .click();
    const runs = main().getByRole('navigation', { name: 'Checks' });
    await hasFocus(runs.getByRole('button', { name: /^staging/ }));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await main()
      .getByRole('button', { name: /^Checks: Built-in/ })
      .waitFor();
    await runs.waitFor({ state: 'hidden' });
  });

  it('shows what proves something, copies its command, and leads to the calls', async () => {
    await open(withReport);
    await lineButton('A wrong password is accepted').click();
    expect(await evidence().locator('code').innerText()).toContain('$PASSWORD');
    await stub.answer('checks.copyScript', { ok: true, value: { copied: true } });
    await button('Copy script').click();
    await page.getByText('Script copied.').waitFor();
    await stub.fails('checks.copyScript', { kind: 'file-failed', code: 'EIO' });
    await button('Copy script').click();
    await hasFocus(evidence().getByRole('alert'));
    await expectText(evidence(), 'Anyone who knows an email can log in as its user.');
    await expectText(evidence(), 'Found by: A login with a wrong password is rejected');
    const call = `${checkReport.evidence[0]!.method} ${checkReport.evidence[0]!.path}`;
    await button(`Show ${call}`).click();
    await section('Request').waitFor();
    expect(await button(`Show ${call}`).getAttribute('aria-expanded')).toBe('true');
    await stub.answer('checks.copyCommand', { ok: true, value: { copied: true } });
    await button(`Copy command: ${call}`).click();
    await page.getByText('Copied as cURL (bash)').waitFor();
    await expect.poll(() => stub.callsOf('checks.copyCommand')).toEqual([{ serverId: 'staging', id: evidenceId }]);
    await button(`Open in Requests: ${call}`).click();
    await title('Checks').waitFor({ state: 'detached' });
    await expect.poll(() => stub.callsOf('calls.get')).toEqual([{ id: evidenceId }]);
  });

  it('measures one case again, with the rest of the report in place', async () => {
    await open(withReport);
    await lineButton('Login response').click();
    const again = button('Check again: Login response');
    const measuring = { ...running, caseId: 'login.answer' as const, results: [] };
    await stub.runs({ ...withReport, running: measuring });
    await again.click();
    await main().getByText('Checking again: Login response').first().waitFor();
    await expect
      .poll(() => stub.callsOf('checks.rerunCase'))
      .toEqual([{ serverId: 'staging', caseId: 'login.answer' }]);
    expect(await again.getAttribute('aria-disabled')).toBe('true');
    await hasFocus(again);
    await stub.runs(withReport);
    await stub.step({});
    await eventually(async () => expect(await again.getAttribute('aria-disabled')).toBe('false'));
    await hasFocus(again);
  });

  it('offers to measure nothing again once a lock dropped its run, and says so', async () => {
    await open({ reports: [{ serverId: 'staging', report: checkReport, canRerun: false }] });
    await seen(main().getByText('single tests cannot be repeated'));
    await lineButton('Login response').click();
    await seen(button(/^Copy command: /).first());
    expect(await button(/^Check again/).count()).toBe(0);
    await stub.runs(withReport);
    await stub.step({});
    await seen(button('Check again: Login response'));
    expect(await main().getByText('single tests cannot be repeated').count()).toBe(0);
  });

  it('is exported, and says when it could not be', async () => {
    await open(withReport);
    await stub.answer('checks.exportFile', { ok: true, value: { exported: true } });
    await button('Export').click();
    await page.getByRole('menuitem', { name: 'JUnit' }).click();
    await page.getByText('The report was saved.').waitFor();
    await expect.poll(() => stub.callsOf('checks.exportFile')).toEqual([{ serverId: 'staging', form: 'junit' }]);
    await stub.fails('checks.exportFile', { kind: 'file-failed', code: 'ENOSPC' });
    await button('Export').click();
    await page.getByRole('menuitem', { name: 'JSON' }).click();
    await hasFocus(main().getByRole('alert'));
    await button(en.notice.why).click();
    await seen(main().getByText('ENOSPC'));
  });
});
