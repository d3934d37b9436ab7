import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Finding } from '../../../preload/contract/report.ts';
import { acceptanceOf, faultOfRule } from './acceptance.ts';
import { AcceptanceNote } from './accepting.tsx';
import { AnswerFields, Answers, OutcomeMark } from './answers.tsx';
import classes from './document.module.css';
import { EvidenceNumbers } from './evidence-numbers.tsx';
import { Picks } from './picks.tsx';
import { type Chosen, useReport } from './report-context.ts';
import { SeverityLabel } from './severity-label.tsx';
import { tallyOf } from './tally.ts';
import { useLines } from '../../use-lines.ts';
import { Counts, TallyBar } from './verdict.tsx';

const shows = ['all', 'observed', 'stated', 'not-measured'] as const;
type Shows = (typeof shows)[number];

const filters: Record<Shows, (result: CaseResult) => boolean> = {
  all: () => true,
  observed: ({ kind }) => kind === 'observed',
  stated: ({ kind }) => kind === 'stated',
  'not-measured': ({ outcome }) => outcome === 'not-measured',
};

const sections = [1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

interface ResultsProps {
  results: readonly CaseResult[];
  findings: readonly Finding[];
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen) => void;
}

/** Shows what was answered where the interface shows nothing, section by section, and then the rules that are not broken. */
export function Results({ results, findings, chosen, onChoose }: ResultsProps) {
  const { t } = useTranslation();
  const { words } = useReport();
  const [show, setShow] = useState<Shows>('all');
  const others = results.filter(({ outcome }) => outcome !== 'failed');
  const shown = others.filter(filters[show]);
  const observed = sections.map((number) => ({
    id: String(number),
    title: words.section(number) ?? '',
    cases: shown.filter(({ kind, section }) => kind === 'observed' && section === number),
  }));
  const stated = { id: 'kept', title: t('contract.keptRules'), cases: shown.filter(({ kind }) => kind === 'stated') };
  const parts = [...observed, stated].filter(({ cases }) => cases.length > 0);
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
          count: others.filter(filters[value]).length,
        }))}
      />
      {parts.length === 0 && <p className={classes.plain}>{t('run.noneShown')}</p>}
      <div className={classes.results} {...list}>
        {parts.map((part) => (
          <Section key={part.id} {...part}>
            {part.cases.map((result) => (
              <li key={result.id}>
                <button
                  type="button"
                  className={classes.line}
                  {...lineOf(result.id)}
                  onClick={() => onChoose({ kind: 'case', id: result.id })}
                >
                  <OneCase result={result} found={findings.filter(({ caseId }) => caseId === result.id)} />
                </button>
                <AnswerFields result={result} words={words} />
              </li>
            ))}
          </Section>
        ))}
      </div>
    </section>
  );
}

interface SectionProps {
  id: string;
  title: string;
  cases: readonly CaseResult[];
  children: React.ReactNode;
}

/** Shows how many cases of a section are answered, and then each of them. */
function Section({ id, title, cases, children }: SectionProps) {
  const { observed, stated } = tallyOf({ cases, findings: [] });
  const counts = (id === 'kept' ? stated : observed).filter(({ count }) => count > 0);
  return (
    <section aria-labelledby={`run-section-${id}`}>
      <div className={classes.head}>
        <h2 id={`run-section-${id}`}>{title}</h2>
        <span className={classes.share}>
          <TallyBar counts={counts} />
        </span>
        <span className="hint digits">
          <Counts counts={counts} />
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
        <span className="block text soft">{words.case(result.id)}</span>
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
