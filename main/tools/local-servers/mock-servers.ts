import type { CompletedRun } from '../../check/mock-generator/mock-inference.ts';
import type {
  BehaviourChange,
  ClockPreset,
  MockCreation,
  MockCreationStep,
  SharedMockStatus,
} from '../../../preload/contract/local-servers.ts';
import type { MockDetails } from '../../../preload/contract/mock-details.ts';
import type { CheckProgressEvent } from '../../../preload/contract/checks.ts';
import type { Server } from '../../../preload/contract/models.ts';
import { type Report, type FindingId, RunOptions } from '../../../preload/contract/report.ts';
import { fail, ok, type AppError, type Result } from '../../../preload/contract/result.ts';
import {
  createStoredMockServer,
  type StoredMockServer,
  type StoredMockServerDetails,
} from '../../account/config/config.ts';
import type { ConfigStore } from '../../account/config/config-store.ts';
import { isMockServerId, createMockServerId } from '../../account/config/server-ids.ts';
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

/** Everybody may read a mock file or a report: they contain no secret. */
const fileMode = 0o644;

/** Text of a file on one line and in one direction, since it becomes the name of a server. */
const toPlainText = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '');

/** The original, and the mock server that is checked again, if any. */
type MockOf = Omit<MockCreation, 'work'>;

type ById = { id: string };

type MockHandlers = Handlers['mocks'];

type MockServersOptions = {
  /** The user-data folder. */
  folder: string;
  config: ConfigStore;
  state: AppStateHolder;
  /** Undefined if the user chose no file. */
  chooseFile: (purpose: 'import-model' | 'export-model' | 'share-finding') => Promise<string | undefined>;
  checks: () => Promise<Pick<Checks, 'start' | 'ended' | 'reportOf' | 'lastCheckData' | 'cancel'>>;
  log: Log;
};

/**
 * The mock servers of the window: each is a server in the list, with its own port, mock file and accounts. One is created
 * at a time.
 */
export class MockServers implements MockHandlers, AsyncDisposable {
  readonly #options: MockServersOptions;
  readonly files: MockFiles;
  readonly #verification: MockVerification;
  readonly #servers = new Map<string, LocalServer>();
  /** Of each mock server that was started or compared. */
  #statuses: ReadonlyMap<string, MockServerStatus> = new Map();
  #isClosed = false;

  constructor(options: MockServersOptions) {
    const { log } = options;
    this.#options = options;
    this.files = new MockFiles(options.folder);
    this.#verification = new MockVerification({
      files: this.files,
      pathsOf: (id) => this.#findServer(id)?.pinned,
      start: (model) => startForVerification(model, { settings: this.#settings(), log }),
      onProgress: (id, verifying) => this.#updateStatus(id, { verifying }),
      onCompared: (id, compared) => this.#updateStored(id, { compared }),
      report: log.report,
    });
  }

