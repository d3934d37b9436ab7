/** The page, of which it is only asked whether anybody sees it. */
export interface PageVisibility {
  isHidden: () => boolean;
  /** Calls when the page is seen, or looked at, again. Returns the function that ends it. */
  onSeen: (listener: () => void) => () => void;
}

/** An older snapshot is taken again. */
const freshMs = 1000;

/**
 * Wakes up those who show how far a moment is: all of them together, at whole seconds, minutes or hours, and with one
 * timer, which rests while nobody looks or the page is hidden.
 */
export function sharedTimer(page: PageVisibility) {
  /** Those who look, each with the length of its steps in milliseconds. */
  const listeners = new Map<() => void, number>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leavePage = (): void => undefined;
  let now = 0;
  /** The last step. It stays what it was while somebody asks for the moment, so that no step is missed. */
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
      // They differ, rather than grow: a clock may go back.
      if (Math.floor(lastTick / step) !== Math.floor(before / step)) listener();
    }
    plan();
  }

  return {
    /** Returns the moment of the last step, in milliseconds since 1970. */
    now: (): number => {
      if (Math.abs(Date.now() - now) > freshMs) now = Date.now();
      return now;
    },

    /** Calls at each step of this length, and returns the function that ends it. */
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
