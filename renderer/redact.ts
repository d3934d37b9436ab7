import { maskEmails } from '../preload/contract/mask-emails.ts';
import type { WindowState } from '../preload/contract/models.ts';

/**
 * Returns the same with the emails of all its texts masked, wherever they stand. What is added to the state or to an
 * answer tomorrow is masked too. Ids, by which the screens act, have no emails and stay as they are.
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
 * Returns what a person typed over masked texts: each text that is still as its mask is as it was before.
 * @param entered what the fields have now
 * @param own what they would have without the mask
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
 * Returns the state as the window shows it: without any email while the person presents. The email that a form begins
 * with is left out, since a masked one would be sent.
 */
export function redactState<S extends WindowState>(state: S): S {
  if (!state.settings.presenting) return state;
  const shown = redact(state);
  if (shown.locked || shown.session.step !== 'signed-out') return shown;
  return { ...shown, session: { ...shown.session, email: undefined } };
}
