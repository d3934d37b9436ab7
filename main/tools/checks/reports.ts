import type { FindingId, AcceptanceStatus, Report, ReportComparison } from '../../../preload/contract/report.ts';
import { createReportFormatter } from '../../../preload/contract/locales/report-formatter.ts';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import type {
  ChecksState,
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
import type { Clipboard } from '../../files/secret-clipboard.ts';
import { exportToFile } from '../../files/export-to-file.ts';
import { createSecretNames } from '../../client/secrets/named-secrets.ts';
import { redactText, type SecretRegistry } from '../../client/secrets/secret-registry.ts';
import { listAcceptances, classifyFaults } from '../../check/accepted-faults.ts';
import { suggestInterfaces } from '../../check/suggest-interfaces.ts';
import { shippedNames } from '../../interface/shipped-files.ts';
import { compareReports } from '../../check/compare-reports.ts';
import { isTruncated } from '../../check/truncate-bodies.ts';
import { listFaults } from '../../check/check-faults.ts';
import { ReportStore, type StoredReport } from '../../check/report-store.ts';
import { readReportOnWorker } from '../../check/reports/json-report.ts';
import { renderReport } from '../../check/reports/render-report.ts';
import type { Run } from '../../check/run.ts';

/** A report has some hundreds of calls of at most 8 KiB each way, and JSON escapes take up to six bytes for one. */
const maxReportBytes = 50_000_000;

export type ReportsOptions = {
  file: string;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
  /** Logs a bug. */
  report: (error: unknown) => unknown;
  language: () => Language;
  /** A dialog of the system; undefined if the user cancelled it. */
  chooseFile: (
    purpose: 'import-report' | 'export-comparison' | `export-report-${ReportForm}`,
  ) => Promise<string | undefined>;
  clipboard: Pick<Clipboard, 'writeText'>;
  secretRegistry: SecretRegistry;
  now: () => Date;
};

/** A report of a server; without a number, that of its last run. */
type ReportReference = { serverId: string; number?: number | undefined };

/** The last run of a server. A run holds passwords and tokens, so a lock or a restart leaves only its report. */
export type LastRun = Omit<StoredReport, 'number'> & {
  /** Undefined if the report is not stored. */
  number: number | undefined;
  run?: Run | undefined;
};

export const failRun = (problem: RunProblem): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem });

/** A report for the window, with summaries of its calls. */
export function toShownReport(report: Report): ReportDetails {
  const suggested = suggestInterfaces(report);
  return {
    ...report,
    evidence: report.evidence.map((call) => summaryOf(call)),
    ...(suggested.length > 0 && { otherInterfaces: suggested.filter((name) => shippedNames.includes(name)) }),
  };
}

/** The reports of checks: their calls, copying, export, comparison, pins, deletion and accepted findings. */
export abstract class Reports {
  readonly #options: ReportsOptions;
  readonly #file: { opened: () => ReportStore | undefined; close: () => void };
  /** By server id, the newest last. */
  #lastRuns: Map<string, LastRun> | undefined;
  /** The comparison that the window shows, for `exportComparison`. */
  #comparison: ReportComparison | undefined;

