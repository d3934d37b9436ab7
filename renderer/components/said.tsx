import { Text } from '@mantine/core';
import type { AppError } from '../../preload/contract/result.ts';
import { ErrorText } from './error-message.tsx';
import { Message } from './message.tsx';
import classes from './said.module.css';

/** How the last action on calls ended. */
export type ActionOutcome = { sentence: () => string } | { error: AppError };

/** Says the outcome once, in a live region that is there before there is anything to say. */
export function Said({ outcome }: { outcome: ActionOutcome | undefined }) {
  return (
    <>
      <Text component="output" size="xs" className={classes.said}>
        {outcome && 'sentence' in outcome ? outcome.sentence() : ''}
      </Text>
      {outcome && 'error' in outcome && (
        <Message tone="error">
          <ErrorText error={outcome.error} during="server" />
        </Message>
      )}
    </>
  );
}
