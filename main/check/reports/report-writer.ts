import type { Report } from '../../../preload/contract/report.ts';
import type { CaseAnswer, CaseResult } from '../../../preload/contract/report-cases.ts';
import { reportRows } from '../../../preload/contract/report-rows.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import { verdictOfReport, type ClassifiedFault } from '../accepted-faults.ts';
import { fieldTree } from '../../../preload/contract/field-tree.ts';
import { createSpans, type FieldLabels, type Line, type Span } from './document.ts';

type UntestedResult = Extract<CaseResult, { outcome: 'not-measured' }>;
export const isUntestedResult = (result: CaseResult): result is UntestedResult => result.outcome === 'not-measured';

export type ReportWriter = ReturnType<typeof createReportWriter>;

/** What a report's document is created with: the texts of a language, and the numbers of the requests. */
export function createReportWriter(
  report: Report,
  language: string,
  classificationOf: readonly ClassifiedFault[] = [],
  folds = false,
) {
  const formatter = createReportFormatter(language);
  const w = formatter.texts('report');
  const { text } = createSecretNames();
  const numbers = new Map(report.evidence.map(({ id }, at) => [id, at + 1]));
  const spans = (parts: Parameters<typeof createSpans>[0]): Span[] => createSpans(parts, text);
  const evidenceLinks = (ids: readonly string[]): Span[] =>
    rangesOf(ids.flatMap((id) => numbers.get(id) ?? []).toSorted((a, b) => a - b)).flatMap(markOfRange);
  const askedTwice = questionsOfSeveral(report.cases);

  const fieldLabels: FieldLabels = {
    count: (count) => formatter.t('values.fieldCount', { count }),
    more: (count) => formatter.t('values.moreFields', { count }),
    type: (type) => formatter.t(`types.${type}`),
    secret: formatter.t('values.secret'),
  };
  /** The fields of a response are folded in formats that fold. */
  const valueSpans = (value: CaseAnswer['value']): Span[] =>
    folds && value.kind === 'fields' && value.fields.length > 0
      ? [{ fields: fieldTree(value.fields), summary: fieldLabels.count(value.fields.length), labels: fieldLabels }]
      : spans(formatter.value(value));

  const answerLine = (answer: CaseAnswer): Span[] => [`${formatter.question(answer)}: `, ...valueSpans(answer.value)];

  /** A question of several cases has the case before it. */
  const questionOf = ({ id }: CaseResult, answer: CaseAnswer): Line =>
    askedTwice.has(answer.question)
      ? [`${formatter.case(id)}: ${formatter.question(answer)}`]
      : [formatter.question(answer)];

  return {
    report,
    formatter,
    verdict: verdictOfReport(report, classificationOf),
    /** The rows of the report, the worst first. */
    rows: reportRows(
      report,
      new Set(classificationOf.flatMap(({ fault, acceptance }) => (acceptance ? [fault.id] : []))),
    ),
    /** Whether the format folds. */
    folds,
    /** Translates the texts of the document itself. */
    w,
    /** A text with names instead of its secrets. */
    text,
    spans,
    /** The numbers of requests, as evidence. */
    marks: evidenceLinks,
    answerLine,

    /** The classification of a fault, by its id such as `finding:plain-http`. */
    judged: (fault: string): ClassifiedFault | undefined => classificationOf.find((each) => each.fault.id === fault),

    /** The rows of a case: each question with its answer, and the requests that show it. */
    answerRows: (result: CaseResult, leaveOut: readonly CaseAnswer['question'][] = []): Line[][] => {
      if (isUntestedResult(result)) {
        return [
          [
            [formatter.case(result.id)],
            [`${w('notMeasured')} `, ...spans(formatter.notMeasured(result.reason))],
            evidenceLinks(result.calls),
          ],
        ];
      }
      return result.answers
        .filter(({ question }) => !leaveOut.includes(question))
        .map((answer) => [questionOf(result, answer), valueSpans(answer.value), evidenceLinks(result.calls)]);
    },

    stated: report.cases.filter(({ kind }) => kind === 'stated'),
    observed: report.cases.filter(({ kind }) => kind === 'observed'),
  };
}

/** The questions that more than one case answers. */
function questionsOfSeveral(cases: readonly CaseResult[]): ReadonlySet<CaseAnswer['question']> {
  const asked = cases.flatMap((result) =>
    isUntestedResult(result) ? [] : Array.from(new Set(result.answers.map(({ question }) => question))),
  );
  return new Set(asked.filter((question, at) => asked.indexOf(question) !== at));
}

const markOfRange = ([first, last]: readonly [number, number]): Span[] =>
  first === last
    ? [' ', { evidence: first }]
    : [' ', { evidence: first }, last === first + 1 ? ' ' : '–', { evidence: last }];

/** Consecutive numbers as ranges. */
function rangesOf(numbers: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range && number === range[1] + 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}
