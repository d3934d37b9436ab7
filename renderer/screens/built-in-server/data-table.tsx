import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { useRovingFocus } from '../../use-roving-focus.ts';
import classes from './data-table.module.css';
import { t } from '../../i18n.ts';

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
  const { list, lineOf } = useRovingFocus(rows.map((row) => String(idOf(row))));
  return (
    <table
      // Its rows take the focus, which those of a plain table do not.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
      role="grid"
      aria-label={label}
      className={classes.table}
      {...list}
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
      <tbody>
        {rows.map((row) => {
          const id = String(idOf(row));
          const line = lineOf(id);
          return (
            <tr key={id} {...line}>
              {columns.map(({ head, kind, cell }) => (
                <td key={head} data-head={hidesHead ? undefined : head} data-kind={kind}>
                  {cell(row, line.tabIndex)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Shows a text from outside, which keeps its writing direction to itself and takes two lines at most. */
export function Long({ text }: { text: string }) {
  return <UntrustedText className={classes.long} title={text} text={text} />;
}

interface PagerProps {
  offset: number;
  total: number;
  onOffset: (offset: number) => void;
}

/** Turns the pages. Its buttons stay focusable at the ends. */
export function Pager({ offset, total, onOffset }: PagerProps) {
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
