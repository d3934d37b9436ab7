import { useTexts } from '../../texts.tsx';
import classes from './timing-bar.module.css';
import type { CallWords, Phase } from '../../answers/say-call.ts';

interface TimingBarProps {
  phases: readonly Phase[];
  totalMs: number;
  words: CallWords;
}

/** Draws where the time went. The list below it says the same in numbers, so the bar itself is only for the eye. */
export function TimingBar({ phases, totalMs, words }: TimingBarProps) {
  const { t } = useTexts();
  return (
    <>
      <div className={classes.bar} aria-hidden>
        {phases.map(({ name, ms }) => (
          <span key={name} data-phase={name} style={{ flexGrow: ms }} />
        ))}
      </div>
      <ul className={classes.phases}>
        {phases.map(({ name, ms }) => (
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
