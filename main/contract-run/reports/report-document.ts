import type { Report } from '../../../preload/contract/contract-report.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import { type Finding, Severity } from '../../../preload/contract/report-findings.ts';
import type { RunVariant } from '../../../preload/contract/report-run.ts';
import { fill } from '../../../preload/contract/words/say-report.ts';
import { missingOf } from '../missing.ts';
import { heading, paragraph, type Block, type Document, type Line } from './document.ts';
import { evidence } from './report-evidence.ts';
import { interfaceSections } from './report-interface.ts';
import { createReportWriter, type ReportWriter } from './report-writer.ts';

/**
 * Makes a document of a report: `interface.md` with its open points answered for one server, then what it states, the
 * findings, the accounts, what was not measured, how it was run, and the evidence.
 */
export function reportDocument(report: Report, language: string): Document {
  const writer = createReportWriter(report, language);
  const { w } = writer;
  return {
    title: `${w.title}: ${report.baseUrl}`,
    language,
    blocks: [
      ...summary(writer),
      heading(2, w.interface),
      paragraph(w.interfaceIntro),
      ...interfaceSections(writer),
      ...statedCases(writer),
      heading(2, w.findings),
      ...(report.findings.length > 0
        ? report.findings.flatMap((finding) => findingBlocks(writer, finding))
        : [paragraph(w.noFindings)]),
      ...accounts(writer),
      ...unmeasured(writer),
      ...howRun(writer),
      ...evidence(writer),
    ],
  };
}

const countOf = (results: readonly CaseResult[], outcome: CaseResult['outcome']): number =>
  results.filter((result) => result.outcome === outcome).length;

function summary(writer: ReportWriter): Block[] {
  const { report, say, w, spans, stated, observed } = writer;
  const rows: Line[][] = [
    [[w.server], [{ code: report.baseUrl }]],
    ...(report.environmentName === undefined ? [] : [[[w.server], [{ code: report.environmentName }]]]),
    [[w.started], [report.startedAt]],
    [
      [w.stated],
      [
        fill(w.statedCount, {
          passed: countOf(stated, 'passed'),
          failed: countOf(stated, 'failed'),
          notMeasured: countOf(stated, 'not-measured'),
        }),
      ],
    ],
    [
      [w.observed],
      [
        fill(w.observedCount, {
          answered: countOf(observed, 'answered'),
          notMeasured: countOf(observed, 'not-measured'),
        }),
      ],
    ],
    [
      [w.findings],
      [
        fill(
          w.findingsCount,
          Object.fromEntries(
            Severity.options.map((each) => [each, report.findings.filter(({ severity }) => severity === each).length]),
          ),
        ),
      ],
    ],
  ];
  const end = say.end(report.ended);
  // Only own words stand here. What comes from outside follows apart, as code.
  const words = end
    .filter((part) => typeof part === 'string')
    .join('')
    .trim();
  const detail = spans(end.filter((part) => typeof part !== 'string')).flatMap((span) => [' ', span]);
  return [
    heading(1, `${w.title}: `, { code: report.baseUrl }),
    paragraph({ strong: words }, ...detail),
    { block: 'table', head: [w.summary, ''], rows },
  ];
}

function statedCases({ say, w, marks, caseItem, stated }: ReportWriter): Block[] {
  const rows = stated.map((result): Line[] => [
    [say.case(result.id)],
    [result.outcome === 'failed' ? { strong: say.words.outcomes[result.outcome] } : say.words.outcomes[result.outcome]],
    [`${fill(w.section, { section: result.section })}, ${fill(w.line, { line: result.lines.join(', ') })}`],
    marks(result.exchanges),
  ]);
  const failed = stated.filter(({ outcome }) => outcome === 'failed');
  return [
    heading(2, w.stated),
    { block: 'table', head: [w.case, w.outcome, w.restsOn, w.evidence], rows },
    ...(failed.length > 0 ? [{ block: 'list', items: failed.map((result) => caseItem(result)) } satisfies Block] : []),
  ];
}

