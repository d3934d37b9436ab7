import { useState } from 'react';
import type { AppState, LoggedOutEverywhere } from '../../../preload/contract/models.ts';
import { api } from '../../api.ts';
import type { Place } from '../../place.ts';
import type { During } from '../../say-error.ts';
import { type Failure, useAttempt } from '../../use-attempt.ts';
import { useKeptFocus } from '../../use-lines.ts';
import { useRows } from './use-rows.ts';
import { heldHere } from './held-here.ts';

type Run = ReturnType<typeof useAttempt>['run'];

/** Keeps the sessions by server, what is done with one of them, and the log-out of all of them. */
export function useSessions({ sessions, servers, session }: AppState, place: Extract<Place, { room: 'sessions' }>) {
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
  const kept = useKeptFocus(
    sessions.map(({ id }) => id),
    (row) => row.querySelector('button'),
  );
  const rows = useRows(sessions, attempt.sending || leaving.sending);
  const canLeave = !leaving.sending && heldHere(sessions).length > 0;

  return {
    kept,
    groups: servers
      .map((server) => ({ server, rows: rows.filter((row) => row.session.serverId === server.id) }))
      .filter((group) => group.rows.length > 0),
    shownId: session.step === 'signed-out' ? undefined : session.sessionId,
    /** `doing` is given, since a logout that a server does not offer has sentences of its own. */
    run: (doing: During, ...call: Parameters<Run>): ReturnType<Run> => {
      if (!attempt.sending) setDuring(doing);
      return attempt.run(...call);
    },
    canLeave,
    isAsking: isAsking && sessions.length > 0,
    ask: () => setAsking(canLeave),
    keep: () => setAsking(false),
    async leave(): Promise<void> {
      setAsking(false);
      const result = await leaving.run(() => api.sessions.logoutEverywhere());
      if (result?.ok) setDone(result.value);
    },
    isLeaving: leaving.sending,
    done,
    failure: attempt.failure ?? notCancelled(leaving.failure),
    during: attempt.failure ? during : 'logout',
    dismiss: () => {
      attempt.dismiss();
      leaving.dismiss();
    },
  } as const;
}

export type ShownSessions = ReturnType<typeof useSessions>;

/** A person who answers no at a production server knows it: that is no failure to show. */
const notCancelled = (failure: Failure | undefined) => (failure?.error.kind === 'cancelled' ? undefined : failure);
