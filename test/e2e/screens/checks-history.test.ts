import { afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually, expectNoComplaints, hasFocus, seen } from '../../support/screens.ts';
import type { ChecksState } from '../../../preload/contract/checks.ts';
import { comparison, checkReport } from '../../support/stub-main/checks.ts';
import { history, opened, withKept } from '../../support/stub-main/kept-runs.ts';
import { firstStart, staging } from '../../support/stub-main/states.ts';
import { expectNotAsked, openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();
beforeAll(() => page.setViewportSize({ width: 1200, height: 800 }));
afterEach(() => expectNoComplaints(stub));

const main = () => page.getByRole('main');
const button = (name: string | RegExp) => main().getByRole('button', { name, exact: true });
const runs = () => main().getByRole('navigation', { name: 'Checks' });
const runOf = (moment: string) => runs().getByRole('button', { name: moment });
const openRuns = () =>
  main()
    .getByRole('button', { name: /^Checks: / })
    .click();
async function chooseRun(moment: string): Promise<void> {
  await openRuns();
  await runOf(moment).click();
}
const summary = () => main().getByRole('region', { name: 'Summary', exact: true });
const dialog = () => page.getByRole('dialog');
const choose = async (menu: string, item: string | RegExp) => {
  await button(menu).click();
  await page.getByRole('menuitem', { name: item }).click();
};

async function open(shown: ChecksState = withKept): Promise<void> {
  await stub.start({ servers: [...firstStart.servers, staging], activeServerId: 'staging' });
  await stub.runs(shown);
  await page.keyboard.press('Alt+3');
  await seen(summary());
}

describe('the runs that are kept', () => {
  it('are listed with what they found, and an earlier one is opened with its own calls', async () => {
    await open();
    await openRuns();
    const line = (await runOf('Nov 2, 2026').innerText()).replaceAll(/\s+/g, ' ');
    expect(line).toContain('Failed 1, findings 3, accepted 2 Llavero 0.1.0 Pinned');
    await stub.answer('checks.open', { ok: true, value: opened });
    await runOf('Nov 2, 2026').click();
    await seen(summary().getByText('This is an earlier check'));
    await hasFocus(main().getByRole('button', { name: /^Checks: / }));
    await openRuns();
    expect(await runOf('Nov 2, 2026').getAttribute('aria-current')).toBe('true');
    await page.keyboard.press('Escape');
    const evidence = main().getByRole('complementary', { name: 'Details' });
    await evidence.getByRole('button', { name: /^Show/ }).click();
    await expect.poll(() => stub.callsOf('checks.evidence')).toMatchObject([{ serverId: 'staging', number: 3 }]);
    await stub.answer('checks.exportFile', { ok: true, value: { exported: true } });
    await choose('Export', 'JSON');
    await expect.poll(() => stub.callsOf('checks.exportFile')).toMatchObject([{ number: 3, form: 'json' }]);
  });

  it('are opened by a press although the news of a run comes in between', async () => {
    await open();
    await stub.answer('checks.open', { ok: true, value: opened });
    await chooseRun('Nov 2, 2026');
    await seen(summary().getByText('This is an earlier check'));
    await stub.answer('checks.open', 'hold');
    await chooseRun('Nov 20, 2026');
    await expect.poll(() => stub.callsOf('checks.open')).toHaveLength(2);
    await stub.answer('checks.open', { ok: true, value: opened });
    await stub.step({});
    await expect.poll(() => stub.callsOf('checks.open')).toHaveLength(3);
    await stub.release('checks.open', { ok: true, value: opened });
    await openRuns();
    await expect.poll(() => runOf('Nov 20, 2026').getAttribute('aria-current')).toBe('true');
  });

  it('are compared two at a time, the earlier one first', async () => {
    await open();
    await choose('Compare', 'With another check…');
    await dialog().getByLabel('Check', { exact: true }).selectOption('3');
    const { after } = comparison;
    const earlier = { ...after, startedAt: '2026-11-02T18:20:00.000Z' };
    await stub.answer('checks.compare', { ok: true, value: { ...comparison, before: earlier } });
    await dialog().getByRole('button', { name: 'Compare' }).click();
    await seen(main().getByRole('table'));
    // Both sides have one name here, so the sentence tells them apart.
    await seen(
      main().getByRole('heading', { level: 2, name: /two\.example\.test \([^)]*\d[^)]*\) is less safe in 2\.$/ }),
    );
    expect(await stub.callsOf('checks.compare')).toEqual([{ serverId: 'staging', number: 3, otherId: 'staging' }]);
    await button('Back to the report').click();
    await seen(summary());
  });

  it('are pinned, and deleted only after a question', async () => {
    await open();
    await choose('This check', 'Pin the report');
    await expect.poll(() => stub.callsOf('checks.pin')).toEqual([{ serverId: 'staging', number: 9, pinned: true }]);
    await seen(page.getByText('The report is kept, however many checks follow.'));
    await choose('This check', 'Delete the report…');
    await hasFocus(dialog().getByRole('button', { name: 'Keep report' }));
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    await expectNotAsked('checks.deleteReport');
    await choose('This check', 'Delete the report…');
    await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => stub.callsOf('checks.deleteReport')).toEqual([{ serverId: 'staging' }]);
    await seen(page.getByText('The report was deleted.'));
  });
});

