import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { ChevronRightIcon } from './icons.tsx';
import classes from './fold.module.css';

interface FoldProps {
  title: string;
  /** What the fields inside say in a few words, so that nobody has to open it to know. */
  value: string;
  /** Whether it opens, since something in it is to be seen. Otherwise a person opens it, and a person alone closes it. */
  isOpen?: boolean;
  /** Marks what a person noted for themselves. */
  'data-notes'?: true;
  children: ReactNode;
}

/** Holds fields that few people need. Its line says what they hold. */
export function Fold({ title, value, isOpen = false, children, ...marks }: FoldProps) {
  const ref = useRef<HTMLDetailsElement>(null);
  useLayoutEffect(() => {
    if (isOpen && ref.current) ref.current.open = true;
  }, [isOpen]);
  return (
    <details ref={ref} className={classes.fold} {...marks}>
      <summary className={classes.summary}>
        <ChevronRightIcon />
        <span className="strong">{title}</span>
        <bdi className={classes.value}>{value}</bdi>
      </summary>
      <div className={classes.inside}>{children}</div>
    </details>
  );
}
