import { createStore, useStore } from './store.ts';

/** By base URL, the API descriptions that its last login, an import or a check matched. */
const matching = createStore<ReadonlyMap<string, readonly string[]>>(new Map());
const none: readonly string[] = [];

/** Stores which descriptions match a server, until the application exits. */
export function setMatchingInterfaces(baseUrl: string, names: readonly string[]): void {
  if (names.length > 0) matching.set(new Map(matching.current()).set(baseUrl, names));
}

export const useMatchingInterfaces = (baseUrl: string): readonly string[] => useStore(matching).get(baseUrl) ?? none;
