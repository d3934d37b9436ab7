import type { Report } from '../../../preload/contract/contract-report.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import { type Finding, Severity } from '../../../preload/contract/report-findings.ts';
import type { RunVariant } from '../../../preload/contract/report-run.ts';
import { fill } from '../../../preload/contract/words/say-report.ts';
import type { JudgedFault } from '../accepted-faults.ts';
import { missingOf } from '../missing.ts';
import { heading, paragraph, type Block, type Document, type Line, type Span } from './document.ts';
import { evidence } from './report-evidence.ts';
import { interfaceSections } from './report-interface.ts';
import { createReportWriter, isUnmeasured, type ReportWriter } from './report-writer.ts';

/**
 * Makes a document of a report, to be read from the top: the verdict, what is unsafe, what the interface states, its
 * open points answered for one server, then the findings in detail, the accounts, what was not measured, how it was
 * run, and the evidence.
 * @param judged what was accepted of its faults; they are struck through
 */
export function reportDocument(report: Report, language: string, judged?: readonly JudgedFault[]): Document {
  const writer = createReportWriter(report, language, judged);
  const { w } = writer;
  return {
    title: `${w.title}: ${report.baseUrl}`,
    language,
    blocks: [
      heading(1, `${w.title}: `, { code: report.baseUrl }),
      ...verdict(writer),
      ...findings(writer),
      ...statedCases(writer),
      heading(2, w.interface),
      paragraph(w.interfaceIntro),
      ...interfaceSections(writer),
      ...details(writer),
      ...accounts(writer),
      ...unmeasured(writer),
      ...howRun(writer),
      ...evidence(writer),
    ],
  };
}

/** Says in one line what the report says, and then how it came to be. */
function verdict({ report, say, w, spans, stated, judged }: ReportWriter): Block[] {
  const count = (outcome: CaseResult['outcome']): number => stated.filter((each) => each.outcome === outcome).length;
  const failed = count('failed');
  const measured = failed + count('passed');
  const kept = failed > 0 ? 'broken' : 'kept';
  const kind = measured === 0 ? 'none' : measured === 1 ? (`${kept}One` as const) : kept;
  const [before = '', after = ''] = say.words.verdict[kind].split('{{name}}');
  const open = report.findings.filter(({ id }) => !judged(`finding:${id}`)?.acceptance);
  const found = Severity.options.flatMap((severity) => {
    const many = open.filter((each) => each.severity === severity).length;
    return many > 0 ? [`${say.severity(severity)}: ${many}`] : [];
  });
  if (open.length < report.findings.length) found.push(`${w.accepted}: ${report.findings.length - open.length}`);
  const rules = stated.filter(({ id }) => judged(`rule:${id}`)?.acceptance).length;
  const end = say.end(report.ended);
  // These two name something last, and are no whole sentence.
  const isOpen = report.ended.kind === 'bail' || report.ended.kind === 'unreachable';
  const facts = {
    calls: say.number(report.calls),
    time: say.duration(Math.round(report.durationMs / 1000)),
    rate: say.number(report.options.callsPerSecond),
    accounts: say.number(report.accounts.length),
  };
  return [
    paragraph(
      ...(before.trim() === '' ? [] : [{ strong: before.trim() }, ' ']),
      { code: report.baseUrl },
      ...(after.startsWith(' ') ? [' '] : []),
      {
        strong: `${fill(after, { failed, measured }).trim()} ${w.findings}: ${found.length > 0 ? found.join(', ') : '0'}.${
          rules > 0 ? ` ${fill(say.words.command.acceptedFailed, { count: rules })}` : ''
        }`,
      },
    ),
    paragraph(...spans(end), `${isOpen ? '.' : ''} ${fill(w.facts, facts)}`),
  ];
}

/** Says each finding in one line, which leads to what shows it. */
function findings(writer: ReportWriter): Block[] {
  const { report, say, w, marks } = writer;
  const items = report.findings.map((finding) => {
    const { title, why } = say.finding(finding);
    const severity = { strong: say.severity(finding.severity) };
    return {
      line: [
        severity,
        ': ',
        struck(writer, `finding:${finding.id}`, { link: title, to: `finding-${finding.id}` }),
        `. ${why}`,
        ...marks(finding.calls),
        ...acceptance(writer, `finding:${finding.id}`),
      ],
    };
  });
  return [heading(2, w.findings), items.length > 0 ? { block: 'list', items } : paragraph(w.noFindings)];
}

/** Puts a line through what is accepted. */
const struck = ({ judged }: ReportWriter, fault: string, span: Span): Span =>
  judged(fault)?.acceptance ? { struck: [span] } : span;

