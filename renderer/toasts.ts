import { createStore } from './store.ts';

export interface Toast {
  /** The sentence, in the language of the window when it is asked for. */
  text: () => string;
  /** What takes it back, where that is possible. */
  undo?: () => void;
}

/** The last success that is still shown. */
export const toast = createStore<Toast | undefined>(undefined);

/** Says that an action succeeded, in the place of what was said before. */
export const showToast = (next: Toast): void => toast.set(next);
