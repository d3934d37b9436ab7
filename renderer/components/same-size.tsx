import type { ReactNode } from 'react';
import classes from './same-size.module.css';

/** Keeps at least the size of the content that `children` replace, so that nothing beside it moves. */
export const SameSize = ({ of, children }: { of: ReactNode; children: ReactNode }) => (
  <span className={classes.place}>
    <span className={classes.before} aria-hidden>
      {of}
    </span>
    <span>{children}</span>
  </span>
);
