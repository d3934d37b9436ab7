import { type Report, type Finding, Severity, type RunVariant } from '../../../preload/contract/report.ts';
import { bySeverity, severityOfRule } from '../../../preload/contract/severities.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { JudgedFault } from '../accepted-faults.ts';
import { missingOf } from '../missing.ts';
import { otherInterfaces } from '../other-interfaces.ts';
import { heading, paragraph, type Block, type Document, type Line, type Span } from './document.ts';
import { evidence } from './report-evidence.ts';
import { answeredOf, barOf, interfaceSections } from './report-interface.ts';
import { createReportWriter, isUnmeasured, type ReportWriter } from './report-writer.ts';

/**
 * Makes a document of a report, to be read from the top: the verdict, the rules that are broken, what is unsafe, both by
 * what matters most, the open points of the interface answered for one server, what it states, then the findings in
 * detail, the accounts, what was not measured, how it was run, and the evidence.
 * @param judged what was accepted of its faults; they are struck through
 * @param folds whether the form folds what is long: then each finding stands whole in its place
 */
export function reportDocument(
  report: Report,
  language: string,
  judged?: readonly JudgedFault[],
  folds = false,
): Document {
  const writer = createReportWriter(report, language, judged, folds);
  const { w } = writer;
  const title = `${w('title')}: ${report.baseUrl}`;
  const head = heading(1, `${w('title')}: `, { code: report.baseUrl });
  // Of what speaks no HTTP there is nothing else to say.
  if (writer.verdict.kind === 'no-http')
    return { title, language, blocks: [head, firstSentence(writer), noRun(writer)] };
  return {
    title,
    language,
    blocks: [
      head,
      ...verdict(writer),
      ...overview(writer),
      ...brokenRules(writer),
      ...findings(writer),
      { block: 'heading', level: 2, line: [w('interface')], place: 'open' },
      paragraph(w('interfaceIntro')),
      ...interfaceSections(writer),
      ...statedCases(writer),
      ...(folds ? [] : details(writer)),
      ...accounts(writer),
      ...unmeasured(writer),
      ...howRun(writer),
      ...evidence(writer),
    ],
  };
}

/** Says in one sentence what the run comes to. */
function firstSentence({ report, say, spans, verdict }: ReportWriter, more = ''): Block {
  const said = spans(say.runVerdict(verdict, report.baseUrl));
  const line = said.flatMap((span, at): Span[] => {
    if (typeof span !== 'string') return [span];
    const text = at === said.length - 1 ? span + more : span;
    // Marks of bold text stand beside its words, and not beside blanks.
    const words = text.trim();
    if (words === '') return [text];
    const from = text.indexOf(words);
    return [text.slice(0, from), { strong: words }, text.slice(from + words.length)].filter((each) => each !== '');
  });
  return paragraph(...line);
}

/** Says that nothing was measured, and whether an account may have been created. */
const noRun = ({ report, w }: ReportWriter): Block =>
  report.accounts.length === 0
    ? paragraph(w('nothingDone'))
    : paragraph(w('nothingKnown'), ' ', ...listed(report.accounts.map(({ email }) => email)));

/** Says in one line what the report says, and then how it came to be. */
function verdict(writer: ReportWriter): Block[] {
  const { report, say, w, spans, stated, judged } = writer;
  const open = report.findings.filter(({ id }) => !judged(`finding:${id}`)?.acceptance);
  const found = Severity.options.flatMap((severity) => {
    const many = open.filter((each) => each.severity === severity).length;
    return many > 0 ? [`${say.severity(severity)}: ${many}`] : [];
  });
  if (open.length < report.findings.length) found.push(`${w('accepted')}: ${report.findings.length - open.length}`);
  const rules = stated.filter(({ id }) => judged(`rule:${id}`)?.acceptance).length;
  const end = say.end(report.ended);
  // These two name something last, and are no whole sentence.
  const isOpen = report.ended.kind === 'bail' || report.ended.kind === 'unreachable';
  const facts = {
    calls: say.number(report.calls),
    time: say.duration(Math.round(report.durationMs / 1000)),
    rate: say.number(report.options.callsPerSecond),
    accounts: say.accounts(report.accounts),
  };
  const counts = ` ${w('findings')}: ${found.length > 0 ? found.join(', ') : '0'}.`;
  return [
    firstSentence(writer, rules > 0 ? `${counts} ${say.t('command.acceptedFailed', { count: rules })}` : counts),
    paragraph(...spans(end), `${isOpen ? '.' : ''} ${w('facts', facts)}`),
    ...describedInterface(writer),
    ...perhapsAnother(writer),
  ];
}

