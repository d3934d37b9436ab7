import { createKnownSecrets, type TextRange } from './known-secrets.ts';
import { isPipeToken, secretsByForm } from './secret-forms.ts';
import { classifyName } from './secret-names.ts';
import { maskRanges } from './secret-registry.ts';

/** Finds these secrets, and what is one by its form, in texts for people. */
export function createSecretFinder(secrets: readonly string[]) {
  const whole = new Set(secrets.filter((secret) => secret !== ''));
  const known = createKnownSecrets<true>();
  for (const secret of whole) known.add(secret, true);
  const knownIn = (text: string): readonly TextRange[] =>
    whole.has(text) ? [{ from: 0, to: text.length }] : known.find(text);
  return {
    isKnownWithin: (text: string): boolean => knownIn(text).length > 0,
    hide: (text: string, name?: string): string => maskRanges(text, [...knownIn(text), ...formsIn(text, name)]),
  };
}

/** Puts dots in the place of the secrets of a text that stands under a name. */
export type Mask = (text: string, name?: string) => string;

/** The secrets that their form tells, without the ids of users. */
const formsIn = (text: string, name?: string): readonly TextRange[] =>
  name !== undefined && isPipeToken(text) && classifyName(name).says === 'identity' ? [] : secretsByForm(text);

/** Whose values are words of ours, which a secret may equal by chance: without them nobody would know what is said. */
const wordsOfOurs = new Set(['kind', 'reason', 'phase', 'problem', 'operation', 'verdict', 'rule', 'what']);

/** Every string of a value of ours, through arrays and plain objects, without the secrets. */
export function maskStrings<T>(value: T, hide: Mask): T {
  const walk = (inner: unknown, name?: string): unknown => {
    if (typeof inner === 'string') return hide(inner, name);
    if (Array.isArray(inner)) return inner.map((each) => walk(each));
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, entry]) => [
        key,
        wordsOfOurs.has(key) && typeof entry === 'string' ? entry : walk(entry, key),
      ]),
    );
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the walk keeps the shape, strings become strings.
  return walk(value) as T;
}
