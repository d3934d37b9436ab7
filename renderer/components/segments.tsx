import { useId } from 'react';
import classes from './segments.module.css';

interface SegmentsProps<V extends string> {
  label: string;
  /** The id of a text that says more of the choice. */
  describedBy?: string;
  choices: readonly { value: V; label: string; title?: string }[];
  /** Undefined while none of them is true. */
  value: V | undefined;
  onChange: (value: V) => void;
}

/** Shows a choice of a few words side by side. */
export function Segments<V extends string>({ label, describedBy, choices, value, onChange }: SegmentsProps<V>) {
  const name = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset needs a legend on the screen.
    <div className={classes.segments} role="radiogroup" aria-label={label} aria-describedby={describedBy}>
      {choices.map((choice) => (
        <label key={choice.value} title={choice.title}>
          <input type="radio" name={name} checked={choice.value === value} onChange={() => onChange(choice.value)} />
          <span>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}
