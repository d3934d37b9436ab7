import { Button } from '@mantine/core';
import { useId } from 'react';
import type { QuestionHistory, RunHistory, HistoryRun, HistoryEntry } from '../../../preload/contract/checks.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { formatDateTime } from '../../format.ts';
import { t } from '../../i18n.ts';
import { useQuery } from '../../use-query.ts';
import { openRun, useChecks } from './checks.ts';
import { type Cell, ComparisonCell, sectionTitle } from './comparison-rows.tsx';
import classes from './history.module.css';
import { LazyDetails, ScrollColumn } from './report-parts.tsx';
import reportClasses from './report.module.css';

/** How the answers of a server have changed from run to run. */
export function HistoryView() {
  const { serverId = '' } = useChecks();
  const { data: history, error } = useQuery(() => api.checks.history({ serverId }), serverId);
  const first = history?.first;
  return (
    <ScrollColumn label={t('checks.history.title')}>
      {error && <ErrorMessage error={error} during="server" />}
      {history && (
        <p className={reportClasses.plain}>
          {first
            ? `${t('checks.history.runs', { count: history.runs, moment: formatDateTime(first.startedAt) })} ${t('checks.history.rule')}`
            : t('checks.history.none')}
        </p>
      )}
      {history && first && <Questions history={history} />}
    </ScrollColumn>
  );
}

const hasChanged = ({ states }: QuestionHistory): boolean => states.length > 1;

/** The answers that have changed, with their times. All others are collapsed in one line. */
function Questions({ history: { runs, questions } }: { history: RunHistory }) {
  const changed = questions.filter(hasChanged);
  const unchanged = questions.filter((each) => !hasChanged(each));
  return (
    <section className="grid slim gap16" aria-labelledby="run-answers-over-time">
      <h2 id="run-answers-over-time" className={reportClasses.head}>
        {t('checks.history.answers')}
      </h2>
      {changed.length === 0 && (
        <p className={reportClasses.plain}>{t(runs === 1 ? 'checks.history.oneRun' : 'checks.history.noChanges')}</p>
      )}
      <Sections questions={changed} />
      {unchanged.length > 0 && (
        <LazyDetails summary={t('checks.history.unchanged', { number: unchanged.length })}>
          <Sections questions={unchanged} />
        </LazyDetails>
      )}
    </section>
  );
}

/** Questions by section of the interface. */
function Sections({ questions }: { questions: readonly QuestionHistory[] }) {
  const id = useId();
  const sections = Map.groupBy(questions, ({ section }) => section);
  const inOrder = [...sections].toSorted(([a = Infinity], [b = Infinity]) => a - b);
  return inOrder.map(([section, ofSection]) => (
    <section key={section ?? 'other'} aria-labelledby={`${id}-${section}`}>
      <h3 id={`${id}-${section}`} className={classes.section}>
        {sectionTitle(section)}
      </h3>
      <ul className="list">
        {ofSection.map((each) => (
          <Question key={`${each.caseId} ${each.question} ${each.subject}`} history={each} />
        ))}
      </ul>
    </section>
  ));
}

const cellOf = (entry: HistoryEntry): Cell =>
  entry.kind === 'outcome' ? entry : { kind: 'answer', value: entry.value };

function Question({ history: { caseId, question, subject, states } }: { history: QuestionHistory }) {
  const words = reportTexts();
  const asked = question === undefined ? t('checks.history.kept') : words.question({ question, subject });
  const title = words.case(caseId);
  return (
    <li className={classes.question}>
      <span className={classes.title}>
        {title} {asked !== title && <span className={classes.asked}>{asked}</span>}
      </span>
      <ol className={classes.states} reversed>
        {states.toReversed().map(({ since, entry }) => (
          <li key={since.number}>
            <span className="digits muted">
              {t('checks.history.since')} <Since run={since} />
            </span>
            <span>
              <ComparisonCell cell={cellOf(entry)} />
            </span>
          </li>
        ))}
      </ol>
    </li>
  );
}

/** The time of a run, as a link to its report if that is stored. */
function Since({ run: { number, startedAt, isStored } }: { run: HistoryRun }) {
  const { serverId = '' } = useChecks();
  const moment = formatDateTime(startedAt);
  if (!isStored) return <span>{moment}</span>;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      px={0}
      aria-label={t('checks.history.open', { moment })}
      onClick={() => void openRun({ serverId, number })}
    >
      {moment}
    </Button>
  );
}
