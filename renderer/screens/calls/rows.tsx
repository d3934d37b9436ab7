import type { RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary } from '../../../preload/contract/calls.ts';
import type { Server } from '../../../preload/contract/models.ts';
import type { CallWords } from '../../answers/say-call.ts';
import type { ListState } from './call-list.ts';
import { nameOfRow, Row } from './row.tsx';
import classes from './rows.module.css';
import { useRows } from './use-rows.ts';

interface RowsProps {
  list: ListState;
  servers: readonly Server[];
  words: CallWords;
  /** The list itself, which takes the focus. */
  rowsRef: RefObject<HTMLDivElement | null>;
  openId: string | undefined;
  /** With `byKeyboard` the focus goes along. */
  onOpen: (id: string, byKeyboard: boolean) => void;
  onOlder: () => void;
}

const optionId = (id: string) => `call-${id}`;

/** Shows the calls as options of one list, of which only those in sight are on the page. */
export function Rows({ list, servers, words, rowsRef, openId, onOpen, onOlder }: RowsProps) {
  const { t } = useTranslation();
  const { calls, total } = list;
  const { rows, rowHeight, totalHeight, wide, activeIndex, activeId, setActiveId, onKeyDown, now } = useRows({
    list,
    rowsRef,
    onOpen,
    onOlder,
  });
  const serverOf = ({ serverId }: CallSummary) => servers.find(({ id }) => id === serverId);

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
      <div role="presentation" className={classes.allRows} style={{ height: totalHeight }}>
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
                aria-label={nameOfRow({ call, server: serverOf(call), words, now }, t)}
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