/** Says why something is accepted. */
function acceptance({ judged, w }: ReportWriter, fault: string): Span[] {
  const given = judged(fault)?.acceptance;
  return given ? [' ', { strong: w.acceptedBecause }, ' ', { code: given.reason }] : [];
}

/** Says each rule with how it was kept, in one line. Those that are broken come first. */
function statedCases(writer: ReportWriter): Block[] {
  const { say, w, marks, spans, stated } = writer;
  const isBroken = ({ outcome }: CaseResult): boolean => outcome === 'failed';
  const rows = stated
    .toSorted((a, b) => Number(isBroken(b)) - Number(isBroken(a)))
    .map((result): Line[] => [
      [say.case(result.id)],
      outcomeOf(result),
      [`${fill(w.section, { section: result.section })}, ${fill(w.line, { line: result.lines.join(', ') })}`],
      marks(result.calls),
    ]);

  function outcomeOf(result: CaseResult): Line {
    const words = say.words.outcomes[result.outcome];
    if (isUnmeasured(result)) return [`${w.notMeasured} `, ...spans(say.notMeasured(result.reason))];
    if (!isBroken(result)) return [words];
    const answers = result.answers.flatMap((answer) => [
      `; ${say.question(answer)}: `,
      ...spans(say.value(answer.value)),
    ]);
    const fault = `rule:${result.id}`;
    return [struck(writer, fault, { strong: words }), ...answers, ...acceptance(writer, fault)];
  }

  return [heading(2, w.stated), { block: 'table', head: [w.case, w.outcome, w.restsOn, w.evidence], rows }];
}

const details = (writer: ReportWriter): Block[] =>
  writer.report.findings.length === 0
    ? []
    : [heading(2, writer.w.details), ...writer.report.findings.flatMap((finding) => findingBlocks(writer, finding))];

function findingBlocks(writer: ReportWriter, finding: Finding): Block[] {
  const { say, w, marks, answerLine } = writer;
  const { title } = say.finding(finding);
  const line: Line = [`${w.severity} ${say.severity(finding.severity)}: ${title}`];
  return [
    { block: 'heading', level: 3, line, place: `finding-${finding.id}` },
    paragraph(`${w.foundBy}: ${say.case(finding.caseId)}.`, ...marks(finding.calls)),
    ...(finding.details.length > 0
      ? [{ block: 'list', items: finding.details.map((answer) => ({ line: answerLine(answer) })) } satisfies Block]
      : []),
    ...(finding.script === ''
      ? []
      : [paragraph(w.repeat), { block: 'code', language: 'bash', text: say.script(finding) } satisfies Block]),
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
    ...missing.flatMap(({ reason, cases, command }): Block[] => {
      const blocks: Block[] = [
        paragraph(...spans(say.notMeasured(reason)), ':'),
        { block: 'list', items: cases.map((id) => ({ line: [say.case(id)] })) },
      ];
      if (command === undefined) return blocks;
      return blocks.concat(paragraph(w.measure), { block: 'code', language: 'bash', text: `llavero check ${command}` });
    }),
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
  const counts = { count: report.accounts.length, most: options.accounts };
  const rows: Line[][] = [
    [[w.server], [{ code: report.serverName ?? report.baseUrl }]],
    [[w.started], [report.startedAt]],
    [[w.tool], [`Llavero ${report.toolVersion}`]],
    [[w.duration], [say.duration(Math.round(report.durationMs / 1000))]],
    [[w.calls], [say.number(report.calls)]],
    [[w.rate], [say.number(options.callsPerSecond)]],
    [[w.variant], [variants[options.variant] ?? { code: options.variant }]],
    ...(report.givenAccount === undefined ? [] : [[[w.givenAccount], [{ code: report.givenAccount }]]]),
    [[w.accounts], [options.variant === 'none' ? w.noAccounts : fill(w.countOfMost, counts)]],
    ...(options.emailDomain === undefined ? [] : [[[w.emailDomain], [{ code: options.emailDomain }]]]),
    ...(report.throttlings ? [[[w.throttlings], [sayThrottlings(say, report.throttlings)]]] : []),
    ...(report.extraHeaders ? [[[w.extraHeaders], listed(report.extraHeaders)]] : []),
    [[w.throttling], [yesOrNo(options.throttling)]],
    [[w.bail], [yesOrNo(options.bail)]],
    ...(options.only ? [[[w.only], [options.only.map((id) => say.case(id)).join('; ')]]] : []),
  ];
  return [heading(2, w.howRun), { block: 'table', head: [w.howRun, ''], rows }];
}
