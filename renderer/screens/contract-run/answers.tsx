import type { CaseAnswer, CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Part, ReportWords } from '../../../preload/contract/words/say-report.ts';
import { CheckIcon, CloseIcon, NotMeasuredIcon } from '../../components/icons.tsx';
import classes from './answers.module.css';
import { Parts } from './parts.tsx';

interface AnswersProps {
  result: CaseResult;
  words: ReportWords;
  /** Whether a broken rule is accepted, and has a line through it. */
  isStruck?: boolean;
}

/** Says what a case found, in full: whether a rule is kept, what was answered to each question, or why nothing was. */
export function Answers({ result, words, isStruck = false }: AnswersProps) {
  const { outcomes, report } = words.words;
  if (result.outcome === 'not-measured') {
    return (
      <span className={classes.answer} data-tone="rest">
        <Said parts={[report.notMeasured]} /> <Parts parts={words.notMeasured(result.reason)} />
      </span>
    );
  }
  return (
    <>
      {result.kind === 'stated' && (
        <span className={classes.answer} data-tone={result.outcome === 'failed' ? 'bad' : 'good'}>
          {isStruck ? (
            <s>
              <Said parts={[outcomes[result.outcome]]} />
            </s>
          ) : (
            <Said parts={[outcomes[result.outcome]]} />
          )}
        </span>
      )}
      {result.answers.map((answer) => (
        <span
          key={`${answer.question} ${answer.subject}`}
          className={classes.answer}
          data-tone={result.kind === 'stated' ? 'beside' : 'seen'}
          data-long={long.has(answer.value.kind)}
        >
          <OneAnswer answer={answer} words={words} isLone={result.answers.length === 1} />
        </span>
      ))}
    </>
  );
}

/** These have many words, which would shout if each had weight. */
const long: ReadonlySet<CaseAnswer['value']['kind']> = new Set(['fields', 'headers', 'list']);

interface OneAnswerProps {
  answer: CaseAnswer;
  words: ReportWords;
  /** Whether the line above asks just this. Its question is then not repeated. */
  isLone: boolean;
}

/** Says one answer after its question. */
export function OneAnswer({ answer, words, isLone }: OneAnswerProps) {
  const parts = words.value(answer.value);
  if (isLone && answer.subject === undefined) return <Said parts={parts} />;
  return (
    <>
      <span className={classes.asked}>{words.question(answer)}:</span> <Parts parts={parts} />
    </>
  );
}

/** Says words that begin a line. Our own begin with a capital, and those from outside stay as they are. */
function Said({ parts: [first, ...rest] }: { parts: readonly Part[] }) {
  if (typeof first !== 'string') return <Parts parts={first === undefined ? rest : [first, ...rest]} />;
  return (
    <span className={classes.said}>
      <Parts parts={[first, ...rest]} />
    </span>
  );
}

/** Shows the outcome of a case as a mark beside its words. */
export function OutcomeMark({ outcome }: { outcome: CaseResult['outcome'] }) {
  return (
    <span className={classes.mark} data-outcome={outcome} aria-hidden>
      {marks[outcome]}
    </span>
  );
}

const marks = {
  passed: <CheckIcon />,
  failed: <CloseIcon />,
  answered: <span className={classes.dot} />,
  'not-measured': <NotMeasuredIcon />,
} satisfies Record<CaseResult['outcome'], unknown>;
