const pressable = ':is(button, a)';

/** Resolves when nobody is in the middle of a character that takes several keys, which no other field could go on with. */
export const composed = (): Promise<unknown> =>
  document.querySelector('[data-composing]') === null
    ? Promise.resolve()
    : new Promise((resolve) => document.addEventListener('compositionend', resolve, { once: true }));

/**
 * Shows a screen in the place of the first frame, which main had put into the page, and takes over what a person has
 * done on that: what was typed, the place of the caret, the tick, and the last press, also that of Enter. All of it is
 * one task, so that nothing is painted and no key comes in between.
 * @param render puts the screen into the page at once
 */
export function takeOver(render: () => void): void {
  const first = document.querySelector('#first-frame');
  const { activeElement } = document;
  const done = [...(first?.querySelectorAll('input') ?? [])].map((field) => ({
    field,
    hadFocus: field === activeElement,
    caret: [field.selectionStart, field.selectionEnd, field.selectionDirection ?? undefined] as const,
  }));
  const pressed = first?.querySelector('[data-pressed]');
  const place = [...(first?.querySelectorAll(pressable) ?? [])].findIndex((each) => each === pressed);
  first?.remove();
  render();
  const now = document.querySelectorAll('input');
  for (const [at, { field, hadFocus, caret }] of done.entries()) {
    const next = now[at];
    // Another screen has other fields.
    if (next?.name !== field.name || next.type !== field.type) return;
    if (next.checked !== field.checked && !next.disabled) next.click();
    if (next.value !== field.value) {
      // React takes note of it as of a key.
      Reflect.set(HTMLInputElement.prototype, 'value', field.value, next);
      next.dispatchEvent(new Event('input', { bubbles: true }));
    }
    if (!hadFocus) continue;
    next.focus({ preventScroll: true });
    if (next.type !== 'checkbox') next.setSelectionRange(...caret);
  }
  const again = document.querySelectorAll<HTMLElement>(`#root ${pressable}`)[place];
  // What was typed is in the state of the form only after this task.
  if (again && again.textContent === pressed?.textContent) setTimeout(() => again.click());
}
