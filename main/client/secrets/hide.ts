import { createKnownSecrets, type Place } from './known-secrets.ts';
import { secretsByForm } from './secret-forms.ts';
import { withDots } from './secret-references.ts';

/** Finds these secrets, and what is one by its form, in texts for people. */
export function createSecretFinder(secrets: readonly string[]) {
  const whole = new Set(secrets.filter((secret) => secret !== ''));
  const known = createKnownSecrets<true>();
  for (const secret of whole) known.add(secret, true);
  const placesIn = (text: string): readonly Place[] =>
    whole.has(text) ? [{ from: 0, to: text.length }] : [...known.find(text), ...secretsByForm(text)];
  return {
    within: (text: string): boolean => whole.has(text) || known.find(text).length > 0 || secretsByForm(text).length > 0,
    hide: (text: string): string => withDots(text, placesIn(text)),
  };
}

/** Whose values are words of ours, which a secret may equal by chance: without them nobody would know what is said. */
const wordsOfOurs = new Set(['kind', 'reason', 'phase', 'problem', 'operation', 'verdict', 'rule', 'what']);

/** Every string of a value of ours, through arrays and plain objects, without the secrets. */
export function hideIn<T>(value: T, hide: (text: string) => string): T {
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') return hide(inner);
    if (Array.isArray(inner)) return inner.map(walk);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, entry]) => [
        key,
        wordsOfOurs.has(key) && typeof entry === 'string' ? entry : walk(entry),
      ]),
    );
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the walk keeps the shape, strings become strings.
  return walk(value) as T;
}
