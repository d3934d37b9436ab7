import { Button, Text } from '@mantine/core';
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type ComponentProps,
  type CSSProperties,
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import { urlText } from '../../answers/call-text.ts';
import { useApp } from '../../api.ts';
import { Alert } from '../../components/alert.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { formatDate } from '../../format.ts';
import { t } from '../../i18n.ts';
import { navigate } from '../../route.ts';
import { indexForKey } from '../../use-roving-focus.ts';
import type { ListState } from './call-list.ts';
import { backToCall, chooseCall, clearFilters, isFiltered, loadOlderCalls, useCalls } from './calls-store.ts';
import classes from './calls.module.css';
import { heightOf, itemsOf, type ListItem, nearDay, offsetOf } from './list-items.ts';
import { nameOfRow, nameOfRun, Row, RunRow } from './row.tsx';
import rowClasses from './rows.module.css';
import { type RunReport, useRunReports } from './run-reports.ts';

export function ListPane() {
  const list = useCalls((state) => state.list);
  return (
    <div className={classes.list}>
      {list.calls.length > 0 ? <Rows list={list} /> : <NothingThere />}
      {list.error && <ErrorMessage error={list.error} during="server" takesFocus={false} />}
      <Picking />
    </div>
  );
}

/** The live region is rendered before it has a text, so that it is announced. */
function Picking() {
  const picking = useCalls((state) => state.picking);
  const isPickedGone = useCalls((state) => state.isPickedGone);
  return (
    <>
      {isPickedGone && <Alert tone="info" title={t('calls.gone')} />}
      <output className={classes.picking}>
        {picking && (
          <>
            <Text size="sm">
              {t('compare.pick', { call: `${picking.request.method} ${pathOf(urlText(picking.request.url))}` })}
            </Text>
            <Button variant="default" size="compact-sm" onClick={backToCall}>
              {t('app.cancel')}
            </Button>
          </>
        )}
      </output>
    </>
  );
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

/** Empty state: nothing was found or, in the dock, nothing was sent. A filtered list has no illustration. */
function NothingThere() {
  const isAnswered = useCalls(({ list }) => list.filter !== undefined);
  const filtered = useCalls(isFiltered);
  return (
    <div className={classes.nothing}>
      {isAnswered && (
        <Text size="sm" c="dimmed">
          {t(filtered ? 'calls.nothingFound' : 'calls.empty')}
        </Text>
      )}
      {filtered && (
        <Button
          variant="default"
          size="xs"
          onClick={() => {
            clearFilters();
            document.querySelector<HTMLElement>('[data-find]')?.focus();
          }}
        >
          {t('calls.clearFilters')}
        </Button>
      )}
    </div>
  );
}

/** The element that takes the focus and the keys for the whole list. */
const listId = 'call-list';
export const focusList = (): void => document.getElementById(listId)?.focus();

/** Number of rows before the end of the loaded ones at which the next page is requested. */
const nearEnd = 40;

/** A row that can be chosen. */
type Option = Exclude<ListItem, { kind: 'day' }>;

const optionId = (id: string) => `call-${id}`;

/** A virtualized list of the calls, grouped by day. */
function Rows({ list }: { list: ListState }) {
  const { servers } = useApp();
  const openId = useCalls(({ opened }) => opened?.summary.id);
  const picking = useCalls((state) => state.picking);
  const rowsRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (picking) focusList();
  }, [picking]);
  const [activeId, setActiveId] = useState<string>();
  const reportOf = useRunReports(list.runs.length);
  const reportFor = ({ serverId, contractRun }: CallSummary) =>
    contractRun === undefined ? undefined : reportOf(serverId, contractRun);
  const { items, options, total, toggleRun } = useFolds(list, (call) => reportFor(call) !== undefined);
  const activeIndex = options.findIndex(({ key }) => key === activeId);
  const virtualizer = useVirtualItems(
    items,
    items.findIndex(({ key }) => key === activeId),
    rowsRef,
  );
  useScrollAnchor(list, items, rowsRef);

  const { startIndex: firstSeen = 0, endIndex: lastSeen = 0 } = virtualizer.range ?? {};
  useEffect(() => {
    if (list.more && lastSeen >= items.length - nearEnd) loadOlderCalls();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- Older calls of a collapsed run add no line.
  }, [list.more, lastSeen, items.length, list.calls.length]);

  function moveTo(index: number) {
    const next = options[Math.max(0, Math.min(options.length - 1, index))];
    if (!next) return;
    setActiveId(next.key);
    virtualizer.scrollToIndex(items.indexOf(next), { align: 'auto' });
  }

  function choose(item: Option, byKeyboard: boolean) {
    if (item.kind === 'run') toggleRun(item.run);
    else if (item.kind === 'call') void chooseCall(item.key, byKeyboard);
    else navigate({ page: 'checks', run: reportFor(item.newest) });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = targetOf(event.key, activeIndex, options.length, rowsRef.current?.clientHeight ?? 0);
    const active = options[activeIndex];
    if (target !== undefined) moveTo(target);
    else if (active && (event.key === 'Enter' || event.key === ' ')) choose(active, true);
    else return;
    event.preventDefault();
  }

  const top = items[firstSeen]?.startedAt;
  return (
    <>
      <Heads />
      <div
        id={listId}
        ref={rowsRef}
        className={rowClasses.rows}
        // No element supports a list of options of which most are not rendered.
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
        role="listbox"
        tabIndex={0}
        data-home
        aria-label={t('calls.title')}
        aria-activedescendant={activeIndex >= 0 && activeId !== undefined ? optionId(activeId) : undefined}
        onFocus={() => activeIndex < 0 && setActiveId(openId ?? options[0]?.key)}
        onKeyDown={onKeyDown}
      >
        {/* Each option has its time in its name, so the days are hidden from screen readers. */}
        <div className={rowClasses.topDay} aria-hidden>
          <div className={rowClasses.day}>{top !== undefined && dayText(top)}</div>
        </div>
        <div role="presentation" className={rowClasses.allRows} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const item = items[index];
            if (!item) return null;
            const style = { height: heightOf[item.kind], transform: `translateY(${start}px)` };
            if (item.kind === 'day') {
              return (
                <div key={item.key} className={rowClasses.day} style={style} aria-hidden>
                  {dayText(item.startedAt)}
                </div>
              );
            }
            const call = item.kind === 'call' ? item.call : item.newest;
            return (
              <Line
                key={item.key}
                item={item}
                style={style}
                row={{ call, server: servers.find(({ id }) => id === call.serverId) }}
                count={list.runs.find(({ contractRun }) => contractRun === call.contractRun)?.count ?? 0}
                report={item.kind === 'call' ? undefined : reportFor(call)}
                place={options.indexOf(item) + 1}
                total={total}
                isOpen={item.key === openId}
                isActive={item.key === activeId}
                onPress={() => {
                  setActiveId(item.key);
                  choose(item, false);
                }}
              />
            );
          })}
        </div>
      </div>
    </>
  );
}