/** Says how a server is measured that may have another interface: what the run says of it is then beside the point. */
function perhapsAnother({ report, w }: ReportWriter): Block[] {
  const others = otherInterfaces(report);
  if (others.length === 0) return [];
  const commands = others.map((name): Block => ({
    block: 'code',
    language: 'bash',
    text: `llavero check ${report.baseUrl} --interface ${name}`,
  }));
  return [paragraph(w('otherInterface')), ...commands];
}

/** Says which interface the server has, if it is another than that of the document. */
function describedInterface({ report, w }: ReportWriter): Block[] {
  if (!report.interface) return [];
  const { name, digest, calls } = report.interface;
  const shown = Object.values(calls).flatMap((call = ''): Span[] => [', ', { code: call }]);
  return [paragraph(`${w('itsInterface')}: `, { code: name }, ...shown, '. SHA-256: ', { code: digest }, '.')];
}

/** Shows how much there is of what, and leads to it. Other forms say it in their sentence. */
function overview({ report, folds, w, stated, observed, judged }: ReportWriter): Block[] {
  if (!folds) return [];
  const accepted = stated.filter(({ id }) => judged(`rule:${id}`)?.acceptance).length;
  const failed = stated.filter(({ outcome }) => outcome === 'failed').length - accepted;
  const passed = stated.filter(({ outcome }) => outcome === 'passed').length;
  const open = report.findings.filter(({ id }) => !judged(`finding:${id}`)?.acceptance);
  const found = (severity: Severity) => open.filter((each) => each.severity === severity).length;
  const [high, medium, low, info] = [found('high'), found('medium'), found('low'), found('info')];
  const links = (['broken', 'findings', 'open', 'kept'] as const).filter(
    (to) => to !== 'broken' || stated.some(isBroken),
  );
  const words = { broken: w('broken'), findings: w('findings'), open: w('observed'), kept: w('stated') };
  return [
    {
      block: 'tally',
      rows: [
        {
          label: w('rules'),
          bar: barOf({ bad: failed, good: passed, rest: stated.length - failed - passed }),
          said: w('statedCount', { passed, failed, notMeasured: stated.length - failed - passed }),
        },
        {
          label: w('findings'),
          bar: barOf({ bad: high, warn: medium, rest: low + info + report.findings.length - open.length }),
          said: w('findingsCount', { high, medium, low, info }),
        },
        { label: w('observed'), ...answeredOf({ w }, observed) },
      ],
    },
    { block: 'parts', label: w('parts'), links: links.map((to) => ({ link: words[to], to })) },
  ];
}

const isBroken = ({ outcome }: CaseResult): boolean => outcome === 'failed';

/** Says each rule that is broken, those that matter most first. */
function brokenRules(writer: ReportWriter): Block[] {
  const { folds, say, w, marks, stated, answerLine } = writer;
  const broken = stated
    .filter(isBroken)
    .toSorted((a, b) => bySeverity(severityOfRule(a.id), severityOfRule(b.id)))
    .map((result) => ({
      severity: severityOfRule(result.id),
      title: struck(writer, `rule:${result.id}`, say.case(result.id)),
      rests: `${w('section', { section: result.section })}, ${w('line', { line: result.lines.join(', ') })}`,
      marks: marks(result.calls),
      accepted: acceptance(writer, `rule:${result.id}`),
      answers: (isUnmeasured(result) ? [] : result.answers).map(answerLine),
    }));
  if (broken.length === 0) return [];
  const title: Block = { block: 'heading', level: 2, line: [w('broken')], place: 'broken' };
  if (folds) {
    const items = broken.map(({ severity, rests, accepted, answers, ...rule }): Block => {
      const shown = { severity, said: say.severity(severity), title: [rule.title], marks: rule.marks };
      return { block: 'item', ...shown, why: [rests, ...accepted], more: listOf(answers) };
    });
    return [title, ...items];
  }
  const items = broken.map(({ severity, rests, accepted, answers, ...rule }) => ({
    line: [{ strong: say.severity(severity) }, ': ', rule.title, ` (${rests})`, ...rule.marks, ...accepted],
    items: answers,
  }));
  return [heading(2, w('broken')), { block: 'list', items }];
}

