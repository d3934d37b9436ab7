import { describe, expect, it } from 'vitest';
import type { ContractRuns } from '../../../preload/contract/contract-runs.ts';
import { seen } from '../../support/screens.ts';
import { comparison, withChanges } from '../../support/stub-main/contract-runs.ts';
import { firstStart, staging } from '../../support/stub-main/states.ts';
import { openForAll, page, stub } from '../../support/stub-main/opened-stub.ts';

openForAll();

const room = () => page.getByRole('main');
const button = (name: string) => room().getByRole('button', { name, exact: true });
const title = (name: string) => room().getByRole('heading', { level: 1, name, exact: true });
const section = (name: string) => room().getByRole('region', { name, exact: true });

async function open(runs: ContractRuns): Promise<void> {
  await stub.start({ servers: [...firstStart.servers, staging], activeServerId: 'staging' });
  await stub.runs(runs);
  await page.keyboard.press('Alt+3');
  await seen(section('Summary'));
}

describe('a report that was kept', () => {
  it('says what has changed since the run before, and leads there and back', async () => {
    await open(withChanges);
    expect(await section('Summary').innerText()).toMatch(/Changed since the run before: 3 \(Nov 20, 2026, .*\)\./);
    await stub.answer('contractRun.changes', { ok: true, value: comparison });
    await button('Show what changed').click();
    await seen(title('Compare'));
    expect(await button('Run both again').count()).toBe(0);
    await button('Back to the report').click();
    await seen(section('Summary'));
    expect(await stub.callsOf('contractRun.changes')).toEqual([{ serverId: 'staging' }]);
  });

  it('says that nothing has changed, and offers nothing to see', async () => {
    const [first] = withChanges.reports;
    await open({ reports: [{ ...first!, changed: { count: 0, since: '2026-11-20T07:15:00.000Z' } }] });
    expect(await section('Summary').innerText()).toContain('Nothing has changed since the run before (Nov 20, 2026');
    expect(await button('Show what changed').count()).toBe(0);
  });
});
