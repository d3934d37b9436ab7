import type { ReactNode } from 'react';
import { ChevronRightIcon } from '../../components/icons.tsx';
import classes from './fold.module.css';

interface FoldProps {
  title: string;
  /** What the fields inside say in a few words, so that nobody has to open it to know. */
  value: string;
  children: ReactNode;
}

/** Holds fields that few people need. Its line says what they hold. */
export const Fold = ({ title, value, children }: FoldProps) => (
  <details className={classes.fold}>
    <summary className={classes.summary}>
      <ChevronRightIcon />
      <span className={classes.title}>{title}</span>
      <bdi className={classes.value}>{value}</bdi>
    </summary>
    <div className={classes.inside}>{children}</div>
  </details>
);
