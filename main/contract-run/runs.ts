import type { Report } from '../../preload/contract/contract-report.ts';
import type { CaseId } from '../../preload/contract/report-cases.ts';
import type { RunOptions } from '../../preload/contract/report-run.ts';
import type {
  ContractRuns,
  OpenedReport,
  RunStep,
  ShownReport,
  WantedRun,
} from '../../preload/contract/contract-runs.ts';
import type { Server } from '../../preload/contract/models.ts';
import { fail, ok, type Result, type RunProblem } from '../../preload/contract/result.ts';
import type { Call } from '../client/call.ts';
import type { Transport } from '../client/transport.ts';
import type { OfRun } from '../calls/calls.ts';
import { wayOf, wayText } from '../config/way.ts';
import { summaryOf } from '../calls/call-summary.ts';
import { createSecretReferences, type SecretReferences } from '../secrets/secret-references.ts';
import { systemWords } from '../system-words.ts';
import { measuredNothing } from './history.ts';
import type { ReportStore } from './report-store.ts';
import { createKeptRuns } from './kept-runs.ts';
import { createLastRuns, type LastRun, type ShownRun } from './last-runs.ts';
import { createReportActions, type ReportActionOptions } from './report-actions.ts';
import { createRun, type Run } from './run.ts';
import type { Seen } from './seen.ts';
import { createUnderWay } from './under-way.ts';

/** The built-in server has no name of its own. */
const names = systemWords('names', { en: { 'built-in': 'Built-in' }, es: { 'built-in': 'Integrado' } });

type Options = Omit<ReportActionOptions, 'reportOf' | 'changesOf' | 'judged'> & {
  /** Opens the file of reports; undefined where it cannot be used. */
  kept: () => ReportStore | undefined;
  /** Returns the servers as they are now. */
  servers: () => readonly Server[];
  transportFor: (server: Server) => Promise<Pick<Transport, 'send'>>;
  /** The references of the application: what a run uses is looked for in everything that is recorded. */
  references: SecretReferences;
  /** Records a call as one of a run, without the secrets that the run knows. */
  record: (serverId: string, call: Call, run: OfRun) => void;
  toolVersion: string;
  /** The most calls a second of a run for which nobody chose it. */
  callsPerSecond: () => number;
  onStep: (step: RunStep) => void;
  /** Logs a fault of ours. */
  report: (error: unknown) => unknown;
  now: () => Date;
};

type UnderWay = ReturnType<typeof createUnderWay>;

