import type { MethodName } from '../../../preload/contract/contract.ts';
import type { ContractRuns } from '../../../preload/contract/contract-runs.ts';
import type { AppState, LockedState, Settings } from '../../../preload/contract/models.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { type StubCall } from './calls.ts';
import { firstStart, heldSessions, production, signedIn, staging } from './states.ts';

/**
 * One thing that is done in the window before the look. Elements are named by role, place or data, never by words, so
 * that it can be done in every language.
 */
export type Step =
  | { press: string; at?: number }
  | { key: string }
  | { type: string; text: string }
  | { choose: string; value: string }
  | { wait: string }
  | { fails: MethodName; error: AppError }
  | { answers: MethodName; value: object };

/** A screen in one of its states. */
export interface Scene {
  /** The beginning of the names of its pictures, such as `calls-one`. */
  name: string;
  state?: Partial<AppState>;
  settings?: Partial<Settings>;
  calls?: readonly StubCall[];
  runs?: ContractRuns;
  /** How main locks the window. */
  lock?: Partial<LockedState>;
  steps?: readonly Step[];
}

export const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
export const atWork = { ...several, session: signedIn };
export const simple = { settings: { workbench: false } };
export const go = (room: string): Step[] => [
  { press: `[data-room="${room}"]` },
  { wait: `[data-room="${room}"][aria-current=page]` },
];
