import type { ReactNode } from 'react';
import classes from './chip.module.css';

export interface ChipProps {
  /**
   * `plain` says a fact, `info` what is chosen, `good` what is confirmed, `warn` what a person can do something about,
   * `bad` what has failed, and `danger` production and what is of high severity. Words always say the same.
   */
  tone?: 'plain' | 'info' | 'good' | 'warn' | 'bad' | 'danger' | undefined;
  /** As in lists, menus and bars: 20 px high instead of 22. */
  small?: boolean;
  icon?: ReactNode;
  children: ReactNode;
}

/** Shows a state in one to three words. There is no other shape for states. */
export const Chip = ({ tone = 'plain', small = false, icon, children }: ChipProps) => (
  <span className={classes.chip} data-tone={tone} data-small={small}>
    {icon}
    {children}
  </span>
);

/** Names a production server, in words, wherever its name stands. */
export const ProductionLabel = ({ children }: { children: ReactNode }) => (
  <Chip tone="danger" small>
    <span className={classes.capitals}>{children}</span>
  </Chip>
);
