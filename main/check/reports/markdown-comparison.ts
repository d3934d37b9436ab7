import type { ReportComparison, ReportDifference } from '../../../preload/contract/report.ts';
import type { ObservedValue } from '../../../preload/contract/report-cases.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import { heading, paragraph, createSpans, type Block, type Document, type Line, type Span } from './document.ts';
import { renderMarkdown } from './markdown-report.ts';

/** Renders the differences as Markdown. */
export function renderMarkdownComparison(comparison: ReportComparison, language: string): string {
  return renderMarkdown(comparisonDocument(comparison, language));
}

function comparisonDocument(comparison: ReportComparison, language: string): Document {
  const formatter = createReportFormatter(language);
  const w = formatter.texts('comparison');
  const r = formatter.texts('report');
  const { text } = createSecretNames();
  const { before, after, compared, sent, differences, unknown } = comparison;

  const of = <Kind extends ReportDifference['kind']>(kind: Kind) =>
    differences.filter((each): each is Extract<ReportDifference, { kind: Kind }> => each.kind === kind);
  const value = (seen: ObservedValue | undefined): Span[] =>
    seen ? createSpans(formatter.value(seen), text) : [w('unsaid')];
  const section = (title: string, lines: readonly Line[]): Block[] =>
    lines.length === 0 ? [] : [heading(2, title), { block: 'list', items: lines.map((line) => ({ line })) }];
  const side = (name: string, report: typeof before): Line[] => [
    [name],
    [
      { code: report.baseUrl },
      ...(report.serverName === undefined ? [] : [' ', { code: report.serverName }]),
      ', ',
      { code: report.startedAt },
      ', Llavero ',
      { code: report.toolVersion },
    ],
  ];

  const answerLine = ({
    caseId,
    before: old,
    after: now,
    ...asked
  }: Extract<ReportDifference, { kind: 'answer' }>): Line => [
    { strong: formatter.case(caseId) },
    ` — ${formatter.question(asked)}: `,
    ...value(old),
    ' → ',
    ...value(now),
  ];
  const unknownLine = ({ caseId, side: where, reason }: ReportComparison['unknown'][number]): Line => [
    `${formatter.case(caseId)}: ${where === 'before' ? w('notBefore') : w('notAfter')} `,
    ...(reason ? createSpans(formatter.notMeasured(reason), text) : [w('notInReport')]),
  ];

  const blocks: Block[] = [
    heading(1, w('title')),
    { block: 'table', head: [r('server'), ''], rows: [side(w('before'), before), side(w('after'), after)] },
    paragraph(w('intro')),
    paragraph(
      sent
        ? w(differences.length === 0 ? 'sameOf' : 'comparedOf', {
            count: compared,
            calls: formatter.number(sent.calls),
            parts: sent.parts.map((part) => `${part}.*`).join(', '),
          })
        : w(differences.length === 0 ? 'same' : 'compared', { count: compared }),
    ),
    ...section(
      w('outcomes'),
      of('outcome').map((each) => [
        { strong: formatter.case(each.caseId) },
        `: ${formatter.t(`outcomes.${each.before}`)} → ${formatter.t(`outcomes.${each.after}`)}`,
      ]),
    ),
    ...section(w('answers'), of('answer').map(answerLine)),
    ...section(
      w('findings'),
      of('finding').map((each) => [
        { strong: w(each.change) },
        `: ${formatter.severity(each.severity)}, ${formatter.finding(each).title}`,
      ]),
    ),
    ...section(w('unknown'), unknown.map(unknownLine)),
  ];
  return { title: w('title'), language, blocks };
}