function findingBlocks({ say, w, marks, answerLine }: ReportWriter, finding: Finding): Block[] {
  const { title, why } = say.finding(finding);
  return [
    heading(3, `${w.severity} ${say.severity(finding.severity)}: ${title}`),
    paragraph(why, ` ${w.foundBy}: ${say.case(finding.caseId)}.`, ...marks(finding.exchanges)),
    ...(finding.details.length > 0
      ? [{ block: 'list', items: finding.details.map((answer) => ({ line: answerLine(answer) })) } satisfies Block]
      : []),
    ...(finding.command === ''
      ? []
      : [paragraph(w.repeat), { block: 'code', language: 'bash', text: finding.command } satisfies Block]),
  ];
}

function accounts({ report, say, w }: ReportWriter): Block[] {
  if (report.accounts.length === 0) return [heading(2, w.accounts), paragraph(w.noAccounts)];
  const items = report.accounts.map(({ email, madeBy, state }) => ({
    line: [{ code: email }, ` — ${say.case(madeBy)}${state === 'unsure' ? ` (${w.accountUnsure})` : ''}`],
  }));
  return [heading(2, w.accounts), paragraph(w.accountsIntro), { block: 'list', items }];
}

/** Says what is missing by its reasons, each with the command that measures it. */
function unmeasured({ report, say, w, spans }: ReportWriter): Block[] {
  const missing = missingOf(report);
  if (missing.length === 0) return [heading(2, w.unmeasured), paragraph(w.allMeasured)];
  return [
    heading(2, w.unmeasured),
    ...missing.flatMap(({ reason, cases, command }): Block[] => [
      paragraph(...spans(say.notMeasured(reason)), ':'),
      { block: 'list', items: cases.map((id) => ({ line: [say.case(id)] })) },
      ...(command === undefined
        ? []
        : [
            paragraph(w.measure),
            { block: 'code', language: 'bash', text: `llavero check ${command}` } satisfies Block,
          ]),
    ]),
  ];
}

/** Says how often the server throttled the run, and each limit that it told of. */
function sayThrottlings(say: ReportWriter['say'], throttlings: NonNullable<Report['throttlings']>): string {
  const waited = throttlings.reduce((sum, { waitedSeconds }) => sum + waitedSeconds, 0);
  const limits = throttlings.map(({ limit, windowSeconds }) => say.limit({ limit, windowSeconds }));
  const { throttlingTimes } = say.words.report;
  return [
    fill(throttlingTimes, { count: throttlings.length, time: say.duration(waited) }),
    ...new Set(limits.filter((limit) => limit !== undefined)),
  ].join('; ');
}

/** Texts from outside, with commas between them. */
const listed = (texts: readonly string[]): Line =>
  texts.flatMap((text, index) => (index === 0 ? [{ code: text }] : [', ', { code: text }]));

function howRun({ report, say, w }: ReportWriter): Block[] {
  const { options } = report;
  const variants: Partial<Record<RunVariant, string>> = { both: say.words.choices.both, none: w.variantNone };
  const yesOrNo = (yes: boolean): string => (yes ? say.words.values.yes : say.words.values.no);
  const rows: Line[][] = [
    [[w.tool], [`Llavero ${report.toolVersion}`]],
    [[w.duration], [say.duration(Math.round(report.durationMs / 1000))]],
    [[w.calls], [say.number(report.calls)]],
    [[w.rate], [say.number(options.callsPerSecond)]],
    [[w.variant], [variants[options.variant] ?? { code: options.variant }]],
    ...(report.givenAccount === undefined ? [] : [[[w.givenAccount], [{ code: report.givenAccount }]]]),
    [[w.accounts], [fill(w.countOfMost, { count: report.accounts.length, most: options.accounts })]],
    ...(options.emailDomain === undefined ? [] : [[[w.emailDomain], [{ code: options.emailDomain }]]]),
    ...(report.throttlings ? [[[w.throttlings], [sayThrottlings(say, report.throttlings)]]] : []),
    ...(report.extraHeaders ? [[[w.extraHeaders], listed(report.extraHeaders)]] : []),
    [[w.throttling], [yesOrNo(options.throttling)]],
    [[w.bail], [yesOrNo(options.bail)]],
    ...(options.only ? [[[w.only], [options.only.map((id) => say.case(id)).join('; ')]]] : []),
  ];
  return [heading(2, w.howRun), { block: 'table', head: [w.howRun, ''], rows }];
}
