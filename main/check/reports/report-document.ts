import type { Report, Finding, RunVariant } from '../../../preload/contract/report.ts';
import { countsOf, rowGroups, type RowGroup } from '../../../preload/contract/report-rows.ts';
import { moreAccounts } from '../../../preload/contract/names.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { ClassifiedFault } from '../accepted-faults.ts';
import { groupUntestedCases } from '../untested-cases.ts';
import { suggestInterfaces } from '../suggest-interfaces.ts';
import { heading, paragraph, type Block, type Document, type Line, type ReportAnchor, type Span } from './document.ts';
import { createEvidenceBlocks } from './report-evidence.ts';
import { accountSection, interfaceSections } from './report-interface.ts';
import { createReportWriter, isUntestedResult, type ReportWriter } from './report-writer.ts';

/**
 * The document of a report: the verdict, the problems by severity, the unspecified behaviour, the requirements, the
 * findings in detail, the accounts, the skipped tests, the options of the run, and the evidence.
 * @param judged its faults; the accepted ones are struck through
 * @param folds whether the format folds: then each finding is complete where it is listed
 */
export function reportDocument(
  report: Report,
  language: string,
  judged?: readonly ClassifiedFault[],
  folds = false,
): Document {
  const writer = createReportWriter(report, language, judged, folds);
  const { w } = writer;
  const title = `${w('title')}: ${report.baseUrl}`;
  const head = heading(1, `${w('title')}: `, { code: report.baseUrl });
  // Of what speaks no HTTP there is nothing else to say.
  if (writer.verdict.kind === 'no-http') return { title, language, blocks: [head, headline(writer), noRun(writer)] };
  return {
    title,
    language,
    blocks: [
      head,
      ...verdict(writer),
      ...overview(writer),
      ...problems(writer),
      { block: 'heading', level: 2, line: [w('interface')], anchor: 'open' },
      paragraph(w('interfaceIntro')),
      ...interfaceSections(writer),
      ...statedCases(writer),
      ...(folds ? [] : details(writer)),
      ...accounts(writer),
      ...unmeasured(writer),
      ...howRun(writer),
      ...createEvidenceBlocks(writer),
      headline(writer),
    ],
  };
}

/** The verdict in one line, the worst first, at the start and the end of a report. */
function headline({ report, formatter, spans, verdict }: ReportWriter): Block {
  const [said = '', ...others] = spans(formatter.runVerdict(verdict, report.baseUrl));
  // What follows an address is no sentence of its own, and accounts that are left follow one.
  return paragraph(typeof said === 'string' ? { strong: said } : said, ...others);
}

/** Without a server: nothing was tested, and whether an account may have been created. */
const noRun = ({ report, w }: ReportWriter): Block =>
  report.accounts.length === 0
    ? paragraph(w('nothingDone'))
    : paragraph(w('nothingKnown'), ' ', ...listed(report.accounts.map(({ email }) => email)));

function verdict(writer: ReportWriter): Block[] {
  const { report, formatter, w, spans } = writer;
  const end = formatter.end(report.ended);
  // These two name something last, and are no whole sentence.
  const isOpen = report.ended.kind === 'bail' || report.ended.kind === 'unreachable';
  const facts = {
    calls: formatter.number(report.calls),
    time: formatter.duration(Math.round(report.durationMs / 1000)),
    rate: formatter.number(report.options.callsPerSecond),
    accounts: formatter.accounts(report.accounts),
  };
  return [
    headline(writer),
    paragraph(...spans(end), `${isOpen ? '.' : ''} ${w('facts', facts)}`),
    ...describedInterface(writer),
    ...perhapsAnother(writer),
  ];
}

/** How to check a server that may have another API type. */
function perhapsAnother({ report, w }: ReportWriter): Block[] {
  const others = suggestInterfaces(report);
  if (others.length === 0) return [];
  const commands = others.map((name): Block => ({
    block: 'code',
    language: 'bash',
    text: `llavero check ${report.baseUrl} --interface ${name}`,
  }));
  return [paragraph(w('otherInterface')), ...commands];
}

