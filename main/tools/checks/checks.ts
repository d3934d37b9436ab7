import type { Report, RunOptions, RunPlan, RunProgress } from '../../../preload/contract/report.ts';
import type { CaseId, CaseResult } from '../../../preload/contract/report-cases.ts';
import type {
  ChecksState as RunsState,
  CheckProgressEvent,
  CheckInProgress,
  CheckRequest,
} from '../../../preload/contract/checks.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { medianResponseMs } from '../../../preload/contract/median-response-time.ts';
import { systemTexts } from '../../../preload/contract/locales/system-texts.ts';
import { ok, type Result, type RunProblem } from '../../../preload/contract/result.ts';
import type { TransportCall } from '../../client/call.ts';
import type { Transport } from '../../client/transport.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { CheckOrigin } from '../calls/call-history.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { Servers } from '../../account/servers/servers.ts';
import type { AppStateHolder } from '../../account/state/app-state.ts';
import { hasNoResults } from '../../check/untested-cases.ts';
import { planRun } from '../../check/plan.ts';
import { Reports, failRun, toShownReport, type LastRun, type ReportsOptions } from './reports.ts';
import { createRun, type Run } from '../../check/run.ts';
import type { Observation } from '../../check/observation.ts';

/** The built-in server has no name of its own. */
/** Milliseconds between two steps that the window is told. */
const stepInterval = 200;

export type ChecksOptions = Omit<ReportsOptions, 'language'> & {
  state: AppStateHolder;
  servers: Pick<Servers, 'transports' | 'clients'>;
  /** Records a call as one of a run, without the secrets that the run knows. */
  record: (serverId: string, call: TransportCall, run: CheckOrigin) => void;
  /** The version of the application. */
  version: string;
  onStep: (step: CheckProgressEvent) => void;
  /** Told of the answers of a run that say where things are in those of its server. */
  learnMapping: (serverId: string, answers: readonly Pick<Observation, 'reading'>[]) => void;
};

/**
 * The contract runs of the application, one at a time, over the server's own transport, whether anybody looks or not.
 * The last run of each server stays in memory, so that single cases can be measured again.
 */
