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
  const items = useMemo(() => itemsOf(calls), [calls]);
  const activeIndex = calls.findIndex(({ id }) => id === activeId);
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
  }, [more, lastSeen, items.length]);

  function moveTo(index: number) {
    const next = calls[Math.max(0, Math.min(calls.length - 1, index))];
    if (!next) return;
    setActiveId(next.id);
    const item = items.findIndex(({ key }) => key === next.id);
    virtualizer.scrollToIndex(item, { align: 'auto' });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((rowsRef.current?.clientHeight ?? 0) / heightOf.call) - 1);
    const targets: Record<string, number> = {
      ArrowDown: activeIndex + 1,
      ArrowUp: activeIndex - 1,
      PageDown: activeIndex + page,
      PageUp: activeIndex - page,
      Home: 0,
      End: calls.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      moveTo(target);
    } else if ((event.key === 'Enter' || event.key === ' ') && activeIndex >= 0 && activeId !== undefined) {
      event.preventDefault();
      onOpen(activeId, true);
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
    onKeyDown,
    // It says which calls are of today.
    now: new Date(),
  };
}

/**
 * Keeps what is being read where it is when other calls come in above it. At the top the list follows them. What a new
 * filter finds begins at the top.
 */
function useKeptPlace(
  { filter, arrived, calls }: ListState,
  items: readonly ListItem[],
  rowsRef: RefObject<HTMLDivElement | null>,
) {
  const before = useRef({ filter, arrived, items, first: calls[0]?.id });
  useLayoutEffect(() => {
    const { current: earlier } = before;
    before.current = { filter, arrived, items, first: calls[0]?.id };
    const element = rowsRef.current;
    if (!element || items === earlier.items) return;
    if (filter !== earlier.filter) {
      element.scrollTop = 0;
      return;
    }
    const { first } = earlier;
    if (arrived === earlier.arrived || element.scrollTop === 0 || first === undefined) return;
    element.scrollTop += (placeOf(items, first) ?? 0) - (placeOf(earlier.items, first) ?? 0);
  }, [filter, arrived, items, calls, rowsRef]);
}
