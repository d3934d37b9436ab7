import type { CallFilter, CallPage, CallSummary } from '../../../preload/contract/calls.ts';
import type { Api } from '../../../preload/contract/contract.ts';
import { createStore } from '../../store.ts';
import type { AppError } from '../../../preload/contract/result.ts';

export interface ListState {
  /** The filter that these were asked for with; undefined before the first answer. */
  filter?: CallFilter;
  /** The newest is the first, and there is no gap. */
  calls: readonly CallSummary[];
  /** The number of all that match, loaded or not. */
  total: number;
  /** Whether there are older ones that are not loaded. */
  more: boolean;
  /** How many of all that match belong to each contract run. */
  runs: CallPage['runs'];
  /** It rises by one for each call that came in above the others. A new filter begins at 0 again. */
  arrived: number;
  error?: AppError;
}

export const emptyList: ListState = { calls: [], total: 0, more: false, runs: [], arrived: 0 };

type Wanted = { filter?: CallFilter; newest: boolean; older: boolean };

const nothing: Wanted = { newest: false, older: false };

/**
 * Keeps the calls that match a filter, as far as somebody has scrolled. Main is asked one thing at a time. What is
 * typed meanwhile waits for the answer, and then only the newest filter is asked for.
 */
export function createCallList(list: Api['calls']['list']) {
  const { current, set, subscribe } = createStore<ListState>(emptyList);
  let wanted: Wanted = nothing;
  let asking = false;

  async function ask(filter: CallFilter, offset: number, take: (page: CallPage) => void): Promise<void> {
    const result = await list({ filter, offset });
    // An answer to an older question would show for a moment what nobody looks for any more.
    if (wanted.filter) return;
    if (result.ok) take(result.value);
    else set({ ...current(), filter, error: result.error });
  }

  async function answerNext(): Promise<boolean> {
    const { filter, newest, older } = wanted;
    if (filter) {
      wanted = nothing;
      await ask(filter, 0, (page) => set(firstPage(filter, page)));
      return true;
    }
    const shown = current().filter;
    if (shown && newest) {
      wanted = { ...wanted, newest: false };
      await ask(shown, 0, (page) => set(withNewest(current(), shown, page)));
      return true;
    }
    wanted = nothing;
    if (!shown || !older || !current().more) return false;
    await ask(shown, current().calls.length, (page) => set(withOlder(current(), shown, page)));
    return true;
  }

  async function want(more: Partial<Wanted>): Promise<void> {
    wanted = { ...wanted, ...more };
    if (asking) return;
    asking = true;
    while (await answerNext());
    asking = false;
  }

  return {
    current,
    subscribe,
    /** Shows what matches, from the newest on. The same filter reads it again. */
    show: (filter: CallFilter) => want({ filter }),
    /** Adds what was recorded since. */
    newest: () => want({ newest: true }),
    older: () => want({ older: true }),
    /** Takes a call that has changed, such as its pin. */
    put(changed: CallSummary): void {
      const state = current();
      const stays = changed.pinned || !state.filter?.pinnedOnly;
      const calls = state.calls.flatMap((each) => (each.id !== changed.id ? [each] : stays ? [changed] : []));
      set({ ...state, calls, total: state.total - (state.calls.length - calls.length) });
    },
  };
}

const firstPage = (filter: CallFilter, page: CallPage): ListState => ({ ...page, filter, arrived: 0 });

/** Returns what was there, with the calls that came in above it since. */
function withNewest(state: ListState, filter: CallFilter, page: CallPage): ListState {
  const known = new Set(state.calls.map(({ id }) => id));
  const firstKnown = page.calls.findIndex(({ id }) => known.has(id));
  // More came in than one page holds, or what was here is gone.
  if (firstKnown < 0) return firstPage(filter, page);
  const calls = withoutGone([...page.calls.slice(0, firstKnown), ...state.calls], page);
  return { filter, calls, total: page.total, more: state.more, runs: page.runs, arrived: state.arrived + firstKnown };
}

/** Returns what was there, with the next page below it. */
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
