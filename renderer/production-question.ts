import { createStore } from './store.ts';

/** The action for which main requires the host. */
export type GuardedAction = 'register' | 'logout' | 'everywhere' | 'revoke' | 'replay' | 'try';

export interface ProductionQuestion {
  serverId: string;
  host: string;
  act: GuardedAction;
  /** Whether the user can go on without a request to the server. */
  canSkip: boolean;
}

type ProductionAnswer = 'confirmed' | 'declined' | 'cancelled';

/** Holds the one open question for the host of a production server. A new question cancels the previous one. */
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
    /** Cancels the question of this action when its screen is unmounted. */
    leave(act: GuardedAction): void {
      if (open.current()?.act === act) answer('cancelled');
    },
    current: open.current,
    subscribe: open.subscribe,
  };
}

export const productionQuestion = createProductionQuestion();