const listOf = (lines: readonly Line[]): Block[] =>
  lines.length === 0 ? [] : [{ block: 'list', items: lines.map((line) => ({ line })) }];

/** Says each finding: in one line that leads to what shows it, or whole where the form folds. */
function findings(writer: ReportWriter): Block[] {
  const { report, folds, say, w, marks, answerLine } = writer;
  const sorted = report.findings.toSorted((a, b) => bySeverity(a.severity, b.severity));
  const title: Block = { block: 'heading', level: 2, line: [w('findings')], place: 'findings' };
  if (sorted.length === 0) return [title, paragraph(w('noFindings'))];
  if (folds) {
    return [
      title,
      ...sorted.map((finding): Block => {
        const { id, severity, calls, details: answers, script } = finding;
        const words = say.finding(finding);
        const fault = `finding:${id}`;
        return {
          block: 'item',
          severity,
          said: say.severity(severity),
          title: [struck(writer, fault, words.title)],
          marks: marks(calls),
          place: `finding-${id}`,
          why: [words.why, ...acceptance(writer, fault)],
          more: listOf([...answers.map(answerLine), [`${w('foundBy')}: ${say.case(finding.caseId)}`]]),
          script: script === '' ? undefined : { label: w('scriptFold'), text: say.script(finding) },
        };
      }),
    ];
  }
  const items = sorted.map((finding) => {
    const words = say.finding(finding);
    return {
      line: [
        { strong: say.severity(finding.severity) },
        ': ',
        struck(writer, `finding:${finding.id}`, { link: words.title, to: `finding-${finding.id}` }),
        `. ${words.why}`,
        ...marks(finding.calls),
        ...acceptance(writer, `finding:${finding.id}`),
      ],
    };
  });
  return [heading(2, w('findings')), { block: 'list', items }];
}

/** Puts a line through what is accepted. */
const struck = ({ judged }: ReportWriter, fault: string, span: Span): Span =>
  judged(fault)?.acceptance ? { struck: [span] } : span;

/** Says why something is accepted. */
function acceptance({ judged, w }: ReportWriter, fault: string): Span[] {
  const given = judged(fault)?.acceptance;
  return given ? [' ', { strong: w('acceptedBecause') }, ' ', { code: given.reason }] : [];
}

/** Says each rule that is not broken, in one line. */
function statedCases({ say, w, marks, spans, stated }: ReportWriter): Block[] {
  const rows = stated
    .filter((result) => !isBroken(result))
    .map((result): Line[] => [
      [say.case(result.id)],
      isUnmeasured(result)
        ? [`${w('notMeasured')} `, ...spans(say.notMeasured(result.reason))]
        : [say.t(`outcomes.${result.outcome}`)],
      [`${w('section', { section: result.section })}, ${w('line', { line: result.lines.join(', ') })}`],
      marks(result.calls),
    ]);
  return [
    { block: 'heading', level: 2, line: [w('stated')], place: 'kept' },
    { block: 'table', head: [w('case'), w('outcome'), w('restsOn'), w('evidence')], rows },
  ];
}

const details = (writer: ReportWriter): Block[] =>
  writer.report.findings.length === 0
    ? []
    : [heading(2, writer.w('details')), ...writer.report.findings.flatMap((finding) => findingBlocks(writer, finding))];

function findingBlocks(writer: ReportWriter, finding: Finding): Block[] {
  const { say, w, marks, answerLine } = writer;
  const { title } = say.finding(finding);
  const line: Line = [`${w('severity')} ${say.severity(finding.severity)}: ${title}`];
  return [
    { block: 'heading', level: 3, line, place: `finding-${finding.id}` },
    paragraph(`${w('foundBy')}: ${say.case(finding.caseId)}.`, ...marks(finding.calls)),
    ...(finding.details.length > 0
      ? [{ block: 'list', items: finding.details.map((answer) => ({ line: answerLine(answer) })) } satisfies Block]
      : []),
    ...(finding.script === ''
      ? []
      : [paragraph(w('repeat')), { block: 'code', language: 'bash', text: say.script(finding) } satisfies Block]),
  ];
}

