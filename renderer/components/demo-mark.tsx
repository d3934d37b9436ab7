import { Button, Text } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { useAttempt } from '../use-attempt.ts';
import bannerClasses from './banner.module.css';
import classes from './demo-mark.module.css';
import { ErrorMessage } from './error-message.tsx';

/** Stands above the profile while it is the demo person's. */
export function DemoMark({ state }: { state: AppState }) {
  const { session, sessions } = state;
  const shown = session.step !== 'signed-out' && sessions.find(({ id }) => id === session.sessionId);
  return shown && shown.isDemo ? <Mark activeServerId={state.activeServerId} /> : null;
}

function Mark({ activeServerId }: { activeServerId: string }) {
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
    <section className={bannerClasses.banner} aria-labelledby="demo-mark">
      <div className={classes.mark}>
        <p className={classes.label} id="demo-mark">
          {t('demo.mark')}
        </p>
        <Text size="sm" className={classes.says}>
          {t('demo.says')}
        </Text>
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
        </div>
      </div>
      <Text component="output" size="sm">
        {done && t('demo.done')}
      </Text>
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} ref={alertRef} />}
    </section>
  );
}