  /** Creates the mock of a server from its last check, which is in memory, or checks it first. */
  async create({ serverId, measure }: { serverId: string; measure: boolean }): Promise<Result<ById>> {
    const server = this.#findServer(serverId);
    if (!server || server.mock) return fail({ kind: 'not-now' });
    if (this.#isProduction(server.baseUrl)) return refuse('production');
    return this.#runExclusive({ serverId }, async () => {
      const measured = measure ? await this.#check({ serverId }) : ok((await this.#checks()).lastCheckData(serverId));
      if (!measured.ok) return measured;
      const model = await this.#generate(serverId, measured.value);
      if (!model.ok) return model;
      const made = await this.#add(model.value, { server, report: measured.value?.report });
      if (made.ok) this.#verification.start(made.value.id);
      return made;
    });
  }

  async recheck({ id }: ById): Promise<Result<ById>> {
    const stored = this.#storedMock(id);
    if (!stored) return fail({ kind: 'not-now' });
    const server = this.#findOriginal(stored);
    if (!server || this.#isProduction(server.baseUrl)) return refuse('no-original');
    await this.#verification.stop(id);
    return this.#runExclusive({ serverId: server.id, mockId: id }, () => this.#generateAgain(id, server));
  }

  /** Cancels a running check, or dismisses a failure. */
  async cancel(): Promise<Result<null>> {
    const step = this.#options.state.get().mockCreation?.work.step;
    if (step === 'measuring') (await this.#checks()).cancel();
    if (step === 'failed') this.#setCreation(undefined);
    return ok(null);
  }

  async compare({ id }: ById): Promise<Result<null>> {
    if (this.#storedMock(id)?.originId === undefined) return fail({ kind: 'not-now' });
    this.#verification.start(id);
    return ok(null);
  }

  start = async ({ id }: ById): Promise<Result<null>> =>
    (await this.#serverFor(id)?.start()) ?? fail({ kind: 'not-now' });

  async stop({ id }: ById): Promise<Result<null>> {
    const server = this.#serverFor(id);
    if (!server) return fail({ kind: 'not-now' });
    await server.stop();
    return ok(null);
  }

  async details({ id }: ById): Promise<Result<MockDetails>> {
    if (!this.#storedMock(id)) return fail({ kind: 'not-now' });
    return (await import('./mock-details.ts')).readMockDetails(id, this.files);
  }

  moveClock = async ({ id, to }: ById & { to: ClockPreset }): Promise<Result<null>> =>
    (await this.#runningServer(id)?.moveClock({ to })) ?? fail({ kind: 'not-now' });

  setBehaviour = async ({ id, change }: ById & { change: BehaviourChange }): Promise<Result<null>> =>
    (await this.#runningServer(id)?.setBehaviour(change)) ?? fail({ kind: 'not-now' });

  async exportModel({ id }: ById): Promise<Result<{ exported: boolean }>> {
    if (!this.#storedMock(id)) return fail({ kind: 'not-now' });
    const read = await this.files.model(id);
    if (!read.ok) return fail({ kind: 'mock-refused', problem: 'files-gone' });
    const { formatMockFile } = await import('../../check/mock-generator/generate-mock.ts');
    return exportToFile(await this.#options.chooseFile('export-model'), () => formatMockFile(read.model), fileMode);
  }

  /** Exports a report of one finding, with a mock file in it while the check is in memory. */
  async shareFinding({
    findingId,
    ...which
  }: {
    serverId: string;
    number?: number | undefined;
    findingId: FindingId;
  }): Promise<Result<{ exported: false } | { exported: true; model: SharedMockStatus }>> {
    const [runs, { shareFinding }] = await Promise.all([
      this.#checks(),
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
      const reason = problem === 'wrong-content' ? 'not-a-model' : problem;
      return fail({ kind: 'import-refused', reason, detail });
    }
    if (this.#isProduction(read.model.baseUrl)) return refuse('production');
    return this.#add(read.model, {});
  }

  /** Starts a mock server that does not run; succeeds for every other server. */
  ensureRunning = async (id: string): Promise<Result<null>> => (await this.#serverFor(id)?.start()) ?? ok(null);

  /** Shows the progress of a check that a mock is created from. */
  onRunStep({ running }: CheckProgressEvent): void {
    const { mockCreation } = this.#options.state.get();
    if (!running || mockCreation?.work.step !== 'measuring' || running.serverId !== mockCreation.serverId) return;
    const { casesDone, casesPlanned, secondsLeft } = running.progress;
    const { casesDone: before, casesPlanned: planned } = mockCreation.work;
    if (casesDone === before && casesPlanned === planned) return;
    this.#setCreation(mockCreation, { step: 'measuring', casesDone, casesPlanned, secondsLeft });
  }

  /** Deletes all files of a mock server that was removed from the list. */
  async remove(id: string): Promise<void> {
    if (!isMockServerId(id)) return;
    await this.#verification.stop(id);
    const server = this.#servers.get(id);
    this.#servers.delete(id);
    await server?.[Symbol.asyncDispose]();
    this.#updateStatus(id, undefined);
    await this.files.erase(id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#verification[Symbol.asyncDispose]();
    await Promise.all([...this.#servers.values()].map((server) => server[Symbol.asyncDispose]()));
  }

  #checks = () => this.#options.checks();
  #settings = () => this.#options.config.get().service;
  #findServer = (id: string): Server | undefined => this.#options.state.get().servers.find((each) => each.id === id);

  #storedMock = (id: string): StoredMockServerDetails | undefined =>
    this.#options.config.get().servers.find((each) => each.id === id)?.mock;

  #serverFor(id: string): LocalServer | undefined {
    if (this.#isClosed || !this.#storedMock(id)) return undefined;
    const server: LocalServer =
      this.#servers.get(id) ??
      new LocalServer({
        failure: 'mock-stopped',
        start: async () => {
          const read = await this.files.model(id);
          if (!read.ok) return { ok: false, message: read.sentence };
          const { config, log } = this.#options;
          const allowOrigins = () => config.get().allowedOrigins[id] ?? [];
          const database = { file: this.files.database(id) };
          const options = { settings: this.#settings(), allowOrigins, log };
          const started = await startMockServer(read.model, database, this.#storedMock(id)?.port, options);
          // Next time it listens at the same port.
          if (started.ok) this.#updateStored(id, { port: started.service.port });
          return started;
        },
        onChange: (facts) => {
          if (this.#servers.get(id) === server) this.#updateStatus(id, facts);
        },
      });
    this.#servers.set(id, server);
    return server;
  }

  #runningServer(id: string): LocalServer | undefined {
    const server = this.#servers.get(id);
    return server?.isRunning ? server : undefined;
  }

  /** Earlier states must not change, so the map is copied. */
  #updateStatus(id: string, changed: Partial<MockServerStatus> | undefined): void {
    const facts = new Map(this.#statuses);
    if (changed) facts.set(id, { ...(facts.get(id) ?? stoppedServer), ...changed });
    else facts.delete(id);
    this.#statuses = facts;
    this.#options.state.set({ mockServers: facts });
  }

  #setCreation = (of: MockOf | undefined, work?: MockCreationStep): void =>
    this.#options.state.set({ mockCreation: of && work && { serverId: of.serverId, mockId: of.mockId, work } });

  /** Changes what is stored of a mock server, unless it was removed. */
  #updateStored(
    id: string,
    some: Partial<StoredMockServerDetails>,
    besides?: Pick<StoredMockServer, 'interface'>,
  ): void {
    const { config } = this.#options;
    const changed = (details: StoredMockServerDetails): StoredMockServerDetails => ({ ...details, ...some });
    const servers = config
      .get()
      .servers.map((each) =>
        each.id === id && each.mock ? Object.assign({}, each, besides, { mock: changed(each.mock) }) : each,
      );
    config.change({ servers });
  }

  /** Whether any server at this host is marked as production: another path there is no way around that. */
  #isProduction = (baseUrl: string): boolean =>
    this.#options.config.get().servers.some((each) => each.production && hostOf(each.baseUrl) === hostOf(baseUrl));

  /** Loaded when the first mock is created. */
  #texts = async () =>
    (await import('../../../preload/contract/locales/system-texts.ts')).systemTexts(this.#options.state.get().language);

  #displayName = async ({ builtIn, name, baseUrl }: Server): Promise<string> =>
    (builtIn ? (await this.#texts())('names.built-in') : name) || hostOf(baseUrl);

  async #unusedName(of: string): Promise<string> {
    const name = (await this.#texts())('names.mock', { name: of });
    const taken = new Set(this.#options.config.get().servers.map((each) => each.name));
    let numbered = name.slice(0, longestName);
    for (let number = 2; taken.has(numbered); number += 1) numbered = `${name.slice(0, longestName - 5)} (${number})`;
    return numbered;
  }

  /** Adds a mock server to the list, after its original, and starts it. */
  async #add(
    model: MockDefinition,
    { server, report }: { server?: Server; report?: Report | undefined },
  ): Promise<Result<ById>> {
    const id = createMockServerId();
    const of =
      (server ? await this.#displayName(server) : toPlainText(model.serverName ?? '')) || hostOf(model.baseUrl) || '?';
    try {
      await this.files.write(id, model, report);
    } catch (error) {
      await this.files.erase(id).catch(() => undefined);
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
    }
    const originUrl = toPlainText(model.baseUrl);
    const origin = { of: of.slice(0, 200), originUrl, originId: server?.id, measuredAt: model.measuredAt };
    const stored = createStoredMockServer(id, await this.#unusedName(of), origin);
    const { colour = 'gray', registrationPath = 'registro' } = server ?? {};
    const added = {
      ...stored,
      colour,
      registrationPath: registrationPathOf(model, registrationPath),
      interface: interfaceOf(model),
    };
    const { config } = this.#options;
    const { servers } = config.get();
    const at = servers.findIndex((each) => each.id === server?.id);
    config.change({ servers: at < 0 ? [...servers, added] : servers.toSpliced(at + 1, 0, added) });
    // If it does not start, the list says why, and it can be started again.
    await this.ensureRunning(id);
    return ok({ id });
  }

  /** Generates a mock while the check is in memory. */
  async #generate(serverId: string, run: CompletedRun | undefined): Promise<Result<MockDefinition>> {
    const server = this.#findServer(serverId);
    if (server && this.#isProduction(server.baseUrl)) return refuse('production');
    if (!run) return refuse('no-run');
    const { generateMock } = await import('../../check/mock-generator/generate-mock.ts');
    const learned = await generateMock(run);
    return learned.ok ? ok(learned.model) : refuse(refusals[learned.problem]);
  }

  /** Creates one mock at a time, with its progress in the state. A failure stays there until the next one, or a cancel. */
  async #runExclusive<T>(of: MockOf, work: () => Promise<Result<T>>): Promise<Result<T>> {
    const step = this.#options.state.get().mockCreation?.work.step;
    if (step === 'measuring' || step === 'learning') return refuse('already-running');
    this.#setCreation(of, { step: 'learning' });
    let failed: AppError | undefined;
    try {
      const result = await work();
      if (!result.ok && result.error.kind !== 'cancelled') failed = result.error;
      return result;
    } finally {
      this.#setCreation(of, failed && { step: 'failed', error: failed });
    }
  }

  /**
   * Runs a check of the window, whose report is stored like any other. The result is `cancelled` if the user ended it.
   * @param like the options of an earlier check, so that the two can be compared
   */
  async #check(of: MockOf, like?: RunOptions): Promise<Result<CompletedRun>> {
    const { serverId } = of;
    this.#setCreation(of, { step: 'measuring', casesDone: 0, casesPlanned: 0, secondsLeft: 0 });
    const runs = await this.#checks();
    const before = runs.lastCheckData(serverId)?.report;
    const { callsPerSecond } = this.#options.config.get().settings;
    const started = await runs.start({ serverId, options: RunOptions.parse({ ...like, callsPerSecond }) });
    if (!started.ok) return started;
    await runs.ended();
    this.#setCreation(of, { step: 'learning' });
    const run = runs.lastCheckData(serverId);
    const isWhole = run && run.report !== before && run.report.ended.kind !== 'cancelled';
    return isWhole ? ok(run) : fail({ kind: 'cancelled' });
  }

  /** The original of a mock server, if it is still in the list and may be checked. */
  #findOriginal({ originId, originUrl }: StoredMockServerDetails): Server | undefined {
    const candidates = this.#options.state.get().servers.filter(({ mock, production }) => !mock && !production);
    const isIt = ({ builtIn, baseUrl }: Server): boolean => builtIn || baseUrl === originUrl;
    return (
      candidates.find((each) => each.id === originId && isIt(each)) ??
      candidates.find((each) => !each.builtIn && each.baseUrl === originUrl)
    );
  }

  async #generateAgain(id: string, server: Server): Promise<Result<ById>> {
    const before = await this.files.original(id);
    const measured = await this.#check({ serverId: server.id, mockId: id }, before?.options);
    if (!measured.ok) return measured;
    const { report } = measured.value;
    const model = await this.#generate(server.id, measured.value);
    if (!model.ok) return model;
    if (!this.#storedMock(id)) return fail({ kind: 'not-now' });
    try {
      await this.files.write(id, model.value, report);
      const { compareReports } = await import('../../check/compare-reports.ts');
      await this.files.writeComparisons(id, { changes: before && compareReports(before, report) });
    } catch (error) {
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? '' });
    }
    const { measuredAt } = model.value;
    const facts = { measuredAt, originId: server.id, of: await this.#displayName(server), compared: undefined };
    this.#updateStored(id, facts, { interface: interfaceOf(model.value) });
    const running = this.#runningServer(id);
    await running?.stop();
    await running?.start();
    this.#verification.start(id);
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

/** The interface of a mock as that of a stored server; its variables are filled in, except secret ones. */
function interfaceOf({ interface: description }: MockDefinition): StoredMockServer['interface'] {
  if (!description) return undefined;
  const stored = createStoredInterface(JSON.stringify(description), 'http://127.0.0.1', {}, { mayMiss: true });
  return stored.ok ? stored.value.interface : undefined;
}

/** The registration path that the original serves, if it is only one. */
function registrationPathOf({ rules }: MockDefinition, chosen: Server['registrationPath']): Server['registrationPath'] {
  if (rules.servesRegistro.value === rules.servesRegister.value) return chosen;
  return rules.servesRegistro.value ? 'registro' : 'register';
}
