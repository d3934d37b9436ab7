import type { AppState } from '../../preload/contract/models.ts';

export type AppStateHolder = ReturnType<typeof createAppState>;

/** The one copy of what the screens show. Each change makes a new revision and is told to the listener. */
export function createAppState(initial: Omit<AppState, 'revision'>, onChange: (state: AppState) => void) {
  let state: AppState = { ...initial, revision: 0 };
  return {
    get: (): AppState => state,
    change(patch: Partial<Omit<AppState, 'revision'>>): AppState {
      state = { ...state, ...patch, revision: state.revision + 1 };
      onChange(state);
      return state;
    },
  };
}
