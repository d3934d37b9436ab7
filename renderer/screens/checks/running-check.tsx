import { countsOf, reportRows } from '../../../preload/contract/report-rows.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { formatDuration } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useServerName } from '../../server-name.ts';
import { Answers, OutcomeMark } from './answers.tsx';
import { useChecks } from './checks.ts';
import { RetryWait, ScrollColumn } from './report-parts.tsx';
import reportClasses from './report.module.css';
import classes from './running-check.module.css';

/**
 * The progress of a check, and its results with the newest last, so that nothing moves. The progress is no live region:
 * the page announces it every ten seconds.
 */
export function RunningCheck() {
  const { running } = useChecks();
  const nameOf = useServerName();
  const words = reportTexts();
  if (!running) return null;
  const { next, cancelled, progress, results } = running;
  const { current, casesDone, casesPlanned, callsMade, callsPlanned, secondsLeft, waitingUntil } = progress;
  const time = formatDuration(secondsLeft);
  const counts = { done: casesDone, count: casesPlanned };
  const cases = t('checks.casesEnding', counts);
  const counted = countsOf(reportRows({ cases: results, findings: [] }, new Set()));
  const soFar = (['problems', 'unspecified', 'passed'] as const).filter((group) => counted[group] > 0);
  return (
    <ScrollColumn label={t('checks.soFar')}>
      <section tabIndex={-1} data-home aria-label={t('run.progress')} className={classes.progress}>
        <h2 className={reportClasses.heading}>{cancelled ? cases : t('checks.cases', { ...counts, time })}</h2>
        <progress
          max={casesPlanned}
          value={casesDone}
          aria-label={t('run.progress')}
          aria-valuetext={`${t('run.counts', { cases, count: callsMade })}, ${t('run.left', { time })}`}
        />
        <p className={classes.now}>
          <span>{current ? t('run.now', { title: words.case(current) }) : '\u00a0'}</span>
          <span className="digits muted">{t('checks.calledSoFar', { calls: callsMade, count: callsPlanned })}</span>
        </p>
        <p className="flush hint">{t(cancelled ? 'run.cancelling' : 'checks.goesOn')}</p>
        {next !== undefined && <p className="flush hint">{t('run.lastOf', { name: nameOf(next) })}</p>}
        <RetryWait until={waitingUntil} />
      </section>
      <section aria-labelledby="run-so-far">
        <div className={reportClasses.head}>
          <h2 id="run-so-far">{t('checks.soFar')}</h2>
          <span className={reportClasses.aside}>
            {soFar.map((group) => `${words.t(`groups.${group}`)} ${counted[group]}`).join(' · ')}
          </span>
        </div>
        <ul className={classes.results}>
          {results.map((result) => (
            <li key={result.id}>
              <OutcomeMark outcome={result.outcome} />
              <span className={classes.words}>
                <span className="text soft">{words.case(result.id)}</span>
                <span className="slim">
                  <Answers result={result} />
                </span>
              </span>
            </li>
          ))}
        </ul>
      </section>
    </ScrollColumn>
  );
}
