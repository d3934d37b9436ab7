import type { Notice, Session, User } from '../../preload/contract/models.ts';
import type { AppError } from '../../preload/contract/result.ts';
import type { ShownReading } from '../client/hide-in-reading.ts';
import type { SentText } from '../client/reading/json-text.ts';
import type { ConfigStore, StoredSession } from '../config/config.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { isUsable, type HeldSessions } from './held-sessions.ts';
import type { Turn, Turns } from './turns.ts';

export type SessionView = ReturnType<typeof createSessionView>;

/** Keeps what the window shows of the active server: a session, or the log-in form with what there is to say on it. */
export function createSessionView(options: {
  config: ConfigStore;
  held: HeldSessions;
  state: AppStateHolder;
  turns: Pick<Turns, 'isUnderway'>;
  timestamp: () => string;
}) {
  const { config, held, state, turns, timestamp } = options;
  /** What the newest answer about the person says, by the id of the session. */
  const sent = new Map<string, SentText>();

  const isActive = (serverId: string): boolean => state.get().activeServerId === serverId;
  const put = (session: Session): void => state.set({ session });

  function signedOut(serverId: string, notice?: Notice): Session {
    return { step: 'signed-out', notice, email: config.get().lastEmails[serverId] };
  }

  /** Returns what is shown of a server before it was asked anything. */
  function initial(serverId: string): Session {
    const stored = held.current(serverId);
    if (!stored) return signedOut(serverId);
    return isUsable(stored, config.get())
      ? { step: 'restoring', sessionId: stored.id, user: { ...stored.user, rest: [] } }
      : signedOut(serverId, { kind: 'other-address', baseUrl: stored.baseUrl });
  }

  /** Returns the session on the screen; undefined while the log-in form is there. */
  function shown(): { stored: StoredSession; user: User } | undefined {
    const { session } = state.get();
    const stored = session.step === 'signed-out' ? undefined : held.find(session.sessionId);
    return stored && session.step !== 'signed-out' ? { stored, user: session.user } : undefined;
  }

  return {
    put,
    signedOut,
    initial,
    shown,
    isShown: ({ id }: StoredSession): boolean => shown()?.stored.id === id,

    signedIn: (stored: StoredSession, user: User, error?: AppError): Session => ({
      step: 'signed-in',
      sessionId: stored.id,
      user,
      check: error ? { state: 'unchecked', error } : { state: 'checked', at: timestamp() },
    }),

    /** Shows what comes of a turn, unless that was left or its server is no longer the active one. */
    show(turn: Turn, session: Session): void {
      if (turns.isUnderway(turn) && isActive(turn.serverId)) put(session);
    },

    /** Replaces what the log-in form says of a logout, once that is settled. */
    settle({ serverId }: StoredSession, notice: Notice | undefined): void {
      if (isActive(serverId) && state.get().session.step === 'signed-out') put(signedOut(serverId, notice));
    },

    /** Keeps what an answer says of the person, for whoever looks at the session. */
    keepSent(id: string, reading: ShownReading | undefined): void {
      if (reading?.sent) sent.set(id, reading.sent);
    },

    sentTo: (id: string): SentText | undefined => sent.get(id),

    forgetSent: (id: string): void => void sent.delete(id),
  };
}
