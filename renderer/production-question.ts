import { createStore } from './store.ts';

/** What the person wanted to do when main asked for the host. */
export type GuardedAction = 'register' | 'logout' | 'everywhere' | 'revoke' | 'replay' | 'try';

export interface ProductionQuestion {
  serverId: string;
  host: string;
  act: GuardedAction;
  /** Whether the person can go on without asking the server. */
  canSkip: boolean;
}

type ProductionAnswer = 'confirmed' | 'declined' | 'cancelled';

/** Keeps the one open question for the host of a production server. A new question cancels the one before. */
function createProductionQuestion() {
  const open = createStore<ProductionQuestion | undefined>(undefined);
  let settle = (_answer: ProductionAnswer): void => undefined;

  function answer(given: ProductionAnswer): void {
    const settleAsked = settle;
    settle = () => undefined;
    open.set(undefined);
    settleAsked(given);
  }

  return {
    ask(question: ProductionQuestion): Promise<ProductionAnswer> {
      settle('cancelled');
      return new Promise((resolve) => {
        settle = resolve;
        open.set(question);
      });
    },
    answer,
    /** Answers the question, if it is about this act, once the screen that asked it is gone. */
    leave(act: GuardedAction): void {
      if (open.current()?.act === act) answer('cancelled');
    },
    current: open.current,
    subscribe: open.subscribe,
  };
}

export const productionQuestion = createProductionQuestion();
