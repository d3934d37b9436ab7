import { withCodes } from './character-codes.ts';
import { eachRun, holdsRun, type Run } from './encoded-runs.ts';
import { escapeKinds, escapeSigns, withoutEscapes, type View } from './escapes.ts';
import { attemptsFor, viewsOfRun } from './run-views.ts';
import { createTextIndex, type Occurrence } from './text-index.ts';
import { createVainRuns, type VainRuns } from './vain-runs.ts';

/** Shorter ones are only recognised as a whole value: within a text they would be found in ordinary words. */
export const shortestWithinText = 6;
const shortestOpaquePart = 12;

/** So many layers of spelling are taken away: percent in JSON in JSON in base64 in a page are five. */
const mostLayers = 6;

/** Of all layers together, so many times the length of the text is read, and so many characters more. */
const mostWork = { times: 12, more: 100_000 };

/** What a search found. */
export type Search<T> = {
  found: Occurrence<T>[];
  /** Too many layers to be read to the end: whatever is in there must not be shown. */
  tooHard: boolean;
};

export type KnownSecrets<T> = ReturnType<typeof createKnownSecrets<T>>;

/**
 * Secrets that are looked for in a text as it means: as written, and below every spelling of its characters and every
 * encoding of its parts, layer by layer.
 */
export function createKnownSecrets<T>() {
  const index = createTextIndex<T>(shortestWithinText);
  /** Those that hold signs of spellings themselves. */
  const signed = new Set<string>();
  const vain = createVainRuns();

  return {
    /** @param isCut whether the text goes on somewhere else: the beginning of a secret at its end is then one */
    find: (text: string, isCut = false): Search<T> =>
      index.isEmpty() ? { found: [], tooHard: false } : search(text, { index, vain, isCut, inOrders: signed.size > 0 }),
    add(value: string, of: T): void {
      vain.clear();
      if (escapeSigns.test(value)) signed.add(value);
      for (const form of formsOf(value)) index.add(form, of);
    },
    remove(value: string): void {
      signed.delete(value);
      for (const form of formsOf(value)) index.remove(form);
    },
    clear(): void {
      vain.clear();
      signed.clear();
      index.clear();
    },
  };
}

type Options<T> = {
  index: ReturnType<typeof createTextIndex<T>>;
  /** Runs that say nothing while these secrets are looked for. */
  vain: VainRuns;
  isCut: boolean;
  /** Whether a secret holds signs of spellings itself, so that the order counts in which spellings are taken away. */
  inOrders: boolean;
};

function search<T>(text: string, { index, vain, isCut, inOrders }: Options<T>): Search<T> {
  const found: Occurrence<T>[] = [];
  let left = mostWork.times * text.length + mostWork.more;
  let leftForOrders = left;
  let isInOrders = false;
  const attempts = attemptsFor(text.length);

  function look(source: Uint16Array | Uint8Array, length: number, place: View['place'], toEnd: boolean): void {
    left -= length;
    const result = index.find(source, length);
    for (const { from, to, of } of result.found) found.push({ ...place(from, to), of });
    const { beginning } = result;
    if (!toEnd || !beginning || beginning.depth < shortestBeginning) return;
    found.push({ from: place(length - beginning.depth, length).from, to: text.length, of: beginning.of });
  }

  /** Answers whether the run may say something, in this text or in another. */
  function searchRun(view: View, layers: number, toEnd: boolean, run: Run): boolean {
    const { bytes, length, isOdd, high } = run;
    if (length < shortestWithinText) return false;
    if (left < 0) return true;
    if (!toEnd && isOnlyWord(run, index)) {
      left -= length;
      return false;
    }
    const ofRun = toEnd ? run.places() : undefined;
    const endsWithText = ofRun !== undefined && ofRun(length - 1, length).to >= view.text.length - 3;
    let says = endsWithText;
    if (isOdd || high > 0) {
      const mayHold = index.mayHold(bytes, length);
      says ||= mayHold;
      if (says) look(bytes, length, placeOf(view, run), endsWithText);
      else left -= length;
    }
    const views = viewsOfRun(run, attempts);
    for (const inner of views) searchLayers(innerOf(view, inner), layers - 1, endsWithText);
    // Another text may have tries left for it.
    return says || views.length > 0 || !attempts.areLeft();
  }

  /** @param seen what was searched below the same text, with the layers that were left: orders lead to it again */
  function searchLayers(view: View, layers: number, toEnd: boolean, seen = new Map<string, number>()): void {
    const { text: here, place } = view;
    if (inOrders && (seen.get(here) ?? -1) >= layers) return;
    if (inOrders) seen.set(here, layers);
    withCodes(here, (codes) => {
      look(codes, here.length, place, toEnd);
      if (left < 0) return;
      if (layers > 0) return searchBelow(view, { codes, length: here.length }, layers, toEnd, seen);
      // What is spelt still more often is no text that anybody reads.
      if (withoutEscapes(here)) left = -1;
    });
  }

  function searchBelow(
    view: View,
    coded: { codes: Uint16Array; length: number },
    layers: number,
    toEnd: boolean,
    seen: Map<string, number>,
  ): void {
    const { text: here } = view;
    const composed = composedOf(here);
    if (composed) {
      const { text: other } = composed;
      const placeOfOther: View['place'] = (from, to) => inOuter(view, composed, from, to);
      withCodes(other, (codes) => look(codes, other.length, placeOfOther, toEnd));
    }
    const plain = withoutEscapes(here, toEnd);
    if (plain) {
      searchLayers(innerOf(view, plain), layers - 1, toEnd, seen);
      // Where there is but one kind of spelling, all at once are that kind alone.
      if (inOrders && (toEnd || plain.kindsFound > 1)) searchOrders(view, layers, toEnd, seen);
    }
    // The end of a text that was cut is read anew.
    eachRun(coded, (run) => searchRun(view, layers, toEnd, run), {
      changed: toEnd ? undefined : view.changed,
      vain: toEnd ? undefined : vain,
    });
  }

  /**
   * Searches a text below each kind of spelling alone: below all at once, what a secret holds of another kind is gone.
   * There are many orders of kinds, and what work they take makes no text too hard.
   */
  function searchOrders(view: View, layers: number, toEnd: boolean, seen: Map<string, number>): void {
    const isFirst = !isInOrders;
    const leftForAll = left;
    if (isFirst) left = leftForOrders;
    isInOrders = true;
    for (const kind of escapeKinds) {
      const plain = withoutEscapes(view.text, toEnd, kind);
      if (plain) searchLayers(innerOf(view, plain), layers - 1, toEnd, seen);
    }
    if (!isFirst) return;
    isInOrders = false;
    leftForOrders = left;
    left = leftForAll;
  }

  searchLayers({ text, place: (from, to) => ({ from, to }) }, mostLayers, isCut);
  return { found, tooHard: left < 0 };
}

