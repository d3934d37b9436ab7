import { Button, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';
import { useRovingFocus } from '../../use-roving-focus.ts';
import classes from './data-table.module.css';

/** With more rows on the page, each key press would be slow. */
export const pageSize = 50;

interface DataTableProps<Row> {
  label: string;
  /** Shown if there are no rows. */
  empty: string | undefined;
  columns: readonly {
    head: string;
    /** `fixed` stays on one line, with aligned digits; `actions` contains buttons. */
    kind?: 'fixed' | 'actions';
    /** @param tabIndex that of every control in the cell */
    render: (row: Row, tabIndex: 0 | -1) => ReactNode;
  }[];
  rows: readonly Row[];
  /** The key of a row. */
  idOf: (row: Row) => string | number;
  /** Shown below a row, such as the failure of its button. */
  renderBelow?: (row: Row) => ReactNode;
  /** Whether the headings of the columns are for screen readers only. */
  hidesHead?: boolean;
}

/**
 * A table whose current row and its controls are stops of the Tab key; arrow keys move to the other rows. If the
 * focused row is removed, the next one takes the focus, and after the last one the `data-home`.
 */
export function DataTable<Row>({
  label,
  empty,
  columns,
  rows,
  idOf,
  renderBelow,
  hidesHead = false,
}: DataTableProps<Row>) {
  const { list, itemProps } = useRovingFocus(rows.map((row) => String(idOf(row))));
  if (rows.length === 0) return <p className={classes.empty}>{empty}</p>;
  return (
    <table
      // Rows of a grid can be focused; those of a table cannot.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role
      role="grid"
      aria-label={label}
      className={classes.table}
      {...list}
    >
      <thead data-hidden={hidesHead}>
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
          const line = itemProps(String(idOf(row)));
          const below = renderBelow?.(row);
          return (
            <Fragment key={line['data-line']}>
              <tr {...line}>
                {columns.map(({ head, kind, render }) => (
                  <td key={head} data-head={hidesHead ? undefined : head} data-kind={kind}>
                    {render(row, line.tabIndex)}
                  </td>
                ))}
              </tr>
              {below && (
                <tr>
                  <td colSpan={columns.length}>{below}</td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

/** A text from outside in two lines at most. */
export const LongText = ({ text }: { text: string }) => (
  <UntrustedText className={classes.long} title={text} text={text} />
);

interface PagerProps {
  offset: number;
  total: number;
  onOffset: (offset: number) => void;
}

/** Buttons for the previous and next rows, which stay focusable at both ends. */
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
