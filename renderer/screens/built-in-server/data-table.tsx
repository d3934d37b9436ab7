import { Button, Text } from '@mantine/core';
import { type FocusEvent, type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { OutsideText } from '../../components/outside-text.tsx';
import { useTexts } from '../../texts.tsx';
import classes from './data-table.module.css';

/** More rows on the page at once would make every press of a key slow. */
export const pageSize = 50;

export interface Column<Row> {
  head: string;
  /** `fixed` stays on one line, with digits that stand one below the other; `actions` holds buttons. */
  kind?: 'fixed' | 'actions';
  /** @param tabIndex that of every control in the cell */
  cell: (row: Row, tabIndex: 0 | -1) => ReactNode;
}

interface DataTableProps<Row> {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Names a row as long as it is there. */
  idOf: (row: Row) => string | number;
  /** Whether the names of the columns are only said to those who listen. */
  hidesHead?: boolean;
}

/**
 * Shows a table. Its current row and the controls in that row are stops of the Tab key; arrows lead to the other rows.
 * When the row that has the focus goes away, the row in its place takes the focus.
 */
export function DataTable<Row>({ label, columns, rows, idOf, hidesHead = false }: DataTableProps<Row>) {
  const bodyRef = useRef<HTMLTableSectionElement>(null);
  const { current, onFocus, onBlur, onKeyDown } = useCurrentRow(
    bodyRef,
    rows.map((row) => String(idOf(row))),
  );
  return (
    <table
      // Its rows take the focus, which those of a plain table do not.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
      role="grid"
      aria-label={label}
      className={classes.table}
      onFocus={onFocus}
      onBlur={onBlur}
      onKeyDown={onKeyDown}
    >
      <thead className={classes.head} data-hidden={hidesHead}>
        <tr>
          {columns.map(({ head, kind }) => (
            <th key={head} scope="col" data-kind={kind}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody ref={bodyRef}>
        {rows.map((row) => {
          const id = String(idOf(row));
          const tabIndex = id === current ? 0 : -1;
          return (
            <tr key={id} tabIndex={tabIndex} data-id={id}>
              {columns.map(({ head, kind, cell }) => (
                <td key={head} data-head={hidesHead ? undefined : head} data-kind={kind}>
                  {cell(row, tabIndex)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const steps: Record<string, (index: number, last: number) => number> = {
  ArrowDown: (index) => index + 1,
  ArrowUp: (index) => index - 1,
  Home: () => 0,
  End: (_index, last) => last,
};

/** Keeps which row is the stop of the Tab key. */
function useCurrentRow(bodyRef: { current: HTMLTableSectionElement | null }, ids: readonly string[]) {
  const [last, setLast] = useState<string>();
  /** The row that has the focus, and its place. */
  const focused = useRef<{ id: string; index: number }>(undefined);
  const current = last !== undefined && ids.includes(last) ? last : ids[0];

  useLayoutEffect(() => {
    const lost = focused.current;
    if (!lost || ids.includes(lost.id)) return;
    focused.current = undefined;
    if (document.activeElement === document.body) bodyRef.current?.rows[Math.min(lost.index, ids.length - 1)]?.focus();
  });

  const rowOf = ({ target }: { target: EventTarget }) =>
    target instanceof Element ? target.closest<HTMLTableRowElement>('tr[data-id]') : null;

  function onFocus(event: FocusEvent) {
    const id = rowOf(event)?.dataset['id'];
    if (id === undefined) return;
    focused.current = { id, index: ids.indexOf(id) };
    setLast(id);
  }

  function onBlur({ relatedTarget }: FocusEvent) {
    // A row that goes away loses the focus to nothing, and this is not the person's wish.
    if (relatedTarget) focused.current = undefined;
  }

  function onKeyDown(event: KeyboardEvent) {
    const row = rowOf(event);
    const step = steps[event.key];
    if (!row || !step) return;
    event.preventDefault();
    const index = ids.indexOf(row.dataset['id'] ?? '');
    bodyRef.current?.rows[step(index, ids.length - 1)]?.focus();
  }

  return { current, onFocus, onBlur, onKeyDown };
}

/** Shows a text from outside, which keeps its writing direction to itself and takes two lines at most. */
export function Long({ text }: { text: string }) {
  return <OutsideText className={classes.long} title={text} text={text} />;
}

interface PagerProps {
  offset: number;
  total: number;
  onOffset: (offset: number) => void;
}

/** Turns the pages. Its buttons stay focusable at the ends. */
export function Pager({ offset, total, onOffset }: PagerProps) {
  const { t } = useTexts();
  const last = Math.min(total, offset + pageSize);
  const ends = [
    ['previous', offset > 0, offset - pageSize],
    ['next', last < total, offset + pageSize],
  ] as const;
  return (
    <div className={classes.pager}>
      <Text component="output" size="sm">
        {total > 0 && t('builtIn.found', { first: offset + 1, last, total })}
      </Text>
      {total > pageSize &&
        ends.map(([verb, possible, target]) => (
          <Button
            key={verb}
            variant="default"
            size="xs"
            aria-disabled={!possible}
            onClick={() => possible && onOffset(target)}
          >
            {t(`builtIn.${verb}`)}
          </Button>
        ))}
    </div>
  );
}
