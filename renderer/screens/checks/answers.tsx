import type { CaseAnswer, CaseResult } from '../../../preload/contract/report-cases.ts';
import type { Part } from '../../../preload/contract/words/say-report.ts';
import { CheckIcon, CloseIcon, NotMeasuredIcon } from '../../components/icons.tsx';
import classes from './answers.module.css';
import { fieldTree } from '../../../preload/contract/field-tree.ts';
import { FieldTree } from './field-tree.tsx';
import treeClasses from './field-tree.module.css';
import { Parts } from './parts.tsx';
import { t } from '../../i18n.ts';
import { reportTexts } from '../../answers/report-texts.ts';

interface AnswersProps {
  result: CaseResult;
  /** Whether a broken rule is accepted, and has a line through it. */
  isStruck?: boolean;
}

/** The fields of an answer, where a case has them. They are shown as trees. */
const isOfFields = ({ value }: CaseAnswer): boolean => value.kind === 'fields' && value.fields.length > 0;

/** Says what a case found, in full: whether a rule is kept, what was answered to each question, or why nothing was. */
export function Answers({ result, isStruck = false }: AnswersProps) {
  const words = reportTexts();
  if (result.outcome === 'not-measured') {
    return (
      <span className={classes.answer} data-tone="rest">
        <Said parts={[words.t('report.notMeasured')]} /> <Parts parts={words.notMeasured(result.reason)} />
      </span>
    );
  }
  return (
    <>
      {result.kind === 'stated' && (
        <span className={classes.answer} data-tone={result.outcome === 'failed' ? 'bad' : 'good'}>
          {isStruck ? (
            <s>
              <Said parts={[words.t(`outcomes.${result.outcome}`)]} />
            </s>
          ) : (
            <Said parts={[words.t(`outcomes.${result.outcome}`)]} />
          )}
        </span>
      )}
      {result.answers
        .filter((answer) => !isOfFields(answer))
        .map((answer) => (
          <span
            key={`${answer.question} ${answer.subject}`}
            className={classes.answer}
            data-tone={result.kind === 'stated' ? 'beside' : 'seen'}
            data-long={long.has(answer.value.kind)}
          >
            <OneAnswer answer={answer} isLone={result.answers.length === 1} />
          </span>
        ))}
    </>
  );
}

/** Says what a case found in a few words. The details have the rest. */
export function ShortAnswer({ result }: Pick<AnswersProps, 'result'>) {
  const words = reportTexts();
  if (result.outcome === 'not-measured') return <Said parts={words.notMeasured(result.reason)} />;
  if (result.kind === 'stated') return <Said parts={[words.t(`outcomes.${result.outcome}`)]} />;
  const [answer, ...others] = result.answers;
  if (answer === undefined || others.length > 0) return t('contract.answers', { count: result.answers.length });
  const { value } = answer;
  if (value.kind === 'fields') return words.t('values.fieldCount', { count: value.fields.length });
  if (value.kind === 'list') return t('contract.values', { count: value.items.length });
  if (value.kind === 'headers') return t('contract.values', { count: value.headers.length });
  return <Said parts={words.value(value)} />;
}

/** These have many words, which would shout if each had weight. */
const long: ReadonlySet<CaseAnswer['value']['kind']> = new Set(['headers', 'list']);

/** Shows the fields of the answers of a case as trees, each folded at first unless there is room. */
export function AnswerFields({ result, isOpen = false }: AnswersProps & { isOpen?: boolean }) {
  const words = reportTexts();
  if (result.outcome === 'not-measured') return null;
  return result.answers.map(({ question, subject, value }) =>
    value.kind === 'fields' && value.fields.length > 0 ? (
      <details key={`${question} ${subject}`} className={treeClasses.fold} open={isOpen}>
        <summary>
          <span className={classes.asked}>{words.question({ question, subject })}:</span>{' '}
          {words.t('values.fieldCount', { count: value.fields.length })}
        </summary>
        <FieldTree nodes={fieldTree(value.fields)} />
      </details>
    ) : null,
  );
}

interface OneAnswerProps {
  answer: CaseAnswer;
  /** Whether the line above asks just this. Its question is then not repeated. */
  isLone: boolean;
}

export function OneAnswer({ answer, isLone }: OneAnswerProps) {
  const words = reportTexts();
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
