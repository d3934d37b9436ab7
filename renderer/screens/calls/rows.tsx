import type { ComponentProps, CSSProperties, RefObject } from 'react';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import type { CallWords } from '../../answers/say-call.ts';
import { useTexts } from '../../texts.tsx';
import type { ListState } from './call-list.ts';
import { heightOf, nearDay, type ListItem } from './list-days.ts';
import { nameOfRow, nameOfRun, Row, RunRow } from './row.tsx';
import classes from './rows.module.css';
import { useRows } from './use-rows.ts';

interface RowsProps {
  list: ListState;
  servers: readonly Server[];
  sessions: readonly HeldSession[];
  words: CallWords;
  /** The list itself, which takes the focus. */
  rowsRef: RefObject<HTMLDivElement | null>;
  openId: string | undefined;
  /** With `byKeyboard` the focus goes along. */
  onOpen: (id: string, byKeyboard: boolean) => void;
  onOlder: () => void;
}

const optionId = (id: string) => `call-${id}`;

/** Shows the calls as options of one list, by day, of which only those in sight are on the page. */
export function Rows({ list, servers, sessions, words, rowsRef, openId, onOpen, onOlder }: RowsProps) {
  const { t } = useTexts();
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
    turn,
    onKeyDown,
    now,
  } = useRows({ list, rowsRef, onOpen, onOlder });
  const shownOf = (call: CallSummary) => ({ call, server: servers.find(({ id }) => id === call.serverId) });
  const sayDay = (startedAt: string) => {
    const near = nearDay(startedAt, now);
    return near ? t(`calls.day.${near}`) : words.longDay(startedAt);
  };
  const top = topItem?.startedAt;
  const countOf = (run: number) => list.runs.find(({ contractRun }) => contractRun === run)?.count ?? 0;

  return (
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
              shown={{ ...shownOf(item.kind === 'run' ? item.newest : item.call), sessions, words, now }}
              count={item.kind === 'run' ? countOf(item.run) : 0}
              place={placeOf(item.key)}
              total={total}
              isOpen={item.key === openId}
              isActive={item.key === activeId}
              onPress={() => {
                setActiveId(item.key);
                if (item.kind === 'run') turn(item.run);
                else onOpen(item.key, false);
              }}
            />
          );
        })}
      </div>
    </div>
  );
}

interface LineProps {
  item: Exclude<ListItem, { kind: 'day' }>;
  style: CSSProperties;
  shown: ComponentProps<typeof Row>;
  /** The number of calls of a run. */
  count: number;
  /** Its place among the lines, from 1 on. */
  place: number;
  total: number;
  isOpen: boolean;
  isActive: boolean;
  onPress: () => void;
}

/** Shows a call or a run as an option of the list. */
function Line({ item, style, shown, count, place, total, isOpen, isActive, onPress }: LineProps) {
  const { t } = useTexts();
  const run = item.kind === 'run' ? { isOpen: item.isOpen, count } : undefined;
  return (
    // The list has the focus and the keys; an option is pressed with the pointer.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={optionId(item.key)}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
      role="option"
      aria-selected={isOpen}
      aria-label={run ? nameOfRun(shown, run, t) : nameOfRow(shown, t)}
      aria-posinset={place}
      aria-setsize={total}
      className={classes.row}
      data-active={isActive}
      style={style}
      onClick={onPress}
    >
      {run ? <RunRow {...shown} {...run} /> : <Row {...shown} />}
    </div>
  );
}
