import type { FileNotice } from '../../preload/contract/models.ts';
import type { RunStep } from '../../preload/contract/contract-runs.ts';
import { ok, type Result } from '../../preload/contract/result.ts';
import type { Call } from '../client/call.ts';
import type { OfRun } from '../calls/calls.ts';
import { createDatabaseFile } from '../files/own-database-file.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import type { Handlers } from '../ipc/answer.ts';
import type { Transports } from '../servers/transports.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { ReportActionOptions } from './report-actions.ts';
import type { createContractRuns } from './runs.ts';

type LoadedRuns = ReturnType<typeof createContractRuns>;

/** Holds the contract runs of the window, which are loaded when they are first asked for. */
export function createContractRoom(options: {
  /** The file of reports. */
  file: string;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
  state: AppStateHolder;
  transports: Pick<Transports, 'for'>;
  /** Makes sure that a server which runs here does so, and that something may be sent to it. */
  ready: (serverId: string) => Promise<Result<null>>;
  references: SecretReferences;
  record: (serverId: string, call: Call, run: OfRun) => void;
  version: string;
  onStep: (step: RunStep) => void;
  chooseFile: ReportActionOptions['chooseFile'];
  clipboard: { writeText: (text: string) => unknown };
  report: (error: unknown) => unknown;
  now: () => Date;
}) {
  const { state, transports, version } = options;
  let closeFile = (): void => undefined;
  let loading: Promise<LoadedRuns> | undefined;
  async function loadRuns(): Promise<LoadedRuns> {
    const [loaded, { openReportStore }] = await Promise.all([import('./runs.ts'), import('./report-store.ts')]);
    const kept = createDatabaseFile({ ...options, name: 'reports.sqlite', open: openReportStore });
    closeFile = kept.close;
    return loaded.createContractRuns({
      ...options,
      kept: kept.opened,
      servers: () => state.get().servers,
      transportFor: (server) => transports.for(server),
      toolVersion: version,
      callsPerSecond: () => state.get().settings.callsPerSecond,
      language: () => state.get().language,
    });
  }
  const runs = (): Promise<LoadedRuns> => (loading ??= loadRuns());

  return {
    handlers: contractRunHandlers(runs, options.ready),
    runs,
    /** Ends the run that is under way. No run of before can be asked for one more case. */
    lock(): void {
      void loading?.then((loaded) => loaded.lock());
    },
    /** Removes the reports of a server that was removed. */
    forgetServer(serverId: string): void {
      void runs().then((loaded) => loaded.forgetServer(serverId));
    },
    async close(): Promise<void> {
      await (await loading)?.close();
      closeFile();
    },
  };
}

/** Makes what the window may ask of its contract runs. */
function contractRunHandlers(
  runs: () => Promise<LoadedRuns>,
  ready: (serverId: string) => Promise<Result<null>>,
): Handlers['contractRun'] {
  return {
    state: async () => (await runs()).state(),
    plan: async (wanted) => ok((await import('./plan.ts')).planRun(wanted)),
    async start(wanted) {
      for (const id of [wanted.serverId, ...(wanted.compareWith === undefined ? [] : [wanted.compareWith])]) {
        const isReady = await ready(id);
        if (!isReady.ok) return isReady;
      }
      return (await runs()).start(wanted);
    },
    cancel: async () => (await runs()).cancel(),
    again: async ({ serverId, caseId }) => (await runs()).again(serverId, caseId),
    evidence: async ({ serverId, id, number }) => (await runs()).evidence(serverId, id, number),
    copy: async ({ serverId, id, number }) => (await runs()).copy(serverId, id, number),
    exportFile: async ({ serverId, form, number }) => (await runs()).exportFile(serverId, form, number),
    compare: async (which) => (await runs()).compare(which),
    changes: async ({ serverId }) => (await runs()).changes(serverId),
    compareFile: async ({ serverId, number }) => (await runs()).compareFile(serverId, number),
    exportComparison: async () => (await runs()).exportComparison(),
    open: async ({ serverId, number }) => (await runs()).open(serverId, number),
    pin: async ({ serverId, number, pinned }) => (await runs()).pin(serverId, number, pinned),
    deleteReport: async ({ serverId, number }) => (await runs()).deleteReport(serverId, number),
    history: async ({ serverId }) => (await runs()).history(serverId),
    accept: async (accepting) => (await runs()).accept(accepting),
    withdraw: async ({ serverId, fault }) => (await runs()).withdraw(serverId, fault),
  };
}
