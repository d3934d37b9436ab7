import { afterEach, describe, expect, it } from 'vitest';
import { eventually, expectNoComplaints, expectText, hasFocus, seen } from '../../support/screens.ts';
import { ReportComparison } from '../../../preload/contract/contract-report.ts';
import { ContractRuns, RunStep } from '../../../preload/contract/contract-runs.ts';
import {
  comparison,
  evidenceId,
  hostile,
  report,
  results,
  underWay,
  withReport,
} from '../../support/stub-main/contract-runs.ts';
import { someCalls } from '../../support/stub-main/calls.ts';
import { firstStart, production, staging } from '../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();
afterEach(() => expectNoComplaints(stub));

const several = { servers: [...firstStart.servers, staging, production], activeServerId: 'staging' };
const dialog = () => page.getByRole('dialog');
const button = (name: string | RegExp) => dialog().getByRole('button', { name, exact: true });
const opener = () => page.getByRole('banner').getByRole('button', { name: /^Contract run/ });
const server = () => dialog().getByLabel('Server', { exact: true });
const section = (name: string) => dialog().getByRole('region', { name, exact: true });
const line = (title: string) => dialog().locator('summary').filter({ hasText: title });
/** The live region of the dialog. */
const said = () => dialog().getByRole('status').first();

async function open(runs: ContractRuns = { reports: [] }, calls = someCalls) {
  await stub.start(several, calls);
  await stub.runs(runs);
  await page.keyboard.press('Control+t');
  await dialog().waitFor();
}

it('the data of these tests are as the contract says', () => {
  expect(ContractRuns.parse(withReport)).toEqual(withReport);
  expect(RunStep.parse({ underWay })).toEqual({ underWay });
  expect(ReportComparison.parse(comparison)).toEqual(comparison);
});

