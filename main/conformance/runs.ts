import type { CaseId, Report, ReportComparison, RunOptions } from '../../preload/contract/conformance.ts';
import type {
  ContractRuns,
  ReportForm,
  RunStep,
  RunUnderWay,
  ShownReport,
  WantedRun,
} from '../../preload/contract/contract-runs.ts';
import type { RecordedExchange } from '../../preload/contract/exchanges.ts';
import type { Environment, Language } from '../../preload/contract/models.ts';
import { fail, ok, type Result, type RunProblem } from '../../preload/contract/result.ts';
import type { Exchange, Transport } from '../client/transport.ts';
import { commandOf } from '../exchanges/commands.ts';
import type { OfRun } from '../exchanges/exchanges.ts';
import { summaryOf } from '../exchanges/exchange-store.ts';
import { createSecretReferences, type SecretReferences } from '../exchanges/secret-references.ts';
import { readLimited } from '../files/read-limited.ts';
import { writeAtomically } from '../files/write-atomically.ts';
import { compareReports } from './compare.ts';
import { isCut } from './evidence.ts';
import { htmlReport } from './reports/html.ts';
import { jsonReport, readReport } from './reports/json.ts';
import { junitReport } from './reports/junit.ts';
import { markdownReport } from './reports/markdown.ts';
import { createRun, type Run } from './run.ts';
import { throttled } from './throttled.ts';

/** How often the window is told, in milliseconds. */
const stepInterval = 200;

/** A report has some hundred exchanges of at most 8 KiB each way; escapes can make six of one. */
const maxReportBytes = 50_000_000;

const writers: Record<ReportForm, (report: Report, language: Language) => string> = {
  markdown: markdownReport,
  html: htmlReport,
  json: jsonReport,
  junit: junitReport,
};

/** The built-in environment has no name of its own. */
const builtInNames: Record<Language, string> = { en: 'Built-in', es: 'Integrado' };

/** Without a run once the application was locked: it holds accounts with their passwords, and tokens. */
type Entry = { run?: Run; report: Report };

export type ContractRunsService = ReturnType<typeof createContractRuns>;

/**
 * Contract runs of the application: one at a time, over the environment's own transport, whether anybody looks or not.
 * The last report of each environment is kept in memory with its run, so that single cases can be measured anew.
 */
