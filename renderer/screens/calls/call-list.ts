import type { CallFilter, CallPage, CallSummary } from '../../../preload/contract/calls.ts';
import type { Api } from '../../../preload/contract/contract.ts';
import type { AppError } from '../../../preload/contract/result.ts';

export interface ListState {
  /** What these were asked for with; undefined before the first answer. */
  filter?: CallFilter;
  /** Newest first, without a gap. */
  calls: readonly CallSummary[];
  /** All that match, loaded or not. */
  total: number;
  /** Whether there are older ones that are not loaded. */
  more: boolean;
  /** Rises by one for each that came in above the others; a new filter begins at 0 again. */
  arrived: number;
  error?: AppError;
}

type Wanted = { filter?: CallFilter; newest: boolean; older: boolean };

const nothing: Wanted = { newest: false, older: false };

/**
 * The calls that match a filter, as far as somebody has scrolled. Main is asked one thing at a time: what is typed
 * meanwhile waits for its answer, and only the newest filter is asked for then.
 */
export function createCallList(list: Api['calls']['list']) {
  let state: ListState = { calls: [], total: 0, more: false, arrived: 0 };
  let wanted: Wanted = nothing;
  let asking = false;
  const listeners = new Set<() => void>();

  function change(next: ListState): void {
    state = next;
    for (const listener of listeners) listener();
  }

  async function ask(filter: CallFilter, offset: number, take: (page: CallPage) => void): Promise<void> {
    const result = await list({ filter, offset });
    // An answer to an older question would show for a moment what nobody looks for any more.
    if (wanted.filter) return;
    if (result.ok) take(result.value);
    else change({ ...state, filter, error: result.error });
  }

  const replace = (filter: CallFilter, page: CallPage): void => change({ ...page, filter, arrived: 0 });

  function addNewest(filter: CallFilter, page: CallPage): void {
    const known = new Set(state.calls.map(({ id }) => id));
    const firstKnown = page.calls.findIndex(({ id }) => known.has(id));
    // More came in than one page holds, or what was here is gone.
    if (firstKnown < 0) {
      replace(filter, page);
      return;
    }
    const calls = withoutGone([...page.calls.slice(0, firstKnown), ...state.calls], page.total);
    change({ filter, calls, total: page.total, more: state.more, arrived: state.arrived + firstKnown });
  }

  function addOlder(filter: CallFilter, page: CallPage): void {
    const known = new Set(state.calls.map(({ id }) => id));
    // Those that came in since have moved the others down.
    const older = page.calls.filter(({ id }) => !known.has(id));
    const { total, more } = page;
    change({ filter, calls: [...state.calls, ...older], total, more, arrived: state.arrived });
  }

  async function answerNext(): Promise<boolean> {
    const { filter, newest, older } = wanted;
    if (filter) {
      wanted = nothing;
      await ask(filter, 0, (page) => replace(filter, page));
      return true;
    }
    const shown = state.filter;
    if (shown && newest) {
      wanted = { ...wanted, newest: false };
      await ask(shown, 0, (page) => addNewest(shown, page));
      return true;
    }
    wanted = nothing;
    if (!shown || !older || !state.more) return false;
    await ask(shown, state.calls.length, (page) => addOlder(shown, page));
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
    current: () => state,
    /** Returns the function that ends the subscription. */
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Shows what matches, from the newest on; with the filter of before, it is read anew. */
    show: (filter: CallFilter) => want({ filter }),
    /** Something was recorded. */
    newest: () => want({ newest: true }),
    /** The end of what is loaded is near. */
    older: () => want({ older: true }),
    /** One has changed, such as its pin. */
    put(changed: CallSummary): void {
      const stays = changed.pinned || !state.filter?.pinnedOnly;
      const calls = state.calls.flatMap((each) => (each.id !== changed.id ? [each] : stays ? [changed] : []));
      change({ ...state, calls, total: state.total - (state.calls.length - calls.length) });
    },
  };
}

/** Main lets the oldest go that are not pinned: so do we, or the list would grow for as long as it is open. */
function withoutGone(calls: readonly CallSummary[], total: number): readonly CallSummary[] {
  let gone = calls.length - total;
  if (gone <= 0) return calls;
  return calls
    .toReversed()
    .filter(({ pinned }) => {
      if (pinned || gone === 0) return true;
      gone -= 1;
      return false;
    })
    .toReversed();
}
