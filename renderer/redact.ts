import { maskEmails } from '../preload/contract/mask-emails.ts';
import type { WindowState } from '../preload/contract/models.ts';

/**
 * Masks the emails in all strings of a value, however nested, so that fields that are added later are masked too. Ids
 * contain no emails, so actions by id still work.
 */
export const redact = <T>(value: T): T => walk(value, maskEmails);

/* oxlint-disable typescript/no-unsafe-type-assertion -- Each value gives its place to one of its own shape. */
function walk<T>(value: T, change: (text: string) => string): T {
  if (typeof value === 'string') return change(value) as T;
  if (Array.isArray(value)) return value.map((each: unknown) => walk(each, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [change(name), walk(each, change)])) as T;
}

/**
 * Undoes `redact` in what the user edited: a text that equals the mask of its original is replaced by that.
 * @param entered the current values of the fields
 * @param own their values without the mask
 */
export function restore<T>(entered: T, own: unknown): T {
  if (typeof entered === 'string') return (typeof own === 'string' && maskEmails(own) === entered ? own : entered) as T;
  if (typeof entered !== 'object' || entered === null || typeof own !== 'object' || own === null) return entered;
  const known = new Map(Object.entries(own));
  if (Array.isArray(entered)) return entered.map((each: unknown, at) => restore(each, known.get(String(at)))) as T;
  return Object.fromEntries(Object.entries(entered).map(([name, each]) => [name, restore(each, known.get(name))])) as T;
}
/* oxlint-enable typescript/no-unsafe-type-assertion */

/**
 * Returns the state as the window shows it: without emails while the presenter's view is on. The initial email of a
 * form is removed, since a masked one would be sent.
 */
export function redactState<S extends WindowState>(state: S): S {
  if (!state.settings.presenting) return state;
  const shown = redact(state);
  if (shown.locked || shown.session.step !== 'signed-out') return shown;
  return { ...shown, session: { ...shown.session, email: undefined } };
}
