import { type ReactNode, useState } from 'react';
import type { Severity } from '../../../preload/contract/report.ts';
import type { TextPart } from '../../../preload/contract/locales/report-formatter.ts';
import { Redacted } from '../../answers/redacted.tsx';
import { reportTexts } from '../../answers/report-texts.ts';
import { Chip, type ChipProps } from '../../components/chip.tsx';
import { formatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import classes from './report.module.css';

/** Our own text, with texts of the server in it, which are rendered as plain text. */
export const Parts = ({ parts }: { parts: readonly TextPart[] }) =>
  parts.map((part, index) =>
    typeof part === 'string' ? (
      part
    ) : (
      // The parts are made from one value, and keep their order.
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

/** Until when the server asked to wait. Always rendered, since a wait comes and goes without the user. */
export const RetryWait = ({ until }: { until: string | undefined }) => (
  <p className={classes.wait}>
    {until !== undefined && t('run.waiting', { time: formatters().time(Date.parse(until)) })}
  </p>
);

/** The children are rendered when it is opened for the first time. */
export function LazyDetails({ summary, children }: { summary: string; children: ReactNode }) {
  const [wasOpen, setWasOpen] = useState(false);
  return (
    <details className={classes.details} onToggle={(event) => event.currentTarget.open && setWasOpen(true)}>
      <summary>{summary}</summary>
      {wasOpen && <div className="grid gap8">{children}</div>}
    </details>
  );
}

/** Filters a list. Each choice has its number of entries. */
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

/** A column that scrolls. It takes the focus, so that the arrow keys scroll it if nothing in it does. */
export const ScrollColumn = ({ label, children }: { label: string; children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role -- See above.
  <div className="grow slim scroll stable unpinned ring-around" tabIndex={0} role="group" aria-label={label}>
    <div className={classes.column} data-width="document">
      {children}
    </div>
  </div>
);
