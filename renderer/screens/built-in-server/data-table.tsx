import { Button, Group, Text } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import classes from './built-in-server.module.css';

/** More rows on the page at once would make every press of a key slow. */
export const pageSize = 50;

interface DataTableProps {
  label: string;
  head: readonly string[];
  /** The rows of the table. */
  children: ReactNode;
  /** It takes the focus when the button that had it is gone. */
  ref?: Ref<HTMLElement>;
}

/** Shows a table that scrolls by itself, with keys too. */
export function DataTable({ label, head, children, ref }: DataTableProps) {
  return (
    // Whoever has no pointer scrolls it by having the focus in it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section ref={ref} className={classes.scroll} aria-label={label} tabIndex={0}>
      <table className={classes.table}>
        <thead>
          <tr>
            {head.map((text) => (
              <th key={text} scope="col">
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}

/** Shows a text from outside, which keeps its writing direction to itself and takes two lines at most. */
export function Long({ text }: { text: string }) {
  return (
    <td>
      <bdi className={classes.long} title={text}>
        {text}
      </bdi>
    </td>
  );
}

/** Shows what stays on one line, with digits that stand one below the other. */
export function Fixed({ children }: { children: ReactNode }) {
  return <td className={classes.fixed}>{children}</td>;
}

interface PagerProps {
  offset: number;
  total: number;
  onOffset: (offset: number) => void;
}

/** Turns the pages. Its buttons stay focusable at the ends. */
export function Pager({ offset, total, onOffset }: PagerProps) {
  const { t } = useTranslation();
  const last = Math.min(total, offset + pageSize);
  const ends = [
    ['previous', offset > 0, offset - pageSize],
    ['next', last < total, offset + pageSize],
  ] as const;
  return (
    <Group gap="xs">
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
    </Group>
  );
}
