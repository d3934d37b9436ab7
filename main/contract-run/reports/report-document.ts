import {
  type CaseAnswer,
  type CaseResult,
  type Finding,
  type Report,
  type RunVariant,
  Severity,
  type Subject,
} from '../../../preload/contract/contract-report.ts';
import type { RecordedCall, RedactedBody, RedactedText } from '../../../preload/contract/calls.ts';
import { fill, reportWords } from '../../../preload/contract/words/say-report.ts';
import { createSecretNames } from '../../calls/named-secrets.ts';
import { heading, paragraph, spansOf, type Block, type Document, type Line, type Span } from './document.ts';

/** Sections of `interface.md`; the case results say on which they rest. */
const sections = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
type Section = (typeof sections)[number];

/** The rows of the table of endpoints (section 4), in its order. */
const operations: readonly (readonly [subject: Subject, request: string])[] = [
  ['registro', 'POST /api/v1/auth/registro'],
  ['register', 'POST /api/v1/auth/register'],
  ['login', 'POST /api/v1/auth/login'],
  ['perfil', 'GET /api/v1/auth/perfil'],
  ['salir', 'POST /api/v1/auth/salir'],
];
/** "Response bodies and success status codes of all five requests: not shown." */
const lineOfResponses = 56;
/** Answers that are not to an open point, by its line, though their case rests on it; or that stand in its table. */
const leftOut: Readonly<Record<number, readonly CaseAnswer['question'][]>> = {
  29: ['success-status', 'token-at-registration'],
  [lineOfResponses]: ['success-status', 'success-fields'],
};

type Unmeasured = Extract<CaseResult, { outcome: 'not-measured' }>;
const isUnmeasured = (result: CaseResult): result is Unmeasured => result.outcome === 'not-measured';
const answersOf = (result: CaseResult): readonly CaseAnswer[] => (isUnmeasured(result) ? [] : result.answers);

/**
 * A report as a document: `interface.md` with its open points answered for one server, then what it states, the
 * findings, the accounts, what was not measured, how it was run, and the evidence.
 */
