import { Button } from '@mantine/core';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { ProductionLabel } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { Question } from '../../components/question.tsx';
import { serverName } from '../../server-name.ts';
import { useTexts } from '../../texts.tsx';
import { useAttempt } from '../../use-attempt.ts';
import { dropDraft } from './server-drafts.ts';

interface DeleteQuestionProps {
  server: Server;
  state: AppState;
  onKeep: () => void;
  onDeleted: () => void;
}

/** Asks before a server goes away with its sessions. */
export function DeleteQuestion({ server, state, onKeep, onDeleted }: DeleteQuestionProps) {
  const { t } = useTexts();
  const attempt = useAttempt(state.activeServerId);
  const held = state.sessions.filter(({ serverId }) => serverId === server.id).length;

  async function remove() {
    const result = await attempt.run(() => api.servers.remove({ id: server.id }));
    if (!result?.ok) return;
    dropDraft(server.id);
    onDeleted();
  }

  return (
    <Question
      title={t('server.deleteTitle', { name: serverName(server, t) })}
      about={server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      help={t(server.double ? 'doubles.deleteHelp' : 'server.deleteHelp', { number: held })}
      onKeep={onKeep}
      answers={
        <>
          <Button variant="default" data-autofocus onClick={onKeep}>
            {t('server.keep')}
          </Button>
          <Button variant="outline" color="red" aria-busy={attempt.sending} onClick={() => void remove()}>
            {t('server.deleteNow')}
          </Button>
        </>
      }
    >
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" wait={0} />}
    </Question>
  );
}
