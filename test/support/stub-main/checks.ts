import type { ReportComparison, RunPlan } from '../../../preload/contract/report.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { ChecksState, CheckInProgress, ReportDetails } from '../../../preload/contract/checks.ts';
import { someCalls } from './calls.ts';

export const plan: RunPlan = { cases: ['login.answer', 'token.form'], calls: 165, accounts: 6, seconds: 33 };

const call = someCalls.find(({ summary, recorded }) => recorded && summary.path.endsWith('/auth/login'));
export const evidenceId = call!.summary.id;
export const hostile = '<img src=x onerror=alert(1)> ‮ [here](http://evil.example.test)';

const about = { calls: [evidenceId], durationMs: 12 };

/** One result of each kind and outcome. */
export const results: CaseResult[] = [
  {
    ...about,
    id: 'registration.served',
    section: 4,
    lines: [46, 47],
    kind: 'stated',
    outcome: 'passed',
    answers: [{ question: 'registration-sent', subject: 'registro', value: { kind: 'status', status: 201 } }],
  },
  {
    ...about,
    id: 'login.answer',
    section: 4,
    lines: [56],
    kind: 'observed',
    outcome: 'answered',
    answers: [
      { question: 'success-status', subject: 'login', value: { kind: 'status', status: 200 } },
      {
        question: 'success-fields',
        subject: 'login',
        value: {
          kind: 'fields',
          fields: [
            { path: hostile, type: 'string', secret: false },
            { path: 'data.token', type: 'string', secret: true },
          ],
        },
      },
    ],
  },
  {
    ...about,
    id: 'login.wrong-password',
    section: 5,
    lines: [65],
    kind: 'stated',
    outcome: 'failed',
    answers: [
      {
        question: 'wrong-password',
        value: { kind: 'reply', handling: 'accepted', status: 200, message: [hostile, { secret: 'token', id: 's1' }] },
      },
    ],
  },
  {
    ...about,
    calls: [],
    id: 'limits.throttling',
    section: 8,
    lines: [79],
    kind: 'observed',
    outcome: 'not-measured',
    reason: { kind: 'not-asked' },
  },
];

export const checkReport: ReportDetails = {
  schema: 'llavero-report',
  version: 1,
  toolVersion: '0.1.0',
  baseUrl: 'http://staging.example.test:8000/app',
  serverName: 'staging.example.test:8000/app',
  startedAt: '2026-11-21T08:01:02.000Z',
  endedAt: '2026-11-21T08:01:35.000Z',
  durationMs: 33_000,
  options: {
    callsPerSecond: 5,
    throttling: false,
    races: false,
    variant: 'both',
    accounts: 8,
    bail: false,
    keepAccounts: false,
  },
  ended: { kind: 'complete' },
  calls: 117,
  accounts: [
    { email: 'llavero-0bd564c3b1e84321@example.test', madeBy: 'registration.served', state: 'made' },
    { email: 'llavero-53c3fdffd480c08f@example.test', madeBy: 'registration.empty-field', state: 'unsure' },
  ],
  cases: results,
  findings: [
    {
      id: 'wrong-password-accepted',
      severity: 'high',
      caseId: 'login.wrong-password',
      calls: [evidenceId],
      script: [
        `: "\${BASE:=http://staging.example.test:8000/app}"`,
        `: "\${PASSWORD:=Ll1.a-password-of-your-own}"`,
        '',
        '# → 200',
        `curl --silent --show-error --include --globoff --request POST --url "$BASE"'/api/v1/auth/login' \\`,
        `  --data-raw '{"password":"'"$PASSWORD"'"}'; echo`,
      ].join('\n'),
      details: [],
    },
    {
      id: 'software-version-shown',
      severity: 'info',
      caseId: 'headers.of-answers',
      calls: [evidenceId],
      script: '',
      details: [{ question: 'headers-sent', value: { kind: 'headers', headers: [['Server', [hostile]]] } }],
    },
  ],
  evidence: [call!.summary],
};

export const withReport: ChecksState = { reports: [{ serverId: 'staging', report: checkReport, canRerun: true }] };

/** Every rule is kept, and there are findings all the same. */
export const withOnlyFindings: ChecksState = {
  reports: [
    {
      serverId: 'staging',
      report: { ...checkReport, cases: results.filter(({ outcome }) => outcome !== 'failed') },
      canRerun: true,
    },
  ],
};

/** After a restart of the application, with a server that has changed since. */
export const withChanges: ChecksState = {
  reports: [
    {
      serverId: 'staging',
      report: checkReport,
      canRerun: false,
      changed: { count: 3, since: '2026-11-20T07:15:00.000Z' },
    },
  ],
};

/** A run that is half done. */
export const running: CheckInProgress = {
  serverId: 'staging',
  progress: {
    current: 'login.two-tokens',
    casesDone: 2,
    casesPlanned: 4,
    callsMade: 48,
    callsPlanned: 165,
    secondsLeft: 70,
  },
  results: results.slice(0, 2),
  cancelled: false,
};

const side = { baseUrl: 'http://one.example.test', startedAt: checkReport.startedAt, toolVersion: '0.1.0' };

export const comparison: ReportComparison = {
  before: { ...side, serverName: 'One' },
  after: { ...side, baseUrl: 'http://two.example.test' },
  compared: 51,
  differences: [
    {
      kind: 'finding',
      change: 'new',
      id: 'token-outlives-logout',
      severity: 'high',
      caseId: 'logout.same-token-afterwards',
    },
    { kind: 'outcome', caseId: 'login.wrong-password', before: 'passed', after: 'failed' },
    {
      kind: 'answer',
      caseId: 'login.answer',
      question: 'success-status',
      subject: 'login',
      before: { kind: 'status', status: 200 },
      after: { kind: 'text', text: [hostile] },
    },
  ],
  unknown: [{ caseId: 'limits.throttling', side: 'before', reason: { kind: 'not-asked' } }],
};
