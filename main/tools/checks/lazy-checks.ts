import { methodNames } from '../../../preload/contract/channels.ts';
import type { Handlers } from '../../../preload/contract/contract.ts';
import type { Checks, ChecksOptions } from './checks.ts';

/** The checks of the window, loaded when they are first used. */
export function createLazyChecks(options: ChecksOptions) {
  let loading: Promise<Checks> | undefined;
  const load = () => (loading ??= import('./checks.ts').then((loaded) => new loaded.Checks(options)));

  return {
    handlers: createHandlers(load),
    load,
    lock: (): void => void loading?.then((loaded) => loaded.lock()),
    forgetServer: (serverId: string): void => void load().then((loaded) => loaded.forgetServer(serverId)),
    close: async (): Promise<void> => (await loading)?.[Symbol.asyncDispose](),
  };
}

/** The handlers of the checks by the names in the contract, which load them at the first call. */
function createHandlers(load: () => Promise<CheckHandlers>): CheckHandlers {
  const call = (name: string) => async (input: unknown) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a handler found by its name has lost the type of its input.
    const checks = (await load()) as Record<string, (input: unknown) => unknown>;
    return checks[name]!(input);
  };
  const names = methodNames.flatMap((name) => (name.startsWith('checks.') ? [name.slice('checks.'.length)] : []));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of the group has its handler.
  return Object.fromEntries(names.map((name) => [name, call(name)])) as CheckHandlers;
}

type CheckHandlers = Handlers['checks'];
