import classes from './timing-bar.module.css';
import type { Phase } from '../../answers/call-text.ts';
import { t } from '../../i18n.ts';
import { callFormatters } from '../../format.ts';

/** Rounds parts so that as they are shown they add up to the total as it is shown. */
export function inWholeMs(phases: readonly Phase[]): Phase[] {
  let exact = 0;
  return phases.map(({ name, ms }) => {
    const before = Math.round(exact);
    exact += ms;
    return { name, ms: Math.round(exact) - before };
  });
}

/** Draws where the time went. The list below it says the same in numbers, so the bar itself is only for the eye. */
export function TimingBar({ phases, totalMs }: { phases: readonly Phase[]; totalMs: number }) {
  const words = callFormatters();
  return (
    <>
      <div className={classes.bar} aria-hidden>
        {phases.map(({ name, ms }) => (
          <span key={name} data-phase={name} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul className={classes.phases}>
        {inWholeMs(phases).map(({ name, ms }) => (
          <li key={name}>
            <span className={classes.phase} data-phase={name} aria-hidden />
            {t(`calls.phase.${name}`)} <b>{words.duration(ms)}</b>
          </li>
        ))}
        <li>
          {t('calls.phase.total')} <b>{words.duration(totalMs)}</b>
        </li>
      </ul>
    </>
  );
}
