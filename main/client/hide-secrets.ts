import type { Reading } from './read-answer.ts';

/** What stands where a secret was. */
export const hidden = '•••';

/** Shorter ones are only recognised as a whole value: within a text they would be found in ordinary words. */
const shortestWithinText = 6;
const shortestOpaquePart = 12;

/**
 * Finds secrets that a server sends back: the token or the password of this very call, whatever field or sentence they
 * stand in, also percent-encoded, and a token without its `<id>|`.
 */
export function createSecretFinder(secrets: readonly string[]): {
  within: (text: string) => boolean;
  hide: (text: string) => string;
} {
  const whole = new Set(secrets.filter((secret) => secret !== ''));
  const forms = [...whole].flatMap((secret) => {
    const opaque = secret.slice(secret.indexOf('|') + 1);
    const both = [secret, encodeURIComponent(secret.toWellFormed())];
    return opaque.length < shortestOpaquePart ? both : both.concat(opaque);
  });
  // Longest first, so that nothing of a longer form is left standing around a shorter one.
  const parts = [...new Set(forms)]
    .filter((form) => form.length >= shortestWithinText)
    .toSorted((a, b) => b.length - a.length);
  return {
    within: (text) => whole.has(text) || parts.some((part) => text.includes(part)),
    hide: (text) => (whole.has(text) ? hidden : parts.reduce((rest, part) => rest.replaceAll(part, hidden), text)),
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

/** A reading that may be shown: only `meaning.token` still holds a secret, for the vault. */
export function hideInReading(reading: Reading, secrets: readonly string[]): Reading {
  const { token } = reading.meaning;
  const { within, hide } = createSecretFinder(token === undefined ? secrets : [...secrets, token]);
  const { meaning, why, verdict, rest } = reading;
  return {
    meaning: { ...hideIn(meaning, hide), ...(token !== undefined && { token }) },
    why: hideIn(why, hide),
    verdict,
    rest: rest.map((field) => {
      const path = hide(field.path);
      return field.masked || within(field.value) ? { masked: true, path } : { masked: false, path, value: field.value };
    }),
  };
}
