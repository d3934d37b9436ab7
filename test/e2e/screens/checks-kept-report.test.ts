import { describe, expect, it } from 'vitest';
import type { ChecksState } from '../../../preload/contract/checks.ts';
import { seen } from '../../support/screens.ts';
import { comparison, checkReport, withChanges, withOnlyFindings, withReport } from '../../support/stub-main/checks.ts';
import { firstStart, staging } from '../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();

const main = () => page.getByRole('main');
const button = (name: string) => main().getByRole('button', { name, exact: true });
const title = (name: string) => main().getByRole('heading', { level: 1, name, exact: true });
const section = (name: string) => main().getByRole('region', { name, exact: true });

async function open(runs: ChecksState): Promise<void> {
  await stub.start({ servers: [...firstStart.servers, staging], activeServerId: 'staging' });
  await stub.runs(runs);
  await page.keyboard.press('Alt+3');
  await seen(section('Summary'));
}

describe('the verdict', () => {
  const verdict = () => section('Summary').getByRole('heading', { level: 2 }).innerText();
  const [entry] = withOnlyFindings.reports;
  const kept = entry!.report;

  it('names the findings first although every requirement passed, in both languages', async () => {
    await open(withOnlyFindings);
    expect(await verdict()).toBe('1 high finding; the only requirement passed');
    await stub.change({ language: 'es' });
    await seen(main().getByRole('heading', { level: 2, name: /^1 hallazgo alto; / }));
  });

  it('says nothing more where nothing was found, or all of it is accepted', async () => {
    await open({ reports: [{ ...entry!, report: { ...kept, findings: [] } }] });
    expect(await verdict()).toBe('The only requirement passed, no findings');
    const acceptances = checkReport.findings.map(({ id, caseId }) => ({
      fault: `finding:${id}`,
      case: caseId,
      reason: 'Ticket 7',
      accepted: '2026-11-21',
      state: 'holds' as const,
    }));
    await open({ reports: [{ ...entry!, acceptances }] });
    await expect.poll(verdict).toBe('The only requirement passed; 2 accepted');
  });
});

describe('a report that was kept', () => {
  it('says what has changed since the run before, and leads there and back', async () => {
    await open(withChanges);
    expect(await section('Summary').innerText()).toMatch(/Changes since the previous check: 3 \(Nov 20, 2026, .*\)\./);
    await stub.answer('checks.changes', { ok: true, value: comparison });
    await button('Show changes').click();
    await seen(title('Compare'));
    expect(await button('Check both again').count()).toBe(0);
    await button('Back to the report').click();
    await seen(section('Summary'));
    expect(await stub.callsOf('checks.changes')).toEqual([{ serverId: 'staging' }]);
  });

  it('says that nothing has changed, and offers nothing to see', async () => {
    const [first] = withChanges.reports;
    await open({ reports: [{ ...first!, changed: { count: 0, since: '2026-11-20T07:15:00.000Z' } }] });
    expect(await section('Summary').innerText()).toContain('No changes in what the previous check (Nov 20, 2026');
    expect(await button('Show changes').count()).toBe(0);
  });
});

describe('a finding', () => {
  it('is shared as a report, and says whether a model is in it', async () => {
    await open(withReport);
    await main().locator('[data-line="finding:wrong-password-accepted"]').first().click();
    await stub.answer('mocks.shareFinding', { ok: true, value: { exported: true, model: 'included' } });
    await button('Share this finding…').click();
    await seen(page.getByText('saved with a mock file of the server', { exact: false }));
    expect(await stub.callsOf('mocks.shareFinding')).toEqual([
      { serverId: 'staging', findingId: 'wrong-password-accepted' },
    ]);
    await stub.answer('mocks.shareFinding', { ok: true, value: { exported: true, model: 'not-in-memory' } });
    await button('Share this finding…').click();
    await seen(page.getByText('saved without a mock file', { exact: false }));
  });
});
