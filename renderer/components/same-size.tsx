import type { ReactNode } from 'react';
import classes from './same-size.module.css';

/** Shows something in the place, and at least in the size, of what stood there before, so that nothing beside it moves. */
export const SameSize = ({ of, children }: { of: ReactNode; children: ReactNode }) => (
  <span className={classes.place}>
    <span className={classes.before} aria-hidden>
      {of}
    </span>
    <span>{children}</span>
  </span>
);
