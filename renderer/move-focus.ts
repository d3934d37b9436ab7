import { isReadAloud } from './api.ts';

/** Milliseconds after a frame within which Chromium tells assistive technology what has changed. */
const screenReaderDelayMs = 100;

/** The arrival that is under way. Only the last one of several takes the focus. */
let latest: AbortController | undefined;

/** What came while the person was in something that was opened. */
let missed: { element: HTMLElement; options: FocusOptions | undefined } | undefined;

/**
 * Returns the dialog, the menu, or what is opened around a field, that holds an element and is open. One that is about to
 * go has a button that says so. A button in it leads elsewhere by itself, as in what the status bar opens.
 */
function openedAround(element: Element | null): Element | undefined {
  const around = element?.closest('[aria-modal=true], [id$="-dropdown"]');
  if (!around || around.matches('[aria-modal=true]')) return around ?? undefined;
  if (!around.matches('[role=menu]') && !element?.matches('input')) return undefined;
  const button = document.querySelector(`[aria-controls="${CSS.escape(around.id)}"]`);
  return button?.getAttribute('aria-expanded') === 'true' ? around : undefined;
}

/** Returns what gives the focus to what came meanwhile. It is asked once, when what was opened is closed. */
export function pendingFocus(): (() => void) | undefined {
  const late = missed;
  missed = undefined;
  return late?.element.isConnected ? () => late.element.focus(late.options) : undefined;
}

/** Puts the focus on `main`. Where nothing has it, Orca goes to the top of the page, and says later what it leaves. */
function focusMain(): void {
  const main = document.querySelector('main');
  if (!main) return;
  main.tabIndex = -1;
  main.addEventListener('blur', () => main.removeAttribute('tabindex'), { once: true });
  main.focus({ preventScroll: true });
}

/** Says whether a key goes to nothing in particular. */
const isForNothing = ({ target }: Event): boolean => target instanceof Element && target.matches('body, main');

/**
 * Gives the focus to what has just come or changed, such as the heading of a new screen. While a screen reader listens,
 * it waits until that knows of it: Orca 43 says nothing of a heading that comes and takes the focus in one go, and says
 * the error of a field twice. Until then `main` has the focus where what had it is gone. A caret that was in a field
 * that is gone is dropped before: Chromium would tell of it together with the focus, and Orca would take the heading for
 * a place of the caret (`npm run prove -- orca`).
 */
export function moveFocus(element: HTMLElement | null | undefined, options?: FocusOptions): void {
  if (isReadAloud() && document.activeElement === document.body) focusMain();
  const { activeElement: before } = document;
  const selection = document.getSelection();
  // What is selected, a person may want to copy; and in the field that has the focus, a person may be typing.
  if (selection?.isCollapsed && !before?.matches('input, textarea')) selection.removeAllRanges();
  // The person may go on to something else meanwhile. A menu that closes gives its focus back, which is no such thing.
  const person = new AbortController();
  latest?.abort();
  latest = person;
  const goesOn = (event: Event): void => {
    person.abort();
    if (!element || !isForNothing(event) || !(event instanceof KeyboardEvent)) return;
    // The key was meant for what is on the screen: Tab goes on from there, and Escape leaves it.
    element.focus(options);
    if (event.key !== 'Escape') return;
    event.stopImmediatePropagation();
    element.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
  };
  for (const type of ['keydown', 'pointerdown'] as const)
    document.addEventListener(type, goesOn, { capture: true, signal: person.signal });
  const focusTarget = (): void => {
    if (person.signal.aborted) return;
    person.abort();
    // What came with it may have taken the focus already, such as the heading of a call on its page.
    const { activeElement: now } = document;
    // The person has opened the palette, for example, before a page was there, and may be typing.
    const opened = openedAround(now);
    missed = undefined;
    if (opened && !opened.contains(element ?? null)) {
      // A menu gives the focus back to its button.
      if (element && !opened.matches('[role=menu]')) missed = { element, options };
      return;
    }
    if (now === before || !now?.matches('h1, h2, [role=alert]')) element?.focus(options);
  };
  if (isReadAloud()) requestAnimationFrame(() => setTimeout(focusTarget, screenReaderDelayMs));
  else queueMicrotask(focusTarget);
}
