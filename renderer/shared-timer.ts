export interface PageVisibility {
  isHidden: () => boolean;
  /** Calls back when the page becomes visible or gets the focus. Returns the unsubscribe function. */
  onSeen: (listener: () => void) => () => void;
}

/** Milliseconds after which a snapshot is renewed. */
const freshMs = 1000;

/**
 * One timer for all relative times, aligned to whole seconds, minutes or hours. It stops while the page is hidden or
 * nothing is subscribed.
 */
export function sharedTimer(page: PageVisibility) {
  /** The listeners with their steps in milliseconds. */
  const listeners = new Map<() => void, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leavePage = (): void => undefined;
  let now = 0;
  /** The time of the last tick. `now()` does not change it, so that no step is missed. */
  let lastTick = 0;

  function plan(): void {
    clearTimeout(timer);
    if (listeners.size === 0 || page.isHidden()) return;
    const step = Math.min(...listeners.values());
    timer = setTimeout(tick, step - (Date.now() % step));
  }

  function tick(): void {
    const before = lastTick;
    lastTick = Date.now();
    now = lastTick;
    for (const [listener, step] of listeners) {
      // Compared by inequality, since a clock may be set back.
      if (Math.floor(lastTick / step) !== Math.floor(before / step)) listener();
    }
    plan();
  }

  return {
    /** Returns the time of the last tick in milliseconds since 1970, renewed if that is older than a second. */
    now: (): number => {
      if (Math.abs(Date.now() - now) > freshMs) now = Date.now();
      return now;
    },

    /** Calls back at each step of this length. Returns the unsubscribe function. */
    subscribe(stepMs: number, listener: () => void): () => void {
      if (listeners.size === 0) {
        leavePage = page.onSeen(tick);
        lastTick = Date.now();
      }
      listeners.set(listener, stepMs);
      plan();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) leavePage();
        plan();
      };
    },
  };
}
