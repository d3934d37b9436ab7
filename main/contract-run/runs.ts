import type { CaseId, Report, ReportComparison, RunOptions } from '../../preload/contract/contract-report.ts';
import type {
  ContractRuns,
  RunStep,
  RunUnderWay,
  ShownReport,
  WantedRun,
} from '../../preload/contract/contract-runs.ts';
import type { ReportForm } from '../../preload/contract/report-forms.ts';
import type { RecordedCall } from '../../preload/contract/calls.ts';
import type { Server, Language } from '../../preload/contract/models.ts';
import { fail, ok, type Result, type RunProblem } from '../../preload/contract/result.ts';
import type { Call } from '../client/call.ts';
import type { Transport } from '../client/transport.ts';
import { commandOf } from '../calls/commands.ts';
import type { OfRun } from '../calls/calls.ts';
import { summaryOf } from '../calls/call-store.ts';
import { createSecretReferences, type SecretReferences } from '../calls/secret-references.ts';
import { fromStored } from '../calls/stored-call.ts';
import { readLimited } from '../files/read-limited.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { compareReports } from './compare.ts';
import { isCut } from './evidence.ts';
import { readReport } from './reports/json.ts';
import { writeReport } from './reports/write-report.ts';
import { createRun, type Run } from './run.ts';
import { throttled } from './throttled.ts';

/** How often the window is told, in milliseconds. */
const stepInterval = 200;

/** A report has some hundred calls of at most 8 KiB each way; escapes can make six of one. */
const maxReportBytes = 50_000_000;

/** The built-in server has no name of its own. */
const builtInNames: Record<Language, string> = { en: 'Built-in', es: 'Integrado' };

/** Without a run once the application was locked: it holds accounts with their passwords, and tokens. */
type Entry = { run?: Run; report: Report };

export type ContractRunsService = ReturnType<typeof createContractRuns>;

/**
 * Contract runs of the application: one at a time, over the server's own transport, whether anybody looks or not.
 * The last report of each server is kept in memory with its run, so that single cases can be measured anew.
 */