/** The API type, if it is not the default. */
function describedInterface({ report, w }: ReportWriter): Block[] {
  if (!report.interface) return [];
  const { name, digest, calls } = report.interface;
  const shown = Object.values(calls).flatMap((call = ''): Span[] => [', ', { code: call }]);
  return [paragraph(`${w('itsInterface')}: `, { code: name }, ...shown, '. SHA-256: ', { code: digest }, '.')];
}

/** The number of rows of each group, with links. Only in formats that fold. */
function overview({ folds, w, formatter, rows }: ReportWriter): Block[] {
  if (!folds) return [];
  const counts = countsOf(rows);
  const links = rowGroups
    .filter((group) => counts[group] > 0)
    .map((group) => ({ link: `${formatter.t(`groups.${group}`)} ${counts[group]}`, to: places[group] }));
  return [{ block: 'parts', label: w('parts'), links }];
}

const places = {
  problems: 'problems',
  notes: 'problems',
  accepted: 'problems',
  unspecified: 'open',
  passed: 'kept',
  'not-tested': 'untested',
} as const satisfies Record<RowGroup, ReportAnchor>;

const isBroken = ({ outcome }: CaseResult): boolean => outcome === 'failed';

const listOf = (lines: readonly Line[]): Block[] =>
  lines.length === 0 ? [] : [{ block: 'list', items: lines.map((line) => ({ line })) }];

/**
 * Says what is wrong and what is worth a note, the worst first: a finding in one line that leads to what shows it, or
 * whole where the form folds.
 */
function problems(writer: ReportWriter): Block[] {
  const { folds, w, rows } = writer;
  const shown = rows.filter(({ group }) => group === 'problems' || group === 'notes' || group === 'accepted');
  const title: Block = { block: 'heading', level: 2, line: [w('problems')], anchor: 'problems' };
  if (shown.length === 0) return [title, paragraph(w('noFindings'))];
  if (folds) return [title, ...shown.map((row) => problemItem(writer, row))];
  return [title, { block: 'list', items: shown.map((row) => problemLine(writer, row)) }];
}

type Row = ReportWriter['rows'][number];

const answersOf = ({ answerLine }: ReportWriter, result: CaseResult): Line[] =>
  isUntestedResult(result) ? [] : result.answers.map(answerLine);

function problemItem(writer: ReportWriter, row: Row): Block {
  const { formatter, w, marks, answerLine } = writer;
  const about = { severity: row.severity, severityLabel: formatter.severity(row.severity) };
  if (row.kind === 'case') {
    const { result } = row;
    return {
      block: 'item',
      ...about,
      title: [struck(writer, row.fault, formatter.case(result.id))],
      marks: marks(result.calls),
      why: [`${w('requirementFailed')} (${writer.formatter.restsOn(result)})`, ...acceptance(writer, row.fault)],
      more: listOf(answersOf(writer, result)),
    };
  }
  const { finding } = row;
  const words = formatter.finding(finding);
  return {
    block: 'item',
    ...about,
    title: [struck(writer, row.fault, words.title)],
    marks: marks(finding.calls),
    anchor: `finding-${finding.id}`,
    why: [words.why, ...acceptance(writer, row.fault)],
    more: listOf([...finding.details.map(answerLine), [`${w('foundBy')}: ${formatter.case(finding.caseId)}`]]),
    script: finding.script === '' ? undefined : { label: w('scriptFold'), text: formatter.script(finding) },
  };
}

