import { reportTexts } from '../../answers/report-texts.ts';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import { Answers, OutcomeMark } from './answers.tsx';
import classes from './document.module.css';
import { EvidenceNumbers } from './evidence-numbers.tsx';

/** Shows a case of a check that goes on: what it asks, the answer, and the numbers of the requests that show it. */
export function OneCase({ result }: { result: CaseResult }) {
  const words = reportTexts();

  return (
    <>
      <OutcomeMark outcome={result.outcome} />
      <span className={classes.words}>
        <span className="block text soft">{words.case(result.id)}</span>
        <span className={classes.answers}>
          <Answers result={result} />
        </span>
      </span>
      <EvidenceNumbers ids={result.calls} />
    </>
  );
}
