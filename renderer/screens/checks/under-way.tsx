import { reportTexts } from '../../answers/report-texts.ts';
import type { RunUnderWay } from '../../../preload/contract/contract-runs.ts';
import { countsOf, rowsOf } from '../../../preload/contract/report-rows.ts';
import { formatDuration } from '../../format.ts';
import documentClasses from './document.module.css';
import classes from './page.module.css';
import { OneCase } from './one-case.tsx';
import { useLostFocus } from './use-lost-focus.ts';
import { Wait } from './wait.tsx';
import { t } from '../../i18n.ts';
import { useServerName } from '../../server-name.ts';

/**
 * Shows how far a run is, and its results as they come, the newest last, so that nothing moves. The progress is not
 * announced: a live region elsewhere says it now and then.
 */
export function UnderWay({ underWay }: { underWay: RunUnderWay }) {
  const nameOf = useServerName();
  const words = reportTexts();

  const focusRef = useLostFocus<HTMLElement>();
  const { next, cancelled, progress, results } = underWay;
  const { current, casesDone, casesPlanned, callsMade, callsPlanned, secondsLeft, waitingUntil } = progress;
  const time = formatDuration(secondsLeft);
  const counts = { done: casesDone, count: casesPlanned };
  const cases = t('contract.casesEnding', counts);
  const counted = countsOf(rowsOf({ cases: results, findings: [] }, new Set()));
  const soFar = (['problems', 'unspecified', 'passed'] as const).filter((group) => counted[group] > 0);
  return (
    // The results have nothing that takes the focus, and the arrow keys scroll them all the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role
    <div className={classes.scroll} tabIndex={0} role="group" aria-label={t('contract.soFar')}>
      <div className={classes.page} data-width="document">
        <section ref={focusRef} tabIndex={-1} aria-label={t('run.progress')} className={classes.progress}>
          <h2>{cancelled ? cases : t('contract.cases', { ...counts, time })}</h2>
          <progress
            max={casesPlanned}
            value={casesDone}
            aria-label={t('run.progress')}
            aria-valuetext={`${t('run.counts', { cases, count: callsMade })}, ${t('run.left', { time })}`}
          />
          <p className={classes.now}>
            <span>{current ? t('run.now', { title: words.case(current) }) : '\u00a0'}</span>
            <span>{t('contract.calledSoFar', { calls: callsMade, count: callsPlanned })}</span>
          </p>
          <p className={classes.hint}>{t(cancelled ? 'run.cancelling' : 'contract.goesOn')}</p>
          {next !== undefined && <p className={classes.hint}>{t('run.lastOf', { name: nameOf(next) })}</p>}
          <Wait until={waitingUntil} />
        </section>
        <section aria-labelledby="run-so-far">
          <div className={documentClasses.head}>
            <h2 id="run-so-far">{t('contract.soFar')}</h2>
            <span className={documentClasses.aside}>
              {soFar.map((group) => `${words.t(`groups.${group}`)} ${counted[group]}`).join(' · ')}
            </span>
          </div>
          <ul className={documentClasses.lines}>
            {results.map((result) => (
              <li key={result.id}>
                <div className={documentClasses.line}>
                  <OneCase result={result} />
                </div>
              </li>
            ))}
          </ul>
        </section>
      </div>
    </div>
  );
}
