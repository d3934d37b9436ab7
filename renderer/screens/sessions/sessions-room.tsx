import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppState, HeldSession, Server } from '../../../preload/contract/models.ts';
import { ProductionLabel } from '../../components/chip.tsx';
import { FloatingOutcome } from '../../components/floating-outcome.tsx';
import { Room } from '../../components/room.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import type { During } from '../../say-error.ts';
import { serverName } from '../../server-name.ts';
import { useAttempt } from '../../use-attempt.ts';
import { type Run, SessionRow } from './session-row.tsx';
import classes from './sessions-room.module.css';
import { useFocusOfRows } from './use-focus-of-rows.ts';

/** Lists every session that this application holds, by server. */
export function SessionsRoom({ state }: { state: AppState }) {
  const { t } = useTranslation();
  const attempt = useAttempt('');
  const [during, setDuring] = useState<During>('check');
  const listRef = useRef<HTMLDivElement>(null);
  useFocusOfRows(listRef, state.sessions);
  const shownId = state.session.step === 'signed-out' ? undefined : state.session.sessionId;
  const groups = state.servers
    .map((server) => ({
      server,
      sessions: state.sessions.filter(({ serverId }) => serverId === server.id),
    }))
    .filter(({ sessions }) => sessions.length > 0);

  const run: Run = (doing, call) => {
    if (!attempt.sending) setDuring(doing);
    return attempt.run(call);
  };
  return (
    <Room title={t('account.all')}>
      <div ref={listRef} className={classes.groups}>
        <p className={classes.help}>{t('sessions.help')}</p>
        {groups.length === 0 && <p className={classes.none}>{t('sessions.none')}</p>}
        {groups.map(({ server, sessions }) => (
          <Group key={server.id} server={server} sessions={sessions} shownId={shownId} run={run} />
        ))}
      </div>
      <FloatingOutcome failure={attempt.failure} during={during} onClose={attempt.dismiss} />
    </Room>
  );
}

interface GroupProps {
  server: Server;
  sessions: readonly HeldSession[];
  shownId: string | undefined;
  run: Run;
}

function Group({ server, sessions, shownId, run }: GroupProps) {
  const { t } = useTranslation();
  return (
    <section className={classes.card} aria-label={serverName(server, t)}>
      <h2 className={classes.server}>
        <ServerDot colour={server.colour} size={10} />
        <bdi>{serverName(server, t)}</bdi>
        {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      </h2>
      <ul className={classes.rows}>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} isShown={session.id === shownId} run={run} />
        ))}
      </ul>
    </section>
  );
}
