import { Button } from '@mantine/core';
import type { HeldSession, LoggedOutEverywhere } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { Question } from '../../components/question.tsx';
import { useTexts } from '../../texts.tsx';
import classes from './sessions-room.module.css';

interface LeaveQuestionProps {
  sessions: readonly HeldSession[];
  onKeep: () => void;
  onLeave: () => void;
}

/** Asks before every session of every server ends. */
export function LeaveQuestion({ sessions, onKeep, onLeave }: LeaveQuestionProps) {
  const { t } = useTexts();
  const servers = new Set(sessions.map(({ serverId }) => serverId)).size;
  return (
    <Question
      title={t('sessions.everywhere.title')}
      help={t('sessions.everywhere.help', { sessions: sessions.length, servers })}
      onKeep={onKeep}
      answers={
        <>
          <Button variant="default" data-autofocus onClick={onKeep}>
            {t('sessions.everywhere.no')}
          </Button>
          <Button variant="outline" color="red" onClick={onLeave}>
            {t('sessions.everywhere.button')}
          </Button>
        </>
      }
    />
  );
}

/** Says how far the servers were told. Its place is held from the start. */
export function Leaving({ isLeaving, done }: { isLeaving: boolean; done: LoggedOutEverywhere | undefined }) {
  const { t } = useTexts();
  const said = done && [
    t('sessions.everywhere.done', { told: done.told }),
    done.waiting > 0 && t('sessions.everywhere.waiting', { waiting: done.waiting }),
    done.noLogout > 0 && t('sessions.everywhere.noLogout', { noLogout: done.noLogout }),
  ];
  return (
    <div className={classes.leaving}>
      <output>{isLeaving ? t('sessions.everywhere.telling') : said?.filter(Boolean).join(' ')}</output>
      {isLeaving && (
        <Button variant="default" size="compact-xs" flex="none" onClick={() => void api.session.cancel()}>
          {t('sessions.everywhere.stop')}
        </Button>
      )}
    </div>
  );
}
