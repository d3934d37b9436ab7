import { Button, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { t } from '../../i18n.ts';
import { useRovingFocus } from '../../use-roving-focus.ts';
import classes from './data-table.module.css';

/** More rows on the page at once would make every press of a key slow. */
export const pageSize = 50;

interface DataTableProps<Row> {
  label: string;
  /** Shown where there are no rows. */
  empty: string | undefined;
  columns: readonly {
    head: string;
    /** `fixed` stays on one line, with digits that stand one below the other; `actions` holds buttons. */
    kind?: 'fixed' | 'actions';
    /** @param tabIndex that of every control in the cell */
    render: (row: Row, tabIndex: 0 | -1) => ReactNode;
  }[];
  rows: readonly Row[];
  /** Identifies a row as long as it is there. */
  idOf: (row: Row) => string | number;
  /** Stands below a row, such as why its button failed. */
  renderBelow?: (row: Row) => ReactNode;
  /** Whether the names of the columns are for screen readers alone. */
  hidesHead?: boolean;
}

/**
 * Shows a table. Its current row and the controls in that row are stops of the Tab key; arrows lead to the other rows.
 * When the row that has the focus goes away, the row in its place takes the focus, and at the end the `data-home`.
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
      // Its rows take the focus, which those of a plain table do not.
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

/** Shows a text from outside in two lines at most. */
export const LongText = ({ text }: { text: string }) => (
  <UntrustedText className={classes.long} title={text} text={text} />
);

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