function dayText(startedAt: string): string {
  const near = nearDay(startedAt, new Date());
  return near ? t(`calls.day.${near}`) : formatDate(startedAt, 'date');
}

const heads = ['method', 'path', 'status', 'time', 'server'] as const;

/** Each option has a name of its own, so the headings are hidden from screen readers. */
function Heads() {
  return (
    <div className={rowClasses.heads} aria-hidden>
      <div className={rowClasses.columns}>
        {heads.map((head) => (
          <span key={head}>{t(`calls.columns.${head}`)}</span>
        ))}
      </div>
    </div>
  );
}

interface LineProps {
  item: Option;
  style: CSSProperties;
  row: ComponentProps<typeof Row>;
  /** Number of calls of a check. */
  count: number;
  report: RunReport | undefined;
  /** Position in the list, from 1. */
  place: number;
  total: number;
  isOpen: boolean;
  isActive: boolean;
  onPress: () => void;
}

function Line({ item, style, row, count, report, place, total, isOpen, isActive, onPress }: LineProps) {
  const more = item.kind === 'more' ? t('calls.moreInReport', { number: count - shownOfRun }) : undefined;
  const run = item.kind === 'run' ? { ...row, run: item.run, isOpen: item.isOpen, count, report } : undefined;
  return (
    // The list takes the focus and the keys; an option is clicked.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={optionId(item.key)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      aria-selected={isOpen}
      aria-label={more ?? (run ? nameOfRun(run) : nameOfRow(row))}
      aria-posinset={place}
      aria-setsize={total}
      className={rowClasses.row}
      data-kind={item.kind}
      data-of-run={item.kind === 'call' && item.call.contractRun !== undefined}
      data-active={isActive}
      style={style}
      onClick={onPress}
    >
      {more !== undefined && <span className={rowClasses.more}>{more}</span>}
      {run && <RunRow {...run} />}
      {item.kind === 'call' && <Row {...row} />}
    </div>
  );
}

