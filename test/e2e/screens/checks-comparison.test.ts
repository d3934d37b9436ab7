import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { expectNoComplaints, expectText, hasFocus } from '../../support/screens.ts';
import { ReportComparison } from '../../../preload/contract/report.ts';
import type { ChecksState } from '../../../preload/contract/checks.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { someCalls } from '../../support/stub-main/calls.ts';
import { comparison, hostile, checkReport, running, withReport } from '../../support/stub-main/checks.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';
import { firstStart, production, staging } from '../../support/stub-main/states.ts';

openForAll();
const wide = { width: 1100, height: 700 };
beforeAll(() => page.setViewportSize(wide));
afterEach(() => expectNoComplaints(stub));

const { t } = createReportFormatter('en');
const several = { servers: [...firstStart.servers, staging, production], activeServerId: 'staging' };
const main = () => page.getByRole('main');
const button = (name: string | RegExp) => main().getByRole('button', { name, exact: true });
const title = (name: string) => main().getByRole('heading', { level: 1, name, exact: true });
const section = (name: string) => main().getByRole('region', { name, exact: true });

async function open(runs: ChecksState) {
  await stub.start(several, someCalls);
  await stub.runs(runs);
  await page.keyboard.press('Alt+3');
  await main().locator('progress, section h2').first().waitFor();
}

describe('two reports', () => {
  it('the data of these tests are as the contract says', () => {
    expect(ReportComparison.parse(comparison)).toEqual(comparison);
  });

  it('are compared with one in a file: only the differences are shown', async () => {
    await open(withReport);
    await stub.answer('checks.compareFile', { ok: true, value: { comparison } });
    await button('Compare').click();
    await page.getByRole('menuitem', { name: 'With a report file (JSON)…' }).click();
    await hasFocus(main().getByRole('heading', { level: 2, name: /^3 of 51 tests differ\. .* is less safe in 2\.$/ }));
    await title('Compare').waitFor();
    const rows = main().getByRole('row');
    // A row with the sides, one with the name of each section, and one for each difference.
    expect(await rows.count()).toBe(7);
    expect(await rows.nth(0).innerText()).toMatch(/^Question\s+One[^]*http:\/\/two\.example\.test/);
    expect(await rows.nth(2).innerText()).toContain(hostile.slice(0, 20));
    const outcomes = `${t('outcomes.passed')}\\s+${t('outcomes.failed')}`;
    expect(await rows.nth(4).innerText()).toMatch(
      new RegExp(`^A login with a wrong password is rejected\\s+${outcomes}$`, 'i'),
    );
    expect(await rows.nth(6).innerText()).toMatch(/^The token still works after logging out\s+not found\s+high$/i);
    await button('Swap the sides').click();
    await expectText(rows.nth(6), /^The token still works after logging out\s+high\s+not found$/i);
    await hasFocus(button('Swap the sides'));
    await button('Less safe 2').click();
    expect(await rows.count()).toBe(5);
    await button('Differences 3').click();
    // The roles stay where the layout is no table any more.
    await page.setViewportSize({ width: 480, height: 640 });
    onTestFinished(() => page.setViewportSize(wide));
    expect(await main().getByRole('cell').count()).toBe(6);
    expect(await main().getByRole('columnheader').count()).toBe(3);
    expect(await rows.count()).toBe(7);
    expect(await main().innerText()).toContain('Limit on failed logins · not tested before: off by default');
    await stub.answer('checks.exportComparison', { ok: true, value: { exported: true } });
    await button('Export…').click();
    await page.getByText('The comparison was saved.').waitFor();
    await button('Back to the report').click();
    await hasFocus(section('Summary'));
  });

  it('are compared by themselves when two servers were run one after the other', async () => {
    await open({ reports: [], running });
    const reports = ['built-in', 'staging'].map((serverId) => ({ serverId, report: checkReport, canRerun: true }));
    await stub.runs({ reports, compared: { before: 'built-in', after: 'staging' } });
    await stub.answer('checks.compare', { ok: true, value: comparison });
    await stub.step({});
    await hasFocus(main().getByRole('heading', { level: 2, name: /^3 of 51 tests differ\./ }));
    await expect.poll(() => stub.callsOf('checks.compare')).toEqual([{ serverId: 'built-in', otherId: 'staging' }]);
    await button('Check both again').click();
    await expect
      .poll(() => stub.callsOf('checks.start'))
      .toMatchObject([{ serverId: 'built-in', compareWith: 'staging', options: checkReport.options }]);
  });
});