function problemLine(writer: ReportWriter, row: Row): { line: Line; items?: readonly Line[] } {
  const { formatter, w, marks } = writer;
  const severity: Span[] = [{ strong: formatter.severity(row.severity) }, ': '];
  const accepted = acceptance(writer, row.fault);
  if (row.kind === 'case') {
    const { result } = row;
    const title = struck(writer, row.fault, formatter.case(result.id));
    const rests = ` (${w('requirementFailed')}: ${writer.formatter.restsOn(result)})`;
    return { line: [...severity, title, rests, ...marks(result.calls), ...accepted], items: answersOf(writer, result) };
  }
  const { finding } = row;
  const words = formatter.finding(finding);
  const title = struck(writer, row.fault, { link: words.title, to: `finding-${finding.id}` });
  return { line: [...severity, title, `. ${words.why}`, ...marks(finding.calls), ...accepted] };
}

/** Strikes an accepted fault through. */
const struck = ({ judged }: ReportWriter, fault: string, span: Span): Span =>
  judged(fault)?.acceptance ? { struck: [span] } : span;

function acceptance({ judged, w }: ReportWriter, fault: string): Span[] {
  const given = judged(fault)?.acceptance;
  return given ? [' ', { strong: w('acceptedBecause') }, ' ', { code: given.reason }] : [];
}

/** The requirements that did not fail, one per row. */
function statedCases({ formatter, w, marks, spans, stated }: ReportWriter): Block[] {
  const rows = stated
    .filter((result) => !isBroken(result))
    .map((result): Line[] => [
      [formatter.case(result.id)],
      isUntestedResult(result)
        ? [`${w('notMeasured')} `, ...spans(formatter.notMeasured(result.reason))]
        : [formatter.t(`outcomes.${result.outcome}`)],
      [formatter.restsOn(result)],
      marks(result.calls),
    ]);
  return [
    { block: 'heading', level: 2, line: [w('stated')], anchor: 'kept' },
    { block: 'table', head: [w('case'), w('outcome'), w('restsOn'), w('evidence')], rows },
  ];
}

const details = (writer: ReportWriter): Block[] =>
  writer.report.findings.length === 0
    ? []
    : [heading(2, writer.w('details')), ...writer.report.findings.flatMap((finding) => findingBlocks(writer, finding))];

function findingBlocks(writer: ReportWriter, finding: Finding): Block[] {
  const { formatter, w, marks, answerLine } = writer;
  const { title } = formatter.finding(finding);
  const line: Line = [`${w('severity')} ${formatter.severity(finding.severity)}: ${title}`];
  return [
    { block: 'heading', level: 3, line, anchor: `finding-${finding.id}` },
    paragraph(`${w('foundBy')}: ${formatter.case(finding.caseId)}.`, ...marks(finding.calls)),
    ...(finding.details.length > 0
      ? [{ block: 'list', items: finding.details.map((answer) => ({ line: answerLine(answer) })) } satisfies Block]
      : []),
    ...(finding.script === ''
      ? []
      : [paragraph(w('repeat')), { block: 'code', language: 'bash', text: formatter.script(finding) } satisfies Block]),
  ];
}

function accounts({ report, formatter, w }: ReportWriter): Block[] {
  const { cleanup, options } = report;
  if (report.accounts.length === 0) return [heading(2, w('accounts')), paragraph(w('noAccounts'))];
  const items = report.accounts.map(({ email, madeBy, state }) => {
    const left = cleanup?.left.find((each) => each.email === email);
    const marks = [
      ...(state === 'unsure' ? [w('accountUnsure')] : []),
      ...(left ? [`${w('accountLeft')} ${formatter.left(left)}`] : []),
    ];
    return {
      line: [{ code: email }, ` — ${formatter.case(madeBy)}${marks.length > 0 ? ` (${marks.join('; ')})` : ''}`],
    };
  });
  const intro = cleanup ? `${formatter.cleanup(cleanup)}.` : w(options.keepAccounts ? 'accountsKept' : 'accountsIntro');
  return [heading(2, w('accounts')), paragraph(intro), { block: 'list', items }];
}

