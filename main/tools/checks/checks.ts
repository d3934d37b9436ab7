import type { RunOptions, RunPlan, RunProgress } from '../../../preload/contract/report.ts';
import type { CaseId, CaseResult } from '../../../preload/contract/report-cases.ts';
import type {
  ChecksState,
  CheckProgressEvent,
  CheckInProgress,
  CheckRequest,
} from '../../../preload/contract/checks.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { medianResponseMs } from '../../../preload/contract/median-response-time.ts';
import { systemTexts } from '../../../preload/contract/locales/system-texts.ts';
import { ok, type Result, type RunProblem } from '../../../preload/contract/result.ts';
import type { Transport } from '../../client/transport.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { CheckOrigin } from '../calls/call-history.ts';
import type { LazyCalls } from '../calls/lazy-calls.ts';
import type { ConfigStore } from '../../account/config/config-store.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { Servers } from '../../account/servers/servers.ts';
import type { AppStateHolder } from '../../account/state/app-state.ts';
import { hasNoResults } from '../../check/untested-cases.ts';
import { planRun } from '../../check/plan.ts';
import { Reports, failRun, toShownReport, type LastRun, type ReportsOptions } from './reports.ts';
import { createRun, type Run } from '../../check/run.ts';
import type { Observation } from '../../check/observation.ts';
import type { CompletedRun } from '../../check/mock-generator/mock-inference.ts';

/** In milliseconds, between two events of progress to the window. */
const progressInterval = 200;

export type ChecksOptions = Omit<ReportsOptions, 'language'> & {
  state: AppStateHolder;
  config: ConfigStore;
  servers: Pick<Servers, 'transports' | 'clients' | 'store'>;
  calls: Pick<LazyCalls, 'record'>;
  /** Of the application. */
  version: string;
  onStep: (event: CheckProgressEvent) => void;
};

/**
 * The checks of the window, one at a time, over the server's own transport. A check goes on while its page is closed. The
 * last run of each server stays in memory, so that a single test can be repeated.
 */