describe('the contract run before it begins', () => {
  it('is loaded only when it is opened: by its shortcut, its button or the menu, and gives the focus back', async () => {
    await stub.start(several);
    const loaded = () => page.evaluate(() => document.querySelectorAll('link[href*="contract-run"]').length);
    expect(await loaded()).toBe(0);
    expect(await stub.callsOf('contractRun.state')).toEqual([]);
    const email = page.getByLabel('Email', { exact: true });
    await email.focus();
    await page.keyboard.press('Control+t');
    await hasFocus(server());
    expect(await loaded()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    await hasFocus(email);
    await opener().click();
    await hasFocus(server());
    await page.keyboard.press('Escape');
    await hasFocus(opener());
    await page.getByRole('button', { name: 'Servers', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Contract run' }).click();
    await hasFocus(server());
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    // The focus goes to the button of the menu if that had it back before the dialog came, else to the run's own
    // button.
    await page.getByRole('banner').locator('button:focus').waitFor();
  });

  it('says what it will do, and sends what was chosen', async () => {
    await open();
    await dialog().getByText('At most 165 calls, about 33 seconds.').waitFor();
    expect(await dialog().innerText()).toContain('up to 6 accounts with addresses under example.test');
    expect(await server().inputValue()).toBe('staging');
    await dialog().getByLabel('Only /registro').check();
    await dialog().getByLabel('Maximum calls per second').fill('2.5');
    await dialog().getByLabel('Test the failed-login limit').check();
    await dialog().getByLabel('Compare with').selectOption('Built-in');
    const options = { variant: 'registro', callsPerSecond: 2.5, throttling: true, bail: false };
    await eventually(async () => expect((await stub.callsOf('contractRun.plan')).at(-1)).toEqual(options));
    await button('Start').click();
    await eventually(async () =>
      expect(await stub.callsOf('contractRun.start')).toEqual([
        { serverId: 'staging', compareWith: 'built-in', options },
      ]),
    );
    expect(await stub.callsOf('settings.change')).toEqual([{ callsPerSecond: 2.5 }]);
  });

  it('runs against the built-in server with one press', async () => {
    await open();
    await button('Try it on the built-in server').click();
    await eventually(async () =>
      expect(await stub.callsOf('contractRun.start')).toMatchObject([{ serverId: 'built-in' }]),
    );
  });

  it('says of production that nothing is sent there, also when main refuses', async () => {
    await open();
    const others = dialog().getByLabel('Compare with').getByRole('option');
    expect(await others.allInnerTexts()).toEqual(['No other', 'Built-in']);
    await server().selectOption('Shop (production)');
    await dialog().getByText('This server is marked as production, so nothing was sent.').waitFor();
    await stub.fails('contractRun.start', { kind: 'run-refused', problem: 'production' });
    await button('Start').click();
    await hasFocus(dialog().locator('[role=alert][tabindex]'));
  });
});

describe('a run', () => {
  it('shows results as they come, and says now and then how far it is', async () => {
    await open({ reports: [], underWay });
    const bar = dialog().getByRole('progressbar');
    await bar.waitFor();
    expect(await bar.getAttribute('aria-valuetext')).toMatch(/^2 of 4 cases, 48 calls so far, about 1 min/);
    await line('What a login answers').waitFor();
    expect(await line('A login with a wrong password is refused').count()).toBe(0);
    await expectText(said(), '2 of 4 cases');

    const progress = { ...underWay.progress, casesDone: 3, callsMade: 60, secondsLeft: 20 };
    await stub.step({ underWay: { ...underWay, progress, results: [results[2]!] } });
    await line('A login with a wrong password is refused').waitFor();
    expect(await line('What a login answers').count()).toBe(1);
    expect(await dialog().innerText()).toContain('3 of 4 cases, 60 calls so far, about 20 seconds left');
    // Ten seconds have not gone by.
    expect(await said().innerText()).toContain('2 of 4 cases');

    const waitingUntil = new Date(2026, 10, 21, 10, 11, 12).toISOString();
    await stub.step({ underWay: { ...underWay, progress: { ...progress, waitingUntil }, results: [] } });
    await dialog().getByText('The server asked to wait until 10:11:12').waitFor();

    await stub.runs(withReport);
    await stub.step({});
    await expectText(said(), /^The contract run has ended\. .*1 kept, 1 broken, 0 not measured/);
    expect(await dialog().getByRole('progressbar').count()).toBe(0);
  });

  it('is begun, cancelled and ended without the focus getting lost', async () => {
    await open();
    await stub.runs({ reports: [], underWay });
    await button('Start').click();
    await hasFocus(dialog().getByRole('region', { name: 'Progress of the contract run' }));
    await stub.runs({ reports: [], underWay: { ...underWay, cancelled: true } });
    await button('Cancel the run').click();
    await expectText(said(), /^Ending/);
    await hasFocus(button('Cancel the run'));
    await button('Cancel the run').press('Enter');
    expect(await stub.callsOf('contractRun.cancel')).toHaveLength(1);
    await stub.runs({
      reports: [{ serverId: 'staging', report: { ...report, ended: { kind: 'cancelled' } }, runKept: true }],
    });
    await stub.step({});
    await hasFocus(section('Summary'));
    expect(await section('Summary').innerText()).toContain('The run was cancelled');
  });

  it('goes on while it is closed, which its button says', async () => {
    await open({ reports: [], underWay });
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    expect(await stub.callsOf('contractRun.cancel')).toEqual([]);
    await stub.step({ underWay });
    await eventually(async () =>
      expect(await opener().getAttribute('aria-label')).toBe('Contract run, under way: 2 of 4 cases'),
    );
    await stub.step({});
    await eventually(async () => expect(await opener().getAttribute('aria-label')).toBe('Contract run'));
  });
});

describe('a report', () => {
  it('shows what failed first, and of each case what is said and what was seen, as text', async () => {
    await open(withReport);
    const summary = await section('Summary').innerText();
    expect(summary).toContain('1 kept, 1 broken, 0 not measured');
    expect(summary).toContain('1 answered, 1 not measured');
    expect(summary).toContain('high: 1, medium: 0, low: 0, notes: 1');
    expect(await section('Findings').locator('summary').allInnerTexts()).toEqual([
      expect.stringMatching(/^A wrong password is accepted\s+high$/),
      expect.stringMatching(/^Headers show the version of the software\s+note$/),
    ]);
    await button('Broken rules and findings (1)').click();
    expect(await section('Results').locator('summary').count()).toBe(1);
    expect(await button('Broken rules and findings (1)').getAttribute('aria-pressed')).toBe('true');
    await line('A login with a wrong password is refused').press('Enter');
    await expectText(section('Results'), 'interface.md, section 5 (line 65)');
    await expectText(section('Results'), hostile.slice(0, 20));
    await button('All (4)').click();
    await line('Many failed logins').click();
    await expectText(section('Results'), 'it is done only when asked for');
    await line('What a login answers').click();
    await line('Headers show the version').click();
    expect(await dialog().locator('img[src=x]').count()).toBe(0);
    expect(await dialog().locator('a').count()).toBe(0);
    await line('Accounts created: 2').click();
    await expectText(dialog(), /llavero-53c3fdffd480c08f@example\.test · .* · perhaps/);
  });

  it('opens what proves something, copies its command, and leads to the drawer', async () => {
    await open(withReport);
    await line('A wrong password is accepted').click();
    expect(await section('Findings').locator('code').innerText()).toContain('$PASSWORD');
    const call = `${report.evidence[0]!.method} ${report.evidence[0]!.path}`;
    await button(`Show ${call}`).click();
    await section('Request').waitFor();
    expect(await button(`Show ${call}`).getAttribute('aria-expanded')).toBe('true');
    await stub.answer('contractRun.copy', { ok: true, value: { copied: true } });
    await button(`Copy the command for ${call}`).click();
    await dialog().getByText('Copied as cURL (bash)').waitFor();
    expect(await stub.callsOf('contractRun.copy')).toEqual([{ serverId: 'staging', id: evidenceId }]);
    await button(`Open in Calls: ${call}`).click();
    await dialog().waitFor({ state: 'detached' });
    await hasFocus(page.locator('#call-heading'));
    expect(await stub.callsOf('calls.get')).toEqual([{ id: evidenceId }]);
  });

  it('measures one case again, with the rest of the report in place', async () => {
    await open(withReport);
    await line('What a login answers').click();
    const again = button('Measure again: What a login answers');
    const measuring = { ...underWay, caseId: 'login.answer' as const, results: [] };
    await stub.runs({ ...withReport, underWay: measuring });
    await again.click();
    await dialog().getByText('Measuring again: What a login answers').first().waitFor();
    expect(await stub.callsOf('contractRun.again')).toEqual([{ serverId: 'staging', caseId: 'login.answer' }]);
    expect(await again.getAttribute('aria-disabled')).toBe('true');
    await hasFocus(again);
    await stub.runs(withReport);
    await stub.step({});
    await eventually(async () => expect(await again.getAttribute('aria-disabled')).toBe('false'));
    await hasFocus(again);
  });

  it('offers to measure nothing again once a lock dropped its run, and says so', async () => {
    await open({ reports: [{ serverId: 'staging', report, runKept: false }] });
    await seen(dialog().getByText('no single case can be measured again'));
    await line('What a login answers').click();
    await seen(button(/^Copy the command for/).first());
    expect(await button(/^Measure again/).count()).toBe(0);
    await stub.runs(withReport);
    await stub.step({});
    await seen(button('Measure again: What a login answers'));
    expect(await dialog().getByText('no single case can be measured again').count()).toBe(0);
  });

  it('is exported, and says when it could not be', async () => {
    await open(withReport);
    await stub.answer('contractRun.exportFile', { ok: true, value: { exported: true } });
    await button('Export…').click();
    await page.getByRole('menuitem', { name: 'JUnit' }).click();
    await dialog().getByText('The report was written.').waitFor();
    expect(await stub.callsOf('contractRun.exportFile')).toEqual([{ serverId: 'staging', form: 'junit' }]);
    await stub.fails('contractRun.exportFile', { kind: 'file-failed', code: 'ENOSPC' });
    await button('Export…').click();
    await page.getByRole('menuitem', { name: 'JSON' }).click();
    await dialog().getByRole('alert').waitFor();
    expect(await dialog().getByRole('alert').innerText()).toContain('ENOSPC');
  });

  it('is compared with a file: only the differences are shown', async () => {
    await open(withReport);
    await stub.answer('contractRun.compareFile', { ok: true, value: { comparison } });
    await button('Compare…').click();
    await page.getByRole('menuitem', { name: 'With a report in a file (JSON)' }).click();
    await hasFocus(dialog().getByRole('heading', { name: 'Comparison of two contract reports' }));
    const rows = dialog().getByRole('row');
    expect(await rows.count()).toBe(6);
    expect(await rows.nth(1).innerText()).toMatch(/^The token still works after logging out\s+–\s+high \(new\)$/);
    expect(await rows.nth(3).innerText()).toMatch(/^A login with a wrong password is refused\s+kept\s+broken$/);
    expect(await rows.nth(5).innerText()).toContain(hostile.slice(0, 20));
    expect(await dialog().innerText()).toContain(
      'Many failed logins · not measured before: it is done only when asked for',
    );
    await button('Back to the report').click();
    await hasFocus(section('Summary'));
  });

  it('is compared by itself when two were run one after the other', async () => {
    await open({ reports: [], underWay });
    const reports = ['built-in', 'staging'].map((serverId) => ({ serverId, report, runKept: true }));
    await stub.runs({ reports, compared: { before: 'built-in', after: 'staging' } });
    await stub.answer('contractRun.compare', { ok: true, value: comparison });
    await stub.step({});
    await hasFocus(dialog().getByRole('heading', { name: 'Comparison of two contract reports' }));
    expect(await stub.callsOf('contractRun.compare')).toEqual([{ serverId: 'built-in', otherId: 'staging' }]);
  });
});
