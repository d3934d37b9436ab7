import type { WindowState } from '../preload/contract/models.ts';
import { redactState } from './redact.ts';
import { createStore } from './store.ts';

/** Keeps the renderer's copy of main's state. What main says arrives in the order in which it was said. */
export function createAppStateStore() {
  let newest: WindowState | undefined;
  const shown = createStore<WindowState | undefined>(undefined);

  return {
    current: () => newest,
    /** The newest state as others may see it. The screens get no other. */
    shown: shown.current,
    take(state: WindowState): void {
      newest = state;
      shown.set(redactState(state));
    },
    subscribe: shown.subscribe,
  };
}
