import { type ReactNode, useId } from 'react';
import classes from './card.module.css';

interface CardProps {
  title: string;
  /** Content at the right end of the heading's line. */
  aside?: ReactNode;
  /** `none` for lists whose rows reach the edges. */
  padding?: 'inside' | 'none';
  children: ReactNode;
}

/** A section of a page in a box, with a heading of the second level. */
export function Card({ title, aside, padding = 'inside', children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header className={classes.head}>
        <h2 id={id} className="flush normal">
          {title}
        </h2>
        {aside !== undefined && <div className="far hint">{aside}</div>}
      </header>
      {padding === 'inside' ? <div className="padded">{children}</div> : children}
    </section>
  );
}
