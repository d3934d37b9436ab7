/** What the person wanted to do when main asked for the host. */
export type ProductionAct = 'register' | 'logout' | 'everywhere' | 'revoke' | 'replay';

export interface ProductionQuestion {
  serverId: string;
  host: string;
  act: ProductionAct;
  /** Whether the person can go on without asking the server. */
  declinable: boolean;
}

type ProductionAnswer = 'confirmed' | 'declined' | 'cancelled';

/** Keeps the one open question for the host of a production server. A new question cancels the one before. */
function createProductionQuestion() {
  let open: { question: ProductionQuestion; settle: (answer: ProductionAnswer) => void } | undefined;
  const listeners = new Set<() => void>();
  const tell = () => {
    for (const listener of listeners) listener();
  };

  function answer(given: ProductionAnswer): void {
    const asked = open;
    open = undefined;
    tell();
    asked?.settle(given);
  }

  return {
    ask(question: ProductionQuestion): Promise<ProductionAnswer> {
      open?.settle('cancelled');
      return new Promise((settle) => {
        open = { question, settle };
        tell();
      });
    },
    answer,
    /** Answers the question, if it is about this act, for whoever asked it and is gone. */
    leave(act: ProductionAct): void {
      if (open?.question.act === act) answer('cancelled');
    },
    current: () => open?.question,
    /** Returns the function that ends the subscription. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const productionQuestion = createProductionQuestion();