function accounts({ report, say, w }: ReportWriter): Block[] {
  if (report.accounts.length === 0) return [heading(2, w('accounts')), paragraph(w('noAccounts'))];
  const items = report.accounts.map(({ email, madeBy, state }) => ({
    line: [{ code: email }, ` — ${say.case(madeBy)}${state === 'unsure' ? ` (${w('accountUnsure')})` : ''}`],
  }));
  return [heading(2, w('accounts')), paragraph(w('accountsIntro')), { block: 'list', items }];
}

/** Says what is missing by its reasons, each with the command that measures it. */
function unmeasured({ report, say, w, spans }: ReportWriter): Block[] {
  const missing = missingOf(report);
  if (missing.length === 0) return [heading(2, w('unmeasured')), paragraph(w('allMeasured'))];
  return [
    heading(2, w('unmeasured')),
    ...missing.flatMap(({ reason, cases, command }): Block[] => {
      const blocks: Block[] = [
        paragraph(...spans(say.notMeasured(reason)), ':'),
        { block: 'list', items: cases.map((id) => ({ line: [say.case(id)] })) },
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

/** Says how often the server throttled the run, and each limit that it told of. */
function sayThrottlings(say: ReportWriter['say'], throttlings: NonNullable<Report['throttlings']>): string {
  const waited = throttlings.reduce((sum, { waitedSeconds }) => sum + waitedSeconds, 0);
  const limits = throttlings.map(({ limit, windowSeconds }) => say.limit({ limit, windowSeconds }));
  return [
    say.t('report.throttlingTimes', { count: throttlings.length, time: say.duration(waited) }),
    ...new Set(limits.filter((limit) => limit !== undefined)),
  ].join('; ');
}

/** Texts from outside, with commas between them. */
const listed = (texts: readonly string[]): Line =>
  texts.flatMap((text, index) => (index === 0 ? [{ code: text }] : [', ', { code: text }]));

function howRun({ report, say, w }: ReportWriter): Block[] {
  const { options } = report;
  const variants: Partial<Record<RunVariant, string>> = { both: say.t('choices.both'), none: w('variantNone') };
  const yesOrNo = (yes: boolean): string => (yes ? say.t('values.yes') : say.t('values.no'));
  const counts = { count: say.accounts(report.accounts), most: options.accounts };
  const rows: Line[][] = [
    [[w('server')], [{ code: report.serverName ?? report.baseUrl }]],
    [[w('started')], [report.startedAt]],
    [[w('tool')], [`Llavero ${report.toolVersion}`]],
    [[w('duration')], [say.duration(Math.round(report.durationMs / 1000))]],
    [[w('calls')], [say.number(report.calls)]],
    [[w('rate')], [say.number(options.callsPerSecond)]],
    [[w('variant')], [variants[options.variant] ?? { code: options.variant }]],
    ...(report.givenAccount === undefined ? [] : [[[w('givenAccount')], [{ code: report.givenAccount }]]]),
    [[w('accounts')], [options.variant === 'none' ? w('noAccounts') : w('countOfMost', counts)]],
    ...(options.emailDomain === undefined ? [] : [[[w('emailDomain')], [{ code: options.emailDomain }]]]),
    ...(report.throttlings ? [[[w('throttlings')], [sayThrottlings(say, report.throttlings)]]] : []),
    ...(report.extraHeaders ? [[[w('extraHeaders')], listed(report.extraHeaders)]] : []),
    [[w('throttling')], [yesOrNo(options.throttling)]],
    [[w('bail')], [yesOrNo(options.bail)]],
    ...(options.only ? [[[w('only')], [options.only.map((id) => say.case(id)).join('; ')]]] : []),
  ];
  return [heading(2, w('howRun')), { block: 'table', head: [w('howRun'), ''], rows }];
}
