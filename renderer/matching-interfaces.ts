import { createStore, useStore } from './store.ts';

/** By base URL, the descriptions that the last log-in, a text or a contract run of it fit. */
const fitting = createStore<ReadonlyMap<string, readonly string[]>>(new Map());
const none: readonly string[] = [];

/** Keeps which descriptions a server fits, until the application ends. */
export function setMatchingInterfaces(baseUrl: string, names: readonly string[]): void {
  if (names.length > 0) fitting.set(new Map(fitting.current()).set(baseUrl, names));
}

export const useMatchingInterfaces = (baseUrl: string): readonly string[] => useStore(fitting).get(baseUrl) ?? none;
