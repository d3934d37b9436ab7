import type { CallFilter, CallPage, CallSummary } from '../../../preload/contract/calls.ts';
import type { Api } from '../../../preload/contract/contract.ts';
import { createStore } from '../../store.ts';
import type { AppError } from '../../../preload/contract/result.ts';

export interface ListState {
  /** The filter of the calls; undefined before the first response. */
  filter?: CallFilter;
  /** Newest first, without a gap. */
  calls: readonly CallSummary[];
  /** Number of matching calls, loaded or not. */
  total: number;
  /** Whether older calls are not loaded yet. */
  more: boolean;
  /** Number of matching calls by check. */
  runs: CallPage['runs'];
  /** Incremented for each call that is added at the top. A new filter resets it to 0. */
  arrived: number;
  error?: AppError;
}

export const emptyList: ListState = { calls: [], total: 0, more: false, runs: [], arrived: 0 };

type Pending = { filter?: CallFilter; newest: boolean; older: boolean };

const nothing: Pending = { newest: false, older: false };

/**
 * A list of the calls that match a filter, loaded page by page. One request to main runs at a time. Meanwhile only the
 * newest filter is queued.
 */
export function createCallList(list: Api['calls']['list']) {
  const { current, set, subscribe } = createStore<ListState>(emptyList);
  let pending: Pending = nothing;
  let isLoading = false;

  async function load(filter: CallFilter, offset: number, take: (page: CallPage) => void): Promise<void> {
    const result = await list({ filter, offset });
    // Otherwise the results of an outdated filter would show for a moment.
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
    /** Loads the first page. The same filter reloads it. */
    show: (filter: CallFilter) => request({ filter }),
    /** Adds the calls that were recorded since the last load. */
    loadNewest: () => request({ newest: true }),
    loadOlder: () => request({ older: true }),
    /** Replaces a changed call, such as one that was pinned. */
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
  // More calls came in than a page holds, or the known ones are gone.
  if (firstKnown < 0) return firstPage(filter, page);
  const calls = withoutGone([...page.calls.slice(0, firstKnown), ...state.calls], page);
  return { filter, calls, total: page.total, more: state.more, runs: page.runs, arrived: state.arrived + firstKnown };
}

function withOlder(state: ListState, filter: CallFilter, page: CallPage): ListState {
  const known = new Set(state.calls.map(({ id }) => id));
  // New calls have moved the offset, so the page may overlap.
  const older = page.calls.filter(({ id }) => !known.has(id));
  const { total, more, runs } = page;
  return { filter, calls: [...state.calls, ...older], total, more, runs, arrived: state.arrived };
}

/**
 * Drops the calls that main has dropped: the oldest unpinned ones, by check, and of all other calls. Otherwise the list
 * would grow while it is open.
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
