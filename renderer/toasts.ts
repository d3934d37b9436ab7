import { createStore } from './store.ts';

export interface Toast {
  /** Called at each render, so that the text follows the language. */
  text: () => string;
  /** Reverts the action, where possible. */
  undo?: () => void;
}

export const toast = createStore<Toast | undefined>(undefined);

/** Shows the success of an action, in place of the previous toast. */
export const showToast = (next: Toast): void => toast.set(next);
