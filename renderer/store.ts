import { useSyncExternalStore } from 'react';

/** Creates a store of one value for the whole window. */
export function createStore<T>(first: T) {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    current: (): T => value,
    set: (next: T): void => {
      value = next;
      for (const listener of listeners) listener();
    },
    /** Returns the unsubscribe function. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface Followed<T> {
  current: () => T;
  subscribe: (listener: () => void) => () => void;
}

export const useStore = <T>({ current, subscribe }: Followed<T>): T =>
  useSyncExternalStore(subscribe, current, current);
