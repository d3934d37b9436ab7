import type { Report, ReportComparison } from '../../preload/contract/contract-report.ts';
import type { ReportForm } from '../../preload/contract/report-forms.ts';
import type { RecordedCall } from '../../preload/contract/calls.ts';
import type { Language } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { commandOf } from '../calls/commands.ts';
import { codeOf } from '../error-code.ts';
import { readLimited } from '../files/read-limited.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import type { JudgedFault } from './accepted-faults.ts';
import { compareReports } from './compare.ts';
import { isCut } from './evidence.ts';
import { markdownComparison } from './reports/comparison.ts';
import { readReportAside } from './reports/json.ts';
import { writeReport } from './reports/write-report.ts';

/** A report has some hundreds of calls of at most 8 KiB each way, and escapes can make six bytes of one. */
const maxReportBytes = 50_000_000;

const noReport = (): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem: 'no-report' });

export type ReportActionOptions = {
  /** Returns the report of a run, or the last one of the server. */
  reportOf: (serverId: string, number?: number) => Report | undefined;
  /** Says what of a report is accepted. */
  judged: (serverId: string, report: Report) => readonly JudgedFault[];
  /** What the last run of a server has changed, if there was one before. */
  changesOf: (serverId: string) => ReportComparison | undefined;
  language: () => Language;
  /** Asks with the system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (
    purpose: 'import-report' | 'export-comparison' | `export-report-${ReportForm}`,
  ) => Promise<string | undefined>;
  /** Electron's clipboard. From version 45 on it answers promises. */
  clipboard: { writeText: (text: string) => unknown };
};

/** Makes what a person can do with a report of a server, which is the last one without a number: look at its calls, copy, export and compare it. */
export function createReportActions(options: ReportActionOptions) {
  const { reportOf, judged, language, chooseFile, clipboard } = options;
  const find = (serverId: string, id: string, number?: number) =>
    reportOf(serverId, number)?.evidence.find((each) => each.id === id);

  return {
    evidence(serverId: string, id: string, number?: number): Result<RecordedCall> {
      const found = find(serverId, id, number);
      return found ? ok(found) : noReport();
    },

    async copy(serverId: string, id: string, number?: number): Promise<Result<{ copied: boolean }>> {
      const found = find(serverId, id, number);
      if (!found) return noReport();
      // A report holds the beginning of a long body, and would send something else.
      if (isCut(found.request.body)) return fail({ kind: 'not-a-command', problem: 'cut-body' });
      const result = commandOf(found.request, 'curl-bash');
      if (!result.ok) return fail({ kind: 'not-a-command', problem: result.problem });
      await clipboard.writeText(result.command.text);
      return ok({ copied: true });
    },

    async exportFile(serverId: string, form: ReportForm, number?: number): Promise<Result<{ exported: boolean }>> {
      const report = reportOf(serverId, number);
      if (!report) return noReport();
      return writeChosen(chooseFile, `export-report-${form}`, () =>
        writeReport(form, report, language(), judged(serverId, report)),
      );
    },

    ...createComparisons(options),
  };
}

/** Two runs. Without a number, it is the last of its server. */
type ComparedRuns = {
  serverId: string;
  number?: number | undefined;
  otherId: string;
  otherNumber?: number | undefined;
};

/** Makes the comparisons of reports. The last one is the one that the window shows. */
function createComparisons({ reportOf, changesOf, language, chooseFile }: ReportActionOptions) {
  let last: ReportComparison | undefined;

  function shown(comparison: ReportComparison): ReportComparison {
    last = comparison;
    return comparison;
  }

  return {
    async exportComparison(): Promise<Result<{ exported: boolean }>> {
      const comparison = last;
      if (!comparison) return noReport();
      return writeChosen(chooseFile, 'export-comparison', () => markdownComparison(comparison, language()));
    },

    compare({ serverId, number, otherId, otherNumber }: ComparedRuns): Result<ReportComparison> {
      const [before, after] = [reportOf(serverId, number), reportOf(otherId, otherNumber)];
      return before && after ? ok(shown(compareReports(before, after))) : noReport();
    },

    changes(serverId: string): Result<ReportComparison> {
      const comparison = changesOf(serverId);
      return comparison ? ok(shown(comparison)) : noReport();
    },

    /** Compares with an earlier report out of a file. */
    async compareFile(serverId: string, number?: number): Promise<Result<{ comparison?: ReportComparison }>> {
      const report = reportOf(serverId, number);
      if (!report) return noReport();
      const file = await chooseFile('import-report');
      if (file === undefined) return ok({});
      const read = await readLimited(file, maxReportBytes);
      if (!read.ok) return fail({ kind: 'import-refused', reason: read.reason, detail: read.code });
      const earlier = await readReportAside(read.content.toString('utf8'));
      return earlier.ok
        ? ok({ comparison: shown(compareReports(earlier.report, report)) })
        : refusedImport(earlier.problem);
    },
  };
}

/** Writes a file (0600) that the person chooses. */
async function writeChosen(
  chooseFile: ReportActionOptions['chooseFile'],
  purpose: Parameters<ReportActionOptions['chooseFile']>[0],
  text: () => string,
): Promise<Result<{ exported: boolean }>> {
  const file = await chooseFile(purpose);
  if (file === undefined) return ok({ exported: false });
  try {
    await writeAtomically(file, text());
  } catch (error) {
    return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
  }
  return ok({ exported: true });
}

type ReadProblem = Extract<Awaited<ReturnType<typeof readReportAside>>, { ok: false }>['problem'];

function refusedImport(problem: ReadProblem): ReturnType<typeof fail> {
  switch (problem.kind) {
    case 'other-version':
      return fail({ kind: 'import-refused', reason: 'other-version', detail: String(problem.version) });
    case 'wrong-content':
      return fail({ kind: 'import-refused', reason: 'not-a-report', detail: problem.place });
    case 'not-json':
    case 'not-a-report':
    case 'too-large':
      return fail({ kind: 'import-refused', reason: problem.kind });
    default:
      return problem satisfies never;
  }
}
