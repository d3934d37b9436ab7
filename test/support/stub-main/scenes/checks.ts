import type { ChecksState } from '../../../../preload/contract/checks.ts';
import { someCalls } from '../calls.ts';
import { comparison, checkReport, running, withChanges, withOnlyFindings, withReport } from '../checks.ts';
import { history, withKept } from '../kept-runs.ts';
import { firstStart, longHosts, production, staging } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import { atWork, go, type Scene } from '../scene.ts';

const openChecks = async (runs: ChecksState) => {
  await stub.runs(runs);
  // Without a report, the page itself offers a check and has no form of one.
  await page.keyboard.press(runs.reports.length > 0 || runs.running ? 'Alt+3' : 'Control+t');
  await page.getByRole('main').locator('select, progress, section h2').first().waitFor();
};
const compareWithFile = async () => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await stub.answer('checks.compareFile', { ok: true, value: { comparison } });
  await page.locator('main header [aria-haspopup=menu]:visible').first().click();
  await page.getByRole('menuitem').first().click();
  await page.getByRole('table').waitFor();
};
const ofStaging = { state: { ...atWork, activeServerId: staging.id }, calls: someCalls };
/** The checks, their reports and comparisons. */
export const scenes: readonly Scene[] = [
  { name: 'checks-none', ...ofStaging, asks: ['checks.state'], steps: go('checks') },
  {
    name: 'checks-new',
    ...ofStaging,
    asks: ['checks.plan', 'checks.state'],
    steps: [...go('checks'), { press: 'main section section button' }, { wait: 'main form' }],
  },
  { name: 'checks-running', isScreen: true, ...ofStaging, runs: { reports: [], running }, steps: go('checks') },
  { name: 'checks-report', ...ofStaging, asks: ['checks.state'], runs: withReport, steps: go('checks') },
  {
    name: 'checks-long-hosts',
    state: { ...atWork, servers: [...firstStart.servers, longHosts], activeServerId: longHosts.id },
    runs: {
      reports: [{ serverId: longHosts.id, report: { ...checkReport, baseUrl: longHosts.baseUrl }, canRerun: true }],
    },
    steps: go('checks'),
  },
  {
    name: 'checks-other-interface',
    ...ofStaging,
    runs: {
      reports: [
        {
          serverId: 'staging',
          report: { ...checkReport, otherInterfaces: ['laravel-sanctum', 'laravel-breeze'] },
          canRerun: true,
        },
      ],
    },
    steps: go('checks'),
  },
  { name: 'checks-changed', ...ofStaging, runs: withChanges, steps: go('checks') },
  {
    name: 'checks-compare',
    ...ofStaging,
    runs: withReport,
    steps: [
      ...go('checks'),
      { answers: 'checks.compareFile', value: { comparison } },
      { press: 'main header [aria-haspopup=menu]:visible' },
      { press: '[role=menuitem]' },
      { wait: 'table' },
    ],
  },
  { name: 'checks-only-findings', ...ofStaging, runs: withOnlyFindings, steps: go('checks') },
  { name: 'checks-kept', isScreen: true, ...ofStaging, runs: withKept, steps: go('checks') },
  {
    name: 'checks-accept',
    isScreen: true,
    ...ofStaging,
    runs: { reports: [{ serverId: 'staging', report: checkReport, canRerun: true }] },
    steps: [
      ...go('checks'),
      { press: 'main section [data-line="finding:wrong-password-accepted"]' },
      { press: 'main aside button[aria-label*=": "]:visible', at: -1 },
      { wait: '[role=dialog] textarea' },
    ],
  },
  {
    name: 'checks-history',
    isScreen: true,
    ...ofStaging,
    runs: withKept,
    steps: [
      ...go('checks'),
      { answers: 'checks.history', value: history },
      { press: 'main header button:visible', at: 3 },
      { wait: '#run-answers-over-time' },
    ],
  },
  {
    name: 'a check that is chosen',
    isScreen: true,
    ...ofStaging,
    act: async () => {
      await openChecks({ reports: [] });
      await page.locator('select').first().selectOption(production.id);
      await stub.fails('checks.start', { kind: 'run-refused', problem: 'production' });
      await page.getByRole('main').locator('button[type=submit]').click();
      await page.locator('[role=alert][tabindex]').waitFor();
    },
  },
  {
    name: 'a contract report with everything unfolded',
    isScreen: true,
    ...ofStaging,
    act: async () => {
      await openChecks(withReport);
      await page.locator('main summary').first().click();
      await page.locator('main summary').last().click();
      await page.locator('main section [data-line="rule:login.answer"]').click();
      const shown = page.locator('main aside:visible');
      await shown.locator('button[aria-expanded][aria-label]').click();
      await shown.locator('h4').first().waitFor();
    },
  },
  {
    name: 'the runs of a contract over its report',
    isScreen: true,
    ...ofStaging,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openChecks({
        reports: [...withReport.reports, { serverId: 'built-in', report: checkReport, canRerun: false }],
      });
      await page.locator('main header button[aria-expanded]:not([aria-haspopup]):visible').click();
      await page.locator('main nav').waitFor();
    },
  },
  {
    name: 'the ways to export a contract report',
    isScreen: true,
    ...ofStaging,
    act: async () => {
      await page.setViewportSize({ width: 1200, height: 800 });
      await openChecks(withReport);
      await page.locator('main header [aria-haspopup=menu]:visible').nth(1).click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'a comparison of contract reports in a narrow window',
    isScreen: true,
    ...ofStaging,
    act: async () => {
      await openChecks(withReport);
      await compareWithFile();
      await page.setViewportSize({ width: 480, height: 640 });
    },
  },
];
