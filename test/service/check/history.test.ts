import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir, stat, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { ReportStore, type StoredReport } from '../../../main/check/report-store.ts';
import type { Report } from '../../../preload/contract/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { startBuiltInServer } from '../support/fault-injection.ts';
import { type DefectName, defectNames } from '../../../preload/contract/names.ts';
import { createCheck, secretsIn } from '../support/run-check.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const server = 'https://api.example.test';
const dayMs = 86_400_000;

/** Measured once each: the service as it should be, and wrong in one way. */
const reports = new Map<DefectName | 'right', Report>();
const secrets: string[] = [];
beforeEach(async () => {
  if (reports.size > 0) return;
  for (const name of ['right', ...defectNames] as const) {
    const { service } = await startBuiltInServer({ defects: name === 'right' ? [] : [name] }, { isEmpty: true });
    const { start, wire } = createCheck(service.baseUrl);
    reports.set(name, await start());
    secrets.push(...secretsIn(wire));
  }
});

const reportOn = (day: number, name: DefectName | 'right'): Report => ({
  ...reports.get(name)!,
  startedAt: new Date(Date.UTC(2026, 0, 1) + day * dayMs).toISOString(),
});

/** As it is when the server is away, or throttles after its first cases. */
const cutOff = (report: Report, from: number, reason: 'throttled' | 'run-ended'): Report => ({
  ...report,
  cases: report.cases.map((each, at) =>
    at < from
      ? each
      : {
          id: each.id,
          section: each.section,
          lines: each.lines,
          calls: [],
          durationMs: 0,
          kind: each.kind,
          outcome: 'not-measured',
          reason: { kind: reason },
        },
  ),
  findings: report.findings.filter(({ caseId }) => report.cases.findIndex(({ id }) => id === caseId) < from),
});

const changesOf = ({ comparison }: StoredReport) => comparison?.differences ?? [];

const findingsOf = (learned: StoredReport): string[] =>
  changesOf(learned).flatMap((change) => (change.kind === 'finding' ? [`${change.change} ${change.id}`] : []));

describe('the history of a server', () => {
  it('tells each change of a year exactly once, and none that was not', async () => {
    const store = new ReportStore(path.join(await makeTemporaryFolder(), 'reports.sqlite'));
    const told: string[] = [];
    const expected: string[] = [];
    const everyDays = Math.floor(360 / defectNames.length);
    let before: DefectName | 'right' = 'right';
    for (let day = 0; day < 365; day += 1) {
      const at = Math.floor(day / everyDays);
      // Each is on in the second half of its time.
      const name = day % everyDays >= everyDays / 2 ? (defectNames[at] ?? 'right') : 'right';
      const report = reportOn(day, name);
      // Some runs see little or nothing, and what they miss is told by the next.
      const isWhole = day % 5 !== 3;
      const seen = isWhole ? report : cutOff(report, day % 2 === 0 ? 0 : 3, day % 2 === 0 ? 'run-ended' : 'throttled');
      told.push(...findingsOf(store.add(server, seen)));
      if (!isWhole || name === before) continue;
      const ids = (of: DefectName | 'right') => reports.get(of)!.findings.map(({ id }) => id);
      expected.push(
        ...ids(name)
          .filter((id) => !ids(before).includes(id))
          .map((id) => `new ${id}`),
      );
      expected.push(
        ...ids(before)
          .filter((id) => !ids(name).includes(id))
          .map((id) => `gone ${id}`),
      );
      before = name;
    }
    expect(told).toEqual(expected);
    expect(told.length).toBeGreaterThan(defectNames.length);
    // The same server in the same state has nothing to tell.
    expect(changesOf(store.add(server, reportOn(400, 'right')))).toEqual([]);
    expect(changesOf(store.add(server, cutOff(reportOn(401, 'right'), 0, 'run-ended')))).toEqual([]);
    expect(changesOf(store.add(server, reportOn(402, 'right')))).toEqual([]);
    store.close();
  });

  it('knows each server by itself, and a clock that goes back changes nothing', () => {
    const store = new ReportStore(':memory:');
    store.add(server, reportOn(100, 'right'));
    expect(store.newest().map((each) => each.server)).toEqual([server]);
    expect(changesOf(store.add('https://other.example.test', reportOn(1, 'password-echoed')))).toEqual([]);
    expect(changesOf(store.add(server, reportOn(2, 'right')))).toEqual([]);
    expect(findingsOf(store.add(server, reportOn(1, 'password-echoed')))).toEqual(['new password-echoed']);
    store.close();
  });

  it('holds no secret in its file, which only its user may read', async () => {
    const folder = await makeTemporaryFolder();
    const file = path.join(folder, 'reports.sqlite');
    const store = new ReportStore(file);
    const packed: string[] = [];
    for (const name of reports.keys()) {
      store.add(server, reportOn(1, name));
      packed.push(JSON.stringify(store.newest()));
    }
    store.close();
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const plain = await Promise.all((await readdir(folder)).map((name) => readFile(path.join(folder, name), 'latin1')));
    expect(secrets.length).toBeGreaterThan(50);
    expect(secrets.filter((secret) => [...plain, ...packed].some((text) => text.includes(secret)))).toEqual([]);
  });

  it.each([
    [
      'is another file',
      (file: string) => writeFile(file, 'hello, world, this is no database at all'),
      /not a database/,
    ],
    [
      'belongs to another program',
      (file: string) => {
        const db = new DatabaseSync(file);
        db.exec('CREATE TABLE t (a)');
        db.close();
      },
      /contract reports is broken/,
    ],
    [
      'was written by another version',
      (file: string) => {
        new ReportStore(file).close();
        const db = new DatabaseSync(file);
        db.exec('PRAGMA user_version = 3');
        db.close();
      },
      /is other-version/,
    ],
    [
      'was cut off',
      async (file: string) => {
        const store = new ReportStore(file);
        for (let day = 0; day < 20; day += 1) store.add(server, reportOn(day, 'right'));
        store.close();
        await truncate(file, 20_480);
      },
      /broken|malformed/,
    ],
  ])('is refused when it %s, and stays as it is', async (_how, make, problem) => {
    const file = path.join(await makeTemporaryFolder(), 'reports.sqlite');
    await Promise.resolve(make(file));
    const before = await readFile(file);
    expect(() => new ReportStore(file)).toThrow(problem);
    expect((await readFile(file)).equals(before)).toBe(true);
  });

  it('takes runs of two programs at once', async () => {
    const file = path.join(await makeTemporaryFolder(), 'reports.sqlite');
    new ReportStore(file).close();
    const script = `
      const { ReportStore } = await import(${JSON.stringify(path.resolve(import.meta.dirname, '../../../main/check/report-store.ts'))});
      const store = new ReportStore(${JSON.stringify(file)});
      const report = JSON.parse(process.env.REPORT);
      for (let run = 0; run < 20; run += 1) store.add('https://api.example.test', report);
      store.close();`;
    const codes = await Promise.all(
      [0, 1].map(async () => {
        const env = {
          ...process.env,
          ELECTRON_RUN_AS_NODE: '1',
          REPORT: JSON.stringify({ ...reportOn(1, 'right'), evidence: [] }),
        };
        const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env, stdio: 'inherit' });
        const [code] = (await once(child, 'close')) as unknown[];
        return code;
      }),
    );
    expect(codes).toEqual([0, 0]);
    const db = new DatabaseSync(file);
    expect(db.prepare('SELECT count(*) AS runs FROM runs').get()).toEqual({ runs: 40 });
    db.close();
  });
});
