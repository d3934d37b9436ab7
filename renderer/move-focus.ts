import { isReadAloud } from './api.ts';

/** Milliseconds after a frame within which Chromium notifies assistive technology of changes. */
const screenReaderDelayMs = 100;

/** The move in progress. Only the last one of several sets the focus. */
let latest: AbortController | undefined;

/** Focus that was held back because a menu or dialog was open. */
let heldBack: { element: HTMLElement; options: FocusOptions | undefined } | undefined;

/**
 * Returns the open dialog, menu or dropdown of a field around an element. The button of one that is closing is no
 * longer `aria-expanded`. A popover without a focused field does not count: its buttons navigate by themselves, as in
 * the status bar.
 */
function openedAround(element: Element | null): Element | undefined {
  const around = element?.closest('[aria-modal=true], [id$="-dropdown"]');
  if (!around || around.matches('[aria-modal=true]')) return around ?? undefined;
  if (!around.matches('[role=menu]') && !element?.matches('input')) return undefined;
  const button = document.querySelector(`[aria-controls="${CSS.escape(around.id)}"]`);
  return button?.getAttribute('aria-expanded') === 'true' ? around : undefined;
}

/** Returns a function that applies the held-back focus, if any. Called once, when the dialog closes. */
export function pendingFocus(): (() => void) | undefined {
  const late = heldBack;
  heldBack = undefined;
  return late?.element.isConnected ? () => late.element.focus(late.options) : undefined;
}

/** Focuses `main`. Without any focus, Orca moves to the top of the page, and later announces what it leaves. */
function focusMain(): void {
  const main = document.querySelector('main');
  if (!main) return;
  main.tabIndex = -1;
  main.addEventListener('blur', () => main.removeAttribute('tabindex'), { once: true });
  main.focus({ preventScroll: true });
}

/** True if a key event has no control as its target. */
const isForNothing = ({ target }: Event): boolean => target instanceof Element && target.matches('body, main');

/**
 * Focuses an element that was just rendered or changed, such as the heading of a new screen. With a screen reader it
 * waits until the reader knows the element: Orca 43 does not announce a heading that is added and focused at once, and
 * announces the error of a field twice. Meanwhile `main` has the focus if the focused element was removed. A caret in a
 * removed field is dropped first: Chromium would report it together with the focus, and Orca would take the heading for
 * a position of the caret (`npm run prove -- orca`).
 */
export function moveFocus(element: HTMLElement | null | undefined, options?: FocusOptions): void {
  if (isReadAloud() && document.activeElement === document.body) focusMain();
  const { activeElement: before } = document;
  const selection = document.getSelection();
  // A selection may be meant for copying, and the user may be typing in the focused field.
  if (selection?.isCollapsed && !before?.matches('input, textarea')) selection.removeAllRanges();
  // A key press or click of the user cancels the move. A closing menu that returns its focus does not.
  const userInput = new AbortController();
  latest?.abort();
  latest = userInput;
  const onUserInput = (event: Event): void => {
    userInput.abort();
    if (!element || !isForNothing(event) || !(event instanceof KeyboardEvent)) return;
    // The key was meant for the screen: Tab continues from the element, and Escape leaves it.
    element.focus(options);
    if (event.key !== 'Escape') return;
    event.stopImmediatePropagation();
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  };
  for (const type of ['keydown', 'pointerdown'] as const)
    document.addEventListener(type, onUserInput, { capture: true, signal: userInput.signal });
  const focusTarget = (): void => {
    if (userInput.signal.aborted) return;
    userInput.abort();
    // Something rendered with it may have the focus already, such as the heading of a call on its page.
    const { activeElement: now } = document;
    // The user may have opened the palette, for example, before a page was there, and may be typing.
    const opened = openedAround(now);
    heldBack = undefined;
    if (opened && !opened.contains(element ?? null)) {
      // A menu returns the focus to its button.
      if (element && !opened.matches('[role=menu]')) heldBack = { element, options };
      return;
    }
    if (now === before || !now?.matches('h1, h2, [role=alert]')) element?.focus(options);
  };
  if (isReadAloud()) requestAnimationFrame(() => setTimeout(focusTarget, screenReaderDelayMs));
  else queueMicrotask(focusTarget);
}
