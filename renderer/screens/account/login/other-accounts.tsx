import { Button, Group, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { HeldSession } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { useAttempt } from '../../../use-attempt.ts';
import { ErrorMessage } from '../../../components/error-message.tsx';

interface SessionsProps {
  /** The sessions of this server. */
  sessions: readonly HeldSession[];
  activeServerId: string;
}

/** Offers the accounts that are logged in already, so that nobody has to fill in the form. */
export function OtherAccounts({ sessions, activeServerId }: SessionsProps) {
  const { t } = useTranslation();
  const attempt = useAttempt(activeServerId);
  const usable = sessions.filter(({ state }) => state === 'usable');
  if (usable.length === 0) return null;
  return (
    <Stack gap="xs">
      <Text size="sm">{t('account.continue')}</Text>
      <Group gap="xs">
        {usable.map(({ id, account }) => (
          <Button
            key={id}
            variant="default"
            size="xs"
            onClick={() => void attempt.run(() => api.sessions.choose({ id }))}
          >
            {account}
          </Button>
        ))}
      </Group>
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="check" wait={0} />}
    </Stack>
  );
}
