import { Button, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaseId, CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Finding } from '../../../preload/contract/report-findings.ts';
import classes from './contract-run.module.css';
import { Evidence } from './evidence.tsx';
import { Parts } from './parts.tsx';
import { useReport } from './report-context.ts';

const shows = ['all', 'wrong', 'stated', 'observed', 'not-measured'] as const;
export type Shows = (typeof shows)[number];

/** Which cases each choice shows. `raised` has those that found something. */
const filters: Record<Shows, (result: CaseResult, raised: ReadonlySet<CaseId>) => boolean> = {
  all: () => true,
  wrong: ({ id, outcome }, raised) => outcome === 'failed' || raised.has(id),
  stated: ({ kind }) => kind === 'stated',
  observed: ({ kind }) => kind === 'observed',
  'not-measured': ({ outcome }) => outcome === 'not-measured',
};

const sections = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

interface ResultsProps {
  results: readonly CaseResult[];
  findings: readonly Finding[];
}

/** Shows the cases by section of the interface. Those that failed come first. */
export function Results({ results, findings }: ResultsProps) {
  const { t } = useTranslation();
  const { words } = useReport();
  const [chosen, setChosen] = useState<Shows>('all');
  const raised = new Set(findings.map(({ caseId }) => caseId));
  const shown = results.filter((each) => filters[chosen](each, raised));
  return (
    <section className={classes.part} aria-labelledby="run-results">
      <Title order={3} size="h5" id="run-results">
        {t('run.results')}
      </Title>
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset has a legend of its own. */}
      <div className={classes.filter} role="group" aria-label={t('run.show')}>
        {shows.map((each) => (
          <Button
            key={each}
            size="compact-sm"
            variant={each === chosen ? 'filled' : 'default'}
            aria-pressed={each === chosen}
            onClick={() => setChosen(each)}
          >
            {t(`run.shows.${each}`)} ({results.filter((result) => filters[each](result, raised)).length})
          </Button>
        ))}
      </div>
      {shown.length === 0 && <Text size="sm">{t('run.noneShown')}</Text>}
      {sections.map((number) => {
        const ofSection = shown.filter(({ section }) => section === number);
        if (ofSection.length === 0) return null;
        const failed = ofSection.filter(({ outcome }) => outcome === 'failed');
        return (
          <section key={number} className={classes.section} aria-labelledby={`run-section-${number}`}>
            <Title order={4} size="h6" id={`run-section-${number}`}>
              {t('run.section', { number, title: words.words.sections[number] })}
            </Title>
            {[...failed, ...ofSection.filter(({ outcome }) => outcome !== 'failed')].map((result) => (
              <OneCase key={result.id} result={result} />
            ))}
          </section>
        );
      })}
    </section>
  );
}

const marks = { passed: '✓', failed: '✗', answered: '•', 'not-measured': '–' } as const satisfies Record<
  CaseResult['outcome'],
  string
>;

function OneCase({ result }: { result: CaseResult }) {
  const { t } = useTranslation();
  const { words, onAgain, busy } = useReport();
  const { id, outcome, section, lines, exchanges } = result;
  const title = words.case(id);
  return (
    <Unfolding
      summary={
        <>
          <span className={classes.title}>{title}</span>
          <span className={classes.mark} data-outcome={outcome}>
            <span aria-hidden>{marks[outcome]}</span> {words.words.outcomes[outcome]}
          </span>
        </>
      }
    >
      {result.outcome === 'not-measured' ? (
        <Text size="sm">
          <Parts parts={words.notMeasured(result.reason)} />
        </Text>
      ) : (
        result.answers.length > 0 && (
          <dl className={classes.answers}>
            {result.answers.map((answer) => (
              <div key={`${answer.question} ${answer.subject}`}>
                <dt>{words.question(answer)}</dt>
                <dd>
                  <Parts parts={words.value(answer.value)} />
                </dd>
              </div>
            ))}
          </dl>
        )
      )}
      <Text size="xs" c="dimmed">
        {t('run.rests', { section, lines: lines.join(', ') })}
      </Text>
      <Evidence ids={exchanges} />
      {onAgain && (
        <Button
          variant="default"
          size="compact-sm"
          className={classes.start}
          aria-label={t('run.runAgainOf', { title })}
          aria-disabled={busy}
          onClick={() => !busy && onAgain(id)}
        >
          {t('run.runAgain')}
        </Button>
      )}
    </Unfolding>
  );
}

/** Shows what looks unsafe, the most severe first. */
export function Findings({ findings }: { findings: readonly Finding[] }) {
  const { t } = useTranslation();
  const { words } = useReport();
  return (
    <section className={classes.part} aria-labelledby="run-findings">
      <Title order={3} size="h5" id="run-findings">
        {words.words.report.findings}
      </Title>
      {findings.length === 0 && <Text size="sm">{words.words.report.noFindings}</Text>}
      {findings.map((finding) => {
        const { title, why } = words.finding(finding);
        return (
          <Unfolding
            key={finding.id}
            summary={
              <>
                <span className={classes.title}>{title}</span>
                <span className={classes.mark} data-severity={finding.severity}>
                  {words.severity(finding.severity)}
                </span>
              </>
            }
          >
            <Text size="sm">{why}</Text>
            {finding.details.map((answer) => (
              <Text key={`${answer.question} ${answer.subject}`} size="sm">
                {words.question(answer)}: <Parts parts={words.value(answer.value)} />
              </Text>
            ))}
            <Text size="sm">{t('run.foundBy', { title: words.case(finding.caseId) })}</Text>
            {finding.command !== '' && (
              <>
                <Text size="sm">{words.words.report.repeat}</Text>
                <code className={classes.command}>{finding.command}</code>
              </>
            )}
            <Evidence ids={finding.exchanges} />
          </Unfolding>
        );
      })}
    </section>
  );
}

/** Shows a line that unfolds. What is within is made when it unfolds for the first time. */
export function Unfolding({ summary, children }: { summary: ReactNode; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details className={classes.unfolding} onToggle={(event) => event.currentTarget.open && setWasOpen(true)}>
      <summary className={classes.summary}>{summary}</summary>
      {wasOpen && <div className={classes.unfolded}>{children}</div>}
    </details>
  );
}
