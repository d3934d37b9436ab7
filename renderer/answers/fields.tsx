import type { ReactNode } from 'react';
import classes from './fields.module.css';

export function Fields({ fields }: { fields: readonly { label: string; mono?: boolean; value: ReactNode }[] }) {
  return (
    <dl className="flush grid">
      {fields.map(({ label, mono, value }) => (
        <div key={label} className={classes.row}>
          <dt className={mono ? `${classes.label} ${classes.mono}` : classes.label}>{label}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
