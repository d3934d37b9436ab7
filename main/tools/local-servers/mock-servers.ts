import type { CompletedRun } from '../../check/mock-generator/mock-inference.ts';
import type {
  BehaviourChange,
  ClockPreset,
  MockCreationStep,
  SharedMockStatus,
} from '../../../preload/contract/local-servers.ts';
import type { MockDetails } from '../../../preload/contract/mock-details.ts';
import type { CheckProgressEvent } from '../../../preload/contract/checks.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { type Report, type FindingId, RunOptions } from '../../../preload/contract/report.ts';
import { fail, ok, type AppError, type Result } from '../../../preload/contract/result.ts';
import {
  isMockServerId,
  createMockServerId,
  createStoredMockServer,
  type ConfigStore,
  type StoredMockServer,
  type StoredMockServerDetails,
} from '../../account/config/config.ts';
import { createStoredInterface } from '../../account/servers/interface-form.ts';
import type { GenerationProblem } from '../../check/mock-generator/generate-mock.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import { exportToFile } from '../../files/export-to-file.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { Log } from '../../files/log.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import type { AppStateHolder } from '../../account/state/app-state.ts';
import { stoppedServer, type MockServerStatus } from '../../account/state/project-state.ts';
import type { Checks } from '../checks/checks.ts';
import { MockFiles } from './mock-files.ts';
import { LocalServer } from './local-server.ts';
import { MockVerification } from './mock-verification.ts';
import { startMockServer, startForVerification } from './start-service.ts';

const longestName = 100;

/** Anybody may read a model or a report: they hold no secret. */
const fileMode = 0o644;

/** A text out of a file on one line and in one direction, since it names a server. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '');

/** The server that something is done for; `doubleId` where a double is measured again. */
type WorkOf = { serverId: string; doubleId?: string | undefined };

type ById = { id: string };

type DoubleHandlers = Handlers['mocks'];

