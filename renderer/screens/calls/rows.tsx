import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import { navigate } from '../../route.ts';
import type { ListState } from './call-list.ts';
import { formatDate } from '../../format.ts';
import { indexForKey } from '../../use-roving-focus.ts';
import { heightOf, itemsOf, type ListItem, nearDay, placeOf } from './list-days.ts';
import { nameOfRow, nameOfRun, Row, RunRow } from './row.tsx';
import classes from './rows.module.css';
import { type RunReport, useRunReports } from './run-reports.ts';
import { t } from '../../i18n.ts';

interface RowsProps {
  list: ListState;
  servers: readonly Server[];
  sessions: readonly HeldSession[];
  /** The list itself, which takes the focus. */
  rowsRef: RefObject<HTMLDivElement | null>;
  openId: string | undefined;
  /** With `byKeyboard` the focus goes along. */
  onOpen: (id: string, byKeyboard: boolean) => void;
  onOlder: () => void;
}

/** The number of rows before the end of what is loaded at which the next page is asked for. */
const nearEnd = 40;

/** A line that can be chosen. */
type Stop = Exclude<ListItem, { kind: 'day' }>;

const optionId = (id: string) => `call-${id}`;

/** Shows the calls as options of one list, by day, of which only those in sight are on the page. */
export function Rows(props: RowsProps) {
  const { list, servers, sessions, rowsRef, openId } = props;
  const {
    rows,
    totalHeight,
    topItem,
    activeIndex,
    activeId,
    firstId,
    total,
    placeOf,
    setActiveId,
    act,
    reportFor,
    onKeyDown,
    now,
  } = useRows(props);
  const shownOf = (call: CallSummary) => ({ call, server: servers.find(({ id }) => id === call.serverId) });
  const sayDay = (startedAt: string) => {
    const near = nearDay(startedAt, now);
    return near ? t(`calls.day.${near}`) : formatDate(new Date(startedAt), 'date');
  };
  const top = topItem?.startedAt;
  const countOf = (run: number) => list.runs.find(({ contractRun }) => contractRun === run)?.count ?? 0;

  return (
    <>
      <Heads />
      <div
        ref={rowsRef}
        className={classes.rows}
        // No tag holds a list of options of which most are not on the page.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        tabIndex={0}
        aria-label={t('calls.title')}
        aria-activedescendant={activeIndex >= 0 && activeId !== undefined ? optionId(activeId) : undefined}
        onFocus={() => activeIndex < 0 && setActiveId((openId ?? firstId) || undefined)}
        onKeyDown={onKeyDown}
      >
        {/* Each option says its moment itself, so the days are for the eye alone. */}
        <div className={classes.topDay} aria-hidden>
          <div className={classes.day}>{top !== undefined && sayDay(top)}</div>
        </div>
        <div role="presentation" className={classes.allRows} style={{ height: totalHeight }}>
          {rows.map(({ item, start }) => {
            const style = { height: heightOf[item.kind], transform: `translateY(${start}px)` };
            if (item.kind === 'day') {
              return (
                <div key={item.key} className={classes.day} style={style} aria-hidden>
                  {sayDay(item.startedAt)}
                </div>
              );
            }
            return (
              <Line
                key={item.key}
                item={item}
                style={style}
                shown={{ ...shownOf(item.kind === 'call' ? item.call : item.newest), sessions, now }}
                count={item.kind === 'call' ? 0 : countOf(item.run)}
                report={item.kind === 'call' ? undefined : reportFor(item.newest)}
                place={placeOf(item.key)}
                total={total}
                isOpen={item.key === openId}
                isActive={item.key === activeId}
                onPress={() => {
                  setActiveId(item.key);
                  act(item, false);
                }}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}

const heads = ['method', 'path', 'status', 'time', 'server'] as const;

/** Names the columns for the eye: each option says what it has itself. */
function Heads() {
  return (
    <div className={classes.heads} aria-hidden>
      <div className={classes.columns}>
        {heads.map((head) => (
          <span key={head}>{t(`calls.columns.${head}`)}</span>
        ))}
      </div>
    </div>
  );
}

interface LineProps {
  item: Stop;
  style: CSSProperties;
  shown: ComponentProps<typeof Row>;
  /** The number of calls of a run. */
  count: number;
  report: RunReport | undefined;
  /** Its place among the lines, from 1 on. */
  place: number;
  total: number;
  isOpen: boolean;
  isActive: boolean;
  onPress: () => void;
}

/** Shows a call or a run as an option of the list. */
function Line({ item, style, shown, count, report, place, total, isOpen, isActive, onPress }: LineProps) {
  const more = item.kind === 'more' ? t('calls.moreInReport', { number: count - shownOfRun }) : undefined;
  const run = item.kind === 'run' ? { isOpen: item.isOpen, count, report } : undefined;
  const ofRun = item.kind === 'run' ? { ...shown, run: item.run } : undefined;
  return (
    // The list has the focus and the keys; an option is pressed with the pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={optionId(item.key)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      aria-selected={isOpen}
      aria-label={more ?? (ofRun && run ? nameOfRun(ofRun, run) : nameOfRow(shown))}
      aria-posinset={place}
      aria-setsize={total}
      className={classes.row}
      data-kind={item.kind}
      data-of-run={item.kind === 'call' && item.call.contractRun !== undefined}
      data-active={isActive}
      style={style}
      onClick={onPress}
    >
      {more !== undefined && <span className={classes.more}>{more}</span>}
      {ofRun && run && <RunRow {...ofRun} {...run} />}
      {item.kind === 'call' && <Row {...shown} />}
    </div>
  );
}

/** Keeps which lines are on the page and where. */
function useLines(items: readonly ListItem[], activeItem: number, rowsRef: RowsProps['rowsRef']) {
  // Its functions must not be memoized, and they are not: this is compiled without React's compiler.
  // oxlint-disable-next-line react/incompatible-library
  return useVirtualizer({
    count: items.length,
    getScrollElement: () => rowsRef.current,
    estimateSize: (index) => heightOf[items[index]?.kind ?? 'call'],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    // The heading of the day covers this much of what is scrolled to.
    scrollPaddingStart: heightOf.day,
    // A screen reader is told of the active row by its id, so it must be on the page wherever the list is scrolled to.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return activeItem < 0 || indexes.includes(activeItem)
        ? indexes
        : [...indexes, activeItem].toSorted((a, b) => a - b);
    },
  });
}

/** Keeps which rows are on the page and where, which of them is the active one, and what the keys do. */
function useRows({ list, rowsRef, onOpen, onOlder }: RowsProps) {
  const { calls, more } = list;
  const [activeId, setActiveId] = useState<string>();
  const reportOf = useRunReports(list.runs.length);
  const reportFor = ({ serverId, contractRun }: CallSummary) =>
    contractRun === undefined ? undefined : reportOf(serverId, contractRun);
  const { items, stops, total, turn } = useFolds(list, (call) => reportFor(call) !== undefined);
  const activeIndex = stops.findIndex(({ key }) => key === activeId);
  const activeItem = items.findIndex(({ key }) => key === activeId);

  const virtualizer = useLines(items, activeItem, rowsRef);
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
      if (active) act(active, true);
    }
  }

  /** Does what a line is for. */
  function act(item: Stop, byKeyboard: boolean) {
    if (item.kind === 'run') turn(item.run);
    else if (item.kind === 'call') onOpen(item.key, byKeyboard);
    else navigate({ room: 'contract', run: reportFor(item.newest) });
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
    act,
    reportFor,
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
  const pages: Partial<Record<string, number>> = { PageDown: from + page, PageUp: from - page };
  return pages[key] ?? indexForKey(key, from, count);
}

/** So many calls of an open run are listed before its report is offered. */
const shownOfRun = 3;

/** Keeps which contract runs are open, and what lines that makes of the calls. */
function useFolds({ calls, filter, runs, total }: ListState, hasReport: (call: CallSummary) => boolean) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  // A search looks for calls, not for runs.
  const isSearch = (filter?.search ?? '') !== '';
  const isOfRuns = filter?.contractRuns === 'only';
  const shownOf = (run: number, call: CallSummary): number => {
    if (isSearch) return Infinity;
    if (!open.has(run)) return 0;
    return isOfRuns || !hasReport(call) ? Infinity : shownOfRun;
  };
  const items = itemsOf(calls, shownOf);
  const stops = items.filter((item) => item.kind !== 'day');
  const newestOf = new Map(items.flatMap((item) => (item.kind === 'run' ? [[item.run, item.newest]] : [])));
  const hiddenOf = ({ contractRun, count }: ListState['runs'][number]): number => {
    const newest = newestOf.get(contractRun);
    const most = newest ? shownOf(contractRun, newest) : 0;
    return count <= most ? 0 : count - most - (most > 0 ? 1 : 0);
  };
  return {
    items,
    /** The lines that can be chosen. */
    stops,
    total: total + runs.length - runs.reduce((sum, run) => sum + hiddenOf(run), 0),
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
