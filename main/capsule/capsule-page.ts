import { reportWords, fill } from '../../preload/contract/words/say-report.ts';
import type { CaseResult } from '../../preload/contract/report-cases.ts';
import { commandFor } from '../contract-run/evidence.ts';
import { heading, paragraph, type Block, type Document, type Line } from '../contract-run/reports/document.ts';
import { writeHtml } from '../contract-run/reports/html.ts';
import { writeMarkdown } from '../contract-run/reports/markdown.ts';
import { evidenceCalls } from '../contract-run/reports/report-evidence.ts';
import { createReportWriter, isUnmeasured, type ReportWriter } from '../contract-run/reports/report-writer.ts';
import type { Capsule } from './capsule.ts';

/** The machine's part stands in a comment, which is no element: nothing in a browser reads it. */
export const dataStart = '<!--llavero-capsule\n';
export const dataEnd = '\n-->';
/** It tells a capsule of which the end is missing from a page that is none. */
export const capsuleMark = '<meta name="llavero-capsule" content="1">';

/**
 * Writes a capsule as one HTML page, which loads nothing and runs nothing. For Llavero it has the same as JSON, in clear,
 * so that everybody can search it.
 */
export function writeCapsule(capsule: Capsule, language: string): string {
  // Without these three characters no comment ends, and nothing begins.
  const json = JSON.stringify(capsule).replaceAll(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
  return writeHtml(capsuleDocument(capsule, language), {
    head: `${capsuleMark}\n`,
    end: `${dataStart}${json}${dataEnd}\n`,
  });
}

/** Writes what a capsule holds as Markdown, for a terminal. */
export const markdownCapsule = (capsule: Capsule, language: string): string =>
  writeMarkdown(capsuleDocument(capsule, language));

/** Returns the title of what a capsule is about. */
function titleOf({ caseId, findingId }: Pick<Capsule, 'caseId' | 'findingId'>, language: string): string {
  const say = reportWords(language);
  return findingId === undefined ? say.case(caseId) : say.finding({ id: findingId }).title;
}

/** Returns the commands that repeat it at the server: the telling call, and the case. They are made anew of the call. */
export function commandsOf({ report, caseId, findingId }: Capsule): string[] {
  const { calls } = report.findings.find(({ id }) => id === findingId) ?? report.cases[0] ?? { calls: [] };
  const last = report.evidence.find(({ id }) => id === calls.at(-1));
  const command = commandFor(last);
  return [...(command === '' ? [] : [command]), `llavero check '${report.baseUrl}' --only ${caseId}`];
}

function capsuleDocument(capsule: Capsule, language: string): Document {
  const writer = createReportWriter(capsule.report, language);
  const c = writer.say.words.capsule;
  const title = titleOf(capsule, language);
  return {
    title: `${c.title}: ${title}`,
    language,
    blocks: [
      heading(1, `${c.title}: ${title}`),
      paragraph(c.intro),
      paragraph({ code: 'llavero check --open FILE --run' }),
      facts(writer, capsule),
      ...capsule.report.cases.flatMap((result) => [
        heading(2, c.contract),
        ...stated(writer, result),
        heading(2, c.seen),
        ...seen(writer, result, capsule),
      ]),
      heading(2, c.repeat),
      paragraph(c.repeatIntro),
      ...commandsOf(capsule).map((text): Block => ({ block: 'code', language: 'bash', text })),
      heading(2, writer.w.evidence),
      paragraph(c.calls),
      ...evidenceCalls(writer),
    ],
  };
}

function facts({ report, w, say }: ReportWriter, { toolVersion, model }: Capsule): Block {
  const c = say.words.capsule;
  const rows: Line[][] = [
    [[w.server], [{ code: report.serverName ?? report.baseUrl }]],
    [[c.address], [{ code: report.baseUrl }]],
    [[w.started], [{ code: report.startedAt }]],
    [[w.tool], [`Llavero ${toolVersion}`]],
    [[c.model], [fill(c.modelOf, { count: model.answers.length })]],
  ];
  return { block: 'table', head: [c.facts, ''], rows };
}

/** Says what the interface says of the case, and where. */
function stated({ say, w }: ReportWriter, { id, kind, section, lines }: CaseResult): Block[] {
  const open: Partial<Record<string, string>> = say.words.openPoints;
  const points = lines.flatMap((line) => open[line] ?? []);
  const rule = kind === 'stated' ? [say.case(id)] : points.map((text) => fill(say.words.capsule.notShown, { text }));
  return [
    ...(rule.length > 0 ? rule : [say.words.capsule.silent]).map((text) => paragraph(text)),
    paragraph(`interface.md, ${fill(w.section, { section })}, ${fill(w.line, { line: lines.join(', ') })}`),
  ];
}

function seen(
  { say, w, report, marks, spans, answerLine }: ReportWriter,
  result: CaseResult,
  capsule: Capsule,
): Block[] {
  const outcome = isUnmeasured(result)
    ? paragraph(`${w.notMeasured} `, ...spans(say.notMeasured(result.reason)))
    : paragraph({ strong: say.words.outcomes[result.outcome] }, `: ${say.case(result.id)}.`, ...marks(result.calls));
  const answers = isUnmeasured(result) ? [] : result.answers;
  const findings = report.findings.filter(({ id }) => capsule.findingId === undefined || id === capsule.findingId);
  return [
    ...findings.flatMap((finding): Block[] => {
      const { title, why } = say.finding(finding);
      const severity = { strong: `${say.severity(finding.severity)}: ${title}.` };
      const said: Block[] = [paragraph(severity, ` ${why}`, ...marks(finding.calls))];
      return said.concat(list(finding.details.map(answerLine)));
    }),
    outcome,
    ...list(answers.map(answerLine)),
  ];
}

const list = (lines: readonly Line[]): Block[] =>
  lines.length === 0 ? [] : [{ block: 'list', items: lines.map((line) => ({ line })) }];