/** By byte, whether a spelling begins with it. */
const beginsSpelling = Uint8Array.from({ length: 256 }, (_, byte) =>
  escapeSigns.test(String.fromCharCode(byte)) ? 1 : 0,
);

/** Whether what a run stands for is ASCII, no secret, and says nothing else. So it is with most words of a text. */
function isOnlyWord({ bytes, length, isOdd, high }: Run, index: Pick<Options<unknown>['index'], 'mayHold'>): boolean {
  if (isOdd || high > 0 || index.mayHold(bytes, length)) return false;
  for (let at = 0; at < length; at++) if (beginsSpelling[bytes[at]!] === 1) return false;
  return !holdsRun(bytes, length);
}

function placeOf(outer: View, run: Run): View['place'] {
  const place = run.places();
  return (from, to) => inOuter(outer, { place }, from, to);
}

/** At the end of a text that was cut, a beginning of a secret that is as long is one. */
const shortestBeginning = 2;

function inOuter(outer: View, inner: Pick<View, 'place'>, from: number, to: number): { from: number; to: number } {
  const place = inner.place(from, to);
  return outer.place(place.from, place.to);
}

const innerOf = (outer: View, inner: View): View => ({
  text: inner.text,
  place: (from, to) => inOuter(outer, inner, from, to),
  changed: inner.changed,
});

/** A letter with the marks that belong to it. */
const marked = /\P{M}\p{M}+/gu;

/** A text with each letter and its marks in one character, where Unicode has one; undefined if that changes nothing. */
function composedOf(text: string): View | undefined {
  if (!/[\u0300-\uffff]/.test(text) || text.normalize('NFC') === text) return undefined;
  const parts: string[] = [];
  const at: number[] = [];
  const from: number[] = [];
  let length = 0;
  const put = (part: string, start: number): void => {
    at.push(length);
    from.push(start);
    parts.push(part);
    length += part.length;
  };
  let taken = 0;
  for (const { 0: letter, index } of text.matchAll(marked)) {
    if (index > taken) put(text.slice(taken, index), taken);
    put(letter.normalize('NFC'), index);
    taken = index + letter.length;
  }
  put(text.slice(taken), taken);
  return { text: parts.join(''), place: placesByParts(at, from, parts, text.length) };
}

function placesByParts(
  at: readonly number[],
  from: readonly number[],
  parts: readonly string[],
  length: number,
): View['place'] {
  function partAt(place: number): number {
    let low = 0;
    let high = at.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at[middle]! <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
  /** What was not changed is as long as it was; of what was, all is taken. */
  const isChanged = (part: number): boolean => (from[part + 1] ?? length) - from[part]! !== parts[part]!.length;
  return (start, end) => {
    const first = partAt(start);
    const last = partAt(end - 1);
    return {
      from: isChanged(first) ? from[first]! : from[first]! + start - at[first]!,
      to: isChanged(last) ? (from[last + 1] ?? length) : from[last]! + end - at[last]!,
    };
  };
}

/**
 * What a secret is looked for as: itself, composed, without what is spelt out in it, a token without its `<id>|`, and
 * its bytes of UTF-8 and UTF-16 read in another charset.
 */
function formsOf(value: string): Set<string> {
  const forms = new Set<string>();
  const opaque = value.slice(value.indexOf('|') + 1);
  for (const each of opaque.length < shortestOpaquePart ? [value] : [value, opaque]) {
    forms.add(each);
    forms.add(each.normalize('NFC'));
    // oxlint-disable-next-line eslint/no-control-regex -- All of ASCII is the same in those charsets.
    if (/[^\0-\x7f]/.test(each)) {
      for (const form of [each.normalize('NFC'), each.normalize('NFD')]) {
        const bytes = Buffer.from(form);
        forms.add(bytes.toString('latin1'));
        forms.add(windows1252.decode(bytes));
        // UTF-16 of letters beyond Latin 1 has no zeros by which it could be told.
        const pairs = Buffer.from(form, 'utf16le');
        forms.add(pairs.toString('latin1'));
        forms.add(pairs.swap16().toString('latin1'));
      }
    }
    let plain = each;
    for (let layer = 0; layer < mostLayers; layer++) {
      const next = withoutEscapes(plain);
      if (!next || next.text === plain) break;
      plain = next.text;
      forms.add(plain);
    }
  }
  return forms;
}

const windows1252 = new TextDecoder('windows-1252');
