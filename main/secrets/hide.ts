import { findSecrets } from './find-secrets.ts';
import { createKnownSecrets, type KnownSecrets } from './known-secrets.ts';
import type { Place } from './escapes.ts';

/** What stands where a secret was. */
const hidden = '•••';

/** A text with dots in the place of what stands in it. */
export function withDots(text: string, places: readonly Place[]): string {
  let shown = '';
  let at = 0;
  for (const { from, to } of places.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= at) continue;
    // The rest of one that began inside the last belongs to the same dots.
    if (from >= at) shown += text.slice(at, from) + hidden;
    at = to;
  }
  return shown + text.slice(at);
}

/** Finds these secrets, and what is one by its form or its name, in texts for people. */
export function createSecretFinder(secrets: readonly string[]) {
  const whole = new Set(secrets.filter((secret) => secret !== ''));
  const known = createKnownSecrets<true>();
  for (const secret of whole) known.add(secret, true);
  return finderOf(known, (text) => whole.has(text));
}

/** @param isWhole whether a text, as a whole, is a known secret, however short */
export function finderOf<T>(known: Pick<KnownSecrets<T>, 'find'>, isWhole: (text: string) => boolean) {
  function placesIn(text: string): readonly Place[] {
    if (isWhole(text)) return [{ from: 0, to: text.length }];
    const { found, tooHard } = known.find(text);
    return tooHard ? [{ from: 0, to: text.length }] : [...found, ...findSecrets(text)];
  }
  return {
    within: (text: string): boolean => placesIn(text).length > 0,
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
