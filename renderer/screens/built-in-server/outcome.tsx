import { Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { AppError } from '../../../preload/contract/result.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import classes from './built-in-server.module.css';

/** Says what came of the last action: a sentence, or why it failed. A failure takes the focus. */
export function Outcome({ said, error }: { said: string | undefined; error: AppError | undefined }) {
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error) alertRef.current?.focus();
  }, [error]);
  return (
    <>
      <Text component="output" size="sm" fw={600} className={classes.outcome}>
        {!error && said}
      </Text>
      {error && <ErrorMessage error={error} during="server" wait={0} ref={alertRef} />}
    </>
  );
}
