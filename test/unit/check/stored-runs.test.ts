import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ReportStore } from '../../../main/check/report-store.ts';
import type { Report, FindingId } from '../../../preload/contract/report.ts';
import type { RunHistory } from '../../../preload/contract/checks.ts';
import type { CaseResult, NotMeasured } from '../../../preload/contract/report-cases.ts';
import { reportWith } from '../../support/report.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const server = 'staging';
const about = { section: 5, lines: [66], calls: [], durationMs: 1 };
const base: Report = { ...reportWith('x'), accepted: undefined, evidence: [], findings: [], cases: [] };

const refusal = (outcome: 'passed' | 'failed'): CaseResult => ({
  ...about,
  id: 'login.wrong-password',
  kind: 'stated',
  outcome,
  answers: [],
});
const lifetime = (days: number): CaseResult => ({
  ...about,
  id: 'token.lifetime',
  kind: 'observed',
  outcome: 'answered',
  answers: [{ question: 'token-lifetime', value: { kind: 'seconds', seconds: days * 86_400 } }],
});
const logout = (outcome: 'passed' | 'failed' = 'passed'): CaseResult => ({
  ...about,
  id: 'logout.same-token-afterwards',
  kind: 'stated',
  outcome,
  answers: [],
});
const unmeasured = ({ id, kind }: CaseResult, reason: NotMeasured): CaseResult => ({
  ...about,
  id,
  kind,
  outcome: 'not-measured',
  reason,
});

const finding = (id: FindingId): Report['findings'][number] => ({
  id,
  severity: 'high',
  caseId: 'logout.same-token-afterwards',
  calls: ['call-1'],
  script: '',
  details: [],
});

const on = (day: number, cases: CaseResult[], findings: FindingId[] = []): Report => ({
  ...base,
  startedAt: new Date(Date.UTC(2026, 0, day, 12)).toISOString(),
  cases,
  findings: findings.map(finding),
});

const dayOf = (iso: string): number => new Date(iso).getUTCDate();
/** Says each answer about the lifetime of a token in days, and since which day of January. */
const lifetimesIn = ({ questions }: RunHistory): string[] =>
  questions
    .filter(({ question }) => question === 'token-lifetime')
    .flatMap(({ states }) =>
      states.map(({ since, entry }) => {
        const value = entry.kind === 'answer' ? entry.value : undefined;
        return `${value?.kind === 'seconds' ? value.seconds / 86_400 : value?.kind} since ${dayOf(since.startedAt)}`;
      }),
    );

describe('the history of a server', () => {
  it('says of each answer since when it has been so, and nothing of a server that throttled, was slow or was away', () => {
    const store = new ReportStore(':memory:');
    store.add(server, on(1, [refusal('passed')]));
    store.add(server, on(2, [refusal('passed'), lifetime(30)]));
    store.add(server, on(3, [refusal('passed'), unmeasured(lifetime(0), { kind: 'throttled' })]));
    store.add(server, on(4, [refusal('passed'), unmeasured(lifetime(0), { kind: 'unstable' })]));
    store.add(server, on(5, [unmeasured(refusal('passed'), { kind: 'run-ended' }), lifetime(7)]));
    store.add(server, on(6, [refusal('passed'), lifetime(7)]));
    const history = store.history(server);
    expect(history.runs).toBe(6);
    expect(lifetimesIn(history)).toEqual(['30 since 2', '7 since 5']);
    const kept = history.questions.find(({ question }) => question === undefined);
    expect(kept?.states.map(({ since }) => dayOf(since.startedAt))).toEqual([1]);
  });

  it('is told from the first run on, however many reports are kept since', () => {
    const store = new ReportStore(':memory:');
    store.add(server, on(1, [lifetime(30)]));
    store.add(server, on(2, [lifetime(7)]));
    for (let run = 0; run < 60; run += 1) store.add(server, on(3, [lifetime(7)]));
    const history = store.history(server);
    expect(lifetimesIn(history)).toEqual(['30 since 1', '7 since 2']);
    expect(history.first?.isStored).toBe(false);
  });
});

describe('the reports that are kept', () => {
  it('are the newest 50 of a server and those that are pinned, and a deleted one leaves what it changed', () => {
    const store = new ReportStore(':memory:');
    const numbers = Array.from({ length: 3 }, (_, day) => store.add(server, on(day + 1, [lifetime(day + 1)])).number);
    store.pin(server, numbers[0]!, true);
    for (let run = 0; run < 50; run += 1) store.add(server, on(4, [lifetime(3)]));
    const kept = store.storedRuns();
    expect(kept).toHaveLength(51);
    expect(kept.at(-1)).toMatchObject({ serverId: server, number: numbers[0], pinned: true });
    expect(store.report(server, numbers[1]!)).toBeUndefined();
    store.deleteReport(server, numbers[0]!);
    expect(store.report(server, numbers[0]!)).toBeUndefined();
    expect(store.storedRuns()).toHaveLength(50);
    expect(lifetimesIn(store.history(server))).toEqual(['1 since 1', '2 since 2', '3 since 3']);
  });

  it('are listed with what they found', async () => {
    const file = path.join(await makeTemporaryFolder(), 'reports.sqlite');
    const store = new ReportStore(file);
    store.add(server, on(1, [refusal('failed'), logout()], ['token-outlives-logout']));
    store.close();
    const again = new ReportStore(file);
    const found = { kept: 1, broken: 1, findings: 1, pinned: false };
    expect(again.storedRuns()).toMatchObject([{ ...found, accepted: 0 }]);
    const accepted = { case: 'logout.same-token-afterwards', reason: 'Ticket 7', accepted: '2026-11-21' } as const;
    again.accept(server, { ...accepted, fault: 'finding:token-outlives-logout' });
    again.accept(server, { ...accepted, fault: 'finding:plain-http' });
    again.accept('another', { ...accepted, fault: 'rule:login.wrong-password' });
    expect(again.storedRuns()).toMatchObject([{ ...found, accepted: 1 }]);
    again.close();
  });
});
