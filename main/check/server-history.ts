import type { Report, ReportComparison, ReportDifference } from '../../preload/contract/report.ts';
import type { QuestionHistory, RunHistory, HistoryRun, HistoryEntry } from '../../preload/contract/checks.ts';
import { CaseId, type CaseResult } from '../../preload/contract/report-cases.ts';

/** A run with its differences from the earlier ones; undefined for the first. */
type RunOfHistory = { run: HistoryRun; comparison: ReportComparison | undefined };

/**
 * Creates the history of a server from the differences of each run. A case that was not tested, since the server throttled, was slow or was down, changes nothing here either.
 * @param runs the oldest is the first
 * @param known the merged report of all runs; undefined before the first
 */
export function createRunHistory(runs: readonly RunOfHistory[], known: Report | undefined): RunHistory {
  const first = runs[0]?.run;
  if (!first || !known) return { runs: runs.length, first, questions: [] };
  const firstRuns = firstTestedRuns(runs);
  const since = (caseId: CaseId): HistoryRun => firstRuns.get(caseId) ?? first;
  return { runs: runs.length, first, questions: questionsOf(runs, known, since) };
}

/** The first run that tested a case, for the cases that the very first run did not test. */
function firstTestedRuns(runs: readonly RunOfHistory[]): ReadonlyMap<CaseId, HistoryRun> {
  const first = new Map<CaseId, HistoryRun>();
  for (const { run, comparison } of runs) {
    for (const { caseId, side } of comparison?.unknown ?? []) {
      if (side === 'before' && !first.has(caseId)) first.set(caseId, run);
    }
  }
  return first;
}

const differencesOf = (runs: readonly RunOfHistory[]): { run: HistoryRun; difference: ReportDifference }[] =>
  runs.flatMap(({ run, comparison }) => (comparison?.differences ?? []).map((difference) => ({ run, difference })));

type HistoryKey = Pick<QuestionHistory, 'caseId' | 'question' | 'subject'>;

const keyOf = ({ caseId, question, subject }: HistoryKey): string => `${caseId} ${question} ${subject}`;

function questionsOf(
  runs: readonly RunOfHistory[],
  known: Report,
  since: (caseId: CaseId) => HistoryRun,
): QuestionHistory[] {
  const lines = new Map<string, QuestionHistory>();
  const addQuestion = (key: HistoryKey, entry: HistoryEntry): void => {
    const section = known.cases.find(({ id }) => id === key.caseId)?.section;
    lines.set(keyOf(key), { ...key, section, states: [{ since: since(key.caseId), entry }] });
  };
  for (const { run, difference } of differencesOf(runs)) {
    if (difference.kind === 'finding') continue;
    const { caseId } = difference;
    const key: HistoryKey =
      difference.kind === 'answer'
        ? { caseId, question: difference.question, subject: difference.subject }
        : { caseId };
    const { before, after } = sidesOf(difference);
    if (!lines.has(keyOf(key))) addQuestion(key, before);
    lines.get(keyOf(key))?.states.push({ since: run, entry: after });
  }
  for (const result of known.cases) {
    for (const [key, now] of entriesOf(result)) if (!lines.has(keyOf(key))) addQuestion(key, now);
  }
  const order = (id: CaseId): number => CaseId.options.indexOf(id);
  return [...lines.values()].toSorted((a, b) => order(a.caseId) - order(b.caseId));
}

function sidesOf(difference: Exclude<ReportDifference, { kind: 'finding' }>): {
  before: HistoryEntry;
  after: HistoryEntry;
} {
  return difference.kind === 'outcome'
    ? {
        before: { kind: 'outcome', outcome: difference.before },
        after: { kind: 'outcome', outcome: difference.after },
      }
    : { before: { kind: 'answer', value: difference.before }, after: { kind: 'answer', value: difference.after } };
}

/** The outcome of a requirement, and the answers of a case. */
function entriesOf(result: CaseResult): [HistoryKey, HistoryEntry][] {
  if (result.outcome === 'not-measured') return [];
  const { id: caseId, kind, outcome, answers } = result;
  return [
    ...(kind === 'stated' ? [[{ caseId }, { kind: 'outcome', outcome }] satisfies [HistoryKey, HistoryEntry]] : []),
    ...answers.map(({ question, subject, value }): [HistoryKey, HistoryEntry] => [
      { caseId, question, subject },
      { kind: 'answer', value },
    ]),
  ];
}