export function createContractRuns(options: {
  /** As they are now. */
  servers: () => readonly Server[];
  transportFor: (server: Server) => Promise<Pick<Transport, 'send'>>;
  /** The application's: what a run uses is looked for in everything that is recorded. */
  references: SecretReferences;
  /** Records a call as one of a run, without the secrets that the run knows. */
  record: (serverId: string, call: Call, run: OfRun) => void;
  toolVersion: string;
  language: () => Language;
  onStep: (step: RunStep) => void;
  /** The system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import-report' | `export-report-${ReportForm}`) => Promise<string | undefined>;
  /** Electron's; from 45 on it answers promises. */
  clipboard: { writeText: (text: string) => unknown };
  /** Logs a fault of ours. */
  report: (error: unknown) => unknown;
}) {
  const { servers, transportFor, references, record, toolVersion, language, onStep, chooseFile, clipboard } = options;
  /** By server, the newest last. */
  const entries = new Map<string, Entry>();
  let underWay: RunUnderWay | undefined;
  let compared: ContractRuns['compared'];
  let cancel = new AbortController();
  /** What is under way was ended by a lock. */
  let locked = false;
  /** Settled when nothing is under way. */
  let ending: Promise<void> = Promise.resolve();

  const steps = throttled<RunUnderWay>(
    stepInterval,
    (older, newer) => ({ ...newer, results: [...older.results, ...newer.results] }),
    (step) => onStep({ underWay: step }),
  );

  const find = (id: string): Server | undefined => servers().find((each) => each.id === id);

  function problemOf(id: string): RunProblem | undefined {
    const server = find(id);
    if (server?.production) return 'production';
    return server && server.baseUrl !== '' ? undefined : 'no-address';
  }

  /**
   * The server's transport as its settings are at each call. Once it is gone, leads elsewhere or became production,
   * the run ends, and nothing more is sent, not even to log out.
   */
  const guarded = (server: Server, known: SecretReferences): Pick<Transport, 'send'> => ({
    async send(request, sendOptions) {
      const now = find(server.id);
      const same = now !== undefined && !now.production && now.baseUrl === server.baseUrl;
      if (!same) cancel.abort();
      const transport = await transportFor(now ?? server);
      const signal = same ? sendOptions?.signal : AbortSignal.abort();
      const result = await transport.send(request, { ...sendOptions, signal, recorded: false });
      record(server.id, result.call, { known });
      return result;
    },
  });

  const shown = (report: Report): ShownReport => ({
    ...report,
    evidence: report.evidence.map((call) => summaryOf(fromStored(call))),
  });

  function state(): ContractRuns {
    const existing = new Set(servers().map(({ id }) => id));
    const reports = [...entries]
      .filter(([id]) => existing.has(id))
      .map(([serverId, { run, report }]) => ({ serverId, report: shown(report), runKept: run !== undefined }))
      .toReversed();
    const hasReport = (id: string): boolean => reports.some(({ serverId }) => serverId === id);
    const both = compared && hasReport(compared.before) && hasReport(compared.after) ? compared : undefined;
    return { ...(underWay && { underWay }), reports, ...(both && { compared: both }) };
  }

  function begin(serverId: string, more: { caseId?: CaseId; next?: string }, run: Run): void {
    const progress = {
      casesDone: 0,
      casesPlanned: run.plan.cases.length,
      callsMade: 0,
      callsPlanned: run.plan.calls,
      secondsLeft: run.plan.seconds,
    };
    underWay = { serverId, ...more, progress, results: [], cancelled: cancel.signal.aborted };
    steps.put(underWay);
  }

  function keep(serverId: string, entry: Entry): void {
    entries.delete(serverId);
    entries.set(serverId, entry);
  }

  function prepare(server: Server, wanted: RunOptions): Run {
    const { id, name, builtIn, baseUrl, production, pinned } = server;
    // A lock empties the application's while the run still logs out and makes its report.
    const known = createSecretReferences(references);
    return createRun({
      transport: guarded(server, known),
      baseUrl,
      toolVersion,
      options: wanted,
      server: { id, name: builtIn ? builtInNames[language()] : name, production },
      paths: pinned,
      references: known,
      signal: cancel.signal,
      onProgress({ result, ...progress }) {
        if (underWay?.serverId !== id) return;
        underWay = { ...underWay, progress, results: result ? [...underWay.results, result] : underWay.results };
        steps.put({ ...underWay, results: result ? [result] : [] });
      },
    });
  }

  async function runAll(ids: readonly string[], wanted: RunOptions): Promise<void> {
    for (const [at, id] of ids.entries()) {
      const server = find(id);
      if (!server || problemOf(id) || cancel.signal.aborted) {
        // Its report, if there is one, is of an earlier run.
        compared = undefined;
        return;
      }
      const run = prepare(server, wanted);
      const next = ids[at + 1];
      begin(id, next === undefined ? {} : { next }, run);
      const report = await run.start();
      keep(id, { ...(!locked && { run }), report });
    }
  }

  /** Does one thing after which nothing is under way; the window reads the state then. */
  function hold(work: () => Promise<void>): Result<ContractRuns> {
    cancel = new AbortController();
    locked = false;
    ending = work()
      .catch(options.report)
      .then(() => {
        underWay = undefined;
        steps.flush();
        onStep({});
      });
    return ok(state());
  }

  function end(): void {
    cancel.abort();
    if (!underWay) return;
    underWay = { ...underWay, cancelled: true };
    steps.put({ ...underWay, results: [] });
  }

  const refuse = (problem: RunProblem): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem });

  return {
    state: (): Result<ContractRuns> => ok(state()),

    start({ serverId, compareWith, options: wanted }: WantedRun): Result<ContractRuns> {
      if (underWay) return refuse('under-way');
      const ids = [serverId, ...(compareWith === undefined ? [] : [compareWith])];
      const problem = ids.map(problemOf).find((each) => each !== undefined);
      if (problem) return refuse(problem);
      compared = compareWith === undefined ? undefined : { before: serverId, after: compareWith };
      return hold(() => runAll(ids, wanted));
    },

    /** Measures one case of the last run anew, and what it needs that did not succeed. */
    again(serverId: string, caseId: CaseId): Result<ContractRuns> {
      if (underWay) return refuse('under-way');
      const entry = entries.get(serverId);
      if (!entry) return refuse('no-report');
      const { run } = entry;
      if (!run) return refuse('no-run');
      const problem = problemOf(serverId);
      if (problem) return refuse(problem);
      // Its accounts and tokens are another server's.
      if (find(serverId)?.baseUrl !== entry.report.baseUrl) return refuse('no-run');
      return hold(async () => {
        begin(serverId, { caseId }, run);
        const report = await run.again(caseId, cancel.signal);
        // One case does not make a run whole that was not, nor the other way round.
        const { ended } = entry.report;
        keep(serverId, { ...(!locked && { run }), report: { ...report, ended } });
      });
    },

    cancel: (): Result<ContractRuns> => {
      end();
      return ok(state());
    },

    /** Ends what is under way, and keeps of every run its report only: the others hold passwords and tokens. */
    lock(): void {
      locked = true;
      end();
      for (const [id, { report }] of entries) entries.set(id, { report });
    },

    evidence(serverId: string, id: string): Result<RecordedCall> {
      const found = entries.get(serverId)?.report.evidence.find((each) => each.id === id);
      return found ? ok(fromStored(found)) : refuse('no-report');
    },

    async copy(serverId: string, id: string): Promise<Result<{ copied: boolean }>> {
      const found = entries.get(serverId)?.report.evidence.find((each) => each.id === id);
      if (!found) return refuse('no-report');
      // A report holds the beginning of a long body: what it would send is something else.
      if (isCut(found.request.body)) return fail({ kind: 'not-a-command', problem: 'cut-body' });
      const result = commandOf(found.request, 'curl-bash');
      if (!result.ok) return fail({ kind: 'not-a-command', problem: result.problem });
      await clipboard.writeText(result.command.text);
      return ok({ copied: true });
    },

    /** A report as a file (0600). */
    async exportFile(serverId: string, form: ReportForm): Promise<Result<{ exported: boolean }>> {
      const entry = entries.get(serverId);
      if (!entry) return refuse('no-report');
      const file = await chooseFile(`export-report-${form}`);
      if (file === undefined) return ok({ exported: false });
      try {
        await writeAtomically(file, writeReport(form, entry.report, language()));
      } catch (error) {
        return fail({ kind: 'file-failed', code: error instanceof Error && 'code' in error ? String(error.code) : '' });
      }
      return ok({ exported: true });
    },

    compare(serverId: string, otherId: string): Result<ReportComparison> {
      const [before, after] = [entries.get(serverId), entries.get(otherId)];
      return before && after ? ok(compareReports(before.report, after.report)) : refuse('no-report');
    },

    /** With an earlier report out of a file. */
    async compareFile(serverId: string): Promise<Result<{ comparison?: ReportComparison }>> {
      const entry = entries.get(serverId);
      if (!entry) return refuse('no-report');
      const file = await chooseFile('import-report');
      if (file === undefined) return ok({});
      const read = await readLimited(file, maxReportBytes);
      if (!read.ok) {
        const { reason, code } = read;
        return fail({ kind: 'import-refused', reason, ...(code !== undefined && { detail: code }) });
      }
      const earlier = readReport(read.content.toString('utf8'));
      if (earlier.ok) return ok({ comparison: compareReports(earlier.report, entry.report) });
      const { problem } = earlier;
      switch (problem.kind) {
        case 'newer-version':
          return fail({ kind: 'import-refused', reason: 'other-version', detail: String(problem.version) });
        case 'wrong-content':
          return fail({ kind: 'import-refused', reason: 'not-a-report', detail: problem.place });
        case 'not-json':
        case 'not-a-report':
          return fail({ kind: 'import-refused', reason: problem.kind });
        default:
          return problem satisfies never;
      }
    },

    /** Cancels what is under way and waits for its end, for some seconds at most. */
    async close(): Promise<void> {
      cancel.abort();
      await ending;
    },
  };
}
