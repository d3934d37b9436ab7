import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { useAttempt } from '../../../use-attempt.ts';
import classes from './demo-mark.module.css';
import { ErrorMessage } from '../../../components/error-message.tsx';

/** Says whether the session on the screen is the demo person's. */
export function isDemoShown({ session, sessions }: AppState): boolean {
  return session.step !== 'signed-out' && sessions.some(({ id, isDemo }) => isDemo && id === session.sessionId);
}

/** Stands above the profile of the demo person, in the same frame. */
export function DemoMark() {
  const { t } = useTranslation();
  return (
    <section className={classes.mark} aria-labelledby="demo-mark">
      <p className={classes.label} id="demo-mark">
        {t('demo.mark')}
      </p>
      <Text size="sm" className={classes.says}>
        {t('demo.says')}
      </Text>
    </section>
  );
}

/** Stands below the profile of the demo person, where the outcome of a press moves nothing. */
export function DemoReset({ activeServerId }: { activeServerId: string }) {
  const { t } = useTranslation();
  const attempt = useAttempt(activeServerId);
  const [done, setDone] = useState(false);
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt.failure) alertRef.current?.focus();
  }, [attempt.failure]);

  async function reset() {
    setDone(false);
    const result = await attempt.run(api.demo.reset);
    if (result?.ok) setDone(true);
  }

  return (
    <div className={classes.reset}>
      <Button
        size="xs"
        variant="default"
        aria-busy={attempt.sending}
        aria-describedby="demo-reset-help"
        onClick={() => void reset()}
      >
        {t('demo.reset')}
      </Button>
      <Text size="xs" c="dimmed" id="demo-reset-help" className={classes.help}>
        {t('demo.resetHelp')}
      </Text>
      <Text component="output" size="sm" className={classes.outcome}>
        {done && t('demo.done')}
      </Text>
      {attempt.failure && (
        <div className={classes.outcome}>
          <ErrorMessage error={attempt.failure.error} during="server" wait={0} ref={alertRef} />
        </div>
      )}
    </div>
  );
}
