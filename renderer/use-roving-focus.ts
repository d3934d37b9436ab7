import { type FocusEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react';

/** Returns the line that a key leads to in a list of `count` lines; undefined for a key that leads nowhere. */
export function indexForKey(key: string, at: number, count: number): number | undefined {
  const targets: Partial<Record<string, number>> = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
  const target = targets[key];
  return target === undefined ? undefined : Math.max(0, Math.min(count - 1, target));
}

const linesOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('[data-line]')];
const lineAt = (target: EventTarget) => (target instanceof Element ? target.closest<HTMLElement>('[data-line]') : null);

/**
 * When the line that has the focus goes away, the line in its place gets the focus, or the heading of the room when none
 * is left. The list takes the handlers, and each line its id as `data-line`.
 * @param ids the lines that are shown, in their order
 * @param stopOf what of a line takes the focus
 */
function useKeptFocus(ids: readonly string[], stopOf: (line: HTMLElement) => HTMLElement | null) {
  /** The line that has the focus, and its place. */
  const focused = useRef<{ id: string; index: number; list: Element }>(undefined);
  useLayoutEffect(() => {
    const lost = focused.current;
    if (!lost || ids.includes(lost.id)) return;
    focused.current = undefined;
    // Somebody gave the focus to another element on purpose.
    if (document.activeElement !== document.body) return;
    const lines = linesOf(lost.list);
    const next = lines[lost.index] ?? lines.at(-1);
    ((next && stopOf(next)) ?? document.querySelector<HTMLElement>('main h1'))?.focus();
  });
  return {
    onFocus({ target, currentTarget }: FocusEvent) {
      const line = lineAt(target);
      const id = line?.dataset['line'];
      if (line && id !== undefined)
        focused.current = { id, index: linesOf(currentTarget).indexOf(line), list: currentTarget };
    },
    onBlur({ relatedTarget }: FocusEvent) {
      // A line that goes away loses the focus to nothing; a menu and a question of the line give it back.
      if (relatedTarget?.closest('[role=dialog], [role=menu]') === null) focused.current = undefined;
    },
  };
}

/**
 * Makes the lines of a list one stop of the Tab key. Up, Down, Home and End move among them. The list takes the
 * handlers, and what has the focus of each line takes what `lineOf` gives for its id.
 * @param ids the lines that are shown, in their order
 * @param chosen the line that is marked, and that Tab reaches before any had the focus
 */
export function useRovingFocus(ids: readonly string[], chosen?: string) {
  const [last, setLast] = useState<string>();
  const kept = useKeptFocus(ids, (line) => line);
  const stop = [last, chosen].find((each) => each !== undefined && ids.includes(each)) ?? ids[0];
  return {
    lineOf: (id: string) => ({
      'data-line': id,
      tabIndex: id === stop ? (0 as const) : (-1 as const),
      'aria-current': id === chosen || undefined,
    }),
    list: {
      ...kept,
      onFocus(event: FocusEvent) {
        kept.onFocus(event);
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
