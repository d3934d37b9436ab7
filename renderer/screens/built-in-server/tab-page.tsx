import { Text } from '@mantine/core';
import { type ReactNode } from 'react';
import type { AppError } from '../../../preload/contract/result.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import classes from './tab-page.module.css';

interface TabPageProps {
  /** What came of the last action. */
  said?: string | undefined;
  /** Why it failed. */
  error?: AppError | undefined;
  children: ReactNode;
}

/**
 * Shows what a tab holds, as a page that scrolls by itself, and under it what came of the last action: a sentence, or a
 * failure, which takes the focus. The page ends earlier then, and nothing on it moves.
 */
export function TabPage({ said, error, children }: TabPageProps) {
  return (
    <>
      <div className={classes.scroll}>
        <div className={classes.page}>{children}</div>
      </div>
      <div className={classes.outcome}>
        <Text component="output" size="sm" fw={600} className={classes.said}>
          {!error && said}
        </Text>
        {error && (
          <div className={classes.failure}>
            <ErrorMessage error={error} during="server" />
          </div>
        )}
      </div>
    </>
  );
}