/**
 * Makes the contract runs of the application, one at a time, over the server's own transport, whether anybody looks or
 * not. Reports are kept in a file, and the last run of each server in memory, so that single cases can be measured anew.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- Its functions are short, and share one state.
export function createContractRuns(options: Options) {
  const { servers, onStep, kept } = options;
  const entries = createLastRuns(() => kept()?.newest() ?? []);
  const underWay = createUnderWay(onStep, options.report);
  let compared: ContractRuns['compared'];

  function reportOf(serverId: string, number?: number): Report | undefined {
    const last = entries.get(serverId);
    if (number === undefined || number === last?.number) return last?.report;
    return kept()?.report(serverId, number);
  }
  const keptRuns = createKeptRuns({ ...options, reportOf });

  const find = (id: string): Server | undefined => servers().find((each) => each.id === id);

  function problemOf(id: string): RunProblem | undefined {
    const server = find(id);
    if (server?.production) return 'production';
    return server && server.baseUrl !== '' ? undefined : 'no-address';
  }

  function state(): ContractRuns {
    const ids = servers().map(({ id }) => id);
    const reports = entries.shown(new Set(ids)).map((entry) => shownEntry(entry, keptRuns));
    const hasReport = (id: string): boolean => reports.some(({ serverId }) => serverId === id);
    const both = compared && hasReport(compared.before) && hasReport(compared.after) ? compared : undefined;
    return { underWay: underWay.get(), reports, kept: keptRuns.list(ids), compared: both };
  }

  async function runAll(ids: readonly string[], wanted: RunOptions): Promise<void> {
    for (const [at, id] of ids.entries()) {
      const server = find(id);
      if (!server || problemOf(id) || underWay.signal().aborted) {
        // If there is a report of it, that is of an earlier run.
        compared = undefined;
        return;
      }
      const run = prepareRun(options, underWay, server, wanted);
      underWay.begin(id, { next: ids[at + 1] }, run);
      const report = await run.start();
      // With a server that was removed meanwhile, its reports were.
      if (!find(id)) continue;
      entries.keep(id, { run, report, way: wayText(wayOf(server)), ...keep(id, report) });
    }
  }

  /** Keeps a report, and compares it with what is known of the server. Of one that was away nothing is learned. */
  function keep(serverId: string, report: Report): Pick<LastRun, 'number' | 'comparison'> {
    const none = { number: undefined, comparison: undefined };
    if (measuredNothing(report)) return none;
    try {
      return kept()?.add(serverId, report) ?? none;
    } catch (error) {
      options.report(error);
      return none;
    }
  }

  function hold(work: () => Promise<void>): Result<ContractRuns> {
    entries.unlock();
    underWay.hold(work);
    return ok(state());
  }

  return {
    ...createReportActions({
      ...options,
      reportOf,
      judged: keptRuns.judged,
      changesOf: (serverId) => entries.get(serverId)?.comparison,
    }),

    ...createKeptActions({ keptRuns, entries, reportOf, state }),

    state: (): Result<ContractRuns> => ok(state()),

    start({ serverId, compareWith, options: wanted }: WantedRun): Result<ContractRuns> {
      if (underWay.get()) return refuse('under-way');
      const ids = [serverId, ...(compareWith === undefined ? [] : [compareWith])];
      const problem = ids.map(problemOf).find((each) => each !== undefined);
      if (problem) return refuse(problem);
      compared = compareWith === undefined ? undefined : { before: serverId, after: compareWith };
      return hold(() => runAll(ids, wanted));
    },

    /** Measures one case of the last run anew, with what it needs that did not succeed. */
    again(serverId: string, caseId: CaseId): Result<ContractRuns> {
      if (underWay.get()) return refuse('under-way');
      const entry = entries.get(serverId);
      if (!entry) return refuse('no-report');
      const { run } = entry;
      if (!run) return refuse('no-run');
      const problem = problemOf(serverId);
      if (problem) return refuse(problem);
      // Its accounts and tokens are another server's, or came by another way.
      const server = find(serverId);
      const isSame = server?.baseUrl === entry.report.baseUrl && wayText(wayOf(server)) === entry.way;
      if (!isSame) return refuse('no-run');
      return hold(async () => {
        underWay.begin(serverId, { caseId }, run);
        const report = await run.again(caseId, underWay.signal());
        // Somebody deleted the report meanwhile, or removed the server.
        if (entries.get(serverId)?.report !== entry.report) return;
        // One case does not make a run whole that was not, nor the other way round.
        entries.keep(serverId, { ...entry, run, report: { ...report, ended: entry.report.ended } });
      });
    },

    /**
     * Answers all that the last run of a server saw, secrets included, while that is in memory.
     * @param wanted the number of the report that is to be the one of that run
     */
    measured(
      serverId: string,
      wanted?: number,
    ): (Pick<Run, 'references'> & { report: Report; everything: readonly Seen[] }) | undefined {
      const { run, report, number } = entries.get(serverId) ?? {};
      if (wanted !== undefined && wanted !== number) return undefined;
      return run && report && { report, everything: run.everything(), references: run.references };
    },

    reportOf,

    /** Settles when no run is under way. */
    ended: underWay.ended,

    cancel: (): Result<ContractRuns> => {
      underWay.end();
      return ok(state());
    },

    /** Removes the reports of a server that was removed. */
    forgetServer(serverId: string): void {
      entries.forget(serverId);
      try {
        kept()?.forget(serverId);
      } catch (error) {
        options.report(error);
      }
    },

    /** Ends what is under way, and keeps only the report of every run, since the runs hold passwords and tokens. */
    lock(): void {
      entries.lock();
      // The run holds passwords and tokens, so it has no more time than a command.
      underWay.abort();
      underWay.end();
    },

    /** Cancels what is under way and waits for its end, for some seconds at most. */
    async close(): Promise<void> {
      underWay.abort();
      await underWay.ended();
    },
  };
}

