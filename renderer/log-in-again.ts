import { createStore } from './store.ts';

export interface LogInRequest {
  serverId: string;
  /** The unmasked email, which is sent. */
  account: string;
  /** Whether the previous session was stored, so that it could outlive the application. */
  remember: boolean;
}

/** The open login dialog. Global, so that it survives navigation and logout. */
export const logInAgain = createStore<LogInRequest | undefined>(undefined);
