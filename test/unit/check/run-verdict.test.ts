import { describe, expect, it } from 'vitest';
import { countsOf, reportRows } from '../../../preload/contract/report-rows.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import { createRunVerdict, type VerdictInput } from '../../../preload/contract/run-verdict.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';

type Outcome = CaseResult['outcome'];
const aboutCase = { section: 1, lines: [1], calls: [], durationMs: 0 };
const stated = ['registration.served', 'login.right-credentials', 'profile.served', 'logout.served'] as const;

function resultOf(id: CaseResult['id'], kind: CaseResult['kind'], outcome: Outcome): CaseResult {
  if (outcome === 'not-measured') return { ...aboutCase, id, kind, outcome, reason: { kind: 'run-ended' } };
  if (outcome === 'answered') return { ...aboutCase, id, kind: 'observed', outcome, answers: [] };
  return { ...aboutCase, id, kind: 'stated', outcome, answers: [] };
}

/** A run of four requirements and one open question, with findings. */
function runOf(outcomes: readonly Outcome[], findings: VerdictInput['findings'] = []): VerdictInput {
  return {
    cases: [
      ...stated.map((id, at) => resultOf(id, 'stated', outcomes[at] ?? 'passed')),
      resultOf('token.source', 'observed', 'answered'),
    ],
    findings,
    accounts: [{ state: 'made' }],
    ended: { kind: 'complete' },
    options: {},
  };
}

const high = { id: 'token-outlives-logout', severity: 'high' } as const;
const another = { id: 'wrong-password-accepted', severity: 'high' } as const;
const medium = { id: 'weak-password-accepted', severity: 'medium' } as const;
const low = { id: 'password-cut', severity: 'low' } as const;
const note = { id: 'token-format', severity: 'info' } as const;
const p = 'passed';

const rows: [run: VerdictInput, accepted: string[], english: string, spanish: string][] = [
  [runOf([]), [], 'All 4 requirements passed, no findings', 'Se superaron los 4 requisitos, sin hallazgos'],
  [runOf([], [note]), [], 'All 4 requirements passed, no findings', 'Se superaron los 4 requisitos, sin hallazgos'],
  [
    runOf([p, p, p, 'failed'], [high, medium]),
    [],
    '1 high and 1 medium finding; 1 of 4 requirements failed',
    '1 hallazgo alto y 1 medio; requisitos fallidos: 1 de 4',
  ],
  [
    runOf([], [low, another, high]),
    [],
    '2 high and 1 low finding; all 4 requirements passed',
    '2 hallazgos altos y 1 bajo; se superaron los 4 requisitos',
  ],
  [
    runOf([], [medium]),
    ['finding:weak-password-accepted'],
    'All 4 requirements passed; 1 accepted',
    'Se superaron los 4 requisitos; 1 aceptado',
  ],
  [
    runOf([p, p, p, 'failed'], [low]),
    ['rule:logout.served'],
    '1 low finding; 3 of 4 requirements passed; 1 accepted',
    '1 hallazgo bajo; requisitos superados: 3 de 4; 1 aceptado',
  ],
  [
    runOf([p, 'not-measured', 'not-measured', 'not-measured'], [medium]),
    [],
    'Nobody could log in: 1 medium finding; 1 of 4 requirements passed, 3 not tested',
    'Nadie pudo iniciar sesión: 1 hallazgo medio; requisitos superados: 1 de 4, 3 sin probar',
  ],
];

describe('the headline of a report', () => {
  it.each(rows)('says the worst first (%#)', (run, accepted, english, spanish) => {
    const verdict = createRunVerdict(run, { accepted: new Set(accepted) });
    expect(createReportFormatter('en').runVerdict(verdict, 'URL')).toEqual([english]);
    expect(createReportFormatter('es').runVerdict(verdict, 'URL')).toEqual([spanish]);
  });

  it.each(rows)('counts what the rows have (%#)', (run, accepted) => {
    const verdict = createRunVerdict(run, { accepted: new Set(accepted) });
    const shown = reportRows(run, new Set(accepted));
    const counts = countsOf(shown);
    const { high: highs, medium: mediums, low: lows, info } = verdict.found;
    expect(counts.problems).toBe(highs + mediums + lows + verdict.failed);
    expect(counts.notes).toBe(info);
    expect(counts.accepted).toBe(verdict.accepted.findings + verdict.accepted.requirements);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(shown.length);
    expect(shown.length).toBe(run.cases.length + run.findings.length);
  });
});

it('the rows of a report are in order of severity, whatever they are', () => {
  const shown = reportRows(
    runOf([p, 'failed', p, 'not-measured'], [note, low, high]),
    new Set(['finding:password-cut']),
  );
  expect(shown.map(({ fault, group }) => `${group} ${fault}`)).toEqual([
    'problems finding:token-outlives-logout',
    'problems rule:login.right-credentials',
    'notes finding:token-format',
    'accepted finding:password-cut',
    'unspecified rule:token.source',
    'passed rule:registration.served',
    'passed rule:profile.served',
    'not-tested rule:logout.served',
  ]);
});