  constructor(options: ReportsOptions) {
    this.#options = options;
    this.#file = createLazyDatabase({
      ...options,
      name: 'reports.sqlite',
      open: (file) => new ReportStore(file),
    });
  }

  abstract state(): Result<ChecksState>;

  evidence({ id, ...reference }: ReportReference & { id: string }): Result<RecordedCall> {
    const call = this.reportOf(reference)?.evidence.find((each) => each.id === id);
    return call ? ok(call) : failRun('no-report');
  }

  async copyCommand(reference: ReportReference & { id: string }): Promise<Result<{ copied: boolean }>> {
    const call = this.evidence(reference);
    if (!call.ok) return call;
    const { request } = call.value;
    // A report stores the beginning of a long body, which would be another request.
    if (isTruncated(request.body)) return fail({ kind: 'not-a-command', problem: 'cut-body' });
    const result = formatCommand(request, 'curl-bash');
    if (!result.ok) return fail({ kind: 'not-a-command', problem: result.problem });
    await this.#options.clipboard.writeText(result.command.text);
    return ok({ copied: true });
  }

  /** Copies the script of a finding, with remarks in the language of the window. */
  async copyScript({
    findingId,
    ...reference
  }: ReportReference & { findingId: FindingId }): Promise<Result<{ copied: boolean }>> {
    const finding = this.reportOf(reference)?.findings.find(({ id }) => id === findingId);
    if (!finding || finding.script === '') return failRun('no-report');
    await this.#options.clipboard.writeText(`${createReportFormatter(this.#options.language()).script(finding)}\n`);
    return ok({ copied: true });
  }

  async exportFile({
    form,
    ...reference
  }: ReportReference & { form: ReportForm }): Promise<Result<{ exported: boolean }>> {
    const report = this.reportOf(reference);
    if (!report) return failRun('no-report');
    const { chooseFile, language } = this.#options;
    return exportToFile(await chooseFile(`export-report-${form}`), () =>
      renderReport(form, report, language(), classifyFaults(report, this.#accepted(reference.serverId))),
    );
  }

  compare({
    otherId,
    otherNumber,
    ...reference
  }: ReportReference & { otherId: string; otherNumber?: number | undefined }): Result<ReportComparison> {
    const [before, after] = [this.reportOf(reference), this.reportOf({ serverId: otherId, number: otherNumber })];
    return before && after ? ok(this.#show(compareReports(before, after))) : failRun('no-report');
  }

  changes({ serverId }: ReportReference): Result<ReportComparison> {
    const comparison = this.lastRunOf(serverId)?.comparison;
    return comparison ? ok(this.#show(comparison)) : failRun('no-report');
  }

  /** Compares with an earlier report from a file. */
  async compareFile(reference: ReportReference): Promise<Result<{ comparison?: ReportComparison }>> {
    const report = this.reportOf(reference);
    if (!report) return failRun('no-report');
    const file = await this.#options.chooseFile('import-report');
    if (file === undefined) return ok({});
    const read = await readLimited(file, maxReportBytes);
    if (!read.ok) return fail({ kind: 'import-refused', reason: read.reason, detail: read.code });
    const earlier = await readReportOnWorker(read.content.toString('utf8'));
    return earlier.ok
      ? ok({ comparison: this.#show(compareReports(earlier.report, report)) })
      : failImport(earlier.problem);
  }

  async exportComparison(): Promise<Result<{ exported: boolean }>> {
    const comparison = this.#comparison;
    if (!comparison) return failRun('no-report');
    const { chooseFile, language } = this.#options;
    return exportToFile(await chooseFile('export-comparison'), async () => {
      const { renderMarkdownComparison } = await import('../../check/reports/markdown-comparison.ts');
      return renderMarkdownComparison(comparison, language());
    });
  }

  open(reference: ReportReference): Result<OpenedReport> {
    const report = this.reportOf(reference);
    if (!report) return failRun('no-report');
    return ok({ report: toShownReport(report), acceptances: this.acceptances(reference.serverId, report) });
  }

  pin = ({ serverId, number, pinned }: { serverId: string; number: number; pinned: boolean }): Result<ChecksState> =>
    this.#stateAfter(this.#withFile((store) => store.pin(serverId, number, pinned)));

  /** Deletes a report. After the last one, the newest stored one of the server is shown. */
  deleteReport({ serverId, number: given }: ReportReference): Result<ChecksState> {
    const last = this.lastRunOf(serverId);
    const number = given ?? last?.number;
    if (number !== undefined) {
      const result = this.#withFile((store) => store.deleteReport(serverId, number));
      if (!result.ok) return result;
    }
    if (number === last?.number) {
      const newest = this.#readLastRuns().get(serverId);
      if (newest) this.lastRuns.set(serverId, newest);
      else this.lastRuns.delete(serverId);
    }
    return this.state();
  }

  history = ({ serverId }: ReportReference): Result<RunHistory> => this.#withFile((store) => store.history(serverId));

  accept({
    fault: id,
    reason,
    ...reference
  }: ReportReference & { fault: string; reason: string }): Result<ChecksState> {
    const report = this.reportOf(reference);
    const fault = report && listFaults(report).find((each) => each.id === id);
    if (!fault) return failRun('no-report');
    const row = {
      fault: id,
      case: fault.caseId,
      // A user may paste what the server sent, with secrets in it.
      reason: createSecretNames().text(redactText(reason, this.#options.secretRegistry)).slice(0, longestReason),
      accepted: this.#options.now().toISOString().slice(0, 10),
    };
    return this.#stateAfter(this.#withFile((store) => store.accept(reference.serverId, row)));
  }

  withdrawAcceptance = ({ serverId, fault }: { serverId: string; fault: string }): Result<ChecksState> =>
    this.#stateAfter(this.#withFile((store) => store.withdrawAcceptance(serverId, fault)));

  /** Deletes the reports of a removed server. */
  forgetServer(serverId: string): void {
    this.lastRuns.delete(serverId);
    this.#withFile((store) => store.deleteServer(serverId));
  }

  reportOf({ serverId, number }: ReportReference): Report | undefined {
    const last = this.lastRunOf(serverId);
    if (number === undefined || number === last?.number) return last?.report;
    return this.#file.opened()?.report(serverId, number);
  }

  protected get lastRuns(): Map<string, LastRun> {
    return (this.#lastRuns ??= this.#readLastRuns());
  }

  protected lastRunOf = (serverId: string): LastRun | undefined => this.lastRuns.get(serverId);

  protected acceptances = (serverId: string, report: Report): AcceptanceStatus[] =>
    listAcceptances(report, this.#accepted(serverId));

  /** The stored runs of all servers, the newest first. */
  protected storedRuns(): StoredRun[] {
    const runs = this.#withFile((store) => store.storedRuns());
    return runs.ok ? runs.value : [];
  }

  /** Stores a report, and compares it with what was known of the server. */
  protected add(serverId: string, report: Report): StoredReport | undefined {
    const added = this.#withFile((store) => store.add(serverId, report));
    return added.ok ? added.value : undefined;
  }

  protected closeFile = (): void => this.#file.close();

  #readLastRuns = (): Map<string, LastRun> =>
    new Map((this.#file.opened()?.newest() ?? []).map(({ server, ...entry }) => [server, entry]));
  #accepted = (serverId: string) => this.#file.opened()?.accepted(serverId) ?? [];
  #stateAfter = (result: Result<void>): Result<ChecksState> => (result.ok ? this.state() : result);
  #show = (comparison: ReportComparison): ReportComparison => (this.#comparison = comparison);

  /** Runs work on the file. What it throws, as when the disk is full, is logged, and the user is told. */
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

function failImport(problem: ReadProblem): ReturnType<typeof fail> {
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
