/** What can take the focus by Tab. */
export const focusable = 'button:not([tabindex="-1"]), a[href], input, select, textarea, [tabindex="0"]';

interface Focused {
  element: Element;
  /** The elements around it, the nearest first. */
  around: HTMLElement[];
  /** The list that it was in a line of, and the place of that line. */
  line?: { list: Element; index: number } | undefined;
}

/** Returns the lines of a list, in their order. */
export const linesOf = (list: Element): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-line]')];

const canFocus = (element: HTMLElement): boolean => element.matches(`${focusable}, [tabindex]`);

/** Returns what of a line, or of a home, takes the focus: itself, or the first control in it. */
const stopOf = (element: HTMLElement): HTMLElement | null =>
  canFocus(element) ? element : element.querySelector<HTMLElement>(focusable);

/** @param before what had the focus until now: a menu or a dialog belongs to what opened it */
function remember(element: Element, before: Focused | undefined): Focused {
  const isOpened = before !== undefined && element.closest('[role=menu], [role=dialog]') !== null;
  const around: HTMLElement[] = [];
  for (let next = element.parentElement; next && next !== document.body; next = next.parentElement) around.push(next);
  if (isOpened) return { element, around: [...around, ...before.around], line: before.line };
  const line = element.closest<HTMLElement>('[data-line]');
  const list = line?.parentElement?.closest('[data-lines]') ?? undefined;
  return {
    element,
    around: [...around, document.body],
    line: line && list ? { list, index: linesOf(list).indexOf(line) } : undefined,
  };
}

/** Returns the home of an element that is gone: a neighbour of its line, the nearest `data-home`, or the heading. */
function homeOf({ around, line }: Focused): HTMLElement | null {
  if (line?.list.isConnected) {
    const lines = linesOf(line.list);
    const neighbour = lines[line.index] ?? lines.at(-1);
    const stop = neighbour && stopOf(neighbour);
    if (stop) return stop;
  }
  for (const element of around) {
    if (!element.isConnected) continue;
    const home = element.matches('[data-home]') ? element : element.querySelector<HTMLElement>('[data-home]');
    const stop = home && stopOf(home);
    if (stop) return stop;
  }
  return document.querySelector<HTMLElement>('main h1');
}

/**
 * Gives the focus to the nearest `data-home` when the control that had it goes away, and to the neighbour when it was in
 * a `data-line` of `data-lines`; without either, to the heading of the page. Whoever moves the focus on purpose goes
 * first.
 */
export function keepFocusInPage(): void {
  let last: Focused | undefined;
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element && target !== document.body ? remember(target, last) : undefined;
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    // A press on nothing takes the focus away from a control that stays.
    if (relatedTarget === null && target instanceof Element && target.isConnected)
      queueMicrotask(() => {
        if (target.isConnected && document.activeElement === document.body) last = undefined;
      });
  });
  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const lost = last;
    last = undefined;
    // An effect of the same commit may give the focus to what came instead.
    setTimeout(() => {
      if (document.activeElement === document.body) homeOf(lost)?.focus();
    });
  }).observe(document.body, { childList: true, subtree: true });
}
