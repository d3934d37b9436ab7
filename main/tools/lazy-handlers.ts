import { methodNames } from '../../preload/contract/channels.ts';
import type { Handlers } from '../../preload/contract/contract.ts';

/** Makes the handlers of a group of the contract out of an object that is loaded when the first of them is called. */
export function createLazyHandlers<G extends keyof Handlers>(group: G, load: () => Promise<Handlers[G]>): Handlers[G] {
  const call = (name: string) => async (input: unknown) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- walked by name, the pairs of input and handler that `Handlers` guarantees are lost.
    const loaded = (await load()) as Record<string, (input: unknown) => unknown>;
    return loaded[name]!(input);
  };
  const names = methodNames.flatMap((name) => (name.startsWith(`${group}.`) ? [name.slice(group.length + 1)] : []));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name of the group has its handler.
  return Object.fromEntries(names.map((name) => [name, call(name)])) as Handlers[G];
}
