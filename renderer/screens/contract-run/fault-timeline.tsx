import type { FaultEvent, FaultHistory } from '../../../preload/contract/kept-runs.ts';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import { useTexts } from '../../texts.tsx';
import { titleOfFault } from './acceptance.ts';
import documentClasses from './document.module.css';
import classes from './history.module.css';
import { Moment } from './run-moment.tsx';
import { sayDay, sayMomentFirst } from './say-moment.ts';
import { SeverityLabel } from './severity-label.tsx';

interface FaultTimelineProps {
  faults: readonly FaultHistory[];
  words: ReportWords;
  onOpen: (number: number) => void;
}

/** Shows each finding and broken rule with when it came, was accepted, went and came back. */
export function FaultTimeline({ faults, words, onOpen }: FaultTimelineProps) {
  const { t } = useTexts();
  return (
    <section aria-labelledby="run-faults">
      <h2 id="run-faults" className={documentClasses.head}>
        {t('contract.history.findings')}
      </h2>
      {faults.length === 0 && <p className={documentClasses.plain}>{t('contract.history.noFindings')}</p>}
      <ul className={classes.list}>
        {faults.map(({ fault, severity, state, events }) => {
          const title = titleOfFault(fault, words);
          return (
            <li key={fault} className={classes.item}>
              <span className={classes.fault}>
                <SeverityLabel severity={severity} words={words} />
                <span className={classes.title}>{state === 'accepted' ? <s>{title}</s> : title}</span>
                <span className={classes.state} data-state={state}>
                  {t(`contract.history.state.${state}`)}
                </span>
              </span>
              <ol className={classes.events} reversed>
                {events.toReversed().map((event, index) => (
                  // oxlint-disable-next-line react/no-array-index-key -- Several events of one moment differ in nothing but their place.
                  <li key={events.length - index}>
                    <Event event={event} onOpen={onOpen} />
                  </li>
                ))}
              </ol>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function Event({ event, onOpen }: { event: FaultEvent; onOpen: (number: number) => void }) {
  const { t, i18n } = useTexts();
  return (
    <>
      <span className={classes.when}>
        {'run' in event ? <Moment run={event.run} isFirst onOpen={onOpen} /> : sayMomentFirst(event.at, i18n.language)}
      </span>
      <span className={classes.said}>
        {event.kind === 'accepted' ? <Accepted event={event} /> : t(`contract.history.event.${event.kind}`)}
      </span>
    </>
  );
}

function Accepted({ event: { reason, until } }: { event: Extract<FaultEvent, { kind: 'accepted' }> }) {
  const { t, i18n } = useTexts();
  return (
    <>
      {until === undefined
        ? t('contract.accepted.forever')
        : t('contract.accepted.until', { day: sayDay(until, i18n.language) })}{' '}
      <bdi>{reason}</bdi>
    </>
  );
}
