import type { Session, User } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import type { ClientResult } from '../client/client.ts';
import { userOf } from '../client/user-of.ts';
import type { StoredSession } from '../config/config.ts';
import { addressOf, isUsable, tokenIdOf } from './held-sessions.ts';
import { sessionEndOf } from './session-end.ts';
import { known, type SessionParts } from './session-parts.ts';
import type { Turn } from './turns.ts';

/** Asks a server whether a session still lives. A doubtful answer never ends one. */
export function createCheckSession(parts: SessionParts) {
  const { config, state, held, clientFor, references, turns, view, tokens, timestamp } = parts;

  async function ask(turn: Turn, stored: StoredSession, token: string): Promise<ClientResult> {
    const bound = await clientFor(stored.serverId, addressOf(stored));
    const profile = async (): Promise<ClientResult> =>
      bound.ok ? bound.value.client.profile(token, turn.signal, stored.loopbackAddress) : bound;
    const first = await profile();
    // It is asked twice before a session is ended, since a proxy or a restart may refuse once.
    return !first.ok && first.error.kind === 'unauthenticated' ? profile() : first;
  }

  /**
   * Asks about a session, and fails with what kept it from being confirmed.
   * @param shown what is on the screen, if it is this session
   */
  async function confirm(turn: Turn, stored: StoredSession, shown: User | undefined): Promise<Result<null>> {
    const showIf = (session: Session): void => (shown ? view.show(turn, session) : undefined);
    const token = await tokens.read(stored);
    if (!turns.isUnderway(turn)) return fail({ kind: 'cancelled' });
    if (token === null) {
      const where = tokens.where(stored);
      const kept = where === 'unreadable' || where === 'locked';
      if (!kept) await tokens.forget(stored);
      showIf(view.signedOut(stored.serverId, kept ? { kind: `vault-${where}` } : undefined));
      return fail({ kind: kept ? 'token-unreadable' : 'not-now' });
    }
    references.name(token, stored.id);
    const answer = await ask(turn, stored, token);
    // Somebody logged out meanwhile, so the answer is about a session that is no longer there.
    if (!turns.isUnderway(turn) || !held.find(stored.id)) return fail({ kind: 'cancelled' });
    if (answer.reading) {
      turn.learned.push({ reading: answer.reading });
      view.keepSent(stored.id, answer.reading);
    }
    if (answer.ok) {
      const user = userOf(answer.reading);
      const tokenId = tokenIdOf(token) ?? stored.tokenId;
      const now = timestamp();
      const end = sessionEndOf({ token, readings: [answer.reading], known: stored.end, now });
      const checked = { ...stored, user: known(user), checkedAt: now, tokenId, end };
      held.update(checked);
      showIf(view.signedIn(checked, user));
      return ok(null);
    }
    if (answer.error.kind === 'unauthenticated') {
      await tokens.forget(stored);
      showIf(view.signedOut(stored.serverId, { kind: 'session-ended' }));
    } else if (shown) {
      view.show(turn, view.signedIn(stored, shown, answer.error));
    }
    return fail(answer.error);
  }

  return {
    /** Asks about any held session. If it is on the screen, what comes of it is shown there too. */
    async check(id: string): Promise<Result<null>> {
      const stored = held.find(id);
      if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
      if (!isUsable(stored, config.get())) return fail({ kind: 'other-address', baseUrl: stored.baseUrl });
      const shown = view.shown();
      return turns.take('check', stored.serverId, (turn) =>
        confirm(turn, stored, shown?.stored.id === id ? shown.user : undefined),
      );
    },

    /** Confirms the stored session of the active server, at the start and after a switch. */
    restore: (): Promise<Result<null>> =>
      turns.take('check', state.get().activeServerId, async (turn) => {
        const stored = held.current(turn.serverId);
        // What kept it from being confirmed is on the screen.
        if (stored && isUsable(stored, config.get())) await confirm(turn, stored, { ...stored.user, rest: [] });
        // The session was dropped after it was shown, so nothing would ever come of it.
        else if (state.get().session.step === 'restoring') view.show(turn, view.initial(turn.serverId));
        return ok(null);
      }),
  };
}
