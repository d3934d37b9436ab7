import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CaseId } from '../../../preload/contract/report-cases.ts';
import { RunOptions, type FindingId } from '../../../preload/contract/report.ts';
import { readReport, reportSchema } from '../../../main/check/reports/json-report.ts';
import { shareFinding } from '../../../main/check/mock-generator/share-finding.ts';
import { createKnownSecrets } from '../../../main/client/secrets/known-secrets.ts';
import { modelSchema } from '../../../main/service/mock/mock-definition.ts';
import { parseMockFile, loadMockFile } from '../../../main/service/mock/load-mock-file.ts';
import { measureAndLearn, startMemoryMock, startOriginal, type Haste } from '../../prove/mocks.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { check, quickly } from '../support/check.ts';
import { standingClock } from '../support/run-check.ts';
import { mainWith } from '../support/main-with-runs.ts';
import { cheapArgon2 } from '../support/make-service.ts';

// Others may use the machine, too.
vi.setConfig({ testTimeout: 120_000 });

const only = CaseId.options.filter((id) => !id.startsWith('races.') && !id.startsWith('login.told-apart'));
const haste: Haste = { argon2: cheapArgon2, clock: standingClock(), options: { only } };
const faulty = 'wrong:token-outlives-logout+password-echoed+password-hash-in-profile';
const finding: FindingId = 'token-outlives-logout';

/** A server with faults, measured once. It has ended since. */
const original = (async () => {
  const { baseUrl, close } = await startOriginal(faulty, haste);
  try {
    return await measureAndLearn(baseUrl, haste);
  } finally {
    await close();
  }
})();

describe('a shared finding', () => {
  it('is a report of that finding alone, by which its server is played once it is gone', async () => {
    const measured = await original;
    const shared = await shareFinding(measured.report, finding, measured);
    expect(shared?.model).toBe('included');
    const schemas = new Ajv2020({ strict: false, validateFormats: false }).addSchema(modelSchema());
    expect(schemas.validate(reportSchema(), JSON.parse(shared!.text)) || schemas.errors).toBe(true);
    const report = readReport(shared!.text);
    expect(report).toMatchObject({
      ok: true,
      report: { findings: [{ id: finding }], cases: [{ id: 'logout.same-token-afterwards' }], accounts: [] },
    });

    // A colleague has the file and nothing else.
    const file = path.join(await makeTemporaryFolder(), 'finding.json');
    await writeFile(file, shared!.text);
    const read = await loadMockFile(file);
    if (!read.ok) throw new Error(read.sentence);
    const mockServer = await startMemoryMock(read.model, haste);
    const only = ['--only', 'logout.same-token-afterwards', '--compare', file];
    const { code, out } = await check([mockServer.baseUrl, ...quickly, ...only]);
    await mockServer.close();
    // The finding is a high one, so the check fails.
    expect({ code, out }).toEqual({ code: 1, out: expect.stringContaining('Nothing differs') });
  });

  it('holds no secret of its run', async () => {
    const measured = await original;
    const { secrets, report } = measured;
    expect(secrets.length).toBeGreaterThan(30);
    const known = createKnownSecrets<string>();
    for (const secret of secrets) known.add(secret, secret);
    expect(report.findings.length).toBeGreaterThan(1);
    for (const { id } of report.findings) {
      const shared = await shareFinding(report, id, measured);
      expect(known.find(shared!.text).map(({ of }) => of)).toEqual([]);
    }
  });

  it('has no model where no mock server shows it, where nothing is in memory, and where nothing was learned', async () => {
    const measured = await original;
    const { report } = measured;
    const modelOf = async (...given: Parameters<typeof shareFinding>) => {
      const shared = await shareFinding(...given);
      return [shared?.model, shared && !parseMockFile(shared.text).ok && readReport(shared.text).ok];
    };
    expect(await modelOf(report, finding, undefined)).toEqual(['not-in-memory', true]);
    const endedEarly = { ...report, ended: { kind: 'cancelled' } } as const;
    expect(await modelOf(report, finding, { ...measured, report: endedEarly })).toEqual(['not-learned', true]);
    const openly = { ...report.findings[0]!, id: 'plain-http', caseId: 'transport.encryption' } as const;
    const withPlainHttp = { ...report, findings: [openly] };
    expect(await modelOf(withPlainHttp, 'plain-http', measured)).toEqual(['not-imitated', true]);
    expect(await modelOf(report, 'old-tls', measured)).toEqual([undefined, undefined]);
  });

  it('is written from the window, with a model while its run is in memory', async () => {
    const foreign = await startOriginal(faulty, haste);
    onTestFinished(foreign.close);
    const few = RunOptions.parse({ callsPerSecond: 100, only: ['logout.same-token-afterwards'] });
    const file = path.join(await makeTemporaryFolder(), 'finding.json');
    const main = await mainWith({ foreign: { baseUrl: foreign.baseUrl } }, { file });
    await main.run('foreign', few);
    await main.run('foreign', few);
    const { startedAt } = main.reportOf('foreign')!;
    const [last, before] = main.state().stored!.map(({ number }) => number);
    const share = (number?: number) =>
      main.handlers.mocks.shareFinding({ serverId: 'foreign', findingId: finding, number });

    expect(await share()).toEqual({ ok: true, value: { exported: true, model: 'included' } });
    expect(await readFile(file, 'utf8')).toContain(startedAt);
    // What the run before saw is not what the last one saw.
    expect(await share(before)).toEqual({ ok: true, value: { exported: true, model: 'not-in-memory' } });
    expect(await main.handlers.mocks.shareFinding({ serverId: 'nobody', findingId: finding })).toMatchObject({
      ok: false,
    });
    main.lock.lock('by-hand');
    await main.lock.unlock(undefined);
    expect(await share(last)).toEqual({ ok: true, value: { exported: true, model: 'not-in-memory' } });
  });
});
