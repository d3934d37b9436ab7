import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { RunOptions } from '../../../preload/contract/report-run.ts';
import { createCapsuleRoom } from '../../../main/capsule/capsule-room.ts';
import { startForeignServer } from '../../support/foreign-server.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { mainWith } from '../support/main-with-runs.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 120_000 });

const few = RunOptions.parse({ callsPerSecond: 100, only: ['login.wrong-password', 'profile.served'] });

describe('the room for capsules', () => {
  it('makes one of the run that is in memory, and says of another one that it is to be run again', async () => {
    const foreign = await startForeignServer();
    const file = path.join(await makeTemporaryFolder(), 'capsule.html');
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } }, { file });
    const { handlers } = createCapsuleRoom({
      chooseFile: async () => file,
      runs: async () => main.contractRuns,
      language: () => 'en',
    });
    const save = async (number?: number) =>
      handlers.save({ serverId: 'foreign', number, caseId: 'login.wrong-password' });
    const gone = { ok: false, error: { kind: 'capsule-refused', problem: 'not-in-memory' } };
    expect(await save()).toMatchObject(gone);

    await main.run('foreign', few);
    await main.run('foreign', few);
    const [last, before] = main.state().kept!.map(({ number }) => number);
    expect(last).not.toBe(before);
    expect(await save()).toEqual({ ok: true, value: { exported: true } });
    expect(await save(last)).toEqual({ ok: true, value: { exported: true } });
    expect(await readFile(file, 'utf8')).toContain(main.reportOf('foreign')!.startedAt);
    // The report before is still shown, and a capsule of the last run would be another one.
    expect(await save(before)).toMatchObject(gone);

    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    expect(await save(last)).toMatchObject(gone);
  });
});
