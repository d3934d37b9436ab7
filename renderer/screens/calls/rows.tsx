import type { RefObject } from 'react';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import type { CallWords } from '../../answers/say-call.ts';
import { useTexts } from '../../texts.tsx';
import type { ListState } from './call-list.ts';
import { heightOf, nearDay } from './list-days.ts';
import { nameOfRow, Row } from './row.tsx';
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
  const { calls, total } = list;
  const { rows, totalHeight, topItem, activeIndex, activeId, setActiveId, onKeyDown, now } = useRows({
    list,
    rowsRef,
    onOpen,
    onOlder,
  });
  const serverOf = ({ serverId }: CallSummary) => servers.find(({ id }) => id === serverId);
  const sayDay = (startedAt: string) => {
    const near = nearDay(startedAt, now);
    return near ? t(`calls.day.${near}`) : words.longDay(startedAt);
  };
  const top = topItem?.kind === 'call' ? topItem.call.startedAt : topItem?.startedAt;

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
      onFocus={() => activeIndex < 0 && setActiveId((openId ?? calls[0]?.id) || undefined)}
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
          const { call, index } = item;
          const shown = { call, server: serverOf(call), sessions, words, now };
          return (
            // The list has the focus and the keys; an option is pressed with the pointer.
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
            <div
              key={call.id}
              id={optionId(call.id)}
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
              role="option"
              aria-selected={call.id === openId}
              aria-label={nameOfRow(shown, t)}
              aria-posinset={index + 1}
              aria-setsize={total}
              className={classes.row}
              data-active={call.id === activeId}
              style={style}
              onClick={() => {
                setActiveId(call.id);
                onOpen(call.id, false);
              }}
            >
              <Row {...shown} />
            </div>
          );
        })}
      </div>
    </div>
  );
}
