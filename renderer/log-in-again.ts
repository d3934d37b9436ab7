import { createStore } from './store.ts';

export interface WantedLogIn {
  serverId: string;
  /** The email, as it is sent. */
  account: string;
  /** Whether the session before could outlive the application. */
  remember: boolean;
}

/** The one open question for a password. It belongs to no room and no session, so that neither can take it away. */
export const logInAgain = createStore<WantedLogIn | undefined>(undefined);
