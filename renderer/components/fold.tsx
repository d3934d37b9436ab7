import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { ChevronRightIcon } from './icons.tsx';
import classes from './fold.module.css';

interface FoldProps {
  title: string;
  /** A summary of the fields inside, so that it need not be opened to see their values. */
  value: string;
  /** Opens it if something inside needs attention. Only the user closes it. */
  isOpen?: boolean;
  /** Marks private notes. */
  'data-notes'?: true;
  children: ReactNode;
}

/** A collapsible section for rarely used fields, with a summary in its line. */
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
