import type { CallFilter, CallPage, CallSummary } from '../../../preload/contract/calls.ts';
import type { Api } from '../../../preload/contract/contract.ts';
import { createStore } from '../../store.ts';
import type { AppError } from '../../../preload/contract/result.ts';

export interface ListState {
  /** The filter that these match; undefined before the first response. */
  filter?: CallFilter;
  /** The newest first, without a gap. */
  calls: readonly CallSummary[];
  /** How many match, loaded or not. */
  total: number;
  /** Whether older ones are not loaded yet. */
  more: boolean;
  /** How many of those that match belong to each contract run. */
  runs: CallPage['runs'];
  /** Rises by one for each call that comes in above the others. A new filter begins at 0. */
  arrived: number;
  error?: AppError;
}

export const emptyList: ListState = { calls: [], total: 0, more: false, runs: [], arrived: 0 };

type Pending = { filter?: CallFilter; newest: boolean; older: boolean };

const nothing: Pending = { newest: false, older: false };

/**
 * The calls that match a filter, as far as the person has scrolled. One request to main runs at a time. What is typed
 * meanwhile waits for its response, and then only the newest filter is requested.
 */
export function createCallList(list: Api['calls']['list']) {
  const { current, set, subscribe } = createStore<ListState>(emptyList);
  let pending: Pending = nothing;
  let isLoading = false;

  async function load(filter: CallFilter, offset: number, take: (page: CallPage) => void): Promise<void> {
    const result = await list({ filter, offset });
    // The response to an older filter would show for a moment what nobody looks for any more.
    if (pending.filter) return;
    if (result.ok) take(result.value);
    else set({ ...current(), filter, error: result.error });
  }

  async function loadNext(): Promise<boolean> {
    const { filter, newest, older } = pending;
    if (filter) {
      pending = nothing;
      await load(filter, 0, (page) => set(firstPage(filter, page)));
      return true;
    }
    const shown = current().filter;
    if (shown && newest) {
      pending = { ...pending, newest: false };
      await load(shown, 0, (page) => set(withNewest(current(), shown, page)));
      return true;
    }
    pending = nothing;
    if (!shown || !older || !current().more) return false;
    await load(shown, current().calls.length, (page) => set(withOlder(current(), shown, page)));
    return true;
  }

  async function request(more: Partial<Pending>): Promise<void> {
    pending = { ...pending, ...more };
    if (isLoading) return;
    isLoading = true;
    while (await loadNext());
    isLoading = false;
  }

  return {
    current,
    subscribe,
    /** Loads what matches, from the newest on. The same filter loads it again. */
    show: (filter: CallFilter) => request({ filter }),
    /** Adds what was recorded since then. */
    loadNewest: () => request({ newest: true }),
    loadOlder: () => request({ older: true }),
    /** Replaces a call that has changed, such as its pin. */
    replace(changed: CallSummary): void {
      const state = current();
      const stays = changed.pinned || !state.filter?.pinnedOnly;
      const calls = state.calls.flatMap((each) => (each.id !== changed.id ? [each] : stays ? [changed] : []));
      set({ ...state, calls, total: state.total - (state.calls.length - calls.length) });
    },
  };
}

const firstPage = (filter: CallFilter, page: CallPage): ListState => ({ ...page, filter, arrived: 0 });

function withNewest(state: ListState, filter: CallFilter, page: CallPage): ListState {
  const known = new Set(state.calls.map(({ id }) => id));
  const firstKnown = page.calls.findIndex(({ id }) => known.has(id));
  // More came in than one page holds, or what was here is gone.
  if (firstKnown < 0) return firstPage(filter, page);
  const calls = withoutGone([...page.calls.slice(0, firstKnown), ...state.calls], page);
  return { filter, calls, total: page.total, more: state.more, runs: page.runs, arrived: state.arrived + firstKnown };
}

function withOlder(state: ListState, filter: CallFilter, page: CallPage): ListState {
  const known = new Set(state.calls.map(({ id }) => id));
  // The calls that came in since have moved the others down.
  const older = page.calls.filter(({ id }) => !known.has(id));
  const { total, more, runs } = page;
  return { filter, calls: [...state.calls, ...older], total, more, runs, arrived: state.arrived };
}

/**
 * Drops what main has dropped: of each contract run, and of all other calls, the oldest that are not pinned. Otherwise
 * the list would grow while it is open.
 */
function withoutGone(calls: readonly CallSummary[], { total, runs }: CallPage): readonly CallSummary[] {
  const ofRuns = runs.reduce((sum, { count }) => sum + count, 0);
  const left = new Map<number | undefined, number>(runs.map(({ contractRun, count }) => [contractRun, count]));
  left.set(undefined, total - ofRuns);
  for (const { pinned, contractRun } of calls) if (pinned) left.set(contractRun, (left.get(contractRun) ?? 0) - 1);
  return calls.filter(({ pinned, contractRun }) => {
    if (pinned) return true;
    const more = left.get(contractRun) ?? 0;
    left.set(contractRun, more - 1);
    return more > 0;
  });
}
