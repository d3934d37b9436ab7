import { linesOf } from './focus-home.ts';
import { type FocusEvent, type KeyboardEvent, useState } from 'react';

/** Returns the index that a key moves to in a list of `count` items; undefined for any other key. */
export function indexForKey(key: string, at: number, count: number): number | undefined {
  const targets: Partial<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}

const lineAt = (target: EventTarget) => (target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null);

/**
 * A roving tabindex: the items of a list are one stop of the Tab key, and Up, Down, Home and End move among them. The
 * list takes `list`, and the focusable element of each item takes `itemProps(id)`.
 * @param ids the visible items, in order
 * @param chosen the selected item, which Tab reaches before any had the focus
 */
export function useRovingFocus(ids: readonly string[], chosen?: string) {
  const [last, setLast] = useState<string>();
  const stop = [last, chosen].find((each) => each !== undefined && ids.includes(each)) ?? ids[0];
  return {
    itemProps: (id: string) => ({
      'data-line': id,
      tabIndex: id === stop ? (0 as const) : (-1 as const),
      'aria-current': id === chosen || undefined,
    }),
    list: {
      // If the focused item is removed, its neighbour takes the focus (`focus-home.ts`).
      'data-lines': true,
      onFocus(event: FocusEvent) {
        const id = lineAt(event.target)?.dataset['line'];
        if (id !== undefined) setLast(id);
      },
      onKeyDown(event: KeyboardEvent) {
        const lines = linesOf(event.currentTarget);
        const line = lineAt(event.target);
        const target = line && indexForKey(event.key, lines.indexOf(line), lines.length);
        if (target === null || target === undefined) return;
        event.preventDefault();
        lines[target]?.focus();
      },
    },
  };
}
