/** Selector of the elements that Tab reaches. */
export const focusable = 'button:not([tabindex="-1"]), a[href], input, select, textarea, [tabindex="0"]';

interface Focused {
  element: Element;
  /** The ancestors, nearest first. */
  around: HTMLElement[];
  /** The list whose row had the focus, the index of that row, and its place if the list does not render all rows. */
  line?: { list: Element; index: number; place: number } | undefined;
}

/** Returns the rows of a list in document order. */
export const linesOf = (list: Element): HTMLElement[] => [...list.querySelectorAll<HTMLElement>('[data-line]')];

/** Returns the index of a row among all of its list, also those that are not rendered, or `NaN` if they all are. */
const placeOf = (line: HTMLElement): number => Number(line.dataset['index'] ?? NaN);

const canFocus = (element: HTMLElement): boolean => element.matches(`${focusable}, [tabindex]`);

/** Returns the element itself if it is focusable, otherwise the first control in it. */
const stopOf = (element: HTMLElement): HTMLElement | null =>
  canFocus(element) ? element : element.querySelector<HTMLElement>(focusable);

/** @param before the previously focused element, to whose place an opened menu or dialog belongs */
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
    line: line && list ? { list, index: linesOf(list).indexOf(line), place: placeOf(line) } : undefined,
  };
}

/** Returns the fallback for a removed element: a neighbouring row, the nearest `data-home`, or the heading. */
function homeOf({ around, line }: Focused): HTMLElement | null {
  if (line?.list.isConnected) {
    const lines = linesOf(line.list);
    const isVirtual = !Number.isNaN(line.place);
    const next = isVirtual ? lines.find((each) => placeOf(each) >= line.place) : lines[line.index];
    const neighbour = next ?? lines.at(-1);
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
 * Restores the focus when the focused control is removed: to the neighbour if it was in a `data-line` of `data-lines`,
 * else to the nearest `data-home`, else to the heading of the page. An explicit move of the focus takes precedence.
 */
export function keepFocusInPage(): void {
  let last: Focused | undefined;
  document.addEventListener('focusin', ({ target }) => {
    last = target instanceof Element && target !== document.body ? remember(target, last) : undefined;
  });
  document.addEventListener('focusout', ({ target, relatedTarget }) => {
    // A click on the background blurs a control that stays in the DOM.
    if (relatedTarget === null && target instanceof Element && target.isConnected)
      queueMicrotask(() => {
        if (target.isConnected && document.activeElement === document.body) last = undefined;
      });
  });
  new MutationObserver(() => {
    if (!last || last.element.isConnected || document.activeElement !== document.body) return;
    const lost = last;
    last = undefined;
    // An effect of the same commit may focus the replacement.
    setTimeout(() => {
      if (document.activeElement === document.body) homeOf(lost)?.focus();
    });
  }).observe(document.body, { childList: true, subtree: true });
}
