import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRunApart, watchedAt, type Measured, type Watched } from '../../../main/contract-run/run-apart.ts';
import { createWatches } from '../../../main/contract-run/watches.ts';
import type { Report } from '../../../preload/contract/contract-report.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { WatchStatus } from '../../../preload/contract/watched.ts';
import { reportWith } from '../../support/report.ts';
import { staging } from '../../support/stub-main/states.ts';

const account = { name: 'Ada', email: 'ada@example.test', password: 'correct horse battery' };

describe('a watch', () => {
  it('counts a run that a fault of ours ended as one that measured nothing, and goes on', async () => {
    const watched: Watched = { serverId: 'there', account, baseUrl: 'http://there.test', way: '' };
    let statuses: WatchStatus[] = [];
    const reported: unknown[] = [];
    const watches = createWatches({
      measure: () => Promise.reject(new Error('a fault of ours')),
      onChange: (now) => (statuses = now),
      tell: () => undefined,
      report: (error) => reported.push(error),
      now: () => new Date(),
    });
    onTestFinished(() => watches.lock());
    watches.start(watched, 15);
    await vi.waitFor(() => expect(statuses[0]?.state.step).toBe('waiting'));
    expect(reported).toHaveLength(1);
  });
});

describe('a run of a watch', () => {
  const watched = watchedAt(staging, account);
  const about = { section: 5, lines: [66], exchanges: [], durationMs: 1 };
  const passed: CaseResult = {
    ...about,
    id: 'login.right-credentials',
    kind: 'stated',
    outcome: 'passed',
    answers: [],
  };
  const refused: CaseResult = {
    ...about,
    id: 'login.right-credentials',
    kind: 'stated',
    outcome: 'not-measured',
    reason: { kind: 'account-refused', status: 401 },
  };
  const reportOf = (result: CaseResult): Report => ({ ...reportWith('x'), cases: [result] });

  const measure = (report: Report, abort?: AbortController): Promise<Measured> => {
    const apart = createRunApart({
      kept: () => undefined,
      find: () => staging,
      isBusy: () => false,
      prepare: () => ({
        start() {
          abort?.abort();
          return Promise.resolve(report);
        },
      }),
    });
    return apart.measure(watched, abort?.signal ?? new AbortController().signal);
  };

  it('says that its account was refused also where it was ended meanwhile, so that the password is not sent again', async () => {
    expect(await measure(reportOf(refused), new AbortController())).toEqual({ kind: 'ended', why: 'account-refused' });
  });

  it('says that it learned nothing where no file can keep it', async () => {
    expect(await measure(reportOf(passed))).toEqual({ kind: 'nothing' });
  });
});
