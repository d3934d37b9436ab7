import type { ReactNode } from 'react';
import classes from './chip.module.css';

export interface ChipProps {
  /** `plain` says a fact; the others say how good it is, always together with their words. */
  tone?: 'plain' | 'good' | 'warn' | 'bad' | 'info' | 'outlined' | undefined;
  icon?: ReactNode;
  children: ReactNode;
}

/** Shows a word or two about what stands beside it. */
export const Chip = ({ tone = 'plain', icon, children }: ChipProps) => (
  <span className={classes.chip} data-tone={tone}>
    {icon}
    {children}
  </span>
);

/** Says that a server is a double of another one, wherever its name stands. */
export const DoubleLabel = ({ title, children }: { title?: string | undefined; children: ReactNode }) => (
  <span className={classes.double} title={title}>
    {children}
  </span>
);

/** Names a production server, in words, wherever its name stands. */
export const ProductionLabel = ({ children }: { children: ReactNode }) => (
  <span className={classes.production}>{children}</span>
);
