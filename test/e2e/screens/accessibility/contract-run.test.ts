import type { ContractRuns } from '../../../../preload/contract/contract-runs.ts';
import { someCalls } from '../../../support/stub-main/calls.ts';
import { comparison, underWay, withReport } from '../../../support/stub-main/contract-runs.ts';
import { firstStart, heldSessions, production, staging } from '../../../support/stub-main/states.ts';
import { axeFindsNothingWrong, type Sight } from '../../../support/stub-main/sights.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const recorded = { state: several, calls: someCalls };
const openContractRun = async (runs: ContractRuns) => {
  await stub.runs(runs);
  await page.keyboard.press('Control+t');
  await page.getByRole('dialog').locator('select, progress, dl').first().waitFor();
};
const ofStaging = { ...recorded, state: { ...several, activeServerId: staging.id } };

const sights: Record<string, Sight> = {
  'a contract run that is chosen': {
    ...ofStaging,
    act: async () => {
      await openContractRun({ reports: [] });
      await page.locator('select').first().selectOption(production.id);
      await stub.fails('contractRun.start', { kind: 'run-refused', problem: 'production' });
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.locator('[role=alert][tabindex]').waitFor();
    },
  },
  'a contract run under way': {
    ...ofStaging,
    act: async () => {
      const waitingUntil = '2026-11-21T10:11:12.000Z';
      await openContractRun({
        reports: [],
        underWay: { ...underWay, next: 'built-in', progress: { ...underWay.progress, waitingUntil } },
      });
      await stub.step({ underWay });
      await page.locator('header [data-dot=true]').waitFor();
    },
  },
  'a contract report with everything unfolded': {
    ...ofStaging,
    act: async () => {
      await openContractRun(withReport);
      for (const each of await page.getByRole('dialog').locator('summary').all()) await each.click();
      await page.getByRole('dialog').locator('ul button[aria-expanded]').first().click();
      await page.getByRole('dialog').locator('h4 + div').first().waitFor();
    },
  },
  'the ways to export a contract report': {
    ...ofStaging,
    act: async () => {
      await openContractRun(withReport);
      await page.getByRole('dialog').locator('button[aria-haspopup=menu]').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
  'a comparison of contract reports': {
    ...ofStaging,
    act: async () => {
      await openContractRun(withReport);
      await stub.answer('contractRun.compareFile', { ok: true, value: { comparison } });
      await page.getByRole('dialog').locator('button[aria-haspopup=menu]').nth(1).click();
      await page.getByRole('menuitem').first().click();
      await page.getByRole('table').first().waitFor();
    },
  },
};

axeFindsNothingWrong(() => stub, sights);
