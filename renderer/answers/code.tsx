import { useMemo } from 'react';
import type { RedactedText } from '../../preload/contract/calls.ts';
import classes from './answers.module.css';
import { tokenize, splitLines } from './json-lines.ts';
import { Redacted } from './redacted.tsx';
import { t } from '../i18n.ts';

interface CodeProps {
  /** JSON as `formatJson` writes it, or any text. */
  lines: readonly RedactedText[];
  isJson: boolean;
  /** Numbers of the values found on a line, by line index. */
  numbers?: ReadonlyMap<number, readonly number[]> | undefined;
}

/** Text line by line. JSON is highlighted, and lines with found values have their numbers. */
export function Code({ lines, isJson, numbers }: CodeProps) {
  return (
    <div className={classes.code}>
      {lines.map((line, index) => {
        const pointing = numbers?.get(index);
        return (
          // oxlint-disable-next-line react/no-array-index-key -- A recorded text never changes.
          <div key={index} className={classes.codeLine} data-pointed={pointing !== undefined}>
            {isJson ? <JsonLine line={line} /> : <Redacted text={line} />}
            {pointing && (
              <span className={classes.tags}>
                {pointing.map((number) => (
                  // An image, so that screen readers announce what the number means.
                  // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                  <span key={number} role="img" className={classes.tag} aria-label={t('understood.number', { number })}>
                    {number}
                  </span>
                ))}
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

function JsonLine({ line }: { line: RedactedText }) {
  return tokenize(line).map(({ kind, text }, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- A recorded text never changes.
    <span key={index} data-token={kind}>
      <Redacted text={text} />
    </span>
  ));
}

export function JsonCode({ text }: { text: RedactedText }) {
  const lines = useMemo(() => splitLines(text), [text]);
  return <Code lines={lines} isJson />;
}