type DoublesOptions = {
  /** The folder of all doubles. */
  folder: string;
  config: ConfigStore;
  state: AppStateHolder;
  /** Asks with the system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import-model' | 'export-model' | 'share-finding') => Promise<string | undefined>;
  runs: () => Promise<Pick<Checks, 'start' | 'ended' | 'reportOf' | 'lastCheckData' | 'cancel'>>;
  log: Log;
};

/**
 * The doubles of the window: servers that were measured, and are imitated on this computer, each a server of its own in
 * the list with a port, a model and accounts. One is made at a time.
 */
export class MockServers implements DoubleHandlers, AsyncDisposable {
  readonly #options: DoublesOptions;
  readonly files: MockFiles;
  readonly #proofs: MockVerification;
  readonly #servers = new Map<string, LocalServer>();
  /** What is known of each that was started or compared. */
  #facts: ReadonlyMap<string, MockServerStatus> = new Map();
  #isClosed = false;

  constructor(options: DoublesOptions) {
    const { log } = options;
    this.#options = options;
    this.files = new MockFiles(options.folder);
    this.#proofs = new MockVerification({
      files: this.files,
      pathsOf: (id) => this.#find(id)?.pinned,
      start: (model) => startForVerification(model, this.#settings(), log),
      onProgress: (id, verifying) => this.#tell(id, { verifying }),
      onCompared: (id, compared) => this.#change(id, { compared }),
      report: log.report,
    });
  }

  /** Makes the double of a server from its last run, which is in memory, or measures it first. */
  async create({ serverId, measure }: { serverId: string; measure: boolean }): Promise<Result<ById>> {
    const server = this.#find(serverId);
    if (!server || server.mock) return fail({ kind: 'not-now' });
    if (this.#isProduction(server.baseUrl)) return refuse('production');
    return this.#alone({ serverId }, async () => {
      const measured = measure ? await this.#measure({ serverId }) : ok((await this.#runs()).lastCheckData(serverId));
      if (!measured.ok) return measured;
      const model = await this.#learn(serverId, measured.value);
      if (!model.ok) return model;
      const made = await this.#adopt(model.value, { server, report: measured.value?.report });
      if (made.ok) this.#proofs.start(made.value.id);
      return made;
    });
  }

  async recheck({ id }: ById): Promise<Result<ById>> {
    const double = this.#stored(id);
    if (!double) return fail({ kind: 'not-now' });
    const server = this.#originalOf(double);
    if (!server || this.#isProduction(server.baseUrl)) return refuse('no-original');
    await this.#proofs.stop(id);
    return this.#alone({ serverId: server.id, doubleId: id }, () => this.#relearn(id, server));
  }

  /** Ends what is under way, and forgets what failed. */
  async cancel(): Promise<Result<null>> {
    const step = this.#options.state.get().doubleWork?.work.step;
    if (step === 'measuring') (await this.#runs()).cancel();
    if (step === 'failed') this.#tellWork(undefined);
    return ok(null);
  }

  async compare({ id }: ById): Promise<Result<null>> {
    if (this.#stored(id)?.originId === undefined) return fail({ kind: 'not-now' });
    this.#proofs.start(id);
    return ok(null);
  }

  start = async ({ id }: ById): Promise<Result<null>> =>
    (await this.#serverOf(id)?.start()) ?? fail({ kind: 'not-now' });

  async stop({ id }: ById): Promise<Result<null>> {
    const server = this.#serverOf(id);
    if (!server) return fail({ kind: 'not-now' });
    await server.stop();
    return ok(null);
  }

  async details({ id }: ById): Promise<Result<MockDetails>> {
    if (!this.#stored(id)) return fail({ kind: 'not-now' });
    return (await import('./mock-details.ts')).readMockDetails(id, this.files);
  }

  moveClock = async ({ id, to }: ById & { to: ClockPreset }): Promise<Result<null>> =>
    (await this.#runningOf(id)?.moveClock(to)) ?? fail({ kind: 'not-now' });

  setBehaviour = async ({ id, change }: ById & { change: BehaviourChange }): Promise<Result<null>> =>
    (await this.#runningOf(id)?.setFaultInjection(change)) ?? fail({ kind: 'not-now' });

  async exportModel({ id }: ById): Promise<Result<{ exported: boolean }>> {
    if (!this.#stored(id)) return fail({ kind: 'not-now' });
    const read = await this.files.model(id);
    if (!read.ok) return fail({ kind: 'mock-refused', problem: 'files-gone' });
    const { formatMockFile } = await import('../../check/mock-generator/generate-mock.ts');
    return exportToFile(await this.#options.chooseFile('export-model'), () => formatMockFile(read.model), fileMode);
  }

  /** Writes a report of one finding, with a model in it while the run that found it is in memory. */
  async shareFinding({
    findingId,
    ...which
  }: {
    serverId: string;
    number?: number | undefined;
    findingId: FindingId;
  }): Promise<Result<{ exported: false } | { exported: true; model: SharedMockStatus }>> {
    const [runs, { shareFinding }] = await Promise.all([
      this.#runs(),
      import('../../check/mock-generator/share-finding.ts'),
    ]);
    const report = runs.reportOf(which);
    const shared = report && (await shareFinding(report, findingId, runs.lastCheckData(which.serverId, which.number)));
    if (!shared) return fail({ kind: 'run-refused', problem: 'no-report' });
    const written = await exportToFile(await this.#options.chooseFile('share-finding'), () => shared.text, fileMode);
    if (!written.ok) return written;
    return ok(written.value.exported ? { exported: true, model: shared.model } : { exported: false });
  }

  async importModel(): Promise<Result<{ id?: string }>> {
    const file = await this.#options.chooseFile('import-model');
    if (file === undefined) return ok({});
    const { loadMockFileOnWorker } = await import('./mock-file-job.ts');
    const read = await loadMockFileOnWorker(file);
    if (!read.ok) {
      const { problem, detail } = read;
      // The words of `wrong-content` are about servers.
      const reason = problem === 'wrong-content' ? 'not-a-model' : problem;
      return fail({ kind: 'import-refused', reason, detail });
    }
    if (this.#isProduction(read.model.baseUrl)) return refuse('production');
    return this.#adopt(read.model, {});
  }

  /** Makes sure that a double runs. Of any other server it says nothing. */
  ensureRunning = async (id: string): Promise<Result<null>> => (await this.#serverOf(id)?.start()) ?? ok(null);

  /** Takes in how far a contract run is, where it is one for a double. */
  onRunStep({ running: underWay }: CheckProgressEvent): void {
    const { doubleWork } = this.#options.state.get();
    if (!underWay || doubleWork?.work.step !== 'measuring' || underWay.serverId !== doubleWork.serverId) return;
    const { casesDone, casesPlanned, secondsLeft } = underWay.progress;
    const { casesDone: before, casesPlanned: planned } = doubleWork.work;
    if (casesDone === before && casesPlanned === planned) return;
    this.#tellWork(doubleWork, { step: 'measuring', casesDone, casesPlanned, secondsLeft });
  }

  /** Erases all of a double that was removed from the list. */
  async remove(id: string): Promise<void> {
    if (!isMockServerId(id)) return;
    await this.#proofs.stop(id);
    const server = this.#servers.get(id);
    this.#servers.delete(id);
    await server?.[Symbol.asyncDispose]();
    this.#tell(id, undefined);
    await this.files.erase(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#proofs[Symbol.asyncDispose]();
    await Promise.all([...this.#servers.values()].map((server) => server[Symbol.asyncDispose]()));
  }

  #runs = () => this.#options.runs();
  #settings = () => this.#options.config.get().service;
  #find = (id: string): Server | undefined => this.#options.state.get().servers.find((each) => each.id === id);

  #stored = (id: string): StoredMockServerDetails | undefined =>
    this.#options.config.get().servers.find((each) => each.id === id)?.double;

  #serverOf(id: string): LocalServer | undefined {
    if (this.#isClosed || !this.#stored(id)) return undefined;
    const server: LocalServer =
      this.#servers.get(id) ??
      new LocalServer({
        failure: 'mock-stopped',
        start: async () => {
          const read = await this.files.model(id);
          if (!read.ok) return { ok: false, message: read.sentence };
          const { config, log } = this.#options;
          const allowOrigins = () => config.get().allowedOrigins[id] ?? [];
          const [file, port] = [this.files.database(id), this.#stored(id)?.port];
          const started = await startMockServer({
            model: read.model,
            file,
            port,
            allowOrigins,
            settings: this.#settings(),
            log,
          });
          // It is found there again.
          if (started.ok) this.#change(id, { port: started.service.port });
          return started;
        },
        onChange: (facts) => {
          if (this.#servers.get(id) === server) this.#tell(id, facts);
        },
      });
    this.#servers.set(id, server);
    return server;
  }

  #runningOf(id: string): LocalServer | undefined {
    const server = this.#servers.get(id);
    return server?.isRunning ? server : undefined;
  }

  /** Says something new of a double, or forgets it. Earlier states must not change, so they get a copy. */
  #tell(id: string, changed: Partial<MockServerStatus> | undefined): void {
    const facts = new Map(this.#facts);
    if (changed) facts.set(id, { ...(facts.get(id) ?? stoppedServer), ...changed });
    else facts.delete(id);
    this.#facts = facts;
    this.#options.state.set({ mockServers: facts });
  }

  #tellWork = (of: WorkOf | undefined, work?: MockCreationStep): void =>
    this.#options.state.set({ doubleWork: of && work && { serverId: of.serverId, mockId: of.doubleId, work } });

  /** Changes what is stored of a double that is still there. */
  #change(id: string, some: Partial<StoredMockServerDetails>, besides?: Pick<StoredMockServer, 'interface'>): void {
    const { config } = this.#options;
    const changed = (double: StoredMockServerDetails): StoredMockServerDetails => ({ ...double, ...some });
    const servers = config
      .get()
      .servers.map((each) =>
        each.id === id && each.double ? Object.assign({}, each, besides, { double: changed(each.double) }) : each,
      );
    config.change({ servers });
  }

  /** Says whether anything at this address is marked as production: another path there is no way around that. */
  #isProduction = (baseUrl: string): boolean =>
    this.#options.config.get().servers.some((each) => each.production && hostOf(each.baseUrl) === hostOf(baseUrl));

  /** No start needs these words: they are read with the first double that is made. */
  #words = async () =>
    (await import('../../../preload/contract/locales/system-texts.ts')).systemTexts(this.#options.state.get().language);

  #nameOf = async ({ builtIn, name, baseUrl }: Server): Promise<string> =>
    (builtIn ? (await this.#words())('names.built-in') : name) || hostOf(baseUrl);

  async #unusedName(of: string): Promise<string> {
    const name = (await this.#words())('names.mock', { name: of });
    const taken = new Set(this.#options.config.get().servers.map((each) => each.name));
    let numbered = name.slice(0, longestName);
    for (let number = 2; taken.has(numbered); number += 1) numbered = `${name.slice(0, longestName - 5)} (${number})`;
    return numbered;
  }

  /** Puts a model into the list as a server of its own, after its original, and starts it. */
  async #adopt(
    model: MockDefinition,
    { server, report }: { server?: Server; report?: Report | undefined },
  ): Promise<Result<ById>> {
    const id = createMockServerId();
    const of = (server ? await this.#nameOf(server) : plain(model.serverName ?? '')) || hostOf(model.baseUrl) || '?';
    try {
      await this.files.write(id, model, report);
    } catch (error) {
      await this.files.erase(id).catch(() => undefined);
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
    }
    const originUrl = plain(model.baseUrl);
    const origin = { of: of.slice(0, 200), originUrl, originId: server?.id, measuredAt: model.measuredAt };
    const plainOne = createStoredMockServer(id, await this.#unusedName(of), origin);
    const { colour = 'gray', registrationPath = 'registro' } = server ?? {};
    const added = {
      ...plainOne,
      colour,
      registrationPath: registrationPathOf(model, registrationPath),
      interface: interfaceOf(model),
    };
    const { config } = this.#options;
    const { servers } = config.get();
    const at = servers.findIndex((each) => each.id === server?.id);
    config.change({ servers: at < 0 ? [...servers, added] : servers.toSpliced(at + 1, 0, added) });
    // It can be started again where it does not start now, and the list says why it did not.
    await this.ensureRunning(id);
    return ok({ id });
  }

  /** Learns a model in memory, where the run still is. */
  async #learn(serverId: string, run: CompletedRun | undefined): Promise<Result<MockDefinition>> {
    const server = this.#find(serverId);
    if (server && this.#isProduction(server.baseUrl)) return refuse('production');
    if (!run) return refuse('no-run');
    const { generateMock } = await import('../../check/mock-generator/generate-mock.ts');
    const learned = await generateMock(run);
    return learned.ok ? ok(learned.model) : refuse(refusals[learned.problem]);
  }

  /** Does one thing of which the state says how far it is. What ends it stays there until the next one, or a cancel. */
  async #alone<T>(of: WorkOf, work: () => Promise<Result<T>>): Promise<Result<T>> {
    const step = this.#options.state.get().doubleWork?.work.step;
    if (step === 'measuring' || step === 'learning') return refuse('under-way');
    this.#tellWork(of, { step: 'learning' });
    let failed: AppError | undefined;
    try {
      const result = await work();
      if (!result.ok && result.error.kind !== 'cancelled') failed = result.error;
      return result;
    } finally {
      this.#tellWork(of, failed && { step: 'failed', error: failed });
    }
  }

  /**
   * Measures a server with the contract run of the window, so that its report is kept like any other. It is cancelled
   * where the person ended the run.
   * @param like what was chosen for an earlier run, so that the two can be compared
   */
  async #measure(of: WorkOf, like?: RunOptions): Promise<Result<CompletedRun>> {
    const { serverId } = of;
    this.#tellWork(of, { step: 'measuring', casesDone: 0, casesPlanned: 0, secondsLeft: 0 });
    const runs = await this.#runs();
    const before = runs.lastCheckData(serverId)?.report;
    const { callsPerSecond } = this.#options.config.get().settings;
    const started = await runs.start({ serverId, options: RunOptions.parse({ ...like, callsPerSecond }) });
    if (!started.ok) return started;
    await runs.ended();
    this.#tellWork(of, { step: 'learning' });
    const run = runs.lastCheckData(serverId);
    const isWhole = run && run.report !== before && run.report.ended.kind !== 'cancelled';
    return isWhole ? ok(run) : fail({ kind: 'cancelled' });
  }

  /** The server of which a double was learned, if it is still there and may be measured. */
  #originalOf({ originId, originUrl }: StoredMockServerDetails): Server | undefined {
    const candidates = this.#options.state.get().servers.filter(({ mock, production }) => !mock && !production);
    const isIt = ({ builtIn, baseUrl }: Server): boolean => builtIn || baseUrl === originUrl;
    return (
      candidates.find((each) => each.id === originId && isIt(each)) ??
      candidates.find((each) => !each.builtIn && each.baseUrl === originUrl)
    );
  }

  async #relearn(id: string, server: Server): Promise<Result<ById>> {
    const before = await this.files.original(id);
    const measured = await this.#measure({ serverId: server.id, doubleId: id }, before?.options);
    if (!measured.ok) return measured;
    const { report } = measured.value;
    const model = await this.#learn(server.id, measured.value);
    if (!model.ok) return model;
    if (!this.#stored(id)) return fail({ kind: 'not-now' });
    try {
      await this.files.write(id, model.value, report);
      const { compareReports } = await import('../../check/compare-reports.ts');
      await this.files.writeComparisons(id, { changes: before && compareReports(before, report) });
    } catch (error) {
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
    }
    const { measuredAt } = model.value;
    const facts = { measuredAt, originId: server.id, of: await this.#nameOf(server), compared: undefined };
    this.#change(id, facts, { interface: interfaceOf(model.value) });
    const running = this.#runningOf(id);
    await running?.stop();
    await running?.start();
    this.#proofs.start(id);
    return ok({ id });
  }
}

const refusals = {
  'ended-early': 'ended-early',
  'no-login': 'no-login',
  'secret-in-model': 'secret-in-model',
  unreadable: 'no-model',
} as const satisfies Record<GenerationProblem, string>;

const refuse = (problem: Extract<AppError, { kind: 'mock-refused' }>['problem']): ReturnType<typeof fail> =>
  fail({ kind: 'mock-refused', problem });

/** The interface of a model, as the window keeps that of a server. Its variables are filled, but for the secret ones. */
function interfaceOf({ interface: description }: MockDefinition): StoredMockServer['interface'] {
  if (!description) return undefined;
  const stored = createStoredInterface(JSON.stringify(description), 'http://127.0.0.1', {}, { mayMiss: true });
  return stored.ok ? stored.value.interface : undefined;
}

/** Returns the registration path that the original serves, where it serves only one. */
function registrationPathOf({ rules }: MockDefinition, chosen: Server['registrationPath']): Server['registrationPath'] {
  if (rules.servesRegistro.value === rules.servesRegister.value) return chosen;
  return rules.servesRegistro.value ? 'registro' : 'register';
}
