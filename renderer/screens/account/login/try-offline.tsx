import { Button } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { api } from '../../../api.ts';
import { arriveAt } from '../../../arrive.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { PlayIcon } from '../../../components/icons.tsx';
import { useTexts } from '../../../texts.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import classes from '../account-form.module.css';

interface TryOfflineProps {
  activeServerId: string;
  builtIn: boolean;
}

/** Leads to the profile of a made-up person. Where another server is chosen, it says that it leaves that. */
export function TryOffline({ activeServerId, builtIn }: TryOfflineProps) {
  const { t } = useTexts();
  const attempt = useAttempt(activeServerId);
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt.failure) arriveAt(alertRef.current);
  }, [attempt.failure]);

  return (
    <div className={classes.demo}>
      <Button
        variant="subtle"
        color="gray"
        size="xs"
        leftSection={<PlayIcon />}
        aria-busy={attempt.sending}
        aria-describedby="try-offline-help"
        onClick={() => void attempt.run(api.demo.start)}
      >
        {t('demo.try')}
      </Button>
      <div id="try-offline-help">
        <p>{t('demo.help')}</p>
        {!builtIn && <p>{t('demo.helpElsewhere')}</p>}
      </div>
      <div aria-live="polite">{attempt.sending && t('demo.starting')}</div>
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" ref={alertRef} />}
    </div>
  );
}
