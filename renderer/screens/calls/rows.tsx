import { VisuallyHidden } from '@mantine/core';
import { useVirtualizer, defaultRangeExtractor } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { Server } from '../../../preload/contract/models.ts';
import appClasses from '../../app.module.css';
import { ChecklistIcon, PinIcon } from '../../components/icons.tsx';
import { serverName } from '../../server-name.ts';
import type { ListState } from './call-list.ts';
import classes from './calls.module.css';
import { type CallWords, shortFailureOf } from '../../answers/say-call.ts';

/** From here on everything fits into one line. */
const wideFrom = 760;
const wideRow = 30;
const narrowRow = 46;
/** How near the end of what is loaded the next page is asked for. */
const nearEnd = 40;

interface RowsProps {
  list: ListState;
  servers: readonly Server[];
  words: CallWords;
  /** Takes the focus. */
  rowsRef: RefObject<HTMLDivElement | null>;
  openId: string | undefined;
  /** `byKeyboard`: then the focus goes along. */
  onOpen: (id: string, byKeyboard: boolean) => void;
  onOlder: () => void;
}

const optionId = (id: string) => `call-${id}`;

/** The calls as options of one list, of which only those in sight are on the page. */
export function Rows({ list, servers, words, rowsRef, openId, onOpen, onOlder }: RowsProps) {
  const { t } = useTranslation();
  const { filter, calls, total, more, arrived } = list;
  const [activeId, setActiveId] = useState<string>();
  const [wide, setWide] = useState(true);
  const rowHeight = wide ? wideRow : narrowRow;
  const activeIndex = calls.findIndex(({ id }) => id === activeId);

  // Its functions must not be memoized, and are not: this is compiled without React's compiler.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: calls.length,
    getScrollElement: () => rowsRef.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => calls[index]?.id ?? index,
    overscan: 6,
    // Whoever hears the list is told of the active one by its id: it must be there wherever the list is scrolled to.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      return activeIndex < 0 || indexes.includes(activeIndex)
        ? indexes
        : [...indexes, activeIndex].toSorted((a, b) => a - b);
    },
  });

  useLayoutEffect(() => {
    const element = rowsRef.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWide(element.clientWidth >= wideFrom));
    observer.observe(element);
    return () => observer.disconnect();
  }, [rowsRef]);
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, rowHeight]);

  // What is being read stays where it is when others come in above it; at the top one follows them.
  // What a new filter finds begins at the top.
  const before = useRef({ filter, arrived });
  useLayoutEffect(() => {
    const added = arrived - before.current.arrived;
    const isSame = filter === before.current.filter;
    before.current = { filter, arrived };
    const element = rowsRef.current;
    if (element && !isSame) element.scrollTop = 0;
    else if (element && added > 0 && element.scrollTop > 0) element.scrollTop += added * rowHeight;
  }, [filter, arrived, rowHeight, rowsRef]);

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

  const now = new Date();
  const serverOf = ({ serverId }: CallSummary) => servers.find(({ id }) => id === serverId);
  /** What an option shows, with pauses. */
  function nameOf(call: CallSummary): string {
    const { method, path, host, startedAt, totalMs, responseBytes, pinned } = call;
    const server = serverOf(call);
    return [
      `${method} ${path}`,
      sayOutcome(call, t),
      server ? serverName(server, t) : host,
      words.moment(startedAt, now),
      words.duration(totalMs),
      words.size(responseBytes),
      ...(call.replayOf ? [t('replay.replay')] : []),
      ...(call.contractRun ? [t('calls.contractRun')] : []),
      ...(pinned ? [t('calls.pinned')] : []),
    ].join(', ');
  }

  return (
    <div
      ref={rowsRef}
      className={classes.rows}
      // No tag holds a list of options of which most are not on the page.
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="listbox"
      tabIndex={0}
      aria-label={t('calls.title')}
      {...(activeIndex >= 0 && activeId !== undefined && { 'aria-activedescendant': optionId(activeId) })}
      onFocus={() => activeIndex < 0 && setActiveId((openId ?? calls[0]?.id) || undefined)}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={classes.allRows} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const call = calls[index];
          return (
            call && (
              // The list has the focus and the keys; an option is pressed with the pointer.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={call.id}
                id={optionId(call.id)}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                role="option"
                aria-selected={call.id === openId}
                aria-label={nameOf(call)}
                aria-posinset={index + 1}
                aria-setsize={total}
                className={classes.row}
                data-wide={wide}
                data-active={call.id === activeId}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                onClick={() => {
                  setActiveId(call.id);
                  onOpen(call.id, false);
                }}
              >
                <Row call={call} server={serverOf(call)} words={words} now={now} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  call: CallSummary;
  server: Server | undefined;
  words: CallWords;
  now: Date;
}

function Row({ call, server, words, now }: RowProps) {
  const { t } = useTranslation();
  const { method, path, host, pinned, startedAt, totalMs, responseBytes, replayOf, contractRun } = call;
  return (
    <>
      <span className={classes.line}>
        <span className={classes.pin}>
          {pinned && (
            <>
              <PinIcon />
              <VisuallyHidden>{t('calls.pinned')}</VisuallyHidden>
            </>
          )}
        </span>
        <span className={classes.method}>
          {method}
          {replayOf && <span title={t('replay.replay')}> ↻</span>}
          {contractRun && (
            <span className={classes.ofRun} title={t('calls.contractRun')}>
              <ChecklistIcon size={14} />
            </span>
          )}
        </span>
        <bdi className={classes.path}>{path}</bdi>
        <Outcome call={call} />
      </span>
      <span className={classes.line}>
        <span className={classes.where}>
          {server && <span className={appClasses.swatch} data-colour={server.colour} aria-hidden />}
          <bdi>{server ? serverName(server, t) : host}</bdi>
        </span>
        <span className={classes.figure}>{words.moment(startedAt, now)}</span>
        <span className={classes.figure}>{words.duration(totalMs)}</span>
        <span className={classes.figure}>{words.size(responseBytes)}</span>
      </span>
    </>
  );
}

/** The status, or why there is none; one that came before a failure stands beside it. */
export function Outcome({ call }: { call: Ended }) {
  const { t } = useTranslation();
  return (
    <span className={classes.outcome} data-outcome={outcomeOf(call)}>
      {sayOutcome(call, t)}
    </span>
  );
}

type Ended = Pick<CallSummary, 'status' | 'failure'>;

/** In one line, for a name or a sentence. */
export function sayOutcome({ status, failure }: Ended, t: TFunction): string {
  return [
    ...(status === undefined ? [] : [String(status)]),
    ...(failure === undefined ? [] : [t(`calls.failure.${shortFailureOf(failure)}`)]),
  ].join(' · ');
}

function outcomeOf({ status, failure }: Ended): string {
  if (failure !== undefined || status === undefined) return 'failed';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirected' : 'succeeded';
}
