import { Button, Stack, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../api.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';
import { useAttempt } from '../../../use-attempt.ts';

interface TryOfflineProps {
  activeServerId: string;
  builtIn: boolean;
}

/** Leads to the profile of a made-up person. Where another server is chosen, it says that it leaves that. */
export function TryOffline({ activeServerId, builtIn }: TryOfflineProps) {
  const { t } = useTranslation();
  const attempt = useAttempt(activeServerId);
  const alertRef = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (attempt.failure) alertRef.current?.focus();
  }, [attempt.failure]);

  return (
    <Stack gap="xs">
      <Button
        variant={builtIn ? 'default' : 'subtle'}
        aria-busy={attempt.sending}
        aria-describedby="try-offline-help"
        onClick={() => void attempt.run(api.demo.start)}
      >
        {t('demo.try')}
      </Button>
      <div id="try-offline-help">
        <Text size="xs" c="dimmed" ta="center">
          {t('demo.help')}
        </Text>
        {!builtIn && (
          <Text size="xs" c="dimmed" ta="center">
            {t('demo.helpElsewhere')}
          </Text>
        )}
      </div>
      <Text component="output" size="xs" c="dimmed" ta="center">
        {attempt.sending && t('demo.starting')}
      </Text>
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} ref={alertRef} />}
    </Stack>
  );
}
