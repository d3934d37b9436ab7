import classes from './choice.module.css';
import type { Named } from './setting-row.tsx';

interface ChoiceProps<T extends string> {
  named: Named;
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
}

/** Offers a few values side by side, of which one is chosen. They are one stop of Tab, and the arrows choose. */
export const Choice = <T extends string>({ named, value, options, onChange }: ChoiceProps<T>) => (
  <div
    role="radiogroup"
    aria-labelledby={named['aria-labelledby']}
    aria-describedby={named['aria-describedby']}
    className={classes.choice}
  >
    {options.map(([each, label]) => (
      <label key={each} className={classes.option}>
        <input type="radio" name={named.id} checked={each === value} onChange={() => onChange(each)} />
        <span>{label}</span>
      </label>
    ))}
  </div>
);
