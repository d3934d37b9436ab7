import type { ReportComparison, ReportDifference, Severity } from '../../../preload/contract/report.ts';
import type { CaseId, ObservedValue } from '../../../preload/contract/report-cases.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';

export type Side = 'before' | 'after';

/** What one side has to a question. */
export type Cell =
  | { kind: 'finding'; severity: Severity | undefined }
  | { kind: 'outcome'; outcome: 'passed' | 'failed' | 'answered' }
  | { kind: 'answer'; value: ObservedValue | undefined };

export interface DifferenceRow {
  key: string;
  caseId: CaseId;
  what: string;
  before: Cell;
  after: Cell;
  /** The side that is less safe: it has the finding, or breaks the rule. */
  worse: Side | undefined;
}

function rowOf(each: ReportDifference, words: ReportWords): DifferenceRow {
  const { caseId } = each;
  if (each.kind === 'finding') {
    const isNew = each.change === 'new';
    const severityOf = (has: boolean): Cell => ({ kind: 'finding', severity: has ? each.severity : undefined });
    return {
      key: each.id,
      caseId,
      what: words.finding(each).title,
      before: severityOf(!isNew),
      after: severityOf(isNew),
      worse: isNew ? 'after' : 'before',
    };
  }
  if (each.kind === 'outcome') {
    return {
      key: caseId,
      caseId,
      what: words.case(caseId),
      before: { kind: 'outcome', outcome: each.before },
      after: { kind: 'outcome', outcome: each.after },
      worse: each.after === 'failed' ? 'after' : each.before === 'failed' ? 'before' : undefined,
    };
  }
  return {
    key: `${caseId} ${each.question} ${each.subject}`,
    caseId,
    what: `${words.case(caseId)}: ${words.question(each)}`,
    before: { kind: 'answer', value: each.before },
    after: { kind: 'answer', value: each.after },
    worse: undefined,
  };
}

/** The rows of a section of the interface. Without a number, the reports at hand do not say which section it is. */
export interface DifferenceGroup {
  section: number | undefined;
  rows: DifferenceRow[];
}

/**
 * Puts what differs into the sections of the interface, in their order.
 * @param sectionOf the section of a case, as far as a report at hand says it
 */
export function groupsOf(
  { differences }: ReportComparison,
  words: ReportWords,
  sectionOf: (id: CaseId) => number | undefined,
): DifferenceGroup[] {
  const groups = new Map<number | undefined, DifferenceRow[]>();
  for (const each of differences) {
    const section = sectionOf(each.caseId);
    groups.set(section, [...(groups.get(section) ?? []), rowOf(each, words)]);
  }
  return [...groups].toSorted(([a = Infinity], [b = Infinity]) => a - b).map(([section, rows]) => ({ section, rows }));
}
