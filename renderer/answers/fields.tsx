import type { ReactNode } from 'react';
import classes from './fields.module.css';

interface FieldsProps {
  fields: readonly { label: string; mono?: boolean; value: ReactNode }[];
}

/** Shows names and values as a list. */
export function Fields({ fields }: FieldsProps) {
  return (
    <dl className={classes.list}>
      {fields.map(({ label, mono, value }) => (
        <div key={label} className={classes.row}>
          <dt className={mono ? `${classes.label} ${classes.mono}` : classes.label}>{label}</dt>
          <dd className={classes.value}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
