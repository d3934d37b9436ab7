import type { FileNotice } from '../../preload/contract/models.ts';
import type { RunStep } from '../../preload/contract/contract-runs.ts';
import { ok } from '../../preload/contract/result.ts';
import type { Call } from '../client/call.ts';
import type { OfRun } from '../calls/calls.ts';
import { createDatabaseFile } from '../files/own-database-file.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import type { Handlers } from '../ipc/answer.ts';
import { createLazy } from '../lazy.ts';
import type { Transports } from '../servers/transports.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { createWatchHandlers, type WatchHandlerOptions } from './watch-handlers.ts';
import { createWatches, type WatchNews } from './watches.ts';
import type { ReportActionOptions } from './report-actions.ts';

/** Holds the contract runs of the window, which are loaded when they are first asked for. */
export function createContractRoom(options: {
  /** The file of reports. */
  file: string;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
  state: AppStateHolder;
  transports: Pick<Transports, 'for'>;
  references: SecretReferences;
  record: (serverId: string, call: Call, run: OfRun) => void;
  version: string;
  onStep: (step: RunStep) => void;
  chooseFile: ReportActionOptions['chooseFile'];
  clipboard: { writeText: (text: string) => unknown };
  report: (error: unknown) => unknown;
  now: () => Date;
  allowPassword: WatchHandlerOptions['allowPassword'];
  /** Lets the system say what a watch has found. */
  onWatchNews: (news: WatchNews) => void;
}) {
  const { state, transports, version } = options;
  let closeFile = (): void => undefined;
  const runs = createLazy(async () => {
    const [{ createContractRuns }, { openReportStore }] = await Promise.all([
      import('./runs.ts'),
      import('./report-store.ts'),
    ]);
    const kept = createDatabaseFile({ ...options, name: 'reports.sqlite', open: openReportStore });
    closeFile = kept.close;
    return createContractRuns({
      ...options,
      kept: kept.opened,
      servers: () => state.get().servers,
      transportFor: (server) => transports.for(server),
      toolVersion: version,
      callsPerSecond: () => state.get().settings.callsPerSecond,
      language: () => state.get().language,
    });
  });

  const handlers: Handlers['contractRun'] = {
    state: async () => (await runs()).state(),
    plan: async (wanted) => ok((await import('./plan.ts')).planRun(wanted)),
    start: async (wanted) => (await runs()).start(wanted),
    cancel: async () => (await runs()).cancel(),
    again: async ({ serverId, caseId }) => (await runs()).again(serverId, caseId),
    evidence: async ({ serverId, id }) => (await runs()).evidence(serverId, id),
    copy: async ({ serverId, id }) => (await runs()).copy(serverId, id),
    exportFile: async ({ serverId, form }) => (await runs()).exportFile(serverId, form),
    compare: async ({ serverId, otherId }) => (await runs()).compare(serverId, otherId),
    changes: async ({ serverId }) => (await runs()).changes(serverId),
    compareFile: async ({ serverId }) => (await runs()).compareFile(serverId),
    exportComparison: async () => (await runs()).exportComparison(),
  };

  const watches = createWatches({
    ...options,
    measure: async (watched, signal) => (await runs()).measureApart(watched, signal),
    onChange: (statuses) => state.set({ watches: statuses }),
    tell: options.onWatchNews,
  });

  return {
    handlers,
    watchHandlers: createWatchHandlers({ ...options, watches }),
    runs,
    /** Ends the run that is under way, without a clean-up that would need secrets. */
    lock(): void {
      watches.lock();
      void runs.ifLoaded((loaded) => loaded.lock());
    },
    /** Removes the reports of a server that was removed. */
    forgetServer: (serverId: string): void => void runs().then((loaded) => loaded.forgetServer(serverId)),
    async close(): Promise<void> {
      watches.lock();
      await runs.ifLoaded((loaded) => loaded.close());
      closeFile();
    },
  };
}
