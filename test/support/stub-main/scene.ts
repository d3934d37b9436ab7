import type { MethodName } from '../../../preload/contract/contract.ts';
import type { ChecksState } from '../../../preload/contract/checks.ts';
import type { AppState, LockedState } from '../../../preload/contract/models.ts';
import type { Settings } from '../../../preload/contract/settings.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { type StubCall } from './calls.ts';
import { builtInAsked, heldSessions, production, signedIn, staging } from './states.ts';

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
  | { answers: MethodName; value: object }
  | { holds: MethodName }
  | { releases: MethodName; error?: AppError }
  | { changes: Partial<AppState> };

/** A screen in one of its states. */
export interface Scene {
  /** In words, or as the beginning of the names of its pictures, such as `calls-one`. */
  name: string;
  /** Whether it stands for its screen: its accessibility tree is kept, and axe looks at it in every look. */
  isScreen?: true;
  /** How large the window is, 1200 × 800 unless this says otherwise. */
  size?: Size;
  state?: Partial<AppState>;
  settings?: Partial<Settings>;
  calls?: readonly StubCall[];
  runs?: ChecksState;
  /** How main locks the window. */
  lock?: Partial<LockedState>;
  steps?: readonly Step[];
  /** What is done after the steps, where it needs code: it uses the window that `opened-stub.ts` lends. */
  act?: () => Promise<void>;
  /** What main is asked on the way. It is answered late, one after the other, and nothing moves then. */
  asks?: readonly MethodName[];
  /** Whether nothing moves on the whole way, from the first frame on. */
  still?: true;
  /** States that main tells afterwards, in which only the words of the Simple face are looked at. */
  thenIn?: readonly Partial<AppState>[];
  /** What is pressed afterwards, one after the other, to look at the words that it shows in the Simple face. */
  thenOpens?: string;
  /** What is meant for those who build servers, and has their words in the Simple face too. */
  technical?: string;
}

export interface Size {
  width: number;
  height: number;
}

export const several = { servers: [builtInAsked, staging, production], sessions: heldSessions };
export const atWork = { ...several, session: signedIn };
export const simple = { settings: { workbench: false } };
export const go = (name: string): Step[] => [
  { press: `[data-page="${name}"]` },
  { wait: `[data-page="${name}"][aria-current=page]` },
];
