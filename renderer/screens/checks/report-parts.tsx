import { type ReactNode, useState } from 'react';
import type { Severity } from '../../../preload/contract/report.ts';
import type { Part } from '../../../preload/contract/words/say-report.ts';
import { Redacted } from '../../answers/redacted.tsx';
import { reportTexts } from '../../answers/report-texts.ts';
import { Chip, type ChipProps } from '../../components/chip.tsx';
import { formatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import classes from './report.module.css';

/** Our words, with texts from outside among them, which stay text. */
export const Parts = ({ parts }: { parts: readonly Part[] }) =>
  parts.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // The parts are made of one value, and stay in their order.
      // oxlint-disable-next-line react/no-array-index-key
      <Redacted key={index} text={part.outside} />
    ),
  );

const tones: Record<Severity, ChipProps['tone']> = { high: 'danger', medium: 'warn', low: 'plain', info: 'plain' };

export const SeverityLabel = ({ severity }: { severity: Severity }) => (
  <Chip tone={tones[severity]} small>
    <span className={classes.capital}>{reportTexts().severity(severity)}</span>
  </Chip>
);

/** Until when the server asked to wait. The line is always there, since a wait comes and goes by itself. */
export const RetryWait = ({ until }: { until: string | undefined }) => (
  <p className={classes.wait}>
    {until !== undefined && t('run.waiting', { time: formatters().time(Date.parse(until)) })}
  </p>
);

/** A line that unfolds. What is within is made when it unfolds for the first time. */
export function LazyDetails({ summary, children }: { summary: string; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => event.currentTarget.open && setWasOpen(true)}>
      <summary>{summary}</summary>
      {wasOpen && <div className="grid gap8">{children}</div>}
    </details>
  );
}

/** Chooses what a list shows. Each choice has its number. */
export function FilterButtons<T extends string>({
  label,
  value,
  onChange,
  choices,
}: {
  label: string;
  value: T;
  onChange: (value: T) => void;
  choices: readonly { value: T; label: string; count: number }[];
}) {
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset has a legend of its own.
    <div className="wrapping gap6" role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={classes.filter}
          aria-pressed={choice.value === value}
          onClick={() => onChange(choice.value)}
        >
          {choice.label} <span className="digits">{choice.count}</span>
        </button>
      ))}
    </div>
  );
}

/** One column that scrolls by itself. The arrow keys scroll it also where nothing in it takes the focus. */
export const ScrollColumn = ({ label, children }: { label: string; children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- See above.
  <div className="grow slim scroll stable unpinned ring-around" tabIndex={0} role="group" aria-label={label}>
    <div className={classes.column} data-width="document">
      {children}
    </div>
  </div>
);
