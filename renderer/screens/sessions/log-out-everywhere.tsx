import { Button } from '@mantine/core';
import type { HeldSession, LoggedOutEverywhere } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import { heldHere } from './held-here.ts';
import { t } from '../../i18n.ts';

interface LeaveQuestionProps {
  sessions: readonly HeldSession[];
  onKeep: () => void;
  onLeave: () => void;
}

/** Asks before every session of every server ends. */
export function LeaveQuestion({ sessions, onKeep, onLeave }: LeaveQuestionProps) {
  const held = heldHere(sessions);
  const servers = new Set(held.map(({ serverId }) => serverId)).size;
  return (
    <ConfirmDialog
      title={t('sessions.everywhere.title')}
      help={t('sessions.everywhere.help', {
        sessions: t('sessions.everywhere.sessions', { count: held.length }),
        servers: t('sessions.everywhere.servers', { count: servers }),
      })}
      onKeep={onKeep}
      keep={t('sessions.everywhere.no')}
      goOn={t('sessions.everywhere.button')}
      onGoOn={onLeave}
    />
  );
}

/** Says how far the servers were told. Its place is held from the start. */
export function Leaving({ isLeaving, done }: { isLeaving: boolean; done: LoggedOutEverywhere | undefined }) {
  const said = done && [
    t('sessions.everywhere.done', { told: done.told }),
    done.waiting > 0 && t('sessions.everywhere.waiting', { waiting: done.waiting }),
    done.noLogout > 0 && t('sessions.everywhere.noLogout', { noLogout: done.noLogout }),
  ];
  return (
    <div className="row wrap gap8">
      <output>{isLeaving ? t('sessions.everywhere.telling') : said?.filter(Boolean).join(' ')}</output>
      {isLeaving && (
        <Button variant="default" size="compact-xs" flex="none" onClick={() => void api.session.cancel()}>
          {t('sessions.everywhere.stop')}
        </Button>
      )}
    </div>
  );
}
