import { useEffect, useEffectEvent, useId } from 'react';
import type { QuestionHistory, SaidThen, RunMoment } from '../../../preload/contract/contract-runs.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { useQuery } from '../../use-query.ts';
import { ComparisonCell } from './comparison-cell.tsx';
import type { Cell } from './comparison-rows.ts';
import documentClasses from './document.module.css';
import classes from './history.module.css';
import pageClasses from './page.module.css';
import { formatDateTime, capitalize } from '../../format.ts';
import { Unfolding } from './unfolding.tsx';
import { Button } from '@mantine/core';
import { t } from '../../i18n.ts';
import { reportTexts } from '../../answers/report-texts.ts';

interface HistoryViewProps {
  serverId: string;
  onOpen: (number: number) => void;
  onFailed: (error: AppError) => void;
}

/** Shows what the runs of a server have taught over time: what became of each answer. */
export function HistoryView({ serverId, onOpen, onFailed }: HistoryViewProps) {
  const { data: history, error } = useQuery(() => api.contractRun.history({ serverId }), serverId);
  const say = useEffectEvent(onFailed);
  useEffect(() => {
    if (error) say(error);
  }, [error]);
  const first = history?.first;
  return (
    // Where no report is kept, nothing in it takes the focus, and the arrow keys scroll it all the same.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- see above.
    <div className={pageClasses.scroll} tabIndex={0} role="group" aria-label={t('contract.history.title')}>
      <div className={pageClasses.page} data-width="document">
        {history && (
          <p className={documentClasses.plain}>
            {first
              ? `${t('contract.history.runs', { count: history.runs, moment: formatDateTime(first.startedAt) })} ${t('contract.history.rule')}`
              : t('contract.history.none')}
          </p>
        )}
        {history && first && <Questions runs={history.runs} questions={history.questions} onOpen={onOpen} />}
      </div>
    </div>
  );
}

interface QuestionsProps {
  /** How many runs there were. */
  runs: number;
  questions: readonly QuestionHistory[];
  onOpen: (number: number) => void;
}

const hasChanged = ({ states }: QuestionHistory): boolean => states.length > 1;

/** Shows the answers that have changed with what was answered since when. Those that never did are in one line. */
function Questions({ runs, questions, onOpen }: QuestionsProps) {
  const words = reportTexts();
  const changed = questions.filter(hasChanged);
  const unchanged = questions.filter((each) => !hasChanged(each));
  return (
    <section className={documentClasses.results} aria-labelledby="run-answers-over-time">
      <h2 id="run-answers-over-time" className={documentClasses.head}>
        {t('contract.history.answers')}
      </h2>
      {changed.length === 0 && (
        <p className={documentClasses.plain}>
          {t(runs === 1 ? 'contract.history.oneRun' : 'contract.history.noChanges')}
        </p>
      )}
      <Sections lines={changed} {...{ words, onOpen }} />
      {unchanged.length > 0 && (
        <Unfolding summary={t('contract.history.unchanged', { number: unchanged.length })}>
          <Sections lines={unchanged} {...{ words, onOpen }} />
        </Unfolding>
      )}
    </section>
  );
}

/** Shows questions under the section of the interface that each is of. */
function Sections({ lines, onOpen }: Omit<QuestionProps, 'line'> & { lines: readonly QuestionHistory[] }) {
  const words = reportTexts();
  const id = useId();
  const sections = [...new Set(lines.map(({ section }) => section ?? Infinity))].toSorted((a, b) => a - b);
  return sections.map((section) => {
    const title = words.section(section);
    return (
      <section key={section} aria-labelledby={`${id}-${section}`}>
        <h3 id={`${id}-${section}`} className={classes.section}>
          {title === undefined ? t('contract.otherSection') : t('run.section', { number: section, title })}
        </h3>
        <ul className={classes.list}>
          {lines
            .filter((each) => (each.section ?? Infinity) === section)
            .map((each) => (
              <Question key={`${each.caseId} ${each.question} ${each.subject}`} {...{ words, onOpen }} line={each} />
            ))}
        </ul>
      </section>
    );
  });
}

interface QuestionProps {
  line: QuestionHistory;
  onOpen: (number: number) => void;
}

function Question({ line, onOpen }: QuestionProps) {
  const words = reportTexts();
  const { caseId, question, subject, states } = line;
  const asked = question === undefined ? t('contract.history.kept') : words.question({ question, subject });
  const about = words.case(caseId);
  return (
    <li className={classes.item}>
      <span className={classes.asked}>
        {about} {asked !== about && <span className={classes.small}>{asked}</span>}
      </span>
      <ol className={classes.events} reversed>
        {states.toReversed().map(({ since, said }) => (
          <li key={since.number}>
            <span className="digits muted">
              {t('contract.history.since')} <Moment run={since} onOpen={onOpen} />
            </span>
            <span className={classes.said}>
              <ComparisonCell cell={cellOf(said)} />
            </span>
          </li>
        ))}
      </ol>
    </li>
  );
}

const cellOf = (said: SaidThen): Cell => (said.kind === 'outcome' ? said : { kind: 'answer', value: said.value });

interface MomentProps {
  run: RunMoment;
  /** Whether it begins a line. */
  isFirst?: boolean;
  onOpen: (number: number) => void;
}

/** Says when a run was made. It leads to the report, where that is kept. */
function Moment({ run, isFirst = false, onOpen }: MomentProps) {
  const said = formatDateTime(run.startedAt);
  const moment = isFirst ? capitalize(said) : said;
  if (!run.isKept) return <span>{moment}</span>;
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      px={0}
      aria-label={t('contract.history.open', { moment })}
      onClick={() => onOpen(run.number)}
    >
      {moment}
    </Button>
  );
}