export class Checks extends Reports implements AsyncDisposable, RunHandlers {
  readonly #options: ChecksOptions;
  #underWay: CheckInProgress | undefined;
  #compared: RunsState['compared'];
  /** Whether a lock ended what is under way. */
  #isLocked = false;
  /** Ends the run, which still logs out. */
  #cancelling = new AbortController();
  /** Ends the run at once. */
  #quitting = new AbortController();
  #ended: Promise<void> = Promise.resolve();
  /** Results that the window was not told yet. */
  #untold: CaseResult[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ChecksOptions) {
    super({ ...options, language: () => options.state.get().language });
    this.#options = options;
  }

  state(): Result<RunsState> {
    const ids = new Set(this.#options.state.get().servers.map(({ id }) => id));
    const reports = [...this.lastRuns].filter(([id]) => ids.has(id)).toReversed();
    const hasReport = (id: string): boolean => reports.some(([serverId]) => serverId === id);
    const both = this.#compared && hasReport(this.#compared.before) && hasReport(this.#compared.after);
    return ok({
      underWay: this.#underWay,
      kept: this.kept().filter(({ serverId }) => ids.has(serverId)),
      compared: both ? this.#compared : undefined,
      reports: reports.map(([serverId, { run, report, number, comparison }]) => ({
        serverId,
        report: toShownReport(report),
        number,
        runKept: run !== undefined,
        changed: comparison && { count: comparison.differences.length, since: comparison.before.startedAt },
        acceptances: this.acceptances(serverId, report),
      })),
    });
  }

  plan({ serverId, compareWith, options }: CheckRequest): Result<RunPlan> {
    const [first, ...others] = [serverId, compareWith].flatMap((id) => {
      const server = this.#options.state.get().servers.find((each) => each.id === id);
      if (!server) return [];
      const wire = this.#options.servers.clients.readingAdapter(server);
      return [planRun(options, false, wire.ok ? wire.value : undefined, medianResponseMs(server.lastCalls))];
    });
    const plan = first ?? planRun(options);
    return ok(others.reduce((sum, each) => added(sum, each), plan));
  }

  async start({ serverId, compareWith, options }: CheckRequest): Promise<Result<RunsState>> {
    const ids = [serverId, ...(compareWith === undefined ? [] : [compareWith])];
    const wires = new Map<string, ApiAdapter>();
    for (const id of ids) {
      const isReady = await this.#options.servers.clients.ensureReachable(id);
      if (!isReady.ok) return isReady;
      const server = this.#find(id);
      const wire = server && (await this.#options.servers.clients.adapter(server));
      if (wire && !wire.ok) return wire;
      if (wire) wires.set(id, wire.value);
    }
    if (this.#underWay) return failRun('under-way');
    const problem = ids.map((id) => this.#problemOf(id)).find((each) => each !== undefined);
    if (problem) return failRun(problem);
    this.#compared = compareWith === undefined ? undefined : { before: serverId, after: compareWith };
    return this.#hold(() => this.#runAll(ids, options, wires));
  }

  /** Measures one case of the last run again, with what it needs that did not succeed. */
  rerunCase({ serverId, caseId }: { serverId: string; caseId: CaseId }): Result<RunsState> {
    if (this.#underWay) return failRun('under-way');
    const last = this.lastOf(serverId);
    if (!last) return failRun('no-report');
    const { run, report: before } = last;
    if (!run) return failRun('no-run');
    const problem = this.#problemOf(serverId);
    if (problem) return failRun(problem);
    // Its accounts and tokens are another server's.
    if (this.#find(serverId)?.baseUrl !== before.baseUrl) return failRun('no-run');
    return this.#hold(async () => {
      this.#begin(serverId, { caseId }, run);
      const report = await run.rerunCase(caseId, this.#cancelling.signal);
      // Somebody deleted the report meanwhile, or removed the server.
      if (this.lastOf(serverId)?.report !== before) return;
      // One case does not make a run whole that was not, nor the other way round.
      this.#keep(serverId, { ...last, report: { ...report, ended: before.ended } });
    });
  }

  /** Ends what is under way, which logs out first. */
  cancel(): Result<RunsState> {
    this.#cancelling.abort(this.#quitting.signal);
    if (this.#underWay) this.#tell({ ...this.#underWay, cancelled: true });
    return this.state();
  }

  /**
   * Answers all that the last run of a server saw, secrets included, while that is in memory.
   * @param wanted the number of the report that is to be the one of that run
   */
  lastCheckData(
    serverId: string,
    wanted?: number,
  ): (Pick<Run, 'secretRegistry' | 'adapter'> & { report: Report; observations: readonly Observation[] }) | undefined {
    const { run, report, number } = this.lastOf(serverId) ?? {};
    if (wanted !== undefined && wanted !== number) return undefined;
    if (!run || !report) return undefined;
    return { report, observations: run.observations(), secretRegistry: run.secretRegistry, adapter: run.adapter };
  }

  /** Settles when no run is under way. */
  ended = (): Promise<void> => this.#ended;

  /** Ends what is under way at once, and keeps only the report of every run, since runs hold passwords and tokens. */
  lock(): void {
    this.#isLocked = true;
    for (const last of this.lastRuns.values()) last.run = undefined;
    this.#abort();
    this.cancel();
  }

  /** Ends what is under way, which takes some seconds at most, and closes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort();
    await this.#ended;
    this.closeFile();
  }

  #abort(): void {
    this.#cancelling.abort();
    this.#quitting.abort();
  }

  async #runAll(ids: readonly string[], wanted: RunOptions, wires: ReadonlyMap<string, ApiAdapter>): Promise<void> {
    for (const [at, id] of ids.entries()) {
      const server = this.#find(id);
      const adapter = wires.get(id);
      const isThere = adapter !== undefined && adapter.baseUrl === server?.baseUrl;
      if (!server || !isThere || this.#problemOf(id) || this.#cancelling.signal.aborted) {
        // If there is a report of it, that is of an earlier run.
        this.#compared = undefined;
        return;
      }
      const run = this.#prepare(server, wanted, adapter);
      this.#begin(id, { next: ids[at + 1] }, run);
      const report = await run.start();
      // With a server that was removed meanwhile, its reports were.
      if (!this.#find(id)) continue;
      if (isThereStill(this.#find(id), adapter)) this.#options.learnMapping(id, whereThingsAre(run.observations()));
      // Of a server that was away nothing is learned.
      const { number, comparison } = (hasNoResults(report) ? undefined : this.add(id, report)) ?? {};
      this.#keep(id, { run, report, number, comparison });
    }
  }

  /** Keeps it as the newest. */
  #keep(serverId: string, last: LastRun): void {
    this.lastRuns.delete(serverId);
    this.lastRuns.set(serverId, { ...last, run: this.#isLocked ? undefined : last.run });
  }

  /** Does one thing after which nothing is under way; the window reads the state then. */
  #hold(work: () => Promise<void>): Result<RunsState> {
    this.#isLocked = false;
    this.#cancelling = new AbortController();
    this.#quitting = new AbortController();
    this.#ended = work()
      .catch(this.#options.report)
      .then(() => {
        this.#tellRest();
        this.#underWay = undefined;
        this.#options.onStep({});
      });
    return this.state();
  }

  #begin(serverId: string, more: { caseId?: CaseId; next?: string | undefined }, { plan }: Run): void {
    const progress = {
      casesDone: 0,
      casesPlanned: plan.cases.length,
      callsMade: 0,
      callsPlanned: plan.calls,
      secondsLeft: plan.seconds,
    };
    this.#tellRest();
    this.#tell({ serverId, ...more, progress, results: [], cancelled: this.#cancelling.signal.aborted });
  }

  #progressed(serverId: string, { result, ...progress }: RunProgress): void {
    if (this.#underWay?.serverId !== serverId) return;
    const added = result ? [result] : [];
    this.#untold.push(...added);
    this.#tell({ ...this.#underWay, progress, results: [...this.#underWay.results, ...added] });
  }

  #tell(underWay: CheckInProgress): void {
    this.#underWay = underWay;
    this.#timer ??= this.#step(underWay);
  }

  /** Tells the window of the last results at once. */
  #tellRest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#underWay && this.#untold.length > 0) this.#say(this.#underWay);
  }

  /** Tells the window of what is new to it, and once more after an interval if there is more then. */
  #step(underWay: CheckInProgress): NodeJS.Timeout {
    this.#say(underWay);
    return setTimeout(() => {
      const now = this.#underWay;
      this.#timer = now && now !== underWay ? this.#step(now) : undefined;
    }, stepInterval);
  }

  #say = (underWay: CheckInProgress): void =>
    this.#options.onStep({ running: { ...underWay, results: this.#untold.splice(0) } });

  #find = (id: string): Server | undefined => this.#options.state.get().servers.find((each) => each.id === id);

  #problemOf(id: string): RunProblem | undefined {
    const server = this.#find(id);
    if (server?.production) return 'production';
    return server && server.baseUrl !== '' ? undefined : 'no-address';
  }

  #prepare(server: Server, options: RunOptions, adapter: ApiAdapter): Run {
    const { secretRegistry, version, state, now } = this.#options;
    const { id, name, builtIn, baseUrl, production, pinned } = server;
    // The run keeps secrets of its own: a lock forgets the application's while the run still logs out and writes its report.
    const secrets = new SecretRegistry(secretRegistry);
    const ofRun: CheckOrigin = { startedAtMs: now().getTime(), secrets };
    return createRun({
      transport: { send: (...call) => this.#send(server, ofRun, ...call) },
      baseUrl,
      adapter,
      msPerCall: medianResponseMs(server.lastCalls),
      isInterfaceChosen: builtIn || server.interface.digest !== undefined,
      toolVersion: version,
      options,
      server: { id, name: builtIn ? systemTexts(state.get().language)('names.built-in') : name, production },
      paths: pinned,
      secretRegistry: secrets,
      signal: this.#cancelling.signal,
      onProgress: (progress) => this.#progressed(id, progress),
    });
  }

  /**
   * Sends over the server's transport as its settings are at each call. Once it is gone, leads elsewhere, is described
   * otherwise or became production, the run ends, and nothing more is sent, not even to log out.
   */
  async #send(server: Server, run: CheckOrigin, ...[request, options]: Parameters<Transport['send']>) {
    const now = this.#find(server.id);
    const isThere = now?.baseUrl === server.baseUrl && now.interface.digest === server.interface.digest;
    const same = isThere && !now.production;
    if (!same) this.#abort();
    const transport = await this.#options.servers.transports.for(server.id);
    const signal = same ? options?.signal : AbortSignal.abort();
    const result = await transport.send(request, { ...options, signal, recorded: false });
    this.#options.record(server.id, result.call, run);
    return result;
  }
}

const isThereStill = (server: Server | undefined, adapter: ApiAdapter): boolean => server?.baseUrl === adapter.baseUrl;

/** The answers that say where token, user and message are: those of a login and a profile that went as they should. */
const whereThingsAre = (seen: readonly Observation[]): Pick<Observation, 'reading'>[] =>
  seen.filter(({ operation, error, failed, reading }) => {
    const isWanted = operation === 'login' || operation === 'perfil';
    return isWanted && !error && !failed && reading.summary.ok;
  });

/** What two runs take, one after the other. */
const added = (one: RunPlan, other: RunPlan): RunPlan => ({
  ...one,
  calls: one.calls + other.calls,
  accounts: one.accounts + other.accounts,
  seconds: one.seconds + other.seconds,
});

type RunHandlers = Handlers['checks'];