export function createContractRuns(options: {
  /** As they are now. */
  environments: () => readonly Environment[];
  transportFor: (environment: Environment) => Promise<Pick<Transport, 'send'>>;
  /** The application's: what a run uses is looked for in everything that is recorded. */
  references: SecretReferences;
  /** Records an exchange as one of a run, without the secrets that the run knows. */
  record: (environmentId: string, exchange: Exchange, run: OfRun) => void;
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
  const { environments, transportFor, references, record, toolVersion, language, onStep, chooseFile, clipboard } =
    options;
  /** By environment, the newest last. */
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

  const find = (id: string): Environment | undefined => environments().find((each) => each.id === id);

  function problemOf(id: string): RunProblem | undefined {
    const environment = find(id);
    if (environment?.production) return 'production';
    return environment && environment.baseUrl !== '' ? undefined : 'no-address';
  }

  /**
   * The environment's transport as its settings are at each call. Once it is gone, leads elsewhere or became production,
   * the run ends, and nothing more is sent, not even to log out.
   */
  const guarded = (environment: Environment, known: SecretReferences): Pick<Transport, 'send'> => ({
    async send(request, sendOptions) {
      const now = find(environment.id);
      const same = now !== undefined && !now.production && now.baseUrl === environment.baseUrl;
      if (!same) cancel.abort();
      const transport = await transportFor(now ?? environment);
      const signal = same ? sendOptions?.signal : AbortSignal.abort();
      const result = await transport.send(request, { ...sendOptions, signal, recorded: false });
      record(environment.id, result.exchange, { known });
      return result;
    },
  });

  const shown = (report: Report): ShownReport => ({ ...report, evidence: report.evidence.map(summaryOf) });

  function state(): ContractRuns {
    const existing = new Set(environments().map(({ id }) => id));
    const reports = [...entries]
      .filter(([id]) => existing.has(id))
      .map(([environmentId, { run, report }]) => ({ environmentId, report: shown(report), runKept: run !== undefined }))
      .toReversed();
    const hasReport = (id: string): boolean => reports.some(({ environmentId }) => environmentId === id);
    const both = compared && hasReport(compared.before) && hasReport(compared.after) ? compared : undefined;
    return { ...(underWay && { underWay }), reports, ...(both && { compared: both }) };
  }

  function begin(environmentId: string, more: { caseId?: CaseId; next?: string }, run: Run): void {
    const progress = {
      casesDone: 0,
      casesPlanned: run.plan.cases.length,
      callsMade: 0,
      callsPlanned: run.plan.calls,
      secondsLeft: run.plan.seconds,
    };
    underWay = { environmentId, ...more, progress, results: [], cancelled: cancel.signal.aborted };
    steps.put(underWay);
  }

  function keep(environmentId: string, entry: Entry): void {
    entries.delete(environmentId);
    entries.set(environmentId, entry);
  }

  function prepare(environment: Environment, wanted: RunOptions): Run {
    const { id, name, builtIn, baseUrl, production, pinned } = environment;
    // A lock empties the application's while the run still logs out and makes its report.
    const known = createSecretReferences(references);
    return createRun({
      transport: guarded(environment, known),
      baseUrl,
      toolVersion,
      options: wanted,
      environment: { id, name: builtIn ? builtInNames[language()] : name, production },
      paths: pinned,
      references: known,
      signal: cancel.signal,
      onProgress({ result, ...progress }) {
        if (underWay?.environmentId !== id) return;
        underWay = { ...underWay, progress, results: result ? [...underWay.results, result] : underWay.results };
        steps.put({ ...underWay, results: result ? [result] : [] });
      },
    });
  }

  async function runAll(ids: readonly string[], wanted: RunOptions): Promise<void> {
    for (const [at, id] of ids.entries()) {
      const environment = find(id);
      if (!environment || problemOf(id) || cancel.signal.aborted) {
        // Its report, if there is one, is of an earlier run.
        compared = undefined;
        return;
      }
      const run = prepare(environment, wanted);
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

    start({ environmentId, compareWith, options: wanted }: WantedRun): Result<ContractRuns> {
      if (underWay) return refuse('under-way');
      const ids = [environmentId, ...(compareWith === undefined ? [] : [compareWith])];
      const problem = ids.map(problemOf).find((each) => each !== undefined);
      if (problem) return refuse(problem);
      compared = compareWith === undefined ? undefined : { before: environmentId, after: compareWith };
      return hold(() => runAll(ids, wanted));
    },

    /** Measures one case of the last run anew, and what it needs that did not succeed. */
    again(environmentId: string, caseId: CaseId): Result<ContractRuns> {
      if (underWay) return refuse('under-way');
      const entry = entries.get(environmentId);
      if (!entry) return refuse('no-report');
      const { run } = entry;
      if (!run) return refuse('no-run');
      const problem = problemOf(environmentId);
      if (problem) return refuse(problem);
      // Its accounts and tokens are another server's.
      if (find(environmentId)?.baseUrl !== entry.report.baseUrl) return refuse('no-run');
      return hold(async () => {
        begin(environmentId, { caseId }, run);
        const report = await run.again(caseId, cancel.signal);
        // One case does not make a run whole that was not, nor the other way round.
        const { ended } = entry.report;
        keep(environmentId, { ...(!locked && { run }), report: { ...report, ended } });
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

    evidence(environmentId: string, id: string): Result<RecordedExchange> {
      const found = entries.get(environmentId)?.report.evidence.find((each) => each.id === id);
      return found ? ok(found) : refuse('no-report');
    },

    async copy(environmentId: string, id: string): Promise<Result<{ copied: boolean }>> {
      const found = entries.get(environmentId)?.report.evidence.find((each) => each.id === id);
      if (!found) return refuse('no-report');
      // A report holds the beginning of a long body: what it would send is something else.
      if (isCut(found.request.body)) return fail({ kind: 'not-a-command', problem: 'cut-body' });
      const result = commandOf(found.request, 'curl-bash');
      if (!result.ok) return fail({ kind: 'not-a-command', problem: result.problem });
      await clipboard.writeText(result.command.text);
      return ok({ copied: true });
    },

    /** A report as a file (0600). */
    async exportFile(environmentId: string, form: ReportForm): Promise<Result<{ exported: boolean }>> {
      const entry = entries.get(environmentId);
      if (!entry) return refuse('no-report');
      const file = await chooseFile(`export-report-${form}`);
      if (file === undefined) return ok({ exported: false });
      try {
        await writeAtomically(file, writers[form](entry.report, language()));
      } catch (error) {
        return fail({ kind: 'file-failed', code: error instanceof Error && 'code' in error ? String(error.code) : '' });
      }
      return ok({ exported: true });
    },

    compare(environmentId: string, otherId: string): Result<ReportComparison> {
      const [before, after] = [entries.get(environmentId), entries.get(otherId)];
      return before && after ? ok(compareReports(before.report, after.report)) : refuse('no-report');
    },

    /** With an earlier report out of a file. */
    async compareFile(environmentId: string): Promise<Result<{ comparison?: ReportComparison }>> {
      const entry = entries.get(environmentId);
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
