import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CaseAnswer, CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Finding, Severity, ShownAcceptance } from '../../../preload/contract/report.ts';
import { bySeverity, severityOfRule } from '../../../preload/contract/severities.ts';
import { acceptanceOf, faultOfFinding, faultOfRule, titleOfFault } from './acceptance.ts';
import { AcceptanceNote } from './accepting.tsx';
import { OneAnswer } from './answers.tsx';
import classes from './document.module.css';
import { EvidenceNumbers } from './evidence-numbers.tsx';
import type { Chosen } from './report-context.ts';
import { useReport } from './report-context.ts';
import { SeverityLabel } from './severity-label.tsx';
import { useLines } from '../../use-lines.ts';

interface FindingsProps {
  findings: readonly Finding[];
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen) => void;
}

interface BrokenRulesProps {
  results: readonly CaseResult[];
  chosen: Chosen | undefined;
  onChoose: (chosen: Chosen) => void;
}

/** Shows the rules that are broken, those that matter most first. */
export function BrokenRules({ results, chosen, onChoose }: BrokenRulesProps) {
  const { words, acceptances } = useReport();
  const broken = results
    .filter(({ outcome }) => outcome === 'failed')
    .toSorted((a, b) => bySeverity(severityOfRule(a.id), severityOfRule(b.id)));
  const { list, lineOf } = useLines(
    broken.map(({ id }) => id),
    chosen?.kind === 'case' ? chosen.id : undefined,
  );
  if (broken.length === 0) return null;
  return (
    <section aria-labelledby="run-broken">
      <h2 id="run-broken" className={classes.head}>
        {words.t('report.broken')}
      </h2>
      <ul className={classes.lines} {...list}>
        {broken.map((result) => {
          const { id, calls } = result;
          return (
            <FaultLine
              key={id}
              severity={severityOfRule(id)}
              title={words.case(id)}
              answers={result.outcome === 'not-measured' ? [] : result.answers}
              acceptance={acceptanceOf(acceptances, faultOfRule(id))}
              calls={calls}
              line={lineOf(id)}
              onChoose={() => onChoose({ kind: 'case', id })}
            />
          );
        })}
      </ul>
    </section>
  );
}

/** Shows what looks unsafe, the most severe first. */
export function Findings({ findings, chosen, onChoose }: FindingsProps) {
  const { words, acceptances } = useReport();
  const chosenId = chosen?.kind === 'finding' ? chosen.id : undefined;
  const sorted = findings.toSorted((a, b) => bySeverity(a.severity, b.severity));
  const { list, lineOf } = useLines(
    sorted.map(({ id }) => id),
    chosenId,
  );
  const texts = words.texts('report');
  return (
    <section aria-labelledby="run-findings">
      <h2 id="run-findings" className={classes.head}>
        {texts('findings')}
      </h2>
      {findings.length === 0 && <p className={classes.plain}>{texts('noFindings')}</p>}
      <ul className={classes.lines} {...list}>
        {sorted.map((finding) => {
          const { id, severity, calls, details } = finding;
          const { title, why } = words.finding(finding);
          return (
            <FaultLine
              key={id}
              severity={severity}
              title={title}
              why={why}
              answers={details}
              acceptance={acceptanceOf(acceptances, faultOfFinding(id))}
              calls={calls}
              line={lineOf(id)}
              onChoose={() => onChoose({ kind: 'finding', id })}
            />
          );
        })}
      </ul>
      <AcceptedElsewhere />
    </section>
  );
}

interface FaultLineProps {
  severity: Severity;
  title: string;
  /** What stands where no answer says more. */
  why?: string;
  answers: readonly CaseAnswer[];
  acceptance: ShownAcceptance | undefined;
  calls: readonly string[];
  line: ReturnType<ReturnType<typeof useLines>['lineOf']>;
  onChoose: () => void;
}

/** Says a broken rule or a finding, and leads to the calls that show it. */
function FaultLine({ severity, title, why, answers, acceptance, calls, line, onChoose }: FaultLineProps) {
  const { words } = useReport();
  return (
    <li>
      <button type="button" className={classes.finding} {...line} onClick={onChoose}>
        <span>
          <SeverityLabel severity={severity} words={words} />
        </span>
        <span className={classes.words}>
          <span className={classes.title}>{acceptance?.state === 'holds' ? <s>{title}</s> : title}</span>
          {answers.length === 0 && why && <span className="block text soft">{why}</span>}
          {answers.map((answer) => (
            <span key={`${answer.question} ${answer.subject}`} className="block text soft">
              <OneAnswer answer={answer} words={words} isLone={false} />
            </span>
          ))}
          {acceptance && <AcceptanceNote acceptance={acceptance} />}
        </span>
        <EvidenceNumbers ids={calls} />
      </button>
    </li>
  );
}

/** Says what is accepted of the server and is not in this report, so that nobody keeps an acceptance of nothing. */
function AcceptedElsewhere() {
  const { t } = useTranslation();
  const { acceptances, words, onWithdraw } = useReport();
  const elsewhere = acceptances.filter(({ state }) => state === 'gone' || state === 'unmeasured');
  if (elsewhere.length === 0) return null;
  return (
    <ul className={classes.elsewhere} aria-label={t('contract.accepted.elsewhere')}>
      {elsewhere.map((acceptance) => {
        const title = titleOfFault(acceptance.fault, words);
        return (
          <li key={acceptance.fault}>
            <span className={classes.words}>
              <span>
                {t(acceptance.state === 'gone' ? 'contract.accepted.gone' : 'contract.accepted.unmeasured', { title })}
              </span>
              <AcceptanceNote acceptance={acceptance} />
            </span>
            <Button
              variant="subtle"
              color="gray"
              size="compact-sm"
              aria-label={t('contract.accepted.withdrawOf', { title })}
              onClick={() => onWithdraw(acceptance.fault)}
            >
              {t('contract.accepted.withdraw')}
            </Button>
          </li>
        );
      })}
    </ul>
  );
}
