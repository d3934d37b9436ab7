import { type ReactNode, useState } from 'react';
import classes from './document.module.css';

/** Shows a line that unfolds. What is within is made when it unfolds for the first time. */
export function Unfolding({ summary, children }: { summary: string; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details className={classes.unfolding} onToggle={(event) => event.currentTarget.open && setWasOpen(true)}>
      <summary>{summary}</summary>
      {wasOpen && <div className={classes.unfolded}>{children}</div>}
    </details>
  );
}
