import type { RunStep } from '../../preload/contract/contract-runs.ts';
import { ok } from '../../preload/contract/result.ts';
import type { Call } from '../client/call.ts';
import type { OfRun } from '../calls/calls.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import type { Handlers } from '../ipc/answer.ts';
import { createLazy } from '../lazy.ts';
import type { Transports } from '../servers/transports.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { ReportActionOptions } from './report-actions.ts';

/** Holds the contract runs of the window, which are loaded when they are first asked for. */
export function createContractRoom(options: {
  state: AppStateHolder;
  transports: Pick<Transports, 'for'>;
  references: SecretReferences;
  record: (serverId: string, call: Call, run: OfRun) => void;
  version: string;
  onStep: (step: RunStep) => void;
  chooseFile: ReportActionOptions['chooseFile'];
  clipboard: { writeText: (text: string) => unknown };
  report: (error: unknown) => unknown;
}) {
  const { state, transports, version } = options;
  const runs = createLazy(async () => {
    const { createContractRuns } = await import('./runs.ts');
    return createContractRuns({
      ...options,
      servers: () => state.get().servers,
      transportFor: (server) => transports.for(server),
      toolVersion: version,
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
    compareFile: async ({ serverId }) => (await runs()).compareFile(serverId),
    exportComparison: async () => (await runs()).exportComparison(),
  };

  return {
    handlers,
    runs,
    /** Ends the run that is under way, without a clean-up that would need secrets. */
    lock: (): void => void runs.ifLoaded((loaded) => loaded.lock()),
    close: (): Promise<void> => runs.ifLoaded((loaded) => loaded.close()),
  };
}
