import { createLazyHandlers } from '../lazy-handlers.ts';
import type { Checks, ChecksOptions } from './checks.ts';

/** Holds the contract runs of the window, which are loaded when they are first asked for. */
export function createLazyChecks(options: ChecksOptions) {
  let loading: Promise<Checks> | undefined;
  const runs = () => (loading ??= import('./checks.ts').then((loaded) => new loaded.Checks(options)));

  return {
    handlers: createLazyHandlers('checks', runs),
    runs,
    lock: (): void => void loading?.then((loaded) => loaded.lock()),
    forgetServer: (serverId: string): void => void runs().then((loaded) => loaded.forgetServer(serverId)),
    close: async (): Promise<void> => (await loading)?.[Symbol.asyncDispose](),
  };
}
