import { createStore } from './store.ts';

export interface LogInRequest {
  serverId: string;
  /** The email, as it is sent. */
  account: string;
  /** Whether the session before could outlive the application. */
  remember: boolean;
}

/** The one open question for a password. It belongs to no page and no session, so that neither can take it away. */
export const logInAgain = createStore<LogInRequest | undefined>(undefined);
