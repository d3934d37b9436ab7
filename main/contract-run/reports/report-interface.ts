import type { CaseAnswer, CaseResult, Subject } from '../../../preload/contract/report-cases.ts';
import { fill } from '../../../preload/contract/words/say-report.ts';
import { heading, paragraph, type Block, type Line } from './document.ts';
import { isUnmeasured, type ReportWriter } from './report-writer.ts';

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
/**
 * These answers are left out, by the line of an open point. The case rests on that line, but they do not answer it, or
 * they stand in its table.
 */
const leftOut: Readonly<Record<number, readonly CaseAnswer['question'][]>> = {
  29: ['success-status', 'token-at-registration'],
  [lineOfResponses]: ['success-status', 'success-fields'],
};

const answersOf = (result: CaseResult): readonly CaseAnswer[] => (isUnmeasured(result) ? [] : result.answers);

/** Writes `interface.md` section by section, with its open points answered for one server. */
export const interfaceSections = (writer: ReportWriter): Block[] =>
  sections.flatMap((number) => section(writer, number));

function section(writer: ReportWriter, number: Section): Block[] {
  const { say, w, observed, caseItem } = writer;
  const blocks = Object.entries(say.words.openPoints)
    .filter(([line]) => sectionOfLine(Number(line)) === number)
    .flatMap(([line, words]) => openPoint(writer, Number(line), words));
  const besides = observed.filter(
    ({ section: own, lines }) => own === number && !lines.some((line) => String(line) in say.words.openPoints),
  );
  const more: Block[] =
    besides.length === 0
      ? []
      : [paragraph({ strong: w.alsoSeen }), { block: 'list', items: besides.map((result) => caseItem(result)) }];
  return [heading(3, `${number}. ${say.words.sections[number]}`), ...blocks, ...more];
}

function sectionOfLine(line: number): Section {
  const last = { 1: 16, 2: 34, 3: 38, 4: 59, 5: 67, 6: 71, 7: 75, 8: 79, 9: Number.POSITIVE_INFINITY };
  return sections.find((section) => line <= last[section]) ?? 9;
}

function openPoint(writer: ReportWriter, line: number, words: string): Block[] {
  const { w, observed, caseItem } = writer;
  const items = observed
    .filter((result) => result.lines.includes(line))
    .map((result) => caseItem(result, leftOut[line]))
    .filter((item) => item.items === undefined || item.items.length > 0);
  return [
    paragraph({ strong: words }, ` (${fill(w.line, { line })})`),
    ...(line === lineOfResponses ? [endpoints(writer)] : []),
    items.length > 0 ? { block: 'list', items } : paragraph(w.notInRun),
  ];
}

/** Fills the column Response of the table of section 4. */
function endpoints({ report, say, w, spans, marks }: ReportWriter): Block {
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
