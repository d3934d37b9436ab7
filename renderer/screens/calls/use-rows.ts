import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { ListState } from './call-list.ts';

/** The width in pixels from which on everything fits into one line. */
const wideFrom = 760;
const wideRow = 30;
const narrowRow = 46;
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
  const wide = useIsWide(rowsRef);
  const rowHeight = wide ? wideRow : narrowRow;
  const activeIndex = calls.findIndex(({ id }) => id === activeId);

  // Its functions must not be memoized, and they are not: this is compiled without React's compiler.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: calls.length,
    getScrollElement: () => rowsRef.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => calls[index]?.id ?? index,
    overscan: 6,
    // Whoever hears the list is told of the active row by its id, so it must be on the page wherever the list is
    // scrolled to.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return activeIndex < 0 || indexes.includes(activeIndex)
        ? indexes
        : [...indexes, activeIndex].toSorted((a, b) => a - b);
    },
  });

  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  useKeptPlace(list, rowHeight, rowsRef);

  const rows = virtualizer.getVirtualItems();
  const lastSeen = virtualizer.range?.endIndex ?? 0;
  const loadOlder = useEffectEvent(onOlder);
  useEffect(() => {
    if (more && lastSeen >= calls.length - nearEnd) loadOlder();
  }, [more, lastSeen, calls.length]);

  function moveTo(index: number) {
    const next = calls[Math.max(0, Math.min(calls.length - 1, index))];
    if (!next) return;
    setActiveId(next.id);
    virtualizer.scrollToIndex(calls.indexOf(next), { align: 'auto' });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((rowsRef.current?.clientHeight ?? 0) / rowHeight) - 1);
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
    rows,
    rowHeight,
    totalHeight: virtualizer.getTotalSize(),
    wide,
    activeIndex,
    activeId,
    setActiveId,
    onKeyDown,
    /** The moment that says which calls are of today. */
    now: new Date(),
  };
}

/** Says whether everything of a call fits into one line. */
function useIsWide(rowsRef: RefObject<HTMLDivElement | null>): boolean {
  const [wide, setWide] = useState(true);
  useLayoutEffect(() => {
    const element = rowsRef.current;
    if (!element) return undefined;
    const measure = () => setWide(element.clientWidth >= wideFrom);
    // Before the first frame: the observer speaks after it, and the rows would move.
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [rowsRef]);
  return wide;
}

/**
 * Keeps what is being read where it is when other calls come in above it. At the top the list follows them. What a new
 * filter finds begins at the top.
 */
function useKeptPlace({ filter, arrived }: ListState, rowHeight: number, rowsRef: RefObject<HTMLDivElement | null>) {
  const before = useRef({ filter, arrived });
  useLayoutEffect(() => {
    const added = arrived - before.current.arrived;
    const isSame = filter === before.current.filter;
    before.current = { filter, arrived };
    const element = rowsRef.current;
    if (element && !isSame) element.scrollTop = 0;
    else if (element && added > 0 && element.scrollTop > 0) element.scrollTop += added * rowHeight;
  }, [filter, arrived, rowHeight, rowsRef]);
}
