import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileNotice } from '../../../preload/contract/models.ts';
import { RunOptions } from '../../../preload/contract/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { mainWith, refused } from '../support/main-with-runs.ts';

describe('the reports of runs', () => {
  const wanted = RunOptions.parse({ callsPerSecond: 100, only: ['logout.same-token-afterwards'] });

  it('are there at the next start, and say what the server has changed since the run before', async () => {
    const { service, behaviour } = await startBuiltInServer({}, { isEmpty: true });
    const folder = await makeTemporaryFolder();
    const first = await mainWith({ foreign: service }, { folder });
    await first.run('foreign', wanted);
    expect(first.state().reports).toMatchObject([{ serverId: 'foreign', canRerun: true }]);
    expect(first.state().reports[0]?.changed).toBeUndefined();
    expect(first.checks.changes({ serverId: 'foreign' })).toMatchObject(refused('no-report'));
    const { startedAt } = first.reportOf('foreign')!;
    await first.lazyChecks.close();

    const second = await mainWith({ foreign: service }, { folder });
    expect(second.state().reports).toMatchObject([{ serverId: 'foreign', canRerun: false, report: { startedAt } }]);
    expect(second.checks.rerunCase({ serverId: 'foreign', caseId: 'login.answer' })).toMatchObject(refused('no-run'));
    await second.run('foreign', wanted);
    expect(second.state().reports[0]?.changed).toEqual({ count: 0, since: startedAt });
    behaviour.set({ defects: ['token-outlives-logout'] });
    await second.run('foreign', wanted);
    await second.lazyChecks.close();

    const third = await mainWith({ foreign: service }, { folder });
    const { changed } = third.state().reports[0]!;
    expect(changed?.count).toBeGreaterThan(0);
    const changes = third.checks.changes({ serverId: 'foreign' });
    expect(changes.ok && changes.value.differences).toContainEqual(
      expect.objectContaining({ kind: 'finding', change: 'new', id: 'token-outlives-logout' }),
    );
    await third.lazyChecks.close();
  });

  it('teach nothing where the server was away, and go with their server', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const folder = await makeTemporaryFolder();
    const main = await mainWith({ foreign: service }, { folder });
    await main.run('foreign', wanted);
    await service.close();
    await main.run('foreign', wanted);
    expect(main.reportOf('foreign')?.cases.every(({ outcome }) => outcome === 'not-measured')).toBe(true);
    expect(main.state().reports[0]?.changed).toBeUndefined();
    const stored = async (): Promise<string> => {
      const names = (await readdir(folder)).filter((name) => name.startsWith('reports.sqlite'));
      return (await Promise.all(names.map((name) => readFile(path.join(folder, name), 'latin1')))).join('');
    };
    expect(await stored()).toContain('foreign');
    main.checks.forgetServer('foreign');
    expect(main.state().reports).toEqual([]);
    expect(await stored()).not.toContain('foreign');
    await main.lazyChecks.close();
    expect((await mainWith({ foreign: service }, { folder })).state().reports).toEqual([]);
  });

  it('start over beside a damaged file, which is kept and told of', async () => {
    const { service } = await startBuiltInServer({}, { isEmpty: true });
    const folder = await makeTemporaryFolder();
    await writeFile(
      path.join(folder, 'reports.sqlite'),
      'no database, and long enough to be seen as none\n'.repeat(50),
    );
    const told: FileNotice[] = [];
    const main = await mainWith({ foreign: service }, { folder, notices: told, warn: () => undefined });
    expect(main.state().reports).toEqual([]);
    expect(told).toMatchObject([{ file: 'reports.sqlite', problem: 'set-aside' }]);
    await main.run('foreign', wanted);
    await main.lazyChecks.close();
    expect((await mainWith({ foreign: service }, { folder })).state().reports).toHaveLength(1);
  });
});
