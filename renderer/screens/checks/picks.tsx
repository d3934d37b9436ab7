import classes from './picks.module.css';

interface PicksProps<T extends string> {
  label: string;
  shown: T;
  onShow: (value: T) => void;
  picks: readonly { value: T; label: string; count: number }[];
}

/** Lets one choose what a list shows. Each choice says how many there are. */
export function Picks<T extends string>({ label, shown, onShow, picks }: PicksProps<T>) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset has a legend of its own.
    <div className="wrapping gap6" role="group" aria-label={label}>
      {picks.map((pick) => (
        <button
          key={pick.value}
          type="button"
          className={classes.pick}
          aria-pressed={pick.value === shown}
          onClick={() => onShow(pick.value)}
        >
          {pick.label} <span className="digits">{pick.count}</span>
        </button>
      ))}
    </div>
  );
}
