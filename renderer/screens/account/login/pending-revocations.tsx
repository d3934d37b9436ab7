import { Button, Group, Text } from '@mantine/core';
import { useLayoutEffect, useState } from 'react';
import type { HeldSession } from '../../../../preload/contract/models.ts';
import { api } from '../../../api.ts';
import { arriveAt } from '../../../arrive.ts';
import { useTexts } from '../../../texts.tsx';
import { useAttempt } from '../../../use-attempt.ts';
import { ErrorText } from '../../../components/error-message.tsx';
import { InPlace } from '../../../components/in-place.tsx';
import { Message } from '../../../components/message.tsx';
import { useFocusWhenTold } from '../../sessions/use-focus-when-told.ts';
import { type SessionRowState, useRows } from '../../sessions/use-rows.ts';

interface PendingRevocationsProps {
  /** The sessions of this server. */
  sessions: readonly HeldSession[];
  activeServerId: string;
}

/**
 * Lists the logouts that their server was not told of yet. A person tells it now, or gives up. One that the server was
 * told of by itself says so in its place.
 */
export function PendingRevocations({ sessions, activeServerId }: PendingRevocationsProps) {
  const [acted, setActed] = useState<readonly string[]>([]);
  const rows = useRows(
    sessions.filter(({ state }) => state === 'to-revoke'),
    false,
  );
  return rows
    .filter(({ session, isTold }) => !isTold || !acted.includes(session.id))
    .map((row) => (
      <Pending
        key={row.session.id}
        {...row}
        activeServerId={activeServerId}
        onAct={() => setActed([...acted, row.session.id])}
      />
    ));
}

interface PendingProps extends SessionRowState {
  activeServerId: string;
  /** Called when the person acts on it, so that it goes away with that. */
  onAct: () => void;
}

function Pending({ session, isTold, activeServerId, onAct }: PendingProps) {
  const { t } = useTexts();
  const attempt = useAttempt(activeServerId);
  const { id, account, toldLater } = session;
  const waits = t(toldLater ? 'sessions.waitingLater' : 'sessions.waiting', { account });
  const act = (call: Parameters<typeof attempt.run>[0]) => {
    onAct();
    void attempt.run(call);
  };
  const rowRef = useFocusWhenTold<HTMLDivElement>(isTold);
  useLayoutEffect(() => {
    const row = rowRef.current;
    // It is still there while React takes it away.
    return () => {
      if (row?.contains(document.activeElement)) arriveAt(document.querySelector<HTMLElement>('main h1'));
    };
  }, [rowRef]);
  return (
    <div ref={rowRef} tabIndex={-1}>
      <Message
        tone={attempt.failure ? 'warning' : 'info'}
        aside={
          // Its place is held, so that nothing below it moves.
          <Group gap="xs" inert={isTold} style={{ visibility: isTold ? 'hidden' : undefined }}>
            <Button
              variant="default"
              size="xs"
              aria-busy={attempt.sending}
              aria-disabled={attempt.sending}
              onClick={() => act(() => api.sessions.revoke({ id }))}
            >
              {t('sessions.short.retry')}
            </Button>
            <Button
              variant="default"
              size="xs"
              aria-disabled={attempt.sending}
              onClick={() => act(() => api.sessions.forget({ id }))}
            >
              {t('sessions.short.giveUp')}
            </Button>
          </Group>
        }
      >
        <Text size="sm">{isTold ? <InPlace of={waits}>{t('sessions.toldOf', { account })}</InPlace> : waits}</Text>
        {attempt.failure && <ErrorText error={attempt.failure.error} during="logout" />}
      </Message>
    </div>
  );
}
