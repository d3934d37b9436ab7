import { useRef, useState } from 'react';
import type { LoggedOutEverywhere } from '../../../preload/contract/models.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api, useApp } from '../../api.ts';
import type { Route } from '../../route.ts';
import type { During } from '../../error-text.ts';
import { type Failure, useAction } from '../../use-action.ts';
import { useKeptFocus } from '../../use-roving-focus.ts';
import { useRows } from './use-rows.ts';
import { heldHere } from './held-here.ts';

/** What a person can do with one session. */
export type SessionVerb = 'use' | 'check' | 'logout' | 'retry' | 'giveUp' | 'forget';

/** A logout that a server does not offer has sentences of its own. */
const duringOf = (verb: SessionVerb): During => (verb === 'logout' || verb === 'retry' ? 'logout' : 'check');

/** Keeps the sessions by server, what is done with one of them, and the log-out of all of them. */
export function useSessions(place: Extract<Route, { room: 'sessions' }>) {
  const { sessions, servers, session } = useApp();
  const rowActs = useRowActs();
  const leaving = useAction();
  const [isAsking, setAsking] = useState(place.leaving === true);
  const [seenPlace, setSeenPlace] = useState(place);
  if (seenPlace !== place) {
    setSeenPlace(place);
    if (place.leaving) setAsking(true);
  }
  const [done, setDone] = useState<LoggedOutEverywhere>();
  const kept = useKeptFocus(
    sessions.map(({ id }) => id),
    (row) => row.querySelector('button'),
  );
  const rows = useRows(sessions, rowActs.underWay.length > 0 || leaving.pending);
  const canLeave = !leaving.pending && heldHere(sessions).length > 0;

  return {
    kept,
    groups: servers
      .map((server) => ({ server, rows: rows.filter((row) => row.session.serverId === server.id) }))
      .filter((group) => group.rows.length > 0),
    shownId: session.step === 'signed-out' ? undefined : session.sessionId,
    run: rowActs.run,
    underWay: rowActs.underWay,
    canLeave,
    isAsking: isAsking && sessions.length > 0,
    ask: () => setAsking(canLeave),
    keep: () => setAsking(false),
    async leave(): Promise<void> {
      setAsking(false);
      const result = await leaving.run(() => api.sessions.logoutEverywhere());
      if (result?.ok) setDone(result.value);
    },
    isLeaving: leaving.pending,
    done,
    failure: rowActs.failed ?? notCancelled(leaving.failure),
    during: rowActs.failed?.during ?? 'logout',
    dismiss: () => {
      rowActs.dismiss();
      leaving.dismiss();
    },
  } as const;
}

/** What is under way with one session. */
interface RowAct {
  id: string;
  verb: SessionVerb;
}

/**
 * Does what is asked for of single sessions. A server may take long to answer, and main says what can be done meanwhile;
 * only the same thing at the same session is not asked for twice.
 */
function useRowActs() {
  const running = useRef<RowAct[]>([]);
  const [underWay, setUnderWay] = useState<readonly RowAct[]>([]);
  const [failed, setFailed] = useState<Failure & { during: During }>();

  function change(acts: RowAct[]): void {
    running.current = acts;
    setUnderWay(acts);
  }
  return {
    underWay,
    failed,
    dismiss: () => setFailed(undefined),
    /** Answers whether it was done. */
    run: async (id: string, verb: SessionVerb, call: () => Promise<Result<unknown>>): Promise<boolean> => {
      if (running.current.some((each) => each.id === id && each.verb === verb)) return false;
      const act = { id, verb };
      change([...running.current, act]);
      setFailed(undefined);
      const result = await call();
      change(running.current.filter((each) => each !== act));
      // A logout interrupts a check, and a person may cancel either.
      if (!result.ok && result.error.kind !== 'cancelled') {
        setFailed({ error: result.error, seenAt: Date.now(), during: duringOf(verb) });
      }
      return result.ok;
    },
  };
}

export type ShownSessions = ReturnType<typeof useSessions>;

/** A person who answers no at a production server knows it: that is no failure to show. */
const notCancelled = (failure: Failure | undefined) => (failure?.error.kind === 'cancelled' ? undefined : failure);
