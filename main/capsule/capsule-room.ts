import type { CapsuleRun as ShownRun, ShownCapsule } from '../../preload/contract/capsules.ts';
import type { Report } from '../../preload/contract/contract-report.ts';
import type { ShownReport } from '../../preload/contract/contract-runs.ts';
import type { Language } from '../../preload/contract/models.ts';
import { fail, ok, type CapsuleProblem, type Result } from '../../preload/contract/result.ts';
import { summaryOf } from '../calls/call-summary.ts';
import type { ReportActionOptions } from '../contract-run/report-actions.ts';
import type { MeasuredRun } from '../double/learn.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { Capsule, CapsuleSubject } from './capsule.ts';

type Options = Pick<ReportActionOptions, 'chooseFile'> & {
  runs: () => Promise<{ measured: (serverId: string, number?: number) => MeasuredRun | undefined }>;
  language: () => Language;
};

const refused = (problem: CapsuleProblem, detail?: string): ReturnType<typeof fail> =>
  fail({ kind: 'capsule-refused', problem, detail });

const shownReport = (report: Report): ShownReport => ({
  ...report,
  evidence: report.evidence.map((call) => summaryOf(call)),
});

/** Keeps the one capsule that is open in the window, in memory only. What reads, makes and runs one is loaded when it is needed. */
export function createCapsuleRoom({ chooseFile, runs, language }: Options) {
  let opened: Capsule | undefined;
  let running: AbortController | undefined;

  function close(): void {
    opened = undefined;
    running?.abort();
  }

  async function save(
    { serverId, number }: { serverId: string; number?: number | undefined },
    subject: CapsuleSubject,
  ): Promise<Result<{ exported: boolean }>> {
    const measured = (await runs()).measured(serverId, number);
    // A report alone has no tokens and no passwords any more, so nothing can be learned of it.
    if (!measured) return refused('not-in-memory');
    const [{ learnModel }, { makeCapsule }, { writeCapsule }, { writeChosen }] = await Promise.all([
      import('../double/learn.ts'),
      import('./make-capsule.ts'),
      import('./capsule-page.ts'),
      import('../contract-run/report-actions.ts'),
    ]);
    const learned = await learnModel(measured);
    if (!learned.ok) return refused('no-model', learned.sentence);
    const made = makeCapsule(measured.report, subject, learned.model, measured.references);
    if (!made.ok) return refused(made.problem);
    return writeChosen(chooseFile, 'export-capsule', () => writeCapsule(made.capsule, language()));
  }

  async function open(): Promise<Result<{ capsule?: ShownCapsule }>> {
    const file = await chooseFile('import-capsule');
    if (file === undefined) return ok({});
    const [{ readCapsuleFile }, { commandsOf }] = await Promise.all([
      import('./read-capsule.ts'),
      import('./capsule-page.ts'),
    ]);
    const read = await readCapsuleFile(file);
    if (!read.ok) return refused(read.problem, read.detail);
    close();
    opened = read.capsule;
    const { toolVersion, caseId, findingId, report, model } = opened;
    const commands = commandsOf(opened);
    const answers = model.answers.length;
    return ok({ capsule: { toolVersion, caseId, findingId, report: shownReport(report), commands, answers } });
  }

  async function run(): Promise<Result<ShownRun>> {
    const capsule = opened;
    if (!capsule || running) return fail({ kind: 'not-now' });
    const stop = new AbortController();
    running = stop;
    try {
      const { runCapsule } = await import('./run-capsule.ts');
      const ran = await runCapsule(capsule, { signal: stop.signal });
      if (stop.signal.aborted) return fail({ kind: 'cancelled' });
      if (!ran.ok) return refused('not-started', ran.message);
      const { isSame, report, comparison } = ran.run;
      return ok({ isSame, report: shownReport(report), comparison });
    } finally {
      running = undefined;
    }
  }

  const handlers: Handlers['capsules'] = {
    save: ({ serverId, number, ...subject }) => save({ serverId, number }, subject),
    open,
    evidence({ id }) {
      const found = opened?.report.evidence.find((call) => call.id === id);
      return found ? ok(found) : fail({ kind: 'not-now' });
    },
    run,
    close() {
      close();
      return ok({});
    },
  };
  return { handlers, close };
}
