import { createKnownSecrets, type TextRange } from './known-secrets.ts';
import { isPipeToken, secretsByForm } from './secret-forms.ts';
import { classifyName } from './secret-names.ts';
import { maskRanges } from './secret-registry.ts';

/** Finds these secrets, and those recognised by form, in texts for display. */
export function createSecretFinder(secrets: readonly string[]) {
  const whole = new Set(secrets.filter((secret) => secret !== ''));
  const known = createKnownSecrets<true>();
  for (const secret of whole) known.add(secret, true);
  const findKnown = (text: string): readonly TextRange[] =>
    whole.has(text) ? [{ from: 0, to: text.length }] : known.find(text);
  return {
    isKnownWithin: (text: string): boolean => findKnown(text).length > 0,
    hide: (text: string, name?: string): string => maskRanges(text, [...findKnown(text), ...findByForm(text, name)]),
  };
}

/** Masks the secrets of a text. `name` is the name of its field. */
export type Mask = (text: string, name?: string) => string;

/** Secrets by form, except user ids. */
const findByForm = (text: string, name?: string): readonly TextRange[] =>
  name !== undefined && isPipeToken(text) && classifyName(name).says === 'identity' ? [] : secretsByForm(text);

/** Keys with our own enum values; never masked, even if a secret equals one. */
const enumKeys = new Set(['kind', 'reason', 'phase', 'problem', 'operation', 'verdict', 'rule', 'what']);

/** Masks every string of a value, through arrays and plain objects. */
export function maskStrings<T>(value: T, hide: Mask): T {
  const walk = (inner: unknown, name?: string): unknown => {
    if (typeof inner === 'string') return hide(inner, name);
    if (Array.isArray(inner)) return inner.map((each) => walk(each));
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, entry]) => [
        key,
        enumKeys.has(key) && typeof entry === 'string' ? entry : walk(entry, key),
      ]),
    );
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the walk keeps the shape, strings become strings.
  return walk(value) as T;
}
