import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { InfoIcon } from '../../../components/icons.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import classes from './account.module.css';

/** Says whether the session on the screen is the demo person's. */
export function isDemoShown({ session, sessions }: AppState): boolean {
  return session.step !== 'signed-out' && sessions.some(({ id, isDemo }) => isDemo && id === session.sessionId);
}

/** Says below the name of the demo person what a demo is, and lets it begin anew. */
export function DemoNote({ activeServerId }: { activeServerId: string }) {
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
    <section className={classes.demo} aria-label={t('demo.mark')}>
      <InfoIcon />
      {/* What comes of the press takes the place of the sentence. */}
      <div className={classes.demoSays}>
        {!done && t('demo.says')}
        <output>{done && t('demo.done')}</output>
      </div>
      <Button
        size="xs"
        variant="default"
        title={t('demo.resetHelp')}
        aria-busy={attempt.sending}
        onClick={() => void reset()}
      >
        {t('demo.reset')}
      </Button>
      {attempt.failure && (
        <div className={classes.demoFailure}>
          <ErrorMessage error={attempt.failure.error} during="server" ref={alertRef} />
        </div>
      )}
    </section>
  );
}
