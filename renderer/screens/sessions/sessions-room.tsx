import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import type { AppState, LoggedOutEverywhere, Server } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import { ProductionLabel } from '../../components/chip.tsx';
import { FloatingOutcome } from '../../components/floating-outcome.tsx';
import { LogOutIcon } from '../../components/icons.tsx';
import { Room } from '../../components/room.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { OutsideText } from '../../components/outside-text.tsx';
import type { Place } from '../../place.ts';
import type { During } from '../../say-error.ts';
import { serverName } from '../../server-name.ts';
import { useTexts } from '../../texts.tsx';
import { type Failure, useAttempt } from '../../use-attempt.ts';
import { LeaveQuestion, Leaving } from './log-out-everywhere.tsx';
import { type Run, SessionRow } from './session-row.tsx';
import classes from './sessions-room.module.css';
import { useFocusOfRows } from './use-focus-of-rows.ts';
import { type SessionRowState, useRows } from './use-rows.ts';

/** Lists every session that this application holds, by server. */
export function SessionsRoom({ state, place }: { state: AppState; place: Extract<Place, { room: 'sessions' }> }) {
  const { t } = useTexts();
  const attempt = useAttempt('');
  const leaving = useAttempt('');
  const [isAsking, setAsking] = useState(place.leaving === true);
  const [seenPlace, setSeenPlace] = useState(place);
  if (seenPlace !== place) {
    setSeenPlace(place);
    if (place.leaving) setAsking(true);
  }
  const [done, setDone] = useState<LoggedOutEverywhere>();
  const [during, setDuring] = useState<During>('check');
  const listRef = useRef<HTMLDivElement>(null);
  useFocusOfRows(listRef, state.sessions);
  const rows = useRows(state.sessions, attempt.sending || leaving.sending);
  const shownId = state.session.step === 'signed-out' ? undefined : state.session.sessionId;
  const groups = state.servers
    .map((server) => ({ server, rows: rows.filter(({ session }) => session.serverId === server.id) }))
    .filter((group) => group.rows.length > 0);

  const run: Run = (doing, call) => {
    if (!attempt.sending) setDuring(doing);
    return attempt.run(call);
  };
  async function leave() {
    setAsking(false);
    const result = await leaving.run(() => api.sessions.logoutEverywhere());
    if (result?.ok) setDone(result.value);
  }
  return (
    <Room
      title={t('account.all')}
      actions={
        <Button
          variant="subtle"
          color="gray"
          leftSection={<LogOutIcon />}
          aria-busy={leaving.sending}
          aria-disabled={leaving.sending || state.sessions.length === 0}
          onClick={() => setAsking(!leaving.sending && state.sessions.length > 0)}
        >
          {t('sessions.everywhere.button')}
        </Button>
      }
    >
      <div ref={listRef} className={classes.groups}>
        <div className={classes.help}>
          {!leaving.sending && !done && <p>{t('sessions.help')}</p>}
          <Leaving isLeaving={leaving.sending} done={done} />
        </div>
        {groups.length === 0 && <p className={classes.none}>{t('sessions.none')}</p>}
        {groups.map((group) => (
          <Group key={group.server.id} {...group} shownId={shownId} run={run} />
        ))}
      </div>
      {isAsking && state.sessions.length > 0 && (
        <LeaveQuestion sessions={state.sessions} onKeep={() => setAsking(false)} onLeave={() => void leave()} />
      )}
      <FloatingOutcome
        failure={attempt.failure ?? notCancelled(leaving.failure)}
        during={attempt.failure ? during : 'logout'}
        onClose={() => {
          attempt.dismiss();
          leaving.dismiss();
        }}
      />
    </Room>
  );
}

/** Whoever keeps the sessions of a production server knows that. */
const notCancelled = (failure: Failure | undefined) => (failure?.error.kind === 'cancelled' ? undefined : failure);

interface GroupProps {
  server: Server;
  rows: readonly SessionRowState[];
  shownId: string | undefined;
  run: Run;
}

function Group({ server, rows, shownId, run }: GroupProps) {
  const { t } = useTexts();
  return (
    <section className={classes.card} aria-label={serverName(server, t)}>
      <h2 className={classes.server}>
        <ServerDot colour={server.colour} size={10} />
        <OutsideText text={serverName(server, t)} />
        {server.production && <ProductionLabel>{t('server.production')}</ProductionLabel>}
      </h2>
      <ul className={classes.rows}>
        {rows.map(({ session, isTold }) => (
          <SessionRow key={session.id} session={session} isTold={isTold} isShown={session.id === shownId} run={run} />
        ))}
      </ul>
    </section>
  );
}
