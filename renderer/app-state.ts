import type { WindowState } from '../preload/contract/models.ts';
import { redactState } from './redact.ts';
import { createStore } from './store.ts';

/** Holds the renderer's copy of main's state. States arrive in the order in which main sent them. */
export function createAppStateStore() {
  let newest: WindowState | undefined;
  const shown = createStore<WindowState | undefined>(undefined);

  return {
    current: () => newest,
    /** The newest state, redacted. Screens read only this one. */
    shown: shown.current,
    take(state: WindowState): void {
      newest = state;
      shown.set(redactState(state));
    },
    subscribe: shown.subscribe,
  };
}
