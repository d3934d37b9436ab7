import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { ListState } from './call-list.ts';
import { heightOf, itemsOf, type ListItem, placeOf } from './list-days.ts';

/** The number of rows before the end of what is loaded at which the next page is asked for. */
const nearEnd = 40;

interface RowsOptions {
  list: ListState;
  rowsRef: RefObject<HTMLDivElement | null>;
  onOpen: (id: string, byKeyboard: boolean) => void;
  onOlder: () => void;
}

/** Keeps which rows are on the page and where, which of them is the active one, and what the keys do. */
export function useRows({ list, rowsRef, onOpen, onOlder }: RowsOptions) {
  const { calls, more } = list;
  const [activeId, setActiveId] = useState<string>();
  const { items, stops, total, turn } = useFolds(list);
  const activeIndex = stops.findIndex(({ key }) => key === activeId);
  const activeItem = items.findIndex(({ key }) => key === activeId);

  // Its functions must not be memoized, and they are not: this is compiled without React's compiler.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => rowsRef.current,
    estimateSize: (index) => heightOf[items[index]?.kind ?? 'call'],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    // The heading of the day covers this much of what is scrolled to.
    scrollPaddingStart: heightOf.day,
    // Whoever hears the list is told of the active row by its id, so it must be on the page wherever the list is
    // scrolled to.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return activeItem < 0 || indexes.includes(activeItem)
        ? indexes
        : [...indexes, activeItem].toSorted((a, b) => a - b);
    },
  });

  useKeptPlace(list, items, rowsRef);

  const rows = virtualizer.getVirtualItems();
  const { startIndex: firstSeen = 0, endIndex: lastSeen = 0 } = virtualizer.range ?? {};
  const loadOlder = useEffectEvent(onOlder);
  useEffect(() => {
    if (more && lastSeen >= items.length - nearEnd) loadOlder();
    // Older calls of a run that is folded add no line.
  }, [more, lastSeen, items.length, calls.length]);

  function moveTo(index: number) {
    const next = stops[Math.max(0, Math.min(stops.length - 1, index))];
    if (!next) return;
    setActiveId(next.key);
    const item = items.indexOf(next);
    virtualizer.scrollToIndex(item, { align: 'auto' });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = targetOf(event.key, activeIndex, stops.length, rowsRef.current?.clientHeight ?? 0);
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    } else if ((event.key === 'Enter' || event.key === ' ') && activeIndex >= 0 && activeId !== undefined) {
      event.preventDefault();
      const active = stops[activeIndex];
      if (active?.kind === 'run') turn(active.run);
      else onOpen(activeId, true);
    }
  }
  return {
    rows: rows.flatMap(({ index, start }) => {
      const item = items[index];
      return item ? [{ item, start }] : [];
    }),
    totalHeight: virtualizer.getTotalSize(),
    /** The call or heading at the top of what is in sight. */
    topItem: items[firstSeen],
    activeIndex,
    activeId,
    setActiveId,
    turn,
    /** The first line that can be chosen. */
    firstId: stops[0]?.key,
    placeOf: (key: string): number => stops.findIndex((stop) => stop.key === key) + 1,
    /** How many lines there would be, were all of them loaded. */
    total,
    onKeyDown,
    // It says which calls are of today.
    now: new Date(),
  };
}

/** Returns the place of the line that a key leads to, which may be beyond either end. */
function targetOf(key: string, from: number, count: number, seenHeight: number): number | undefined {
  const page = Math.max(1, Math.floor(seenHeight / heightOf.call) - 1);
  const targets: Record<string, number> = {
    ArrowDown: from + 1,
    ArrowUp: from - 1,
    PageDown: from + page,
    PageUp: from - page,
    Home: 0,
    End: count - 1,
  };
  return targets[key];
}

/** Keeps which contract runs are open, and what lines that makes of the calls. */
function useFolds({ calls, filter, runs, total }: ListState) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  // Whoever searches looks for a call, and not for a run.
  const isSearch = (filter?.search ?? '') !== '';
  const items = useMemo(() => itemsOf(calls, (run) => isSearch || open.has(run)), [calls, isSearch, open]);
  const stops = useMemo(() => items.filter((item) => item.kind !== 'day'), [items]);
  const hidden = runs.filter(({ contractRun }) => !isSearch && !open.has(contractRun));
  return {
    items,
    /** The lines that can be chosen. */
    stops,
    total: total + runs.length - hidden.reduce((sum, { count }) => sum + count, 0),
    /** Opens or folds a run. */
    turn: (run: number): void => {
      const changed = new Set(open);
      if (!changed.delete(run)) changed.add(run);
      setOpen(changed);
    },
  };
}

/**
 * Keeps what is being read where it is when other calls come in above it. At the top the list follows them. What a new
 * filter finds begins at the top.
 */
function useKeptPlace(
  { filter, arrived }: ListState,
  items: readonly ListItem[],
  rowsRef: RefObject<HTMLDivElement | null>,
) {
  const first = items.find(({ kind }) => kind !== 'day')?.key;
  const before = useRef({ filter, arrived, items, first });
  useLayoutEffect(() => {
    const { current: earlier } = before;
    before.current = { filter, arrived, items, first };
    const element = rowsRef.current;
    if (!element || items === earlier.items) return;
    if (filter !== earlier.filter) {
      element.scrollTop = 0;
      return;
    }
    if (arrived === earlier.arrived || element.scrollTop === 0 || earlier.first === undefined) return;
    element.scrollTop += (placeOf(items, earlier.first) ?? 0) - (placeOf(earlier.items, earlier.first) ?? 0);
  }, [filter, arrived, items, first, rowsRef]);
}
