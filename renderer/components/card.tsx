import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  title: string;
  /** What stands at the right end of the heading's line. */
  aside?: ReactNode;
  /** `none` for lists whose rows reach the edges. */
  padding?: 'inside' | 'none';
  children: ReactNode;
}

/** Shows a part of a page in a box of its own, under a heading of the second level. */
export function Card({ title, aside, padding = 'inside', children }: CardProps) {
  const id = useId();
  return (
    <section className={classes.card} aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id} className={classes.title}>
          {title}
        </h2>
        {aside !== undefined && <div className={classes.aside}>{aside}</div>}
      </header>
      {padding === 'inside' ? <div className={classes.inside}>{children}</div> : children}
    </section>
  );
}