/** Makes what a person does with the runs that are kept. Each answers the state that it leads to. */
function createKeptActions(of: {
  keptRuns: ReturnType<typeof createKeptRuns>;
  entries: ReturnType<typeof createLastRuns>;
  reportOf: (serverId: string, number?: number) => Report | undefined;
  state: () => ContractRuns;
}) {
  const { keptRuns, entries, reportOf, state } = of;
  const answered = (result: Result<void>): Result<ContractRuns> => (result.ok ? ok(state()) : result);

  return {
    open(serverId: string, number: number): Result<OpenedReport> {
      const report = reportOf(serverId, number);
      if (!report) return refuse('no-report');
      return ok({ report: shown(report), acceptances: keptRuns.acceptances(serverId, report) });
    },

    deleteReport(serverId: string, wanted?: number): Result<ContractRuns> {
      const last = entries.get(serverId);
      const number = wanted ?? last?.number;
      const result = number === undefined ? ok(undefined) : keptRuns.deleteReport(serverId, number);
      if (result.ok && number === last?.number) entries.replace(serverId);
      return answered(result);
    },

    pin: (serverId: string, number: number, pinned: boolean) => answered(keptRuns.pin(serverId, number, pinned)),
    accept: (accepting: Parameters<typeof keptRuns.accept>[0]) => answered(keptRuns.accept(accepting)),
    withdraw: (serverId: string, fault: string) => answered(keptRuns.withdraw(serverId, fault)),
    history: (serverId: string) => keptRuns.history(serverId),
  };
}

const refuse = (problem: RunProblem): ReturnType<typeof fail> => fail({ kind: 'run-refused', problem });

const shownEntry = (
  { serverId, report, number, runKept, changed }: ShownRun,
  keptRuns: ReturnType<typeof createKeptRuns>,
): ContractRuns['reports'][number] => ({
  serverId,
  report: shown(report),
  number,
  runKept,
  changed,
  acceptances: keptRuns.acceptances(serverId, report),
});

/** Returns a report as the window gets it, with its calls as a list shows them. */
const shown = (report: Report): ShownReport => ({
  ...report,
  evidence: report.evidence.map((call) => summaryOf(call)),
});

function prepareRun(options: Options, underWay: UnderWay, server: Server, wanted: Partial<RunOptions>): Run {
  const { references, toolVersion, language } = options;
  const { id, name, builtIn, baseUrl, production, pinned } = server;
  // A lock empties those of the application while the run still logs out and makes its report.
  const known = createSecretReferences(references);
  const ofRun: OfRun = { begunMs: options.now().getTime(), known };
  return createRun({
    transport: guarded(options, underWay, server, ofRun),
    baseUrl,
    toolVersion,
    options: wanted,
    server: { id, name: builtIn ? names(language())['built-in'] : name, production },
    paths: pinned,
    references: known,
    signal: underWay.signal(),
    onProgress: ({ result, ...progress }) => underWay.progressed(id, progress, result),
  });
}

/**
 * The server's transport as its settings are at each call. Once it is gone, leads elsewhere, is reached in another way
 * or became production, the run ends, and nothing more is sent, not even to log out.
 */
function guarded(
  { servers, transportFor, record }: Options,
  underWay: UnderWay,
  server: Server,
  ofRun: OfRun,
): Pick<Transport, 'send'> {
  return {
    async send(request, sendOptions) {
      const now = servers().find((each) => each.id === server.id);
      const isThere = now !== undefined && !now.production && now.baseUrl === server.baseUrl;
      // Its tokens and passwords go by no other way.
      const same = isThere && wayText(wayOf(now)) === wayText(wayOf(server));
      if (!same) underWay.abort();
      const transport = await transportFor(now ?? server);
      const signal = same ? sendOptions?.signal : AbortSignal.abort();
      const result = await transport.send(request, { ...sendOptions, signal, recorded: false });
      record(server.id, result.call, ofRun);
      return result;
    },
  };
}
