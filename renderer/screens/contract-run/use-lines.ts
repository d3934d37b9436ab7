import { type FocusEvent, type KeyboardEvent, useState } from 'react';

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => Math.min(at + 1, count - 1),
  ArrowUp: (at) => Math.max(at - 1, 0),
  Home: () => 0,
  End: (_, count) => count - 1,
};

const linesOf = (list: Element) => [...list.querySelectorAll<HTMLElement>('[data-line]')];

/**
 * Makes the lines of a list one stop of the Tab key. Up, Down, Home and End move among them. The list takes the
 * handlers, and the button of each line takes what `lineOf` gives for its id.
 * @param ids the lines that are shown, in their order
 * @param chosen the line that is marked, and that Tab reaches before any had the focus
 */
export function useLines(ids: readonly string[], chosen: string | undefined) {
  const [last, setLast] = useState<string>();
  const stop = [last, chosen].find((each) => each !== undefined && ids.includes(each)) ?? ids[0];
  return {
    lineOf: (id: string) => ({
      'data-line': id,
      tabIndex: id === stop ? 0 : -1,
      'aria-current': id === chosen || undefined,
    }),
    list: {
      onFocus({ target }: FocusEvent<HTMLElement>) {
        const id = target.closest<HTMLElement>('[data-line]')?.dataset['line'];
        if (id !== undefined) setLast(id);
      },
      onKeyDown(event: KeyboardEvent<HTMLElement>) {
        const lines = linesOf(event.currentTarget);
        const at = lines.findIndex((line) => line === document.activeElement);
        const step = steps[event.key];
        if (at === -1 || !step) return;
        event.preventDefault();
        lines[step(at, lines.length)]?.focus();
      },
    },
  };
}
