import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { type FocusEvent, type Key, type RefObject, useDeferredValue, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';

/** A row that is rendered, or the height of those between two that are. */
export type RowOrGap = { index: number } | { gap: number; from: number };

interface Rows {
  /** The element around all rows. Each rendered row in it has its index as `data-index`, and its key as `data-line`. */
  listRef: RefObject<HTMLElement | null>;
  /** The keys of all rows, in order. */
  keys: readonly string[];
  /** The height in pixels of most rows, until some were rendered: then their mean is taken for the others. */
  rowHeight: number;
  /** Returns the height of a row that always has the same, such as a heading. It has no `data-index`. */
  fixedHeightOf?: (index: number) => number | undefined;
  /** The row that is rendered wherever the list is scrolled to, such as the chosen one. */
  kept?: string | undefined;
  overscan?: number;
}

/** Rows rendered on both sides of one with the focus: Tab reaches the next one before the list is scrolled. */
const besideFocus = 2;

/**
 * Renders only the rows of a list that are in the window or close to it. Rows stay in the flow of the page and may have
 * any height: empty elements take the place of the others, so that the browser itself keeps what is read where it is,
 * whichever element scrolls. Tab enters the list at its first row and, backwards, at its last.
 */
export function useVirtualRows({ listRef, keys, rowHeight, fixedHeightOf, kept, overscan = 3 }: Rows) {
  const [focused, setFocused] = useState<string>();
  // The page and the rows that Tab reaches are there first: the others are rendered in pieces, between which the window
  // stays responsive.
  const isPageThere = useDeferredValue(true, false);
  const always = alwaysRendered(keys, [focused, kept]);
  const measuredRef = useRef({ heights: new Map<Key, number>(), sum: 0 });
  // Its functions must not be memoized, and they are not: the React Compiler is not used here.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: keys.length,
    getScrollElement: () => listRef.current,
    estimateSize: (index) => fixedHeightOf?.(index) ?? meanOf(measuredRef.current) ?? rowHeight,
    getItemKey: (index) => keys[index] ?? index,
    overscan,
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
    observeElementOffset: ({ scrollElement }, tell) => (scrollElement ? onScrolled(scrollElement, tell) : undefined),
    observeElementRect: ({ scrollElement }, tell) => (scrollElement ? onResized(scrollElement, tell) : undefined),
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
  /** Returns the height of the rows from one index to another, which is not included. */
  const heightBetween = (from: number, to: number): number => startOf(to) - startOf(from);
  return {
    isAnyRendered: (from: number, to: number): boolean => rendered.some((index) => index >= from && index < to),
    heightBetween,
    rowsAndGaps: (from = 0, to = keys.length): RowOrGap[] => {
      const all: RowOrGap[] = [];
      let next = from;
      for (const index of [...rendered.filter((each) => each >= from && each < to), to]) {
        if (index > next) all.push({ gap: heightBetween(next, index), from: next });
        if (index < to) all.push({ index });
        next = index + 1;
      }
      return all;
    },
    onFocus: ({ target }: FocusEvent): void => {
      // The focus of a menu or dialog that a row has opened comes here too, and is not in the list.
      const row = listRef.current?.contains(target) ? target.closest<HTMLElement>('[data-line]') : undefined;
      if (row) setFocused(row.dataset['line']);
    },
  };
}

/** Returns where the rows of each section begin and end in the list of all rows. */
export function rangesOf(counts: readonly number[]): { from: number; to: number }[] {
  let end = 0;
  return counts.map((count) => {
    const from = end;
    end += count;
    return { from, to: end };
  });
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
  // A heading may come first.
  return [0, 1, ...around, keys.length - 1].filter((index) => index >= 0 && index < keys.length);
}

/** Tells how far the list is above the top of the window, for which any element around it may have been scrolled. */
function onScrolled(list: Element, tell: (offset: number, isScrolling: boolean) => void): () => void {
  // Rendered in the same frame, so that no row is missing in it.
  const tellOffset = (): void => flushSync(() => tell(-list.getBoundingClientRect().top, false));
  const leave = new AbortController();
  document.addEventListener('scroll', tellOffset, { capture: true, passive: true, signal: leave.signal });
  const observer = new ResizeObserver(tellOffset);
  observer.observe(list);
  return () => {
    leave.abort();
    observer.disconnect();
  };
}

/** Tells the size of the window, the first time once the page is laid out. */
function onResized(list: Element, tell: (size: { width: number; height: number }) => void): () => void {
  const tellSize = (): void => flushSync(() => tell({ width: window.innerWidth, height: window.innerHeight }));
  const leave = new AbortController();
  window.addEventListener('resize', tellSize, { signal: leave.signal });
  const observer = new ResizeObserver(tellSize);
  observer.observe(list);
  return () => {
    leave.abort();
    observer.disconnect();
  };
}