function useVirtualItems(items: readonly ListItem[], activeItem: number, rowsRef: RefObject<HTMLDivElement | null>) {
  // Its functions must not be memoized, and they are not: the React Compiler is not used here.
  // oxlint-disable-next-line react/incompatible-library
  return useVirtualizer({
    count: items.length,
    getScrollElement: () => rowsRef.current,
    estimateSize: (index) => heightOf[items[index]?.kind ?? 'call'],
    getItemKey: (index) => items[index]?.key ?? index,
    overscan: 6,
    // The sticky heading of the day covers this much of the top.
    scrollPaddingStart: heightOf.day,
    // `aria-activedescendant` names the active row, so it must be rendered wherever the list is scrolled to.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return activeItem < 0 || indexes.includes(activeItem)
        ? indexes
        : [...indexes, activeItem].toSorted((a, b) => a - b);
    },
  });
}

/** Returns the index that a key leads to, which may be out of range. */
function targetOf(key: string, from: number, count: number, seenHeight: number): number | undefined {
  const page = Math.max(1, Math.floor(seenHeight / heightOf.call) - 1);
  const pages: Partial<Record<string, number>> = { PageDown: from + page, PageUp: from - page };
  return pages[key] ?? indexForKey(key, from, count);
}

/** Number of calls of an expanded check before the link to its report. */
const shownOfRun = 3;

/** The expanded checks, and the rows of all calls. */
function useFolds({ calls, filter, runs, total }: ListState, hasReport: (call: CallSummary) => boolean) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  // A search is for calls, so checks are not collapsed.
  const isSearch = (filter?.search ?? '') !== '';
  const isOfRuns = filter?.checks === 'only';
  const shownOf = (run: number, call: CallSummary): number => {
    if (isSearch) return Infinity;
    if (!open.has(run)) return 0;
    return isOfRuns || !hasReport(call) ? Infinity : shownOfRun;
  };
  const items = itemsOf(calls, shownOf);
  const options = items.filter((item) => item.kind !== 'day');
  const newestOf = new Map(items.flatMap((item) => (item.kind === 'run' ? [[item.run, item.newest]] : [])));
  const hiddenOf = ({ contractRun, count }: ListState['runs'][number]): number => {
    const newest = newestOf.get(contractRun);
    const most = newest ? shownOf(contractRun, newest) : 0;
    return count <= most ? 0 : count - most - (most > 0 ? 1 : 0);
  };
  return {
    items,
    options,
    /** Number of options if all calls were loaded. */
    total: total + runs.length - runs.reduce((sum, run) => sum + hiddenOf(run), 0),
    toggleRun: (run: number): void => {
      const changed = new Set(open);
      if (!changed.delete(run)) changed.add(run);
      setOpen(changed);
    },
  };
}

/**
 * Keeps the scroll position when calls are added above what is read. At the top, the list follows them. A new filter
 * scrolls to the top.
 */
function useScrollAnchor(
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
    element.scrollTop += (offsetOf(items, earlier.first) ?? 0) - (offsetOf(earlier.items, earlier.first) ?? 0);
  }, [filter, arrived, items, first, rowsRef]);
}
