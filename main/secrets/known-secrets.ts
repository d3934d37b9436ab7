import { withCodes } from './character-codes.ts';
import { eachRun, holdsRun, type Run } from './encoded-runs.ts';
import { escapeKinds, escapeSigns, withoutEscapes, type View } from './escapes.ts';
import { attemptsFor, viewsOfRun, type Attempts } from './run-views.ts';
import { createTextIndex, type Occurrence } from './text-index.ts';
import { createVainRuns, type VainRuns } from './vain-runs.ts';

/** Shorter ones are only recognised as a whole value: within a text they would be found in ordinary words. */
export const shortestWithinText = 6;
const shortestOpaquePart = 12;
const opaqueToken = /^[^|]*\|.{12}/s;

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
  /** Those of which a spelling may take a part: for them, the order counts in which spellings are taken away. */
  const takeable = new Set<string>();
  const vain = createVainRuns();

  return {
    /** @param isCut whether the text goes on somewhere else: the beginning of a secret at its end is then one */
    find: (text: string, isCut = false): Search<T> =>
      index.isEmpty()
        ? { found: [], tooHard: false }
        : search(text, { index, vain, isCut, inOrders: takeable.size > 0 }),
    add(value: string, of: T): void {
      vain.clear();
      if (mayBeTaken(value)) takeable.add(value);
      for (const form of formsOf(value)) index.add(form, of);
    },
    remove(value: string): void {
      takeable.delete(value);
      for (const form of formsOf(value)) index.remove(form);
    },
    clear(): void {
      vain.clear();
      takeable.clear();
      index.clear();
    },
  };
}

/**
 * Whether a secret holds a sign of a spelling, or reads on after one that stands right before it: `\nacht` is a newline
 * and `acht`. Of a token, what comes after its number is looked for alone.
 */
const mayBeTaken = (value: string): boolean =>
  escapeSigns.test(value) ||
  (!opaqueToken.test(value) &&
    ['&', '%', '\\'].some((sign) => withoutEscapes(`${sign}${value}`)?.text.endsWith(value) === false));

type Options<T> = {
  index: ReturnType<typeof createTextIndex<T>>;
  /** Runs that say nothing while these secrets are looked for. */
  vain: VainRuns;
  isCut: boolean;
  /** Whether a spelling may take a part of a secret, so that the order counts in which spellings are taken away. */
  inOrders: boolean;
};

/** A search that is under way. */
type Searching<T> = Options<T> & {
  found: Occurrence<T>[];
  /** The characters that may still be read. */
  left: number;
  leftForOrders: number;
  isInOrders: boolean;
  attempts: Attempts;
  /** The length of the whole text. */
  length: number;
};

function search<T>(text: string, options: Options<T>): Search<T> {
  const { length } = text;
  const left = mostWork.times * length + mostWork.more;
  const attempts = attemptsFor(length);
  const searching = { ...options, found: [], left, leftForOrders: left, isInOrders: false, attempts, length };
  searchLayers(searching, { text, place: (from, to) => ({ from, to }) }, mostLayers, options.isCut);
  return { found: searching.found, tooHard: searching.left < 0 };
}

/** @param toEnd whether it ends where a text that was cut ends */
function look<T>(
  searching: Searching<T>,
  { codes, length }: { codes: Uint16Array | Uint8Array; length: number },
  place: View['place'],
  toEnd: boolean,
): void {
  searching.left -= length;
  const { found, beginning: beginningAtEnd } = searching.index.find(codes, length);
  for (const { from, to, of } of found) searching.found.push({ ...place(from, to), of });
  const beginning = toEnd ? beginningAtEnd() : undefined;
  if (!beginning || beginning.depth < shortestBeginning) return;
  const { from } = place(length - beginning.depth, length);
  searching.found.push({ from, to: searching.length, of: beginning.of });
}

/** Answers whether the run may say something, in this text or in another. */
function searchRun<T>(searching: Searching<T>, view: View, layers: number, toEnd: boolean, run: Run): boolean {
  const { index, attempts } = searching;
  const { bytes, length, isOdd, high } = run;
  if (length < shortestWithinText) return false;
  if (searching.left < 0) return true;
  if (!toEnd && isOnlyWord(run, index)) {
    searching.left -= length;
    return false;
  }
  const ofRun = toEnd ? run.places() : undefined;
  const endsWithText = ofRun !== undefined && ofRun(length - 1, length).to >= view.text.length - 3;
  let says = endsWithText;
  if (isOdd || high > 0) {
    says ||= index.mayHold(bytes, length);
    if (says) look(searching, { codes: bytes, length }, placeOf(view, run), endsWithText);
    else searching.left -= length;
  }
  const views = viewsOfRun(run, attempts);
  for (const inner of views) searchLayers(searching, innerOf(view, inner), layers - 1, endsWithText);
  // Another text may have tries left for it.
  return says || views.length > 0 || !attempts.areLeft();
}

/** @param seen what was searched below the same text, with the layers that were left: orders lead to it again */
function searchLayers<T>(
  searching: Searching<T>,
  view: View,
  layers: number,
  toEnd: boolean,
  seen = new Map<string, number>(),
): void {
  const { text: here, place } = view;
  if (searching.inOrders) {
    if ((seen.get(here) ?? -1) >= layers) return;
    seen.set(here, layers);
  }
  withCodes(here, (codes) => {
    const coded = { codes, length: here.length };
    look(searching, coded, place, toEnd);
    if (searching.left < 0) return;
    if (layers === 0) {
      // What is spelt still more often is no text that anybody reads.
      if (withoutEscapes(here)) searching.left = -1;
      return;
    }
    const composed = composedOf(here);
    if (composed) lookComposed(searching, view, composed, toEnd);
    const plain = withoutEscapes(here, toEnd);
    if (plain) {
      searchLayers(searching, innerOf(view, plain), layers - 1, toEnd, seen);
      // Where there is but one kind of spelling, all at once are that kind alone.
      if (searching.inOrders && (toEnd || plain.kindsFound > 1)) searchOrders(searching, view, layers, toEnd, seen);
    }
    eachRun(coded, (run) => searchRun(searching, view, layers, toEnd, run), {
      // The end of a text that was cut is read anew.
      changed: toEnd ? undefined : view.changed,
      vain: toEnd ? undefined : searching.vain,
    });
  });
}

function lookComposed<T>(searching: Searching<T>, outer: View, composed: View, toEnd: boolean): void {
  const { length } = composed.text;
  withCodes(composed.text, (codes) =>
    look(searching, { codes, length }, (from, to) => inOuter(outer, composed, from, to), toEnd),
  );
}

/**
 * Searches a text below each kind of spelling alone: below all at once, what a secret holds of another kind is gone.
 * There are many orders of kinds, and what work they take makes no text too hard.
 */
function searchOrders<T>(
  searching: Searching<T>,
  view: View,
  layers: number,
  toEnd: boolean,
  seen: Map<string, number>,
): void {
  const isFirst = !searching.isInOrders;
  const leftForAll = searching.left;
  if (isFirst) searching.left = searching.leftForOrders;
  searching.isInOrders = true;
  for (const kind of escapeKinds) {
    const plain = withoutEscapes(view.text, toEnd, kind);
    if (plain) searchLayers(searching, innerOf(view, plain), layers - 1, toEnd, seen);
  }
  if (!isFirst) return;
  searching.isInOrders = false;
  searching.leftForOrders = searching.left;
  searching.left = leftForAll;
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
