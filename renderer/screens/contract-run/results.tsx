import { useState } from 'react';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Finding } from '../../../preload/contract/report-findings.ts';
import { useTexts } from '../../texts.tsx';
import { acceptanceOf, faultOfRule } from './acceptance.ts';
import { AcceptanceNote } from './acceptance-note.tsx';
import { Answers, OutcomeMark } from './answers.tsx';
import classes from './document.module.css';
import { EvidenceNumbers } from './evidence-numbers.tsx';
import { Picks } from './picks.tsx';
import { type Chosen, useReport } from './report-context.ts';
import { SeverityLabel } from './severity-label.tsx';
import { useLines } from './use-lines.ts';

const shows = ['all', 'failed', 'stated', 'observed', 'not-measured'] as const;
type Shows = (typeof shows)[number];

/** Which cases each choice shows. */
const filters: Record<Shows, (result: CaseResult) => boolean> = {
  all: () => true,
  failed: ({ outcome }) => outcome === 'failed',
  stated: ({ kind }) => kind === 'stated',
  observed: ({ kind }) => kind === 'observed',
  'not-measured': ({ outcome }) => outcome === 'not-measured',
};

const sections = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

interface ResultsProps {
  results: readonly CaseResult[];
  findings: readonly Finding[];
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen) => void;
}

/** Shows every case with what was answered, by section of the interface. Those that failed come first. */
export function Results({ results, findings, chosen, onChoose }: ResultsProps) {
  const { t } = useTexts();
  const [show, setShow] = useState<Shows>('all');
  const parts = sections.flatMap((number) => {
    const ofSection = results.filter((each) => each.section === number && filters[show](each));
    if (ofSection.length === 0) return [];
    const isFailed = ({ outcome }: CaseResult) => outcome === 'failed';
    return [{ number, cases: [...ofSection.filter(isFailed), ...ofSection.filter((each) => !isFailed(each))] }];
  });
  const chosenId = chosen?.kind === 'case' ? chosen.id : undefined;
  const { list, lineOf } = useLines(
    parts.flatMap(({ cases }) => cases.map(({ id }) => id)),
    chosenId,
  );
  return (
    <section className={classes.results} aria-label={t('run.results')}>
      <Picks
        label={t('run.show')}
        shown={show}
        onShow={setShow}
        picks={shows.map((value) => ({
          value,
          label: t(`contract.shows.${value}`),
          count: results.filter(filters[value]).length,
        }))}
      />
      {parts.length === 0 && <p className={classes.plain}>{t('run.noneShown')}</p>}
      <div className={classes.results} {...list}>
        {parts.map(({ number, cases }) => (
          <Section key={number} number={number} cases={cases}>
            {cases.map((result) => (
              <li key={result.id}>
                <button
                  type="button"
                  className={classes.line}
                  {...lineOf(result.id)}
                  onClick={() => onChoose({ kind: 'case', id: result.id })}
                >
                  <OneCase result={result} found={findings.filter(({ caseId }) => caseId === result.id)} />
                </button>
              </li>
            ))}
          </Section>
        ))}
      </div>
    </section>
  );
}

interface SectionProps {
  number: (typeof sections)[number];
  cases: readonly CaseResult[];
  children: React.ReactNode;
}

/** Shows the cases of one section of the interface under its title. */
function Section({ number, cases, children }: SectionProps) {
  const { t } = useTexts();
  const { words } = useReport();
  const lines = cases.flatMap((each) => each.lines);
  return (
    <section aria-labelledby={`run-section-${number}`}>
      <div className={classes.head}>
        <h2 id={`run-section-${number}`}>{t('run.section', { number, title: words.words.sections[number] })}</h2>
        <span className={classes.aside}>
          {t('contract.lines', { first: Math.min(...lines), last: Math.max(...lines) })}
        </span>
      </div>
      <ul className={classes.lines}>{children}</ul>
    </section>
  );
}

/** Shows a case as one line: its question, the answer, and the numbers of the calls that show it. */
export function OneCase({ result, found }: { result: CaseResult; found: readonly Finding[] }) {
  const { words, acceptances } = useReport();
  const acceptance = acceptanceOf(acceptances, faultOfRule(result.id));
  return (
    <>
      <OutcomeMark outcome={result.outcome} />
      <span className={classes.words}>
        <span className={classes.asked}>{words.case(result.id)}</span>
        <span className={classes.answers}>
          <Answers result={result} words={words} isStruck={acceptance?.state === 'holds'} />
          {acceptance && <AcceptanceNote acceptance={acceptance} />}
          {found.map(({ id, severity }) => (
            <SeverityLabel key={id} severity={severity} words={words} />
          ))}
        </span>
      </span>
      <EvidenceNumbers ids={result.calls} />
    </>
  );
}
