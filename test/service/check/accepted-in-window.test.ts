import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { RunOptions } from '../../../preload/contract/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { mainWith, refused } from '../support/main-with-runs.ts';

const wanted = RunOptions.parse({ callsPerSecond: 100, only: ['logout.same-token-afterwards'] });
const fault = 'finding:token-outlives-logout';

describe('what a person accepts of a server', () => {
  it('is struck through in exports, counts again once it is taken back, and holds no secret', async () => {
    const { service } = await startBuiltInServer({ defects: ['token-outlives-logout'] }, { isEmpty: true });
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'export');
    const main = await mainWith({ foreign: service }, { folder, file });
    const { checks } = main;
    await main.run('foreign', wanted);
    const states = () => main.state().reports[0]?.acceptances?.map(({ state }) => state);
    const countOfAccepted = () => main.state().stored?.map(({ accepted }) => accepted);
    expect(countOfAccepted()).toEqual([0]);

    const token = '7|0123456789012345678901234567890123456789abcdef01';
    main.secretRegistry.register(token, 'token');
    const reason = `Ticket 7; the token was ${token}`;
    expect(checks.accept({ serverId: 'foreign', fault: 'finding:plain-ftp', reason })).toMatchObject(
      refused('no-report'),
    );
    expect(checks.accept({ serverId: 'foreign', fault, reason }).ok).toBe(true);
    expect(states()).toEqual(['holds']);
    expect(countOfAccepted()).toEqual([1]);
    expect(main.state().reports[0]?.acceptances?.[0]?.reason).toBe('Ticket 7; the token was [token 1]');

    for (const [form, struck] of [
      ['markdown', /~~\[The token still works after logging out\]\(#finding-token-outlives-logout\)~~.*Ticket 7/],
      ['html', /<s>The token still works after logging out<\/s>[^]*Ticket 7/],
      ['json', /"accepted": \[\s*\{\s*"fault": "finding:token-outlives-logout"/],
    ] as const) {
      expect(await checks.exportFile({ serverId: 'foreign', form })).toEqual({
        ok: true,
        value: { exported: true },
      });
      const written = await readFile(file, 'utf8');
      expect(written).toMatch(struck);
      expect(written).not.toContain(token);
    }

    expect(checks.withdrawAcceptance({ serverId: 'foreign', fault }).ok).toBe(true);
    expect(states()).toEqual([]);
    expect(countOfAccepted()).toEqual([0]);
    main.checks.forgetServer('foreign');
    const names = (await readdir(folder)).filter((name) => name.startsWith('reports.sqlite'));
    const stored = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'latin1')));
    expect(stored.join('')).not.toContain('Ticket 7');
  });

  it('applies to earlier runs too, and says where it applies to nothing', async () => {
    const { service, behaviour } = await startBuiltInServer({ defects: ['token-outlives-logout'] }, { isEmpty: true });
    const main = await mainWith({ foreign: service });
    const { checks } = main;
    await main.run('foreign', wanted);
    checks.accept({ serverId: 'foreign', fault, reason: 'Ticket 7' });
    behaviour.set({ defects: [] });
    await main.run('foreign', wanted);
    expect(main.state().reports[0]?.acceptances).toMatchObject([{ fault, state: 'gone', accepted: '2026-11-21' }]);
    const earlier = main.state().stored?.at(-1)?.number;
    expect(checks.open({ serverId: 'foreign', number: earlier! })).toMatchObject({
      ok: true,
      value: { acceptances: [{ fault, state: 'holds' }] },
    });
    await main.lazyChecks.close();
  });

  it('stands beside runs that can be deleted: the one before takes the place of the last', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const main = await mainWith({ foreign: service });
    await main.run('foreign', wanted);
    await main.run('foreign', wanted);
    const [last, first] = main.state().stored ?? [];
    const compared = main.checks.compare({ serverId: 'foreign', number: first?.number, otherId: 'foreign' });
    expect(compared).toMatchObject({ ok: true, value: { differences: [] } });
    expect(main.checks.deleteReport({ serverId: 'foreign' }).ok).toBe(true);
    expect(main.state().reports).toMatchObject([{ number: first?.number, canRerun: false }]);
    expect(main.checks.open({ serverId: 'foreign', number: last!.number })).toMatchObject(refused('no-report'));
    expect(main.checks.deleteReport({ serverId: 'foreign', number: first?.number }).ok).toBe(true);
    expect(main.state()).toMatchObject({ reports: [], stored: [] });
    expect(main.checks.history({ serverId: 'foreign' })).toMatchObject({ ok: true, value: { runs: 2 } });
  });
});
