import type { FindingId, AcceptanceStatus, Report, ReportComparison } from '../../../preload/contract/report.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import type {
  ChecksState as RunsState,
  OpenedReport,
  ReportDetails,
  StoredRun,
  RunHistory,
} from '../../../preload/contract/checks.ts';
import type { FileNotice } from '../../../preload/contract/models.ts';
import type { Language } from '../../../preload/contract/settings.ts';
import { type ReportForm, longestReason } from '../../../preload/contract/names.ts';
import { fail, ok, type Result, type RunProblem } from '../../../preload/contract/result.ts';
import { summaryOf } from '../../client/recording/call-summary.ts';
import { formatCommand } from '../../client/recording/format-command.ts';
import { createLazyDatabase } from '../../files/lazy-database.ts';
import { readLimited } from '../../files/read-limited.ts';
import { exportToFile } from '../../files/export-to-file.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import { redactText, type SecretRegistry } from '../../client/secrets/secret-registry.ts';
import { listAcceptances, classifyFaults } from '../../check/accepted-faults.ts';
import { suggestInterfaces } from '../../check/suggest-interfaces.ts';
import { shippedNames } from '../../interface/shipped.ts';
import { compareReports } from '../../check/compare-reports.ts';
import { isTruncated } from '../../check/truncate-bodies.ts';
import { listFaults } from '../../check/check-faults.ts';
import { ReportStore, type StoredReport } from '../../check/report-store.ts';
import { renderMarkdownComparison } from '../../check/reports/markdown-comparison.ts';
import { readReportOnWorker } from '../../check/reports/json-report.ts';
import { renderReport } from '../../check/reports/render-report.ts';
import type { Run } from '../../check/run.ts';

/** A report has some hundreds of calls of at most 8 KiB each way, and escapes can make six bytes of one. */
const maxReportBytes = 50_000_000;

export type ReportsOptions = {
  /** The file of reports. */
  file: string;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
  /** Logs a fault of ours. */
  report: (error: unknown) => unknown;
  language: () => Language;
  /** Asks with the system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (
    purpose: 'import-report' | 'export-comparison' | `export-report-${ReportForm}`,
  ) => Promise<string | undefined>;
  /** Electron's clipboard. From version 45 on it answers promises. */
  clipboard: { writeText: (text: string) => unknown };
  secretRegistry: SecretRegistry;
  now: () => Date;
};

/** A report of a server; without a number that of its last run. */
export type ReportReference = { serverId: string; number?: number | undefined };

/** The last run of a server. After a lock or a restart only its report is left: a run holds passwords and tokens. */
export type LastRun = Omit<StoredReport, 'number'> & {
  /** It is absent where the report is not kept. */
  number: number | undefined;
  run?: Run | undefined;
  /** How the server was reached. */
};

export const failRun = (problem: RunProblem): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem });

/** Returns a report as the window gets it, with its calls as a list shows them. */
export function toShownReport(report: Report): ReportDetails {
  const others = suggestInterfaces(report);
  return {
    ...report,
    evidence: report.evidence.map((call) => summaryOf(call)),
    ...(others.length > 0 && { otherInterfaces: others.filter((name) => shippedNames.includes(name)) }),
  };
}

/** What a person does with reports: look at their calls, copy, export, compare, pin, delete, accept. */
export abstract class Reports {
  readonly #options: ReportsOptions;
  readonly #file: { opened: () => ReportStore | undefined; close: () => void };
  /** By server, the newest last. */
  #lastRuns: Map<string, LastRun> | undefined;
  /** The comparison that the window shows. */
  #comparison: ReportComparison | undefined;

