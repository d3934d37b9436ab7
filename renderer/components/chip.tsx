import type { ReactNode } from 'react';
import classes from './chip.module.css';

export interface ChipProps {
  /**
   * `plain` is a fact, `info` a selection, `good` a confirmation, `warn` something the user can act on, `bad` a
   * failure, `danger` production or high severity. The text always says the same, since colour alone must not (WCAG
   * 1.4.1).
   */
  tone?: 'plain' | 'info' | 'good' | 'warn' | 'bad' | 'danger' | undefined;
  /** For lists, menus and bars: 20 px high instead of 22. */
  small?: boolean;
  icon?: ReactNode;
  children: ReactNode;
}

/** A state in one to three words. States have no other shape. */
export const Chip = ({ tone = 'plain', small = false, icon, children }: ChipProps) => (
  <span className={classes.chip} data-tone={tone} data-small={small}>
    {icon}
    {children}
  </span>
);

/** Marks a production server in words, wherever its name is shown. */
export const ProductionLabel = ({ children }: { children: ReactNode }) => (
  <Chip tone="danger" small>
    <span className={classes.capitals}>{children}</span>
  </Chip>
);
