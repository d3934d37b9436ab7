import { CaseId } from '../../preload/contract/report-cases.ts';
import { FindingId } from '../../preload/contract/report-findings.ts';
import { Language } from '../../preload/contract/models.ts';
import type { CapsuleProblem } from '../../preload/contract/result.ts';
import { reportWords } from '../../preload/contract/words/say-report.ts';
import type { CapsuleSubject } from '../capsule/capsule.ts';
import type { MeasuredRun } from '../double/learn.ts';
import { remarksOf } from '../double/say-remarks.ts';
import type { CheckIo } from './check-measure.ts';
import { aFile, flag, oneOf, readUsage, usual, type Usage } from './options.ts';

/** A capsule that is to be written: of a case, or of a finding by whatever case finds it. */
export type WantedCapsule = { about: { caseId: CaseId } | { findingId: FindingId }; file: string };

/** Reads `CASE=FILE`. */
export function readCapsule(text: string): WantedCapsule | undefined {
  const [, name = '', file = ''] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const caseId = CaseId.safeParse(name);
  if (caseId.success) return { about: { caseId: caseId.data }, file };
  const findingId = FindingId.safeParse(name);
  return findingId.success ? { about: { findingId: findingId.data }, file } : undefined;
}

/** A capsule that is to be opened, and perhaps run. */
type Opening = { file: string; isRun: boolean; language: Language };

const openingOptions = {
  open: usual(aFile, '', 'says what a capsule holds, and runs nothing'),
  run: flag('plays the server of the capsule on this computer, and looks whether the same is seen'),
  lang: usual(oneOf('code', Language.options), 'en', 'the language'),
};

/** Reads how a capsule is to be opened; undefined where a server is to be measured. */
export function readOpening(args: string[]): Usage<Opening> | undefined {
  if (!args.some((arg) => /^--open(?:=|$)/.test(arg))) return undefined;
  const about = 'Opens a capsule.';
  const usage = readUsage(
    { name: 'check', takesAddress: false, about, options: openingOptions, after: '' },
    args,
    ({ open, run, lang }) => ({ file: open, isRun: run, language: lang }),
  );
  return usage.kind === 'wrong'
    ? { ...usage, sentence: `${usage.sentence} Only --run and --lang go with --open.` }
    : usage;
}

const sayProblem = (problem: CapsuleProblem, detail: string | undefined, language: string): string =>
  `${reportWords(language).words.capsule.problems[problem]}${detail === undefined ? '' : ` (${detail})`}`;

/**
 * Says what a capsule holds, and runs its case at the double of its model if that was asked for.
 * @returns 0 unless the double was run and did not show the same
 */
export async function openCapsule({ file, isRun, language }: Opening, io: CheckIo): Promise<0 | 1 | 2 | 3> {
  const { readCapsuleFile } = await import('../capsule/read-capsule.ts');
  const opened = await readCapsuleFile(file);
  if (!opened.ok) {
    io.err(`${sayProblem(opened.problem, opened.detail, language)}\n`);
    return 2;
  }
  const { capsule: words } = reportWords(language).words;
  const { markdownCapsule } = await import('../capsule/capsule-page.ts');
  io.out(markdownCapsule(opened.capsule, language));
  if (!isRun) {
    io.err(`${words.notRun}\n`);
    return 0;
  }
  const { runCapsule } = await import('../capsule/run-capsule.ts');
  const ran = await runCapsule(opened.capsule, { signal: io.stop });
  if (!ran.ok) {
    io.err(`${sayProblem('not-started', ran.message, language)}\n`);
    return 3;
  }
  const { isSame, comparison } = ran.run;
  const { markdownComparison } = await import('../contract-run/reports/comparison.ts');
  if (!isSame) io.out(`\n${markdownComparison(comparison, language)}`);
  io.err(`${isSame ? words.same : words.differs}\n`);
  return isSame ? 0 : 1;
}

/** A file that is written of what was learned in a run. */
export type LearnedFile = { file: string; content: string };

/** Learns a model where one is to be written, or capsules with it. It says why there is none. */
export async function learnedFiles(
  measured: MeasuredRun,
  {
    model: file,
    capsules,
    language,
  }: { model: string | undefined; capsules: readonly WantedCapsule[]; language: string },
  io: CheckIo,
): Promise<LearnedFile[]> {
  if (file === undefined && capsules.length === 0) return [];
  // It is loaded here, since few runs learn anything.
  const { learnModel, writeModel } = await import('../double/learn.ts');
  const learned = await learnModel(measured);
  if (!learned.ok) {
    io.err(`${learned.sentence}\n`);
    return [];
  }
  const { model } = learned;
  // What a double will do of its own is said now, and stands in the model.
  if (file !== undefined)
    for (const sentence of remarksOf({ remarks: [], notMeasured: model.notMeasured }, language))
      io.err(`${sentence}\n`);
  const files = file === undefined ? [] : [{ file, content: writeModel(model) }];
  const [{ makeCapsule }, { writeCapsule }] = await Promise.all([
    import('../capsule/make-capsule.ts'),
    import('../capsule/capsule-page.ts'),
  ]);
  for (const { about, file: name } of capsules) {
    const made = makeCapsule(measured.report, subjectOf(measured, about), model, measured.references);
    if (made.ok) files.push({ file: name, content: writeCapsule(made.capsule, language) });
    else io.err(`${name}: ${sayProblem(made.problem, undefined, language)}\n`);
  }
  return files;
}

/** Returns a finding with the case that found it, if one did. */
function subjectOf({ report }: MeasuredRun, about: WantedCapsule['about']): CapsuleSubject | undefined {
  if ('caseId' in about) return about;
  const { findingId } = about;
  const found = report.findings.find(({ id }) => id === findingId);
  return found && { caseId: found.caseId, findingId };
}
