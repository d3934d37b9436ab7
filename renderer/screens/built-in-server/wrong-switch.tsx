import { useId } from 'react';
import classes from './wrong-switch.module.css';

interface WrongSwitchProps {
  label: string;
  hint: string;
  checked: boolean;
  onToggle: () => void;
}

/** Turns something wrong on and off. It is red while it is on, and its knob stands at the other end. */
export function WrongSwitch({ label, hint, checked, onToggle }: WrongSwitchProps) {
  const id = useId();
  return (
    <label className={classes.switch}>
      <input
        type="checkbox"
        role="switch"
        className={classes.track}
        checked={checked}
        aria-checked={checked}
        onChange={onToggle}
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
      />
      <span id={`${id}-label`} className={classes.label}>
        {label}
      </span>
      <span id={`${id}-hint`} className={classes.hint}>
        {hint}
      </span>
    </label>
  );
}
