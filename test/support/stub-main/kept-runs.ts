import type { AcceptanceStatus } from '../../../preload/contract/report.ts';
import type { ChecksState, OpenedReport, StoredRun, RunHistory, HistoryRun } from '../../../preload/contract/checks.ts';
import { hostile, checkReport } from './checks.ts';

const run = (number: number, startedAt: string, more: Partial<StoredRun> = {}): StoredRun => ({
  serverId: 'staging',
  number,
  startedAt,
  toolVersion: '0.1.0',
  pinned: false,
  kept: 1,
  broken: 1,
  findings: 2,
  accepted: 0,
  ...more,
});

/** Accepted is the one finding that could be, and one that the report no longer has. */
const acceptances: AcceptanceStatus[] = [
  {
    fault: 'finding:wrong-password-accepted',
    case: 'login.wrong-password',
    reason: `Ticket 7 ${hostile}`,
    accepted: '2026-11-19',
    state: 'holds',
  },
  {
    fault: 'finding:token-outlives-logout',
    case: 'logout.same-token-afterwards',
    reason: 'is mended in May',
    accepted: '2026-11-02',
    state: 'gone',
  },
];

export const withKept: ChecksState = {
  reports: [{ serverId: 'staging', report: checkReport, number: 9, canRerun: true, acceptances }],
  stored: [
    run(9, checkReport.startedAt, { accepted: 1 }),
    run(8, '2026-11-20T07:15:00.000Z', { kept: 2, broken: 0 }),
    run(3, '2026-11-02T18:20:00.000Z', { pinned: true, findings: 3, accepted: 2 }),
  ],
};

/** The run of the second of November. */
export const opened: OpenedReport = {
  report: { ...checkReport, startedAt: '2026-11-02T18:20:00.000Z' },
  acceptances: [],
};

const moment = (number: number, startedAt: string, isStored = true): HistoryRun => ({
  number,
  startedAt,
  isStored: isStored,
});
const first = moment(1, '2026-10-01T09:00:00.000Z', false);
const pinned = moment(3, '2026-11-02T18:20:00.000Z');
const last = moment(9, checkReport.startedAt);

export const history: RunHistory = {
  runs: 9,
  first,
  questions: [
    {
      caseId: 'login.wrong-password',
      section: 5,
      states: [
        { since: first, entry: { kind: 'outcome', outcome: 'passed' } },
        { since: pinned, entry: { kind: 'outcome', outcome: 'failed' } },
      ],
    },
    {
      caseId: 'login.answer',
      section: 4,
      question: 'success-status',
      subject: 'login',
      states: [{ since: first, entry: { kind: 'answer', value: { kind: 'status', status: 200 } } }],
    },
    {
      caseId: 'token.lifetime',
      section: 5,
      question: 'token-lifetime',
      states: [
        { since: first, entry: { kind: 'answer', value: { kind: 'seconds', seconds: 2_592_000 } } },
        { since: pinned, entry: { kind: 'answer', value: { kind: 'seconds', seconds: 604_800 } } },
        { since: last, entry: { kind: 'answer', value: { kind: 'none' } } },
      ],
    },
  ],
};
