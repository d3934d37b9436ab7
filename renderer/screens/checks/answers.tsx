import { fieldTree } from '../../../preload/contract/field-tree.ts';
import type { CaseAnswer, CaseResult } from '../../../preload/contract/report-cases.ts';
import type { TextPart } from '../../../preload/contract/locales/report-formatter.ts';
import { reportTexts } from '../../answers/report-texts.ts';
import { CheckIcon, CloseIcon, NotMeasuredIcon } from '../../components/icons.tsx';
import { t } from '../../i18n.ts';
import classes from './answers.module.css';
import { FieldTree } from './field-tree.tsx';
import { Parts } from './report-parts.tsx';
import reportClasses from './report.module.css';

/** Values with fields are shown as trees. */
const hasFields = ({ value }: CaseAnswer): boolean => value.kind === 'fields' && value.fields.length > 0;

/** Long values, which are not bold. */
const longKinds: ReadonlySet<CaseAnswer['value']['kind']> = new Set(['headers', 'list']);

/** The full result of a test: whether a requirement is met, the answer to each question, or why it was not tested. */
export function Answers({ result }: { result: CaseResult }) {
  const words = reportTexts();
  if (result.outcome === 'not-measured') {
    return (
      <span className={classes.answer} data-tone="beside">
        <Capitalized parts={[words.t('report.notMeasured')]} /> <Parts parts={words.notMeasured(result.reason)} />
      </span>
    );
  }
  return (
    <>
      {result.kind === 'stated' && (
        <span className={classes.answer} data-tone={result.outcome === 'failed' ? 'bad' : 'good'}>
          <Capitalized parts={[words.t(`outcomes.${result.outcome}`)]} />
        </span>
      )}
      {result.answers
        .filter((answer) => !hasFields(answer))
        .map((answer) => (
          <span
            key={`${answer.question} ${answer.subject}`}
            className={classes.answer}
            data-tone={result.kind === 'stated' ? 'beside' : undefined}
            data-long={longKinds.has(answer.value.kind)}
          >
            <OneAnswer answer={answer} isLone={result.answers.length === 1} />
          </span>
        ))}
    </>
  );
}

/** The result of a test, in a few words. */
export function ShortAnswer({ result }: { result: CaseResult }) {
  const words = reportTexts();
  if (result.outcome === 'not-measured') return <Capitalized parts={words.notMeasured(result.reason)} />;
  if (result.kind === 'stated') return <Capitalized parts={[words.t(`outcomes.${result.outcome}`)]} />;
  const [answer, ...others] = result.answers;
  if (answer === undefined || others.length > 0) return t('checks.answers', { count: result.answers.length });
  const { value } = answer;
  if (value.kind === 'fields') return words.t('values.fieldCount', { count: value.fields.length });
  if (value.kind === 'list') return t('checks.values', { count: value.items.length });
  if (value.kind === 'headers') return t('checks.values', { count: value.headers.length });
  return <Capitalized parts={words.value(value)} />;
}

/** The fields in the answers of a test, as trees. */
export function AnswerFields({ result }: { result: CaseResult }) {
  const words = reportTexts();
  if (result.outcome === 'not-measured') return null;
  return result.answers.map(({ question, subject, value }) =>
    value.kind === 'fields' && value.fields.length > 0 ? (
      <details key={`${question} ${subject}`} className={classes.fields} open>
        <summary>
          <span className={classes.question}>{words.question({ question, subject })}:</span>{' '}
          {words.t('values.fieldCount', { count: value.fields.length })}
        </summary>
        <FieldTree nodes={fieldTree(value.fields)} />
      </details>
    ) : null,
  );
}

interface OneAnswerProps {
  answer: CaseAnswer;
  /** Whether the line above is its question, which is then not repeated. */
  isLone: boolean;
}

export function OneAnswer({ answer, isLone }: OneAnswerProps) {
  const words = reportTexts();
  const parts = words.value(answer.value);
  if (isLone && answer.subject === undefined) return <Capitalized parts={parts} />;
  return (
    <>
      <span className={classes.question}>{words.question(answer)}:</span> <Parts parts={parts} />
    </>
  );
}

/** The start of a line. Our own texts are capitalized, and those of the server are not changed. */
const Capitalized = ({ parts }: { parts: readonly TextPart[] }) =>
  typeof parts[0] === 'string' ? (
    <span className={reportClasses.capital}>
      <Parts parts={parts} />
    </span>
  ) : (
    <Parts parts={parts} />
  );

const marks = {
  passed: <CheckIcon />,
  failed: <CloseIcon />,
  answered: <span className={classes.dot} />,
  'not-measured': <NotMeasuredIcon />,
} satisfies Record<CaseResult['outcome'], unknown>;

/** The outcome of a test as an icon beside its text. */
export const OutcomeMark = ({ outcome }: { outcome: CaseResult['outcome'] }) => (
  <span className={classes.mark} data-outcome={outcome} aria-hidden>
    {marks[outcome]}
  </span>
);
