import { loadedHandlers } from '../loaded-handlers.ts';
import type { ContractRuns, RunsOptions } from './contract-runs.ts';

/** Holds the contract runs of the window, which are loaded when they are first asked for. */
export function createLazyContractRuns(options: RunsOptions) {
  let loading: Promise<ContractRuns> | undefined;
  const runs = () => (loading ??= import('./contract-runs.ts').then((loaded) => new loaded.ContractRuns(options)));

  return {
    handlers: loadedHandlers('contractRun', runs),
    runs,
    lock: (): void => void loading?.then((loaded) => loaded.lock()),
    forgetServer: (serverId: string): void => void runs().then((loaded) => loaded.forgetServer(serverId)),
    close: async (): Promise<void> => (await loading)?.[Symbol.asyncDispose](),
  };
}
