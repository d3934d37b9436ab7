import type { ReactNode } from 'react';
import { ChevronRightIcon } from './icons.tsx';
import classes from './fold.module.css';

interface FoldProps {
  title: string;
  /** What the fields inside say in a few words, so that nobody has to open it to know. */
  value: string;
  /** Whether it opens, since something in it is to be seen. A person opens and closes it otherwise. */
  isOpen?: boolean;
  children: ReactNode;
}

/** Holds fields that few people need. Its line says what they hold. */
export const Fold = ({ title, value, isOpen = false, children }: FoldProps) => (
  <details className={classes.fold} {...(isOpen && { open: true })}>
    <summary className={classes.summary}>
      <ChevronRightIcon />
      <span className={classes.title}>{title}</span>
      <bdi className={classes.value}>{value}</bdi>
    </summary>
    <div className={classes.inside}>{children}</div>
  </details>
);
