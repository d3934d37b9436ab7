import type { CaseAnswer, CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Bar, Block, Line } from './document.ts';
import type { ReportWriter } from './report-writer.ts';

/** Sections of `interface.md`. */
const sections = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;
type Section = (typeof sections)[number];
type Row = readonly Line[] | { over: Line };

/** Answers that are left out, by the line of an open point: their case cites that line, but they do not answer it. */
const leftOut: Readonly<Record<number, readonly CaseAnswer['question'][]>> = {
  29: ['success-status', 'token-at-registration'],
};

/** The calls about the account, which only API descriptions have. */
export const accountSection = 10;

/** The sections of `interface.md`, with the open points answered for one server, and the calls about the account. */
export const interfaceSections = (writer: ReportWriter): Block[] => [
  ...sections.flatMap((number) => section(writer, number)),
  ...(writer.observed.some((result) => result.section === accountSection) ? section(writer, accountSection) : []),
];

/** In the order of a bar. */
const tones = ['bad', 'warn', 'good', 'observed', 'rest'] as const;

const barOf = (counts: Partial<Record<Bar[number]['tone'], number>>): Bar =>
  tones.map((tone) => ({ tone, count: counts[tone] ?? 0 })).filter(({ count }) => count > 0);

function answeredOf({ w }: Pick<ReportWriter, 'w'>, cases: readonly CaseResult[]): { bar: Bar; barLabel: string } {
  const answered = cases.filter(({ outcome }) => outcome === 'answered').length;
  const notMeasured = cases.length - answered;
  return {
    bar: barOf({ observed: answered, rest: notMeasured }),
    barLabel: w('observedCount', { answered, notMeasured }),
  };
}

function section(
  { folds, formatter, w, observed, answerRows }: ReportWriter,
  number: Section | typeof accountSection,
): Block[] {
  const own = observed.filter((result) => result.section === number);
  const ofPoint = (line: number): readonly Line[][] =>
    observed.filter((result) => result.lines.includes(line)).flatMap((result) => answerRows(result, leftOut[line]));
  const points = Object.entries(formatter.t('openPoints', { returnObjects: true }))
    .filter(([line]) => sectionOfLine(Number(line)) === number)
    .flatMap(([line, words]): Row[] => {
      const rows = ofPoint(Number(line));
      const over: Line = [{ strong: words }, ` (${w('line', { line })})`];
      const first: Row[] = [{ over }];
      return first.concat(rows.length > 0 ? rows : [[[w('notInRun')], [], []]]);
    });
  const besides = observed
    .filter(({ section: of, lines }) => of === number && !lines.some((line) => formatter.openPoint(line) !== undefined))
    .flatMap((result) => answerRows(result));
  const rows: Row[] = [...points, ...(besides.length > 0 ? [{ over: [{ strong: w('alsoSeen') }] }, ...besides] : [])];
  return [
    {
      block: 'heading',
      level: 3,
      line: [`${number}. ${formatter.t(`sections.${number}`)}`],
      ...(folds && own.length > 0 && answeredOf({ w }, own)),
    },
    ...(rows.length > 0
      ? [{ block: 'table', head: [w('question'), w('answer'), w('evidence')], rows } satisfies Block]
      : []),
  ];
}

function sectionOfLine(line: number): Section {
  const last = { 1: 16, 2: 34, 3: 38, 4: 59, 5: 67, 6: 71, 7: 75, 8: 79, 9: Number.POSITIVE_INFINITY };
  return sections.find((section) => line <= last[section]) ?? 9;
}
