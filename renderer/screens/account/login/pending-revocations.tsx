import { Button, Group, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { HeldSession } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { useAttempt } from '../../../use-attempt.ts';
import { ErrorText } from '../../../components/error-message.tsx';
import { Message } from '../../../components/message.tsx';

interface PendingRevocationsProps {
  /** The sessions of this server. */
  sessions: readonly HeldSession[];
  activeServerId: string;
}

/** Lists the logouts that their server was not told of yet. A person tells it now, or gives up. */
export function PendingRevocations({ sessions, activeServerId }: PendingRevocationsProps) {
  return sessions
    .filter(({ state }) => state === 'to-revoke')
    .map((session) => <Pending key={session.id} session={session} activeServerId={activeServerId} />);
}

function Pending({ session, activeServerId }: { session: HeldSession; activeServerId: string }) {
  const { t } = useTranslation();
  const attempt = useAttempt(activeServerId);
  const { id, account } = session;
  return (
    <Message
      tone={attempt.failure ? 'warning' : 'info'}
      aside={
        <Group gap="xs">
          <Button
            variant="default"
            size="xs"
            aria-busy={attempt.sending}
            aria-disabled={attempt.sending}
            onClick={() => void attempt.run(() => api.sessions.revoke({ id }))}
          >
            {t('sessions.short.retry')}
          </Button>
          <Button
            variant="default"
            size="xs"
            aria-disabled={attempt.sending}
            onClick={() => void attempt.run(() => api.sessions.forget({ id }))}
          >
            {t('sessions.short.giveUp')}
          </Button>
        </Group>
      }
    >
      <Text size="sm">{t('sessions.waiting', { account })}</Text>
      {attempt.failure && <ErrorText error={attempt.failure.error} during="logout" />}
    </Message>
  );
}