export class Checks extends Reports implements AsyncDisposable, CheckHandlers {
  readonly #options: ChecksOptions;
  #running: CheckInProgress | undefined;
  #compared: ChecksState['compared'];
  /** Whether a lock ended the running check. */
  #isLocked = false;
  /** Ends the run after it logged out. */
  #cancelling = new AbortController();
  /** Ends the run at once. */
  #quitting = new AbortController();
  #ended: Promise<void> = Promise.resolve();
  /** Results that no event has sent yet. */
  #unsentResults: CaseResult[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ChecksOptions) {
    super({ ...options, language: () => options.state.get().language });
    this.#options = options;
  }

  state(): Result<ChecksState> {
    const ids = new Set(this.#options.state.get().servers.map(({ id }) => id));
    const reports = [...this.lastRuns].filter(([id]) => ids.has(id)).toReversed();
    const hasReport = (id: string): boolean => reports.some(([serverId]) => serverId === id);
    const isCompared = this.#compared && hasReport(this.#compared.before) && hasReport(this.#compared.after);
    return ok({
      running: this.#running,
      stored: this.storedRuns().filter(({ serverId }) => ids.has(serverId)),
      compared: isCompared ? this.#compared : undefined,
      reports: reports.map(([serverId, { run, report, number, comparison }]) => ({
        serverId,
        report: toShownReport(report),
        number,
        canRerun: run !== undefined,
        changed: comparison && { count: comparison.differences.length, since: comparison.before.startedAt },
        acceptances: this.acceptances(serverId, report),
      })),
    });
  }

  plan({ serverId, compareWith, options }: CheckRequest): Result<RunPlan> {
    const [first, ...others] = [serverId, compareWith].flatMap((id) => {
      const server = this.#options.state.get().servers.find((each) => each.id === id);
      if (!server) return [];
      const adapter = this.#options.servers.clients.readingAdapter(server);
      return [planRun(options, false, adapter.ok ? adapter.value : undefined, medianResponseMs(server.lastCalls))];
    });
    const plan = first ?? planRun(options);
    return ok(others.reduce(addPlans, plan));
  }

  async start({ serverId, compareWith, options }: CheckRequest): Promise<Result<ChecksState>> {
    const ids = [serverId, ...(compareWith === undefined ? [] : [compareWith])];
    const adapters = new Map<string, ApiAdapter>();
    for (const id of ids) {
      const isReady = await this.#options.servers.clients.ensureReachable(id);
      if (!isReady.ok) return isReady;
      const server = this.#find(id);
      const adapter = server && (await this.#options.servers.clients.adapter(server));
      if (adapter && !adapter.ok) return adapter;
      if (adapter) adapters.set(id, adapter.value);
    }
    if (this.#running) return failRun('already-running');
    const problem = ids.map((id) => this.#problemOf(id)).find((each) => each !== undefined);
    if (problem) return failRun(problem);
    this.#compared = compareWith === undefined ? undefined : { before: serverId, after: compareWith };
    return this.#run(() => this.#runAll(ids, options, adapters));
  }

  /** Repeats a test of the last run, with those that it depends on and that did not succeed. */
  rerunCase({ serverId, caseId }: { serverId: string; caseId: CaseId }): Result<ChecksState> {
    if (this.#running) return failRun('already-running');
    const last = this.lastRunOf(serverId);
    if (!last) return failRun('no-report');
    const { run, report: before } = last;
    if (!run) return failRun('no-run');
    const problem = this.#problemOf(serverId);
    if (problem) return failRun(problem);
    // The accounts and tokens of the run belong to its own address.
    if (this.#find(serverId)?.baseUrl !== before.baseUrl) return failRun('no-run');
    return this.#run(async () => {
      this.#begin(serverId, { caseId }, run);
      const report = await run.rerunCase(caseId, this.#cancelling.signal);
      // The report was deleted meanwhile, or the server was removed.
      if (this.lastRunOf(serverId)?.report !== before) return;
      // Repeating a test changes nothing about whether the run was complete.
      this.#setLastRun(serverId, { ...last, report: { ...report, ended: before.ended } });
    });
  }

  /** Ends the running check after it logged out. */
  cancel(): Result<ChecksState> {
    this.#cancelling.abort(this.#quitting.signal);
    if (this.#running) this.#setRunning({ ...this.#running, cancelled: true });
    return this.state();
  }

  /**
   * What the last run of a server observed, secrets included, while it is in memory.
   * @param reportNumber undefined is returned if the last run has another report
   */
  lastCheckData(serverId: string, reportNumber?: number): CompletedRun | undefined {
    const { run, report, number } = this.lastRunOf(serverId) ?? {};
    if (reportNumber !== undefined && reportNumber !== number) return undefined;
    if (!run || !report) return undefined;
    return { report, observations: run.observations(), secretRegistry: run.secretRegistry, adapter: run.adapter };
  }

  /** Resolves when no check is running. */
  ended = (): Promise<void> => this.#ended;

  /** Ends the running check at once, and drops all runs but their reports, since runs hold passwords and tokens. */
  lock(): void {
    this.#isLocked = true;
    for (const last of this.lastRuns.values()) last.run = undefined;
    this.#abort();
    this.cancel();
  }

  /** Ends the running check, which takes some seconds at most, and closes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort();
    await this.#ended;
    this.closeFile();
  }

  #abort(): void {
    this.#cancelling.abort();
    this.#quitting.abort();
  }

  async #runAll(ids: readonly string[], options: RunOptions, adapters: ReadonlyMap<string, ApiAdapter>): Promise<void> {
    for (const [index, id] of ids.entries()) {
      const server = this.#find(id);
      const adapter = adapters.get(id);
      if (!server || server.baseUrl !== adapter?.baseUrl || this.#problemOf(id) || this.#cancelling.signal.aborted) {
        // Its report, if it has one, is of an earlier run.
        this.#compared = undefined;
        return;
      }
      const run = this.#createRun(server, options, adapter);
      this.#begin(id, { next: ids[index + 1] }, run);
      const report = await run.start();
      // A server that was removed meanwhile has no reports.
      const current = this.#find(id);
      if (!current) continue;
      if (current.baseUrl === adapter.baseUrl) this.#learnMapping(id, run.observations());
      // The report of a server that did not respond is not stored.
      const { number, comparison } = (hasNoResults(report) ? undefined : this.add(id, report)) ?? {};
      this.#setLastRun(id, { run, report, number, comparison });
    }
  }

  #learnMapping(serverId: string, observations: readonly Observation[]): void {
    const { config, servers } = this.#options;
    config.change(servers.store.learnFrom(serverId, findReadings(observations)));
  }

  /** Makes a run the last of its server, and the newest of all. */
  #setLastRun(serverId: string, last: LastRun): void {
    this.lastRuns.delete(serverId);
    this.lastRuns.set(serverId, { ...last, run: this.#isLocked ? undefined : last.run });
  }

  /** Starts work that ends with an event without `running`, after which the window reads the state. */
  #run(work: () => Promise<void>): Result<ChecksState> {
    this.#isLocked = false;
    this.#cancelling = new AbortController();
    this.#quitting = new AbortController();
    this.#ended = work()
      .catch(this.#options.report)
      .then(() => {
        this.#sendProgressNow();
        this.#running = undefined;
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
    this.#sendProgressNow();
    this.#setRunning({ serverId, ...more, progress, results: [], cancelled: this.#cancelling.signal.aborted });
  }

  #onProgress(serverId: string, { result, ...progress }: RunProgress): void {
    if (this.#running?.serverId !== serverId) return;
    const newResults = result ? [result] : [];
    this.#unsentResults.push(...newResults);
    this.#setRunning({ ...this.#running, progress, results: [...this.#running.results, ...newResults] });
  }

  #setRunning(running: CheckInProgress): void {
    this.#running = running;
    this.#timer ??= this.#sendProgress(running);
  }

  /** Sends the last results without waiting for the interval. */
  #sendProgressNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#running && this.#unsentResults.length > 0) this.#notify(this.#running);
  }

  /** Sends an event, and another one after the interval if there was progress meanwhile. */
  #sendProgress(sent: CheckInProgress): NodeJS.Timeout {
    this.#notify(sent);
    return setTimeout(() => {
      const running = this.#running;
      this.#timer = running && running !== sent ? this.#sendProgress(running) : undefined;
    }, progressInterval);
  }

  #notify = (running: CheckInProgress): void =>
    this.#options.onStep({ running: { ...running, results: this.#unsentResults.splice(0) } });

  #find = (id: string): Server | undefined => this.#options.state.get().servers.find((each) => each.id === id);

  #problemOf(id: string): RunProblem | undefined {
    const server = this.#find(id);
    if (server?.production) return 'production';
    return server && server.baseUrl !== '' ? undefined : 'no-address';
  }

  #createRun(server: Server, options: RunOptions, adapter: ApiAdapter): Run {
    const { secretRegistry, version, state, now } = this.#options;
    const { id, name, builtIn, baseUrl, production, pinned } = server;
    // A registry of its own: a lock clears the application's while the run still logs out and writes its report.
    const secrets = new SecretRegistry(secretRegistry);
    const origin: CheckOrigin = { startedAtMs: now().getTime(), secrets };
    return createRun({
      transport: { send: (...call) => this.#send(server, origin, ...call) },
      baseUrl,
      adapter,
      msPerCall: medianResponseMs(server.lastCalls),
      isInterfaceChosen: builtIn || server.interface.digest !== undefined,
      toolVersion: version,
      options,
      // The built-in server has no name of its own.
      server: { id, name: builtIn ? systemTexts(state.get().language)('names.built-in') : name, production },
      paths: pinned,
      secretRegistry: secrets,
      signal: this.#cancelling.signal,
      onProgress: (progress) => this.#onProgress(id, progress),
    });
  }

  /**
   * Sends with the server's settings of this moment. Once the server was removed, has another address or description, or
   * became production, the run ends and nothing more is sent, not even a logout.
   */
  async #send(server: Server, origin: CheckOrigin, ...[request, options]: Parameters<Transport['send']>) {
    const current = this.#find(server.id);
    const isUnchanged = current?.baseUrl === server.baseUrl && current.interface.digest === server.interface.digest;
    const isAllowed = isUnchanged && !current.production;
    if (!isAllowed) this.#abort();
    const transport = await this.#options.servers.transports.for(server.id);
    const signal = isAllowed ? options?.signal : AbortSignal.abort();
    const result = await transport.send(request, { ...options, signal, recorded: false });
    this.#options.calls.record(server.id, result.call, origin);
    return result;
  }
}

/** Responses that show where token, user and message are: of successful logins and profiles. */
const findReadings = (observations: readonly Observation[]): Pick<Observation, 'reading'>[] =>
  observations.filter(
    ({ operation, error, failed, reading }) =>
      (operation === 'login' || operation === 'profile') && !error && !failed && reading.summary.ok,
  );

const addPlans = (one: RunPlan, other: RunPlan): RunPlan => ({
  ...one,
  calls: one.calls + other.calls,
  accounts: one.accounts + other.accounts,
  deletes: one.deletes === true && other.deletes === true,
  seconds: one.seconds + other.seconds,
});

type CheckHandlers = Handlers['checks'];
