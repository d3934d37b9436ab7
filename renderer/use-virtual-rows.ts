import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type Key, type RefObject, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** A rendered row with its position in its section, or the height of rows that are not rendered. */
type RowOrGap = { index: number; position: number } | { gap: number; from: number };

interface Section {
  /** The keys of its rows, in order. */
  keys: readonly string[];
  /** Pixels of its heading, and of the gap to the next section. */
  headHeight?: number;
}

interface VirtualRows {
  /** The element around all rows. Each rendered row in it has its `index` as `data-index`, and its key as `data-line`. */
  listRef: RefObject<HTMLElement | null>;
  /** A list without headings has one section. */
  sections: readonly Section[];
  /** The height in pixels of most rows, until some were rendered: then their mean is taken for the others. */
  rowHeight: number;
  /** The key of a row that is rendered wherever the list is scrolled to, such as the chosen one. */
  kept?: string | undefined;
}

/** Rows rendered on both sides of one with the focus: Tab reaches the next one before the list is scrolled. */
const besideFocus = 2;

/**
 * Renders only the rows of a list that are in the window or close to it. Rows stay in the flow of the page and may have
 * any height: empty elements take the place of the others, so that the browser itself keeps what is read where it is,
 * whichever element scrolls. Tab enters the list at its first row and, backwards, at its last.
 */
export function useVirtualRows({ listRef, sections, rowHeight, kept }: VirtualRows) {
  const [focused, setFocused] = useState<string>();
  const items = sections.flatMap(({ keys, headHeight = 0 }, at) => [
    { key: `section ${at}`, height: headHeight },
    ...keys.map((key) => ({ key, height: undefined })),
  ]);
  // The page and the rows that Tab reaches are there first: the others are rendered in pieces, between which the window
  // stays responsive.
  const isPageThere = useDeferredValue(true, false);
  const always = alwaysRendered(
    items.map(({ key }) => key),
    [focused, kept],
  );
  const measuredRef = useRef({ heights: new Map<Key, number>(), sum: 0 });
  // Its functions must not be memoized, and they are not: the React Compiler is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: items.length,
    getScrollElement: () => listRef.current,
    estimateSize: (index) => items[index]?.height ?? meanOf(measuredRef.current) ?? rowHeight,
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 3,
    rangeExtractor: (range) => union(defaultRangeExtractor(range), always),
    // A list is opened at its top. To ask where it really is would make the browser lay out the page now.
    initialRect: { width: window.innerWidth, height: window.innerHeight * 0.75 },
    measureElement(row, entry, { indexFromElement, options, itemSizeCache }) {
      const index = indexFromElement(row);
      const key = options.getItemKey(index);
      const height = entry?.borderBoxSize[0]?.blockSize;
      if (height === undefined) return itemSizeCache.get(key) ?? options.estimateSize(index);
      const measured = measuredRef.current;
      measured.sum += height - (measured.heights.get(key) ?? 0);
      measured.heights.set(key, height);
      return height;
    },
    // The browser itself scrolls, and keeps what is read where it is.
    scrollToFn: () => undefined,
    observeElementOffset: ({ scrollElement: list }, tell) =>
      list ? onMoved(list, 'scroll', () => tell(-list.getBoundingClientRect().top, false)) : undefined,
    observeElementRect: ({ scrollElement: list }, tell) =>
      list ? onMoved(list, 'resize', () => tell({ width: window.innerWidth, height: window.innerHeight })) : undefined,
  });
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useLayoutEffect(() => {
    virtualizer.measureElement(null);
    for (const row of listRef.current?.querySelectorAll<HTMLElement>('[data-index]') ?? [])
      virtualizer.measureElement(row);
  });

  const seen = isPageThere ? virtualizer.getVirtualItems().map(({ index }) => index) : [];
  const rendered = union(seen, always);
  const total = virtualizer.getTotalSize();
  const startOf = (index: number) => virtualizer.measurementsCache[index]?.start ?? total;
  const heightOf = ({ from, to }: Range): number => startOf(to) - startOf(from);
  const ranges = rangesOf(sections);
  return {
    /** Returns what is rendered of a section: nothing if no part of it is close to the window. */
    rowsOf: (section: number): RowOrGap[] => rowsAndGaps(rendered, ranges[section] ?? nowhere, heightOf),
    heightOf: (section: number): number => heightOf(ranges[section] ?? nowhere),
    onFocus: ({ target }: FocusEvent): void => {
      // The focus of a menu or dialog that a row has opened comes here too, and is not in the list.
      const row = listRef.current?.contains(target) ? target.closest<HTMLElement>('[data-line]') : undefined;
      if (row) setFocused(row.dataset['line']);
    },
  };
}

/** Indexes, of which the last is not included. */
interface Range {
  from: number;
  to: number;
}

const nowhere: Range = { from: 0, to: 0 };

/** Returns the items of each section, of which the first is its heading. */
function rangesOf(sections: readonly Section[]): Range[] {
  let end = 0;
  return sections.map(({ keys }) => {
    const from = end;
    end += 1 + keys.length;
    return { from, to: end };
  });
}

function rowsAndGaps(rendered: readonly number[], { from, to }: Range, heightOf: (range: Range) => number): RowOrGap[] {
  const inside = rendered.filter((index) => index >= from && index < to);
  if (inside.length === 0) return [];
  const all: RowOrGap[] = [];
  let next = from + 1;
  for (const index of [...inside.filter((each) => each > from), to]) {
    if (index > next) all.push({ gap: heightOf({ from: next, to: index }), from: next });
    if (index < to) all.push({ index, position: index - from - 1 });
    next = index + 1;
  }
  return all;
}

const meanOf = ({ heights, sum }: { heights: ReadonlyMap<Key, number>; sum: number }): number | undefined =>
  heights.size > 0 ? sum / heights.size : undefined;

const union = (some: readonly number[], others: readonly number[]): number[] =>
  [...new Set([...some, ...others])].toSorted((a, b) => a - b);

function alwaysRendered(keys: readonly string[], chosen: readonly (string | undefined)[]): number[] {
  const around = chosen.flatMap((key) => {
    const at = key === undefined ? -1 : keys.indexOf(key);
    return at < 0 ? [] : Array.from({ length: 2 * besideFocus + 1 }, (_, more) => at - besideFocus + more);
  });
  // The heading of the first section is the first item.
  return [0, 1, ...around, keys.length - 1].filter((index) => index >= 0 && index < keys.length);
}

/** Calls `tell` once the list is laid out, and when it may have moved in the window, whichever element was scrolled. */
function onMoved(list: Element, event: 'scroll' | 'resize', tell: () => void): () => void {
  // Rendered in the same frame, so that no row is missing in it.
  const tellNow = (): void => flushSync(tell);
  const leave = new AbortController();
  window.addEventListener(event, tellNow, { capture: true, passive: true, signal: leave.signal });
  const observer = new ResizeObserver(tellNow);
  observer.observe(list);
  return () => {
    leave.abort();
    observer.disconnect();
  };
}
