import type { Report, ReportComparison, ReportDifference } from '../../preload/contract/report.ts';
import type { QuestionHistory, RunHistory, HistoryRun, HistoryEntry } from '../../preload/contract/checks.ts';
import { CaseId, type CaseResult } from '../../preload/contract/report-cases.ts';

/** A run with what it changed by meaning. The first run of a server has nothing to change. */
type RunOfHistory = { run: HistoryRun; comparison: ReportComparison | undefined };

/**
 * Makes the history of a server out of what each run has changed by meaning. So a case that was not
 * measured, since the server throttled, was slow or was away, changes nothing here either.
 * @param runs the oldest is the first
 * @param known what stands after all of them; undefined before the first
 */
export function createRunHistory(runs: readonly RunOfHistory[], known: Report | undefined): RunHistory {
  const first = runs[0]?.run;
  if (!first || !known) return { runs: runs.length, first, questions: [] };
  const measured = firstMeasured(runs);
  const since = (caseId: CaseId): HistoryRun => measured.get(caseId) ?? first;
  return { runs: runs.length, first, questions: questionsOf(runs, known, since) };
}

/** Returns the run that measured a case first, for the cases that the first run of all did not measure. */
function firstMeasured(runs: readonly RunOfHistory[]): ReadonlyMap<CaseId, HistoryRun> {
  const first = new Map<CaseId, HistoryRun>();
  for (const { run, comparison } of runs) {
    for (const { caseId, side } of comparison?.unknown ?? []) {
      if (side === 'before' && !first.has(caseId)) first.set(caseId, run);
    }
  }
  return first;
}

/** Returns every difference with its run, in the order of the runs. */
const differencesOf = (runs: readonly RunOfHistory[]): { run: HistoryRun; difference: ReportDifference }[] =>
  runs.flatMap(({ run, comparison }) => (comparison?.differences ?? []).map((difference) => ({ run, difference })));

type Asked = Pick<QuestionHistory, 'caseId' | 'question' | 'subject'>;

const keyOf = ({ caseId, question, subject }: Asked): string => `${caseId} ${question} ${subject}`;

function questionsOf(
  runs: readonly RunOfHistory[],
  known: Report,
  since: (caseId: CaseId) => HistoryRun,
): QuestionHistory[] {
  const lines = new Map<string, QuestionHistory>();
  const begin = (asked: Asked, entry: HistoryEntry): void => {
    const section = known.cases.find(({ id }) => id === asked.caseId)?.section;
    lines.set(keyOf(asked), { ...asked, section, states: [{ since: since(asked.caseId), entry: entry }] });
  };
  for (const { run, difference } of differencesOf(runs)) {
    if (difference.kind === 'finding') continue;
    const { caseId } = difference;
    const asked: Asked =
      difference.kind === 'answer'
        ? { caseId, question: difference.question, subject: difference.subject }
        : { caseId };
    const { before, after } = bothOf(difference);
    if (!lines.has(keyOf(asked))) begin(asked, before);
    lines.get(keyOf(asked))?.states.push({ since: run, entry: after });
  }
  for (const result of known.cases) {
    for (const [asked, now] of saidBy(result)) if (!lines.has(keyOf(asked))) begin(asked, now);
  }
  const order = (id: CaseId): number => CaseId.options.indexOf(id);
  return [...lines.values()].toSorted((a, b) => order(a.caseId) - order(b.caseId));
}

function bothOf(difference: Exclude<ReportDifference, { kind: 'finding' }>): {
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

/** Returns what a case said: how its rule was kept, if it is one, and its answers. */
function saidBy(result: CaseResult): [Asked, HistoryEntry][] {
  if (result.outcome === 'not-measured') return [];
  const { id: caseId, kind, outcome, answers } = result;
  return [
    ...(kind === 'stated' ? [[{ caseId }, { kind: 'outcome', outcome }] satisfies [Asked, HistoryEntry]] : []),
    ...answers.map(({ question, subject, value }): [Asked, HistoryEntry] => [
      { caseId, question, subject },
      { kind: 'answer', value },
    ]),
  ];
}
