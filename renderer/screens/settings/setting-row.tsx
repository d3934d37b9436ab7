import { type ReactNode, useId } from 'react';
import classes from './settings.module.css';

/** What ties a control to the words of its row. */
export interface Named {
  id: string;
  'aria-labelledby': string;
  'aria-describedby': string;
}

/** One setting: its name, a sentence about it, and what changes it. */
export interface Row {
  id: string;
  label: string;
  help?: string;
  /** Whether the sentence is read out when it changes. */
  live?: boolean;
  /** Whether the words are the name of what stands at the right end, and press it. */
  isField?: boolean;
  /** What stands at the right end. A button has words of its own, and the row describes it. */
  control?: ((named: Named) => ReactNode) | undefined;
  /** What stands below, over the whole width. */
  below?: ReactNode;
}

export function SettingRow({ row: { label, help, live, isField, control, below } }: { row: Row }) {
  const id = useId();
  const named = { id, 'aria-labelledby': `${id}-label`, 'aria-describedby': `${id}-help` };
  const Help = live ? 'output' : 'p';
  return (
    <div className={classes.row}>
      <div className={classes.line}>
        <div className={classes.words}>
          {isField ? (
            <label id={named['aria-labelledby']} htmlFor={id} className="normal medium">
              {label}
            </label>
          ) : (
            <span id={named['aria-labelledby']} className="normal medium">
              {label}
            </span>
          )}
          {help !== undefined && (
            <Help id={named['aria-describedby']} className={classes.help}>
              {help}
            </Help>
          )}
        </div>
        {control && <div className={classes.control}>{control(named)}</div>}
      </div>
      {below}
    </div>
  );
}

/** Returns what a button of a row takes: it is called by its own words, and the row describes it. */
export const described = (named: Named) => ({
  'aria-describedby': `${named['aria-labelledby']} ${named['aria-describedby']}`,
});
