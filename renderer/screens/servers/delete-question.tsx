import type { Server } from '../../../preload/contract/models.ts';
import { api, useApp } from '../../api.ts';
import { ProductionLabel } from '../../components/chip.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { serverName } from '../../server-name.ts';
import { useAction } from '../../use-action.ts';
import { dropDraft } from './server-drafts.ts';
import { t } from '../../i18n.ts';

interface DeleteQuestionProps {
  server: Server;
  onKeep: () => void;
  onDeleted: () => void;
}

/** Asks before a server goes away with its sessions. */
export function DeleteQuestion({ server, onKeep, onDeleted }: DeleteQuestionProps) {
  const state = useApp();
  const attempt = useAction();
  const held = state.sessions.filter(({ serverId }) => serverId === server.id).length;

  const remove = () =>
    attempt.run(
      () => api.servers.remove({ id: server.id }),
      () => {
        dropDraft(server.id);
        onDeleted();
      },
    );

  return (
    <ConfirmDialog
      title={t('server.deleteTitle', { name: serverName(server) })}
      about={server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      help={t(server.double ? 'doubles.deleteHelp' : 'server.deleteHelp', { number: held })}
      onKeep={onKeep}
      keep={t('server.keep')}
      goOn={t('server.deleteNow')}
      sending={attempt.pending}
      onGoOn={() => void remove()}
    >
      {attempt.failure && <ErrorMessage error={attempt.failure.error} during="server" />}
    </ConfirmDialog>
  );
}
