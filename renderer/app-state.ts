import type { WindowState } from '../preload/contract/models.ts';
import { presentable } from './presenting.ts';

/**
 * Keeps the renderer's copy of main's state. Answers and events may overtake each other on their way, so only a higher
 * revision replaces one. Most states come twice, with an answer and with an event, and are taken once.
 */
export function createAppStateStore() {
  let newest: WindowState | undefined;
  let shown: WindowState | undefined;
  const listeners = new Set<() => void>();

  const take = (state: WindowState): void => {
    if (newest && state.revision <= newest.revision) return;
    newest = state;
    shown = presentable(state);
    for (const listener of listeners) listener();
  };

  /** Returns the function that ends the subscription. */
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  return {
    current: () => newest,
    /** The newest state as others may see it. The screens get no other. */
    shown: () => shown,
    take,
    subscribe,
  };
}