  constructor(options: ReportsOptions) {
    this.#options = options;
    this.#file = createLazyDatabase({
      ...options,
      name: 'reports.sqlite',
      open: (file) => new ReportStore(file),
    });
  }

  abstract state(): Result<RunsState>;

  evidence({ id, ...which }: ReportReference & { id: string }): Result<RecordedCall> {
    const call = this.reportOf(which)?.evidence.find((each) => each.id === id);
    return call ? ok(call) : failRun('no-report');
  }

  async copyCommand(which: ReportReference & { id: string }): Promise<Result<{ copied: boolean }>> {
    const found = this.evidence(which);
    if (!found.ok) return found;
    const { request } = found.value;
    // A report holds the beginning of a long body, which would send something else.
    if (isTruncated(request.body)) return fail({ kind: 'not-a-command', problem: 'cut-body' });
    const result = formatCommand(request, 'curl-bash');
    if (!result.ok) return fail({ kind: 'not-a-command', problem: result.problem });
    await this.#options.clipboard.writeText(result.command.text);
    return ok({ copied: true });
  }

  /** The remarks are in the language of the window. */
  async copyScript({
    findingId,
    ...which
  }: ReportReference & { findingId: FindingId }): Promise<Result<{ copied: boolean }>> {
    const finding = this.reportOf(which)?.findings.find(({ id }) => id === findingId);
    if (!finding || finding.script === '') return failRun('no-report');
    await this.#options.clipboard.writeText(`${createReportFormatter(this.#options.language()).script(finding)}\n`);
    return ok({ copied: true });
  }

  async exportFile({ form, ...which }: ReportReference & { form: ReportForm }): Promise<Result<{ exported: boolean }>> {
    const report = this.reportOf(which);
    if (!report) return failRun('no-report');
    const { chooseFile, language } = this.#options;
    return exportToFile(await chooseFile(`export-report-${form}`), () =>
      renderReport(form, report, language(), classifyFaults(report, this.#accepted(which.serverId))),
    );
  }

  compare({
    otherId,
    otherNumber,
    ...which
  }: ReportReference & { otherId: string; otherNumber?: number | undefined }): Result<ReportComparison> {
    const [before, after] = [this.reportOf(which), this.reportOf({ serverId: otherId, number: otherNumber })];
    return before && after ? ok(this.#shown(compareReports(before, after))) : failRun('no-report');
  }

  changes({ serverId }: ReportReference): Result<ReportComparison> {
    const comparison = this.lastOf(serverId)?.comparison;
    return comparison ? ok(this.#shown(comparison)) : failRun('no-report');
  }

  /** Compares with an earlier report out of a file. */
  async compareFile(which: ReportReference): Promise<Result<{ comparison?: ReportComparison }>> {
    const report = this.reportOf(which);
    if (!report) return failRun('no-report');
    const file = await this.#options.chooseFile('import-report');
    if (file === undefined) return ok({});
    const read = await readLimited(file, maxReportBytes);
    if (!read.ok) return fail({ kind: 'import-refused', reason: read.reason, detail: read.code });
    const earlier = await readReportOnWorker(read.content.toString('utf8'));
    return earlier.ok
      ? ok({ comparison: this.#shown(compareReports(earlier.report, report)) })
      : refusedImport(earlier.problem);
  }

  async exportComparison(): Promise<Result<{ exported: boolean }>> {
    const comparison = this.#comparison;
    if (!comparison) return failRun('no-report');
    const { chooseFile, language } = this.#options;
    return exportToFile(await chooseFile('export-comparison'), () => renderMarkdownComparison(comparison, language()));
  }

  open(which: ReportReference): Result<OpenedReport> {
    const report = this.reportOf(which);
    if (!report) return failRun('no-report');
    return ok({ report: toShownReport(report), acceptances: this.acceptances(which.serverId, report) });
  }

  pin = ({ serverId, number, pinned }: { serverId: string; number: number; pinned: boolean }): Result<RunsState> =>
    this.#answered(this.#withFile((store) => store.pin(serverId, number, pinned)));

  /** Deletes a report. In the place of the last one comes the newest that is still kept of its server. */
  deleteReport({ serverId, number: wanted }: ReportReference): Result<RunsState> {
    const last = this.lastOf(serverId);
    const number = wanted ?? last?.number;
    if (number !== undefined) {
      const result = this.#withFile((store) => store.deleteReport(serverId, number));
      if (!result.ok) return result;
    }
    if (number === last?.number) {
      const newest = this.#newest().get(serverId);
      if (newest) this.lastRuns.set(serverId, newest);
      else this.lastRuns.delete(serverId);
    }
    return this.state();
  }

  history = ({ serverId }: ReportReference): Result<RunHistory> => this.#withFile((store) => store.history(serverId));

  accept({ fault: id, reason, ...which }: ReportReference & { fault: string; reason: string }): Result<RunsState> {
    const report = this.reportOf(which);
    const fault = report && listFaults(report).find((each) => each.id === id);
    if (!fault) return failRun('no-report');
    const row = {
      fault: id,
      case: fault.caseId,
      // A person may paste what the server sent.
      reason: createSecretNames().text(redactText(reason, this.#options.secretRegistry)).slice(0, longestReason),
      accepted: this.#options.now().toISOString().slice(0, 10),
    };
    return this.#answered(this.#withFile((store) => store.accept(which.serverId, row)));
  }

  withdrawAcceptance = ({ serverId, fault }: { serverId: string; fault: string }): Result<RunsState> =>
    this.#answered(this.#withFile((store) => store.withdrawAcceptance(serverId, fault)));

  /** Removes the reports of a server that was removed. */
  forgetServer(serverId: string): void {
    this.lastRuns.delete(serverId);
    this.#withFile((store) => store.deleteServer(serverId));
  }

  reportOf({ serverId, number }: ReportReference): Report | undefined {
    const last = this.lastOf(serverId);
    if (number === undefined || number === last?.number) return last?.report;
    return this.#file.opened()?.report(serverId, number);
  }

  protected get lastRuns(): Map<string, LastRun> {
    return (this.#lastRuns ??= this.#newest());
  }

  protected lastOf = (serverId: string): LastRun | undefined => this.lastRuns.get(serverId);

  /** Says what is accepted of a report. */
  protected acceptances = (serverId: string, report: Report): AcceptanceStatus[] =>
    listAcceptances(report, this.#accepted(serverId));

  /** Lists the runs of all servers, the newest first. */
  protected kept(): StoredRun[] {
    const listed = this.#withFile((store) => store.storedRuns());
    return listed.ok ? listed.value : [];
  }

  /** Keeps a report in the file, and says what the server has changed. */
  protected add(serverId: string, report: Report): StoredReport | undefined {
    const added = this.#withFile((store) => store.add(serverId, report));
    return added.ok ? added.value : undefined;
  }

  protected closeFile = (): void => this.#file.close();

  #newest = (): Map<string, LastRun> =>
    new Map((this.#file.opened()?.newest() ?? []).map(({ server, ...entry }) => [server, entry]));
  #accepted = (serverId: string) => this.#file.opened()?.accepted(serverId) ?? [];
  #answered = (result: Result<void>): Result<RunsState> => (result.ok ? this.state() : result);
  #shown = (comparison: ReportComparison): ReportComparison => (this.#comparison = comparison);

  /** Does something with the file. A disk that is full is told. */
  #withFile<T>(work: (store: ReportStore) => T): Result<T> {
    const store = this.#file.opened();
    if (!store) return failRun('not-kept');
    try {
      return ok(work(store));
    } catch (error) {
      this.#options.report(error);
      return failRun('not-kept');
    }
  }
}

type ReadProblem = Extract<Awaited<ReturnType<typeof readReportOnWorker>>, { ok: false }>['problem'];

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
