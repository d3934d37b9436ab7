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
import type { ExchangeSummary } from '../../../preload/contract/exchanges.ts';
import type { Environment } from '../../../preload/contract/models.ts';
import appClasses from '../../app.module.css';
import { ChecklistIcon, PinIcon } from '../../components/icons.tsx';
import { environmentName } from '../../environment-name.ts';
import type { ListState } from './exchange-list.ts';
import classes from './exchanges.module.css';
import { type ExchangeWords, shortFailureOf } from './say-exchange.ts';

/** From here on everything fits into one line. */
const wideFrom = 760;
const wideRow = 30;
const narrowRow = 46;
/** How near the end of what is loaded the next page is asked for. */
const nearEnd = 40;

interface RowsProps {
  list: ListState;
  environments: readonly Environment[];
  words: ExchangeWords;
  /** Takes the focus. */
  rowsRef: RefObject<HTMLDivElement | null>;
  openId: string | undefined;
  /** `byKeyboard`: then the focus goes along. */
  onOpen: (id: string, byKeyboard: boolean) => void;
  onOlder: () => void;
}

const optionId = (id: string) => `exchange-${id}`;

/** The exchanges as options of one list, of which only those in sight are on the page. */
export function Rows({ list, environments, words, rowsRef, openId, onOpen, onOlder }: RowsProps) {
  const { t } = useTranslation();
  const { filter, exchanges, total, more, arrived } = list;
  const [activeId, setActiveId] = useState<string>();
  const [wide, setWide] = useState(true);
  const rowHeight = wide ? wideRow : narrowRow;
  const activeIndex = exchanges.findIndex(({ id }) => id === activeId);

  // Its functions must not be memoized, and are not: this is compiled without React's compiler.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: exchanges.length,
    getScrollElement: () => rowsRef.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => exchanges[index]?.id ?? index,
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
    if (more && lastSeen >= exchanges.length - nearEnd) loadOlder();
  }, [more, lastSeen, exchanges.length]);

  function moveTo(index: number) {
    const next = exchanges[Math.max(0, Math.min(exchanges.length - 1, index))];
    if (!next) return;
    setActiveId(next.id);
    virtualizer.scrollToIndex(exchanges.indexOf(next), { align: 'auto' });
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
      End: exchanges.length - 1,
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
  const environmentOf = ({ environmentId }: ExchangeSummary) => environments.find(({ id }) => id === environmentId);
  /** What an option shows, with pauses. */
  function nameOf(exchange: ExchangeSummary): string {
    const { method, path, host, startedAt, totalMs, responseBytes, pinned } = exchange;
    const environment = environmentOf(exchange);
    return [
      `${method} ${path}`,
      sayOutcome(exchange, t),
      environment ? environmentName(environment, t) : host,
      words.moment(startedAt, now),
      words.duration(totalMs),
      words.size(responseBytes),
      ...(exchange.replayOf ? [t('replay.replay')] : []),
      ...(exchange.contractRun ? [t('exchanges.contractRun')] : []),
      ...(pinned ? [t('exchanges.pinned')] : []),
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
      aria-label={t('exchanges.title')}
      {...(activeIndex >= 0 && activeId !== undefined && { 'aria-activedescendant': optionId(activeId) })}
      onFocus={() => activeIndex < 0 && setActiveId((openId ?? exchanges[0]?.id) || undefined)}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className={classes.allRows} style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start }) => {
          const exchange = exchanges[index];
          return (
            exchange && (
              // The list has the focus and the keys; an option is pressed with the pointer.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={exchange.id}
                id={optionId(exchange.id)}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                role="option"
                aria-selected={exchange.id === openId}
                aria-label={nameOf(exchange)}
                aria-posinset={index + 1}
                aria-setsize={total}
                className={classes.row}
                data-wide={wide}
                data-active={exchange.id === activeId}
                style={{ height: rowHeight, transform: `translateY(${start}px)` }}
                onClick={() => {
                  setActiveId(exchange.id);
                  onOpen(exchange.id, false);
                }}
              >
                <Row exchange={exchange} environment={environmentOf(exchange)} words={words} now={now} />
              </div>
            )
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  exchange: ExchangeSummary;
  environment: Environment | undefined;
  words: ExchangeWords;
  now: Date;
}

function Row({ exchange, environment, words, now }: RowProps) {
  const { t } = useTranslation();
  const { method, path, host, pinned, startedAt, totalMs, responseBytes, replayOf, contractRun } = exchange;
  return (
    <>
      <span className={classes.line}>
        <span className={classes.pin}>
          {pinned && (
            <>
              <PinIcon />
              <VisuallyHidden>{t('exchanges.pinned')}</VisuallyHidden>
            </>
          )}
        </span>
        <span className={classes.method}>
          {method}
          {replayOf && <span title={t('replay.replay')}> ↻</span>}
          {contractRun && (
            <span className={classes.ofRun} title={t('exchanges.contractRun')}>
              <ChecklistIcon size={14} />
            </span>
          )}
        </span>
        <bdi className={classes.path}>{path}</bdi>
        <Outcome exchange={exchange} />
      </span>
      <span className={classes.line}>
        <span className={classes.where}>
          {environment && <span className={appClasses.swatch} data-colour={environment.colour} aria-hidden />}
          <bdi>{environment ? environmentName(environment, t) : host}</bdi>
        </span>
        <span className={classes.figure}>{words.moment(startedAt, now)}</span>
        <span className={classes.figure}>{words.duration(totalMs)}</span>
        <span className={classes.figure}>{words.size(responseBytes)}</span>
      </span>
    </>
  );
}

/** The status, or why there is none; one that came before a failure stands beside it. */
export function Outcome({ exchange }: { exchange: Ended }) {
  const { t } = useTranslation();
  return (
    <span className={classes.outcome} data-outcome={outcomeOf(exchange)}>
      {sayOutcome(exchange, t)}
    </span>
  );
}

type Ended = Pick<ExchangeSummary, 'status' | 'failure'>;

/** In one line, for a name or a sentence. */
export function sayOutcome({ status, failure }: Ended, t: TFunction): string {
  return [
    ...(status === undefined ? [] : [String(status)]),
    ...(failure === undefined ? [] : [t(`exchanges.failure.${shortFailureOf(failure)}`)]),
  ].join(' · ');
}

function outcomeOf({ status, failure }: Ended): string {
  if (failure !== undefined || status === undefined) return 'failed';
  if (status >= 400) return 'refused';
  return status >= 300 ? 'redirected' : 'succeeded';
}
