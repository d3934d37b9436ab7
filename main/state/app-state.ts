import type { AppState, LockCause, LockedState, WindowState } from '../../preload/contract/models.ts';

export type AppStateHolder = ReturnType<typeof createAppState>;

type Lock = { cause: LockCause; triesLeft: number };

/**
 * The one copy of what the screens show. Each change makes a new revision and is told to the listener; while it is
 * locked, the listener and the screens are given a state that has nothing of accounts in it.
 */
export function createAppState(initial: Omit<AppState, 'revision' | 'locked'>, onChange: (state: WindowState) => void) {
  let state: AppState = { ...initial, locked: false, revision: 0 };
  let lock: Lock | undefined;

  function shown(): WindowState {
    if (!lock) return state;
    const { revision, version, electron, settings, language, pin, files } = state;
    return { locked: true, revision, version, electron, settings, language, pin, files, ...lock } satisfies LockedState;
  }

  function change(patch: Partial<Omit<AppState, 'revision' | 'locked'>>): AppState {
    state = { ...state, ...patch, revision: state.revision + 1 };
    onChange(shown());
    return state;
  }

  return {
    /** All of it, for main. */
    get: (): AppState => state,
    /** What the window may have now. */
    shown,
    change,
    isLocked: (): boolean => lock !== undefined,
    /** Hides everything, or shows it again. */
    setLock(next: Lock | undefined): void {
      lock = next;
      change({});
    },
  };
}
