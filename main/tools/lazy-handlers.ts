import { methodNames } from '../../preload/contract/channels.ts';
import type { Handlers } from '../../preload/contract/contract.ts';

/** The handlers of a group of the IPC contract, whose implementation is loaded at the first call. */
export function createLazyHandlers<G extends keyof Handlers>(group: G, load: () => Promise<Handlers[G]>): Handlers[G] {
  const call = (name: string) => async (input: unknown) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a handler found by its name has lost the type of its input.
    const loaded = (await load()) as Record<string, (input: unknown) => unknown>;
    return loaded[name]!(input);
  };
  const names = methodNames.flatMap((name) => (name.startsWith(`${group}.`) ? [name.slice(group.length + 1)] : []));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of the group has its handler.
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Handlers[G];
}
