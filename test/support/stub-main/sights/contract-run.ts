import type { ContractRuns } from '../../../../preload/contract/contract-runs.ts';
import { someCalls } from '../calls.ts';
import { comparison, report, withReport } from '../contract-runs.ts';
import { firstStart, heldSessions, production, staging } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import type { Sights } from '../scene.ts';

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const recorded = { state: several, calls: someCalls };
const openContractRun = async (runs: ContractRuns) => {
  await stub.runs(runs);
  // Without a report, the page itself offers a check and has no form of one.
  await page.keyboard.press(runs.reports.length > 0 || runs.underWay ? 'Alt+3' : 'Control+t');
  await page.getByRole('main').locator('select, progress, section h2').first().waitFor();
};
const compareWithFile = async () => {
  await page.setViewportSize({ width: 1200, height: 800 });
  await stub.answer('contractRun.compareFile', { ok: true, value: { comparison } });
  await page.locator('main header [aria-haspopup=menu]:visible').first().click();
  await page.getByRole('menuitem').first().click();
  await page.getByRole('table').waitFor();
};
const ofStaging = { ...recorded, state: { ...several, activeServerId: staging.id } };

/** What a person may come to see of contract runs. */
export const sights: Sights = {
  'a contract run that is chosen': {
    ...ofStaging,
    act: async () => {
      await openContractRun({ reports: [] });
      await page.locator('select').first().selectOption(production.id);
      await stub.fails('contractRun.start', { kind: 'run-refused', problem: 'production' });
      await page.getByRole('main').locator('button[type=submit]').click();
      await page.locator('[role=alert][tabindex]').waitFor();
    },
  },
  'a contract report with everything unfolded': {
    ...ofStaging,
    act: async () => {
      await openContractRun(withReport);
      await page.locator('main summary').first().click();
      await page.locator('main summary').last().click();
      await page.locator('main section [data-line="rule:login.answer"]').click();
      const shown = page.locator('main aside:visible');
      await shown.locator('button[aria-expanded][aria-label]').click();
      await shown.locator('h4').first().waitFor();
    },
  },
  'the runs of a contract over its report': {
    ...ofStaging,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openContractRun({ reports: [...withReport.reports, { serverId: 'built-in', report, runKept: false }] });
      await page.locator('main header button[aria-expanded]:not([aria-haspopup]):visible').click();
      await page.locator('main nav').waitFor();
    },
  },
  'the ways to export a contract report': {
    ...ofStaging,
    act: async () => {
      await page.setViewportSize({ width: 1200, height: 800 });
      await openContractRun(withReport);
      await page.locator('main header [aria-haspopup=menu]:visible').nth(1).click();
      await page.getByRole('menu').waitFor();
    },
  },
  'a comparison of contract reports in a narrow window': {
    ...ofStaging,
    act: async () => {
      await openContractRun(withReport);
      await compareWithFile();
      await page.setViewportSize({ width: 480, height: 640 });
    },
  },
};
