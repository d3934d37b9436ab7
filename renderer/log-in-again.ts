/** With which account, and where, the person may log in again. */
export interface WantedLogIn {
  serverId: string;
  /** The email, as it is sent. */
  account: string;
  /** Whether the session before could outlive the application. */
  remember: boolean;
}

/** Keeps the one open question for a password. It belongs to no room and no session, so that neither can take it away. */
function createLogInAgain() {
  let open: WantedLogIn | undefined;
  const listeners = new Set<() => void>();

  function show(next: WantedLogIn | undefined): void {
    open = next;
    for (const listener of listeners) listener();
  }

  return {
    ask: (wanted: WantedLogIn): void => show(wanted),
    close: (): void => show(undefined),
    current: () => open,
    /** Returns the function that ends the subscription. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

export const logInAgain = createLogInAgain();