export function reportDocument(report: Report, language: 'en' | 'es'): Document {
  const say = reportWords(language);
  const w = say.words.report;
  const { text } = createSecretNames();
  const numbers = new Map(report.evidence.map(({ id }, at) => [id, at + 1]));
  const spans = (parts: Parameters<typeof spansOf>[0]): Span[] => spansOf(parts, text);

  const markOfRange = ([first, last]: readonly [number, number]): Span[] =>
    first === last
      ? [' ', { evidence: first }]
      : [' ', { evidence: first }, last === first + 1 ? ' ' : '–', { evidence: last }];
  const marks = (ids: readonly string[]): Span[] =>
    rangesOf(ids.flatMap((id) => numbers.get(id) ?? [])).flatMap(markOfRange);

  const stated = report.cases.filter(({ kind }) => kind === 'stated');
  const observed = report.cases.filter(({ kind }) => kind === 'observed');
  const countOf = (results: readonly CaseResult[], outcome: CaseResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;

  function summary(): Block[] {
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
              Severity.options.map((each) => [
                each,
                report.findings.filter(({ severity }) => severity === each).length,
              ]),
            ),
          ),
        ],
      ],
    ];
    return [
      heading(1, `${w.title}: `, { code: report.baseUrl }),
      paragraph({ strong: spansText(say.end(report.ended)) }, ...endDetail()),
      { block: 'table', head: [w.summary, ''], rows },
    ];
  }

  /** Own words only: what comes from outside follows apart, as code. */
  const spansText = (parts: Parameters<typeof spansOf>[0]): string =>
    parts
      .filter((part) => typeof part === 'string')
      .join('')
      .trim();
  const endDetail = (): Span[] =>
    spans(say.end(report.ended).filter((part) => typeof part !== 'string')).flatMap((span) => [' ', span]);

  function answerLine(answer: CaseAnswer): Span[] {
    return [`${say.question(answer)}: `, ...spans(say.value(answer.value))];
  }

  function unmeasuredLine(result: Unmeasured): Span[] {
    return [`${w.notMeasured} `, ...spans(say.notMeasured(result.reason)), ...marks(result.exchanges)];
  }

  function caseItem(
    result: CaseResult,
    leaveOut: readonly CaseAnswer['question'][] = [],
  ): { line: Line; items?: readonly Line[] } {
    if (isUnmeasured(result)) return { line: [{ strong: say.case(result.id) }, ' — ', ...unmeasuredLine(result)] };
    const answers = result.answers.filter(({ question }) => !leaveOut.includes(question));
    return {
      line: [{ strong: say.case(result.id) }, ...marks(result.exchanges)],
      items: answers.map(answerLine),
    };
  }

  function sectionOfLine(line: number): Section {
    const last = { 1: 16, 2: 34, 3: 38, 4: 59, 5: 67, 6: 71, 7: 75, 8: 79, 9: Number.POSITIVE_INFINITY };
    return sections.find((section) => line <= last[section]) ?? 9;
  }

  /** The table of section 4 with its column Response filled. */
  function endpoints(): Block {
    const found = (question: CaseAnswer['question'], subject: Subject): Line => {
      const results = report.cases.filter((result) =>
        answersOf(result).some((answer) => answer.question === question && answer.subject === subject),
      );
      const answer = results.flatMap(answersOf).find((each) => each.question === question && each.subject === subject);
      if (!answer) return [w.unknown];
      return [...spans(say.value(answer.value)), ...results.slice(0, 1).flatMap(({ exchanges }) => marks(exchanges))];
    };
    return {
      block: 'table',
      head: [w.operation, w.status, w.responseFields],
      rows: operations.map(([subject, request]) => [
        [{ code: request }],
        found('success-status', subject),
        found('success-fields', subject),
      ]),
    };
  }

  function openPoint(line: number, words: string): Block[] {
    const items = observed
      .filter((result) => result.lines.includes(line))
      .map((result) => caseItem(result, leftOut[line]))
      .filter((item) => item.items === undefined || item.items.length > 0);
    return [
      paragraph({ strong: words }, ` (${fill(w.line, { line })})`),
      ...(line === lineOfResponses ? [endpoints()] : []),
      items.length > 0 ? { block: 'list', items } : paragraph(w.notInRun),
    ];
  }

  function section(number: Section): Block[] {
    const blocks = Object.entries(say.words.openPoints)
      .filter(([line]) => sectionOfLine(Number(line)) === number)
      .flatMap(([line, words]) => openPoint(Number(line), words));
    const besides = observed.filter(
      ({ section: own, lines }) => own === number && !lines.some((line) => String(line) in say.words.openPoints),
    );
    const more: Block[] =
      besides.length === 0
        ? []
        : [paragraph({ strong: w.alsoSeen }), { block: 'list', items: besides.map((result) => caseItem(result)) }];
    return [heading(3, `${number}. ${say.words.sections[number]}`), ...blocks, ...more];
  }

  function statedCases(): Block[] {
    const rows = stated.map((result): Line[] => [
      [say.case(result.id)],
      [
        result.outcome === 'failed'
          ? { strong: say.words.outcomes[result.outcome] }
          : say.words.outcomes[result.outcome],
      ],
      [`${fill(w.section, { section: result.section })}, ${fill(w.line, { line: result.lines.join(', ') })}`],
      marks(result.exchanges),
    ]);
    const failed = stated.filter(({ outcome }) => outcome === 'failed');
    return [
      heading(2, w.stated),
      { block: 'table', head: [w.case, w.outcome, w.restsOn, w.evidence], rows },
      ...(failed.length > 0
        ? [{ block: 'list', items: failed.map((result) => caseItem(result)) } satisfies Block]
        : []),
    ];
  }

  function findingBlocks(finding: Finding): Block[] {
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

  function accounts(): Block[] {
    if (report.accounts.length === 0) return [heading(2, w.accounts), paragraph(w.noAccounts)];
    const items = report.accounts.map(({ email, madeBy, state }) => ({
      line: [{ code: email }, ` — ${say.case(madeBy)}${state === 'unsure' ? ` (${w.accountUnsure})` : ''}`],
    }));
    return [heading(2, w.accounts), paragraph(w.accountsIntro), { block: 'list', items }];
  }

  function unmeasured(): Block[] {
    const items = report.cases
      .filter(isUnmeasured)
      .map((result) => ({ line: [`${say.case(result.id)}: `, ...spans(say.notMeasured(result.reason))] }));
    return [heading(2, w.unmeasured), items.length === 0 ? paragraph(w.allMeasured) : { block: 'list', items }];
  }

  function howRun(): Block[] {
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
      [[w.throttling], [yesOrNo(options.throttling)]],
      [[w.bail], [yesOrNo(options.bail)]],
      ...(options.only ? [[[w.only], [options.only.map((id) => say.case(id)).join('; ')]]] : []),
    ];
    return [heading(2, w.howRun), { block: 'table', head: [w.howRun, ''], rows }];
  }

  /** Shown in full in every form: what proves that something is wrong. */
  const telling = new Set([
    ...report.findings.flatMap(({ exchanges }) => exchanges),
    ...stated.filter(({ outcome }) => outcome === 'failed').flatMap(({ exchanges }) => exchanges),
  ]);

  function evidence(): Block[] {
    if (report.evidence.length === 0) return [heading(2, w.evidence), paragraph(w.noEvidence)];
    return [
      heading(2, w.evidence),
      paragraph(w.evidenceIntro),
      ...report.evidence.map((call, at): Block => {
        const { request, response, failure, timings, id } = call;
        return {
          block: 'evidence',
          number: at + 1,
          line: [
            { code: `${request.method} ${pathOf(text(request.url), report.baseUrl)}` },
            response ? ` → ${response.status}, ` : ` → ${w.failed}, `,
            `${say.number(Math.round(timings.totalMs))} ms`,
            ...(failure ? [', ', ...spans(say.error(failure))] : []),
          ],
          blocks: [
            paragraph({ strong: w.request }),
            { block: 'code', language: 'http', text: requestText(call) },
            ...(response
              ? [
                  paragraph({ strong: w.response }),
                  { block: 'code', language: 'http', text: responseText(response) } satisfies Block,
                ]
              : []),
          ],
          full: telling.has(id),
        };
      }),
    ];
  }

  function bodyText(body: RedactedBody | undefined): string {
    if (!body || body.bytes === 0) return `(${w.emptyBody})`;
    if (body.form === 'binary') return `(${fill(w.binaryBody, { bytes: say.number(body.bytes) })})`;
    const shown = text(body.text);
    // In characters and not in bytes: with names in the place of secrets, neither is exact.
    const isCut = shown.length >= 4096;
    return isCut ? `${shown}\n(${fill(w.cutBody, { bytes: say.number(body.bytes) })})` : shown;
  }

  const requestText = ({ request }: Pick<RecordedCall, 'request'>): string =>
    `${text(request.head.text).trimEnd()}\n\n${bodyText(request.body)}`;

  function responseText(response: NonNullable<RecordedCall['response']>): string {
    const line = `HTTP/${response.httpVersion} ${response.status} ${text(response.statusText)}`.trimEnd();
    const headers = response.headers.map(([name, value]: [string, RedactedText]) => `${name}: ${text(value)}`);
    return `${[line, ...headers].join('\n')}\n\n${bodyText(response.body)}`;
  }

  return {
    title: `${w.title}: ${report.baseUrl}`,
    language,
    blocks: [
      ...summary(),
      heading(2, w.interface),
      paragraph(w.interfaceIntro),
      ...sections.flatMap(section),
      ...statedCases(),
      heading(2, w.findings),
      ...(report.findings.length > 0 ? report.findings.flatMap(findingBlocks) : [paragraph(w.noFindings)]),
      ...accounts(),
      ...unmeasured(),
      ...howRun(),
      ...evidence(),
    ],
  };
}

/** Numbers that follow each other as the first and the last of them. */
function rangesOf(numbers: readonly number[]): [first: number, last: number][] {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const range = ranges.at(-1);
    if (range && number === range[1] + 1) range[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

/** Below the base URL: the rest is the same in every call. */
function pathOf(url: string, baseUrl: string): string {
  return url.startsWith(baseUrl) ? url.slice(baseUrl.length) : url;
}