/** The skipped tests by reason, each with the command that includes them. */
function unmeasured({ report, formatter, w, spans }: ReportWriter): Block[] {
  const missing = groupUntestedCases(report);
  const title: Block = { block: 'heading', level: 2, line: [w('unmeasured')], anchor: 'untested' };
  if (missing.length === 0) return [title, paragraph(w('allMeasured'))];
  return [
    title,
    ...missing.flatMap(({ reason, cases, command }): Block[] => {
      const blocks: Block[] = [
        paragraph(...spans(formatter.notMeasured(reason)), ':'),
        { block: 'list', items: cases.map((id) => ({ line: [formatter.case(id)] })) },
      ];
      if (command === undefined) return blocks;
      return blocks.concat(paragraph(w('measure')), {
        block: 'code',
        language: 'bash',
        text: `llavero check ${command}`,
      });
    }),
  ];
}

/** How often the server throttled the run, and each limit that it stated. */
function formatThrottlings(
  formatter: ReportWriter['formatter'],
  throttlings: NonNullable<Report['throttlings']>,
): string {
  const waited = throttlings.reduce((sum, { waitedSeconds }) => sum + waitedSeconds, 0);
  const limits = throttlings.map(({ limit, windowSeconds }) => formatter.limit({ limit, windowSeconds }));
  return [
    formatter.t('report.throttlingTimes', { count: throttlings.length, time: formatter.duration(waited) }),
    ...new Set(limits.filter((limit) => limit !== undefined)),
  ].join('; ');
}

/** Texts from outside, separated by commas. */
const listed = (texts: readonly string[]): Line =>
  texts.flatMap((text, index) => (index === 0 ? [{ code: text }] : [', ', { code: text }]));

function howRun({ report, formatter, w }: ReportWriter): Block[] {
  const { options } = report;
  const variants: Partial<Record<RunVariant, string>> = { both: formatter.t('choices.both'), none: w('variantNone') };
  const yesOrNo = (yes: boolean): string => (yes ? formatter.t('values.yes') : formatter.t('values.no'));
  const isMore = report.cases.some(({ section }) => section === accountSection);
  const most = options.accounts + (isMore ? moreAccounts : 0);
  const counts = { count: formatter.accounts(report.accounts), most };
  const rows: Line[][] = [
    [[w('server')], [{ code: report.serverName ?? report.baseUrl }]],
    [[w('started')], [report.startedAt]],
    [[w('tool')], [`Llavero ${report.toolVersion}`]],
    [[w('duration')], [formatter.duration(Math.round(report.durationMs / 1000))]],
    [[w('calls')], [formatter.number(report.calls)]],
    [[w('rate')], [formatter.number(options.callsPerSecond)]],
    [[w('variant')], [variants[options.variant] ?? { code: options.variant }]],
    ...(report.givenAccount === undefined ? [] : [[[w('givenAccount')], [{ code: report.givenAccount }]]]),
    [[w('accounts')], [options.variant === 'none' ? w('noAccounts') : w('countOfMost', counts)]],
    ...(options.emailDomain === undefined ? [] : [[[w('emailDomain')], [{ code: options.emailDomain }]]]),
    ...(report.throttlings ? [[[w('throttlings')], [formatThrottlings(formatter, report.throttlings)]]] : []),
    ...(report.extraHeaders ? [[[w('extraHeaders')], listed(report.extraHeaders)]] : []),
    [[w('throttling')], [yesOrNo(options.throttling)]],
    [[w('bail')], [yesOrNo(options.bail)]],
    ...(options.keepAccounts ? [[[w('keepAccounts')], [yesOrNo(true)]]] : []),
    ...(options.only ? [[[w('only')], [options.only.map((id) => formatter.case(id)).join('; ')]]] : []),
  ];
  return [heading(2, w('howRun')), { block: 'table', head: [w('howRun'), ''], rows }];
}