describe('the history of a server', () => {
  it('is not taken for the list of runs, and has its place in the line of buttons, in both languages', async () => {
    onTestFinished(() => page.setViewportSize({ width: 1200, height: 800 }));
    await open();
    const names = () => main().locator('header').first().getByRole('button').allInnerTexts();
    const height = async () => (await main().locator('header').first().boundingBox())?.height;
    await page.setViewportSize({ width: 1180, height: 700 });
    expect((await names()).slice(1)).toEqual(['Compare', 'Export', 'History of changes', '', 'New check']);
    expect(await height()).toBe(52);
    await stub.change({ language: 'es' });
    await seen(main().getByRole('button', { name: /^Comprobaciones: / }));
    expect((await names()).slice(1)).toEqual([
      'Comparar',
      'Exportar',
      'Historial de cambios',
      '',
      'Comprobación nueva',
    ]);
    expect(await height()).toBe(52);
  });

  it('says since when each answer has been so', async () => {
    await open();
    await stub.answer('checks.history', { ok: true, value: history });
    await button('History of changes').click();
    await seen(main().getByRole('heading', { level: 1, name: 'History of changes', exact: true }));
    const item = async (text: string) =>
      (await main().getByRole('listitem').filter({ hasText: text }).first().innerText()).split(/\s*\n\s*/);
    const said = (await item('Token lifetime')).join(' ');
    expect(said).toMatch(/Since .*Since Nov 2, 2026.* 7 days Since Oct 1, 2026.* 30 days$/);
    const answers = main().getByRole('region', { name: 'Behaviour over time' });
    const unchanged = answers.getByRole('listitem').filter({ hasText: 'Success status' });
    expect(await unchanged.count()).toBe(0);
    await answers.getByText('Unchanged: 1', { exact: true }).click();
    await seen(unchanged);
    expect(await unchanged.innerText()).toMatch(/Since Oct 1, 2026.*\s200$/);
    expect(await answers.getByText('Changes appear from', { exact: false }).count()).toBe(0);
    await stub.answer('checks.open', { ok: true, value: opened });
    await button(/^Open the check from Nov 2, 2026/)
      .first()
      .click();
    await seen(summary().getByText('This is an earlier check'));
  });

  it('of one run has every answer in one line that unfolds', async () => {
    await open();
    const questions = history.questions.map(({ states, ...more }) => ({ ...more, states: states.slice(0, 1) }));
    await stub.answer('checks.history', { ok: true, value: { ...history, runs: 1, questions } });
    await button('History of changes').click();
    const answers = main().getByRole('region', { name: 'Behaviour over time' });
    await seen(answers.getByText('One check so far. Changes appear from the second one on.'));
    expect(await answers.getByRole('listitem').count()).toBe(0);
    await answers.getByText('Unchanged: 3', { exact: true }).click();
    await expect.poll(() => answers.locator('details').getByRole('list').locator('> li:has(ol)').count()).toBe(3);
  });
});

describe('what is accepted', () => {
  it('is struck through and counted by itself, and what applies to nothing is said', async () => {
    await open();
    const findings = main().getByRole('region', { name: 'Results', exact: true });
    expect(await findings.locator('s').allInnerTexts()).toEqual(['A wrong password is accepted']);
    await findings.locator('[data-line="finding:wrong-password-accepted"]').click();
    await seen(main().getByRole('complementary', { name: 'Details' }).getByText('Ticket 7'));
    expect((await summary().innerText()).replaceAll(/\s+/g, ' ')).toContain('1 of 2 requirements failed; 1 accepted');
    await findings.getByText('No longer present: The token still works after logging out').waitFor();
    await findings.getByRole('button', { name: /^Stop accepting: The token/ }).click();
    await expect
      .poll(() => stub.callsOf('checks.withdrawAcceptance'))
      .toEqual([{ serverId: 'staging', fault: 'finding:token-outlives-logout' }]);
  });

  it('needs a reason, and keeps the focus', async () => {
    await open({
      reports: [{ serverId: 'staging', report: checkReport, number: 9, canRerun: true }],
      stored: withKept.stored,
    });
    await main().locator('[data-line="finding:wrong-password-accepted"]').click();
    const accept = button('Accept: A wrong password is accepted');
    await accept.click();
    await hasFocus(dialog().getByLabel('Reason'));
    await dialog().getByRole('button', { name: 'Accept', exact: true }).click();
    await seen(dialog().getByText('Enter a reason.'));
    await expectNotAsked('checks.accept');
    await dialog().getByLabel('Reason').fill(' Ticket 7 ');
    await stub.runs(withKept);
    await dialog().getByRole('button', { name: 'Accept', exact: true }).click();
    await expect
      .poll(() => stub.callsOf('checks.accept'))
      .toEqual([
        {
          serverId: 'staging',
          fault: 'finding:wrong-password-accepted',
          reason: 'Ticket 7',
        },
      ]);
    await seen(button('Stop accepting: A wrong password is accepted'));
    await eventually(() => hasFocus(button('Stop accepting: A wrong password is accepted')));
  });
});
