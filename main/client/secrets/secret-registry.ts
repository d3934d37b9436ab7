import { createHash, randomUUID } from 'node:crypto';
import type { RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import { createKnownSecrets, shortestWithinText, type TextRange } from './known-secrets.ts';
import { secretsByForm, type FoundSecret } from './secret-forms.ts';
import { forgetNames } from './name-meanings.ts';
import type { SecretKind } from './secret-vocabulary.ts';

type FoundReference = TextRange & { of: SecretReference };

/** A run that meets more forgets the oldest, but for the tokens of sessions: memory must end somewhere. */
const mostKnown = 20_000;
const mostKnownCharacters = 2_000_000;
/** A longer value is known by its hash, and only its beginning is looked for. */
const longestKept = 16_384;
/** Of those that are looked for, so many characters from each side. */
const mostWatched = { sent: 128_000, received: 32_000 } as const;

/**
 * The secrets of this run by the references that stand for them in recorded calls. In memory only: a password is
 * gone when the application ends, a token is found in the vault again by its session, whose id its reference has.
 *
 * With a `parent`, these are the secrets of one piece of work, such as a contract run, which keeps them when the parent
 * forgets. Before that the parent learns each of them too, under the same reference. What the parent knows is looked for.
 */
export class SecretRegistry {
  readonly #parent: SecretRegistry | undefined;
  /** How often the parent had forgotten when this began. */
  readonly #since: number | undefined;
  readonly #values = createKnownValues();
  readonly #watched = createWatched();
  #timesForgotten = 0;

  constructor(parent?: SecretRegistry) {
    this.#parent = parent;
    this.#since = parent?.clearCount();
  }

  /** Equal values have one reference, of the kind that was found first. */
  referenceFor(value: string, secret: SecretKind): SecretReference {
    const known = this.#values.of(value);
    if (known) return known;
    return this.#values.put(value, this.#taught()?.referenceFor(value, secret) ?? { secret, id: randomUUID() });
  }

  /**
   * One that is to be looked for in everything recorded from now on, wherever nobody expects it.
   * @param origin `received` for one that a server sent: those make room for each other, and never push out what was
   * typed or sent
   */
  register(value: string, secret: SecretKind, origin: 'sent' | 'received' = 'sent'): SecretReference {
    this.#taught()?.register(value, secret, origin);
    this.#watched.add(value, secret, origin);
    return this.referenceFor(value, secret);
  }

  isRegistered(value: string): boolean {
    return this.#watched.has(value) || (this.#parent?.isRegistered(value) ?? false);
  }

  /** All that are looked for, with the references that stand for them. */
  registered(): { value: string; reference: SecretReference }[] {
    const own = this.#watched.all().map((value) => ({ value, reference: this.referenceFor(value, 'other') }));
    return [...(this.#parent?.registered() ?? []), ...own];
  }

  /** Says which session a token out of the vault belongs to. */
  bindToSession(token: string, sessionId: string): void {
    this.#watched.add(token, 'token', 'kept');
    this.#values.keep(token);
    if (this.#values.of(token)?.id !== sessionId) this.#values.put(token, { secret: 'token', id: sessionId });
  }

  /** The session is over. Its token makes room for others like whatever else was sent. */
  unbindSession(sessionId: string): void {
    const token = this.#values.valueOf(sessionId);
    if (token === undefined) return;
    this.#values.release(token);
    this.#watched.release(token);
  }

  /** No value is known any more; the references that stand in records stay. */
  clear(): void {
    this.#timesForgotten += 1;
    forgetNames();
    this.#values.clear();
    this.#watched.clear();
  }

  clearCount(): number {
    return this.#timesForgotten;
  }

  /** Undefined when the value is not known in this run. */
  valueOf(id: string): string | undefined {
    return this.#values.valueOf(id) ?? this.#parent?.valueOf(id);
  }

  /**
   * Where secrets that are looked for stand in a text, in one of their six spellings.
   * @param isCut whether the text goes on somewhere else: a beginning of a secret at its end is then one
   */
  find(text: string, isCut = false): FoundReference[] {
    const found = this.#watched.find(text, isCut);
    return [
      ...found.map(({ from, to, of }) => ({ from, to, of: this.referenceFor(of.value, of.secret) })),
      ...(this.#parent?.find(text, isCut) ?? []),
    ];
  }

  /**
   * A text for people, with dots where secrets stood: those that are looked for, and what is one by its form. A short one
   * goes where it is the whole text.
   * @param shortest of fewer characters, those that are looked for are left
   */
  mask(text: string, shortest = 0): string {
    if (text.length >= shortest && this.isRegistered(text)) return hidden;
    const found = this.find(text).filter(({ of }) => (this.valueOf(of.id)?.length ?? shortest) >= shortest);
    return maskRanges(text, [...found, ...secretsByForm(text)]);
  }

  /** Who learns what this learns, until they forget. */
  #taught(): SecretRegistry | undefined {
    return this.#parent?.clearCount() === this.#since ? this.#parent : undefined;
  }
}

/** References by value and values by reference; the oldest go when there are too many. */
function createKnownValues() {
  const byValue = new Map<string, SecretReference>();
  const byId = new Map<string, string>();
  const kept = new Set<string>();
  let characters = 0;
  const keyOf = (value: string): string =>
    value.length > longestKept ? createHash('sha256').update(value).digest('hex') : value;

  function remove(key: string): void {
    const reference = byValue.get(key);
    if (!reference) return;
    byValue.delete(key);
    byId.delete(reference.id);
    characters -= key.length;
  }

  /** Some at once: a map walks over what was taken out of its beginning, each time that it is asked for its first. */
  function makeRoom(): void {
    if (byValue.size <= mostKnown && characters <= mostKnownCharacters) return;
    for (const key of byValue.keys()) {
      if (byValue.size <= mostKnown * 0.9 && characters <= mostKnownCharacters * 0.9) return;
      if (!kept.has(key)) remove(key);
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
      makeRoom();
      return reference;
    },

    /** It is not forgotten to make room, until it is released. */
    keep: (value: string): void => void kept.add(keyOf(value)),
    release: (value: string): void => void kept.delete(keyOf(value)),
    valueOf: (id: string): string | undefined => byId.get(id),

    clear(): void {
      byValue.clear();
      byId.clear();
      kept.clear();
      characters = 0;
    },
  };
}

type Origin = 'sent' | 'received' | 'kept';
type Watched = { value: string; secret: SecretKind };

/** What is looked for, within a number of characters for what was sent and for what was received. */
function createWatched() {
  const index = createKnownSecrets<Watched>();
  const origins = new Map<string, Origin>();
  const characters = { sent: 0, received: 0 };
  const lengthOf = (value: string): number => Math.min(value.length, longestKept);

  function forgetOldest(origin: 'sent' | 'received'): void {
    for (const [value, each] of origins) {
      if (characters[origin] <= mostWatched[origin]) return;
      if (each !== origin) continue;
      origins.delete(value);
      characters[origin] -= lengthOf(value);
      index.remove(value);
    }
  }

  return {
    add(whole: string, secret: SecretKind, origin: Origin): void {
      const value = whole.slice(0, longestKept);
      const before = origins.get(value);
      // One that came back is still one that was sent.
      if (before === origin || before === 'kept' || (before === 'sent' && origin === 'received')) return;
      if (before !== undefined) characters[before] -= lengthOf(value);
      origins.set(value, origin);
      if (before === undefined) index.add(value, { value: whole, secret });
      if (origin === 'kept') return;
      characters[origin] += lengthOf(value);
      forgetOldest(origin);
    },
    /** What was kept is one that was sent, and the newest of those. */
    release(whole: string): void {
      const value = whole.slice(0, longestKept);
      if (origins.get(value) !== 'kept') return;
      origins.delete(value);
      origins.set(value, 'sent');
      characters.sent += lengthOf(value);
      forgetOldest('sent');
    },
    has: (value: string): boolean => origins.has(value.slice(0, longestKept)),
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

/** What stands where a secret was. */
const hidden = '•••';

/** A text with dots in the place of what stands in it. */
export function maskRanges(text: string, places: readonly TextRange[]): string {
  const parts = replaceRanges(
    text,
    places.map(({ from, to }) => ({ from, to, by: hidden })),
  );
  return parts.join('');
}

/** A text of the run without its secrets: those that are known, those that their form tells, and those at `places`. */
export function redactText(
  text: string,
  secretRegistry: SecretRegistry,
  { places = [], isCut = false }: { places?: readonly FoundSecret[]; isCut?: boolean } = {},
): RedactedText {
  const known = shortWhole(text, secretRegistry) ?? secretRegistry.find(text, isCut);
  const told = [...places, ...secretsByForm(text)];
  // Most texts hold none.
  if (known.length === 0 && told.length === 0) return text === '' ? [] : [text];
  const shown = limitRanges(text, [...known, ...told], maxRedactionsPerText);
  return replaceRanges(
    shown.text,
    shown.places.map((place) => ({
      from: place.from,
      to: place.to,
      by: 'of' in place ? place.of : secretRegistry.referenceFor(place.value, place.kind),
    })),
  );
}

/** A text that is a short secret and nothing else, but for blanks around it. */
function shortWhole(text: string, secretRegistry: SecretRegistry): FoundReference[] | undefined {
  if (text.length > longestShort) return undefined;
  const whole = text.trim();
  if (whole.length >= shortestWithinText || !secretRegistry.isRegistered(whole)) return undefined;
  const from = text.indexOf(whole);
  return [{ from, to: from + whole.length, of: secretRegistry.referenceFor(whole, 'other') }];
}
const longestShort = 100;

/** Cuts of one text: each costs the thread that cuts it and the one that takes it over. */
export const maxRedactionsPerText = 4000;

/** A text with at most so many of its places: it ends with the last of these where it has more. */
export function limitRanges<P extends TextRange>(text: string, places: readonly P[], most: number) {
  if (places.length <= most) return { text, places };
  const first = places.toSorted((a, b) => a.from - b.from).slice(0, most);
  return { text: `${text.slice(0, Math.max(...first.map(({ to }) => to)))}…`, places: first };
}

/** Puts something else in the places of a text. Of those that overlap the first one counts, and of equal ones the longest. */
export function replaceRanges<T>(text: string, places: readonly (TextRange & { by: T })[]): (string | T)[] {
  const parts: (string | T)[] = [];
  let at = 0;
  for (const { from, to, by } of places.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (to <= at) continue;
    if (from > at) parts.push(text.slice(at, from));
    // The rest of a longer one that began inside the last is part of the same secret.
    if (from >= at) parts.push(by);
    at = to;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}
