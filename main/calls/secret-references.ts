import { randomUUID } from 'node:crypto';
import type { SecretReference } from '../../preload/contract/calls.ts';
import { hidden } from '../client/hide-secrets.ts';
import { createTextIndex, type Occurrence } from './text-index.ts';

/** The secrets that are known, and the references that stand for them. */
export type SecretReferences = {
  /** Equal values have one reference, of the kind that was found first. */
  of: (value: string, secret: SecretReference['secret']) => SecretReference;
  /** One that is to be looked for in everything recorded from now on, wherever nobody expects it. */
  watch: (value: string, secret: SecretReference['secret']) => SecretReference;
  isWatched: (value: string) => boolean;
  /** All that are looked for, with the references that stand for them. */
  watched: () => { value: string; reference: SecretReference }[];
  /** Says which session a token out of the vault belongs to. */
  name: (token: string, sessionId: string) => void;
  /** No value is known any more; the references that stand in records stay. */
  forget: () => void;
  timesForgotten: () => number;
  /** Undefined when the value is not known in this run. */
  valueOf: (id: string) => string | undefined;
  /** Where secrets that are looked for stand in a text, in any spelling of theirs, in the order of the text. */
  within: (text: string) => Occurrence<SecretReference>[];
  /**
   * A text for people, with dots where the secrets that are looked for stood, also a short one that is all of it; those
   * of fewer than `shortest` characters are left.
   */
  hide: (text: string, shortest?: number) => string;
};

/** Shorter ones are cut out where they are a whole value: within a text they would be found in ordinary words. */
export const shortestWithinText = 6;
const shortestOpaquePart = 12;

/** A run that meets more forgets the oldest, but for the tokens of sessions: memory must end somewhere. */
const mostKnown = 20_000;

/**
 * The secrets of this run by the references that stand for them in recorded calls. In memory only: a password is
 * gone when the application ends, a token is found in the vault again by its session, whose id its reference has.
 *
 * With a `parent`, those of one piece of work that goes on after the parent forgot: until then the parent learns what
 * they learn, under the same references; what the parent knows is looked for too.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- It is one set of maps, which the work on trust takes apart.
export function createSecretReferences(parent?: SecretReferences): SecretReferences {
  const byValue = new Map<string, SecretReference>();
  const byId = new Map<string, string>();
  const watched = new Set<string>();
  const ofSessions = new Set<string>();
  const spellings = createTextIndex<string>(shortestWithinText);
  let timesForgotten = 0;
  const since = parent?.timesForgotten();
  const taught = (): SecretReferences | undefined => (parent?.timesForgotten() === since ? parent : undefined);

  function put(value: string, reference: SecretReference): SecretReference {
    const before = byValue.get(value);
    if (before) byId.delete(before.id);
    byValue.set(value, reference);
    byId.set(reference.id, value);
    if (byValue.size > mostKnown) forgetOldest();
    return reference;
  }

  function forgetOldest(): void {
    for (const [value, { id }] of byValue) {
      if (ofSessions.has(value)) continue;
      byValue.delete(value);
      byId.delete(id);
      if (watched.delete(value)) for (const each of spellingsOf(value)) spellings.remove(each);
      return;
    }
  }

  function lookFor(value: string): void {
    if (watched.has(value)) return;
    watched.add(value);
    for (const each of spellingsOf(value)) spellings.add(each, value);
  }

  const referenceOf = (value: string, secret: SecretReference['secret']): SecretReference =>
    byValue.get(value) ?? put(value, taught()?.of(value, secret) ?? { secret, id: randomUUID() });

  const isWatched = (value: string): boolean => watched.has(value) || (parent?.isWatched(value) ?? false);
  const valueOf = (id: string): string | undefined => byId.get(id) ?? parent?.valueOf(id);

  function within(text: string): Occurrence<SecretReference>[] {
    const mine = spellings.find(text).flatMap(({ from, to, of }) => {
      const reference = byValue.get(of);
      return reference ? [{ from, to, of: reference }] : [];
    });
    return parent ? [...mine, ...parent.within(text)].toSorted((a, b) => a.from - b.from || b.to - a.to) : mine;
  }

  function hide(text: string, shortest = 0): string {
    if (isWatched(text) && text.length >= shortest) return hidden;
    const long = within(text).filter(({ of }) => (valueOf(of.id)?.length ?? 0) >= shortest);
    return withDots(text, long);
  }

  return {
    of: referenceOf,

    watch(value, secret) {
      taught()?.watch(value, secret);
      lookFor(value);
      return referenceOf(value, secret);
    },

    isWatched,

    watched: () => [
      ...(parent?.watched() ?? []),
      ...Array.from(watched, (value) => ({ value, reference: referenceOf(value, 'other') })),
    ],

    name(token, sessionId) {
      lookFor(token);
      ofSessions.add(token);
      if (byValue.get(token)?.id !== sessionId) put(token, { secret: 'token', id: sessionId });
    },

    forget() {
      timesForgotten += 1;
      byValue.clear();
      byId.clear();
      watched.clear();
      ofSessions.clear();
      spellings.clear();
    },

    timesForgotten: () => timesForgotten,
    valueOf,
    within,
    hide,
  };
}

/** A text with dots in the place of what stands in it. */
function withDots(text: string, occurrences: readonly Occurrence<SecretReference>[]): string {
  let shown = '';
  let at = 0;
  for (const { from, to } of occurrences.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
    if (from >= at) shown += text.slice(at, from) + hidden;
    at = Math.max(at, to);
  }
  return shown + text.slice(at);
}

/** Every spelling in which a secret may turn up in a text, or in bytes read as Latin 1. */
function spellingsOf(value: string): Set<string> {
  const opaque = value.slice(value.indexOf('|') + 1);
  const json = JSON.stringify(value).slice(1, -1);
  const html = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  return new Set([
    value,
    json,
    json.replaceAll('/', '\\/'),
    html,
    html.replaceAll("'", '&#39;'),
    html.replaceAll("'", '&#039;'),
    encodeURIComponent(value.toWellFormed()),
    new URLSearchParams({ '': value.toWellFormed() }).toString().slice(1),
    Buffer.from(value).toString('base64'),
    Buffer.from(value).toString('latin1'),
    ...(opaque.length >= shortestOpaquePart ? [opaque] : []),
  ]);
}
