import { createHash, randomUUID } from 'node:crypto';
import type { RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import { createKnownSecrets, shortestWithinText, type TextRange } from './known-secrets.ts';
import { secretsByForm, type FoundSecret } from './secret-forms.ts';
import { forgetNames } from './name-meanings.ts';
import type { SecretKind } from './secret-vocabulary.ts';

type FoundReference = TextRange & { of: SecretReference };

/** Limits of memory: the oldest secrets are dropped first, except tokens of sessions. */
const maxKnown = 20_000;
const maxCharacters = 2_000_000;
/** In characters. A longer value is known by its hash, and only its beginning is searched for. */
const maxStored = 16_384;
/** Limits of the secrets that are searched for, in characters by origin. */
const maxSearched = { sent: 128_000, received: 32_000 } as const;

/**
 * The secrets of this run of the application, and the references that replace them in recorded calls. In memory only: the
 * token of a session is found again in the vault, since its reference has the id of the session.
 *
 * With a `parent`, these are the secrets of one task, such as a check. It still has them after the parent was cleared;
 * until then the parent gets each of them, under the same reference. The secrets of the parent are found too.
 */
export class SecretRegistry {
  readonly #parent: SecretRegistry | undefined;
  /** The clear count of the parent at the beginning. */
  readonly #parentClears: number | undefined;
  readonly #values = createKnownValues();
  readonly #searched = createIndex();
  #clearCount = 0;

  constructor(parent?: SecretRegistry) {
    this.#parent = parent;
    this.#parentClears = parent?.clearCount();
  }

  /** Equal values have one reference, with the kind that was registered first. */
  referenceFor(value: string, secret: SecretKind): SecretReference {
    const known = this.#values.of(value);
    if (known) return known;
    return this.#values.put(value, this.#activeParent()?.referenceFor(value, secret) ?? { secret, id: randomUUID() });
  }

  /**
   * Searches for a secret in everything that is recorded from now on.
   * @param origin `received` for a secret of a response: these evict each other, and never one that was typed or sent
   */
  register(value: string, secret: SecretKind, origin: 'sent' | 'received' = 'sent'): SecretReference {
    this.#activeParent()?.register(value, secret, origin);
    this.#searched.add(value, secret, origin);
    return this.referenceFor(value, secret);
  }

  isRegistered(value: string): boolean {
    return this.#searched.has(value) || (this.#parent?.isRegistered(value) ?? false);
  }

  /** All secrets that are searched for, with their references. */
  registered(): { value: string; reference: SecretReference }[] {
    const own = this.#searched.all().map((value) => ({ value, reference: this.referenceFor(value, 'other') }));
    return [...(this.#parent?.registered() ?? []), ...own];
  }

  /** Makes the session's id the reference of its token, and exempts the token from eviction. */
  bindToSession(token: string, sessionId: string): void {
    this.#searched.add(token, 'token', 'session');
    this.#values.retain(token);
    if (this.#values.of(token)?.id !== sessionId) this.#values.put(token, { secret: 'token', id: sessionId });
  }

  /** Makes the token of an ended session evictable again. */
  unbindSession(sessionId: string): void {
    const token = this.#values.valueOf(sessionId);
    if (token === undefined) return;
    this.#values.release(token);
    this.#searched.release(token);
  }

  /** Drops all values; references in recorded calls stay. */
  clear(): void {
    this.#clearCount += 1;
    forgetNames();
    this.#values.clear();
    this.#searched.clear();
  }

  clearCount(): number {
    return this.#clearCount;
  }

  /** Undefined if the value is not known in this run. */
  valueOf(id: string): string | undefined {
    return this.#values.valueOf(id) ?? this.#parent?.valueOf(id);
  }

  /**
   * The ranges of registered secrets in a text, in six encodings.
   * @param isCut whether the text was cut off: the beginning of a secret at its end then counts
   */
  find(text: string, isCut = false): FoundReference[] {
    const found = this.#searched.find(text, isCut);
    return [
      ...found.map(({ from, to, of }) => ({ from, to, of: this.referenceFor(of.value, of.secret) })),
      ...(this.#parent?.find(text, isCut) ?? []),
    ];
  }

  /**
   * A text for display, with dots for registered secrets and those recognised by form. A short one is masked if it is the
   * whole text.
   * @param shortest registered secrets with fewer characters are not masked
   */
  mask(text: string, shortest = 0): string {
    if (text.length >= shortest && this.isRegistered(text)) return mask;
    const found = this.find(text).filter(({ of }) => (this.valueOf(of.id)?.length ?? shortest) >= shortest);
    return maskRanges(text, [...found, ...secretsByForm(text)]);
  }

  /** The parent, until it is cleared. */
  #activeParent(): SecretRegistry | undefined {
    return this.#parent?.clearCount() === this.#parentClears ? this.#parent : undefined;
  }
}

/** References by value and values by reference. The oldest are evicted. */
function createKnownValues() {
  const byValue = new Map<string, SecretReference>();
  const byId = new Map<string, string>();
  const retained = new Set<string>();
  let characters = 0;
  const keyOf = (value: string): string =>
    value.length > maxStored ? createHash('sha256').update(value).digest('hex') : value;

  function remove(key: string): void {
    const reference = byValue.get(key);
    if (!reference) return;
    byValue.delete(key);
    byId.delete(reference.id);
    characters -= key.length;
  }

  /** A tenth at once: finding the first key of a Map walks over all that were deleted before it (11 s for 400,000). */
  function evict(): void {
    if (byValue.size <= maxKnown && characters <= maxCharacters) return;
    for (const key of byValue.keys()) {
      if (byValue.size <= maxKnown * 0.9 && characters <= maxCharacters * 0.9) return;
      if (!retained.has(key)) remove(key);
    }
  }

  return {
    of: (value: string): SecretReference | undefined => byValue.get(keyOf(value)),

    put(value: string, reference: SecretReference): SecretReference {
      const key = keyOf(value);
      remove(key);
      byValue.set(key, reference);
      if (key === value) byId.set(reference.id, value);
      characters += key.length;
      evict();
      return reference;
    },

    retain: (value: string): void => void retained.add(keyOf(value)),
    release: (value: string): void => void retained.delete(keyOf(value)),
    valueOf: (id: string): string | undefined => byId.get(id),

    clear(): void {
      byValue.clear();
      byId.clear();
      retained.clear();
      characters = 0;
    },
  };
}

/** `session` is a token of an open session, which is not evicted. */
type Origin = 'sent' | 'received' | 'session';
type SearchedSecret = { value: string; secret: SecretKind };

/** The secrets that are searched for, limited by origin. */
function createIndex() {
  const index = createKnownSecrets<SearchedSecret>();
  const origins = new Map<string, Origin>();
  const characters = { sent: 0, received: 0 };
  const lengthOf = (value: string): number => Math.min(value.length, maxStored);

  function evictOldest(origin: 'sent' | 'received'): void {
    for (const [value, each] of origins) {
      if (characters[origin] <= maxSearched[origin]) return;
      if (each !== origin) continue;
      origins.delete(value);
      characters[origin] -= lengthOf(value);
      index.remove(value);
    }
  }

  return {
    add(whole: string, secret: SecretKind, origin: Origin): void {
      const value = whole.slice(0, maxStored);
      const before = origins.get(value);
      // A secret that a server echoes still counts as sent.
      if (before === origin || before === 'session' || (before === 'sent' && origin === 'received')) return;
      if (before !== undefined) characters[before] -= lengthOf(value);
      origins.set(value, origin);
      if (before === undefined) index.add(value, { value: whole, secret });
      if (origin === 'session') return;
      characters[origin] += lengthOf(value);
      evictOldest(origin);
    },
    /** A token of a session becomes the newest one that was sent. */
    release(whole: string): void {
      const value = whole.slice(0, maxStored);
      if (origins.get(value) !== 'session') return;
      origins.delete(value);
      origins.set(value, 'sent');
      characters.sent += lengthOf(value);
      evictOldest('sent');
    },
    has: (value: string): boolean => origins.has(value.slice(0, maxStored)),
    all: (): string[] => [...origins.keys()],
    find: (text: string, isCut: boolean) => index.find(text, isCut),
    clear(): void {
      origins.clear();
      index.clear();
      characters.sent = 0;
      characters.received = 0;
    },
  };
}

/** Replaces a secret in texts for display. */
const mask = '•••';

/** A text with dots for its ranges. */
export function maskRanges(text: string, ranges: readonly TextRange[]): string {
  const parts = replaceRanges(
    text,
    ranges.map(({ from, to }) => ({ from, to, by: mask })),
  );
  return parts.join('');
}

/** A text with references for its secrets: registered ones, those recognised by form, and those at `places`. */
export function redactText(
  text: string,
  secretRegistry: SecretRegistry,
  { places = [], isCut = false }: { places?: readonly FoundSecret[]; isCut?: boolean } = {},
): RedactedText {
  const known = shortSecret(text, secretRegistry) ?? secretRegistry.find(text, isCut);
  const byForm = [...places, ...secretsByForm(text)];
  if (known.length === 0 && byForm.length === 0) return text === '' ? [] : [text];
  const shown = limitRanges(text, [...known, ...byForm], maxRedactionsPerText);
  return replaceRanges(
    shown.text,
    shown.places.map((place) => ({
      from: place.from,
      to: place.to,
      by: 'of' in place ? place.of : secretRegistry.referenceFor(place.value, place.kind),
    })),
  );
}

/** The reference of a text that is a short secret, apart from whitespace around it. */
function shortSecret(text: string, secretRegistry: SecretRegistry): FoundReference[] | undefined {
  if (text.length > maxShortText) return undefined;
  const whole = text.trim();
  if (whole.length >= shortestWithinText || !secretRegistry.isRegistered(whole)) return undefined;
  const from = text.indexOf(whole);
  return [{ from, to: from + whole.length, of: secretRegistry.referenceFor(whole, 'other') }];
}
const maxShortText = 100;

/** Each redaction costs time on the thread that makes it and on the one that receives it. */
export const maxRedactionsPerText = 4000;

/** At most `most` ranges of a text; with more, the text ends after the last one. */
export function limitRanges<R extends TextRange>(text: string, places: readonly R[], most: number) {
  if (places.length <= most) return { text, places };
  const first = places.toSorted((a, b) => a.from - b.from).slice(0, most);
  return { text: `${text.slice(0, Math.max(...first.map(({ to }) => to)))}…`, places: first };
}

/** Replaces ranges of a text. Of overlapping ones the first counts, and of those the longest. */
export function replaceRanges<T>(text: string, places: readonly (TextRange & { by: T })[]): (string | T)[] {
  const parts: (string | T)[] = [];
  let at = 0;
  for (const { from, to, by } of places.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= at) continue;
    if (from > at) parts.push(text.slice(at, from));
    // A range that began within the last one is part of the same secret.
    if (from >= at) parts.push(by);
    at = to;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}
