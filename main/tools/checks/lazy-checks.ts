import { createLazyHandlers } from '../lazy-handlers.ts';
import type { Checks, ChecksOptions } from './checks.ts';

/** The checks of the window, loaded when they are first used. */
export function createLazyChecks(options: ChecksOptions) {
  let loading: Promise<Checks> | undefined;
  const load = () => (loading ??= import('./checks.ts').then((loaded) => new loaded.Checks(options)));

  return {
    handlers: createLazyHandlers('checks', load),
    load,
    lock: (): void => void loading?.then((loaded) => loaded.lock()),
    forgetServer: (serverId: string): void => void load().then((loaded) => loaded.forgetServer(serverId)),
    close: async (): Promise<void> => (await loading)?.[Symbol.asyncDispose](),
  };
}
