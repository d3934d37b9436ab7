import type { Notice } from '../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../preload/contract/result.ts';
import type { StoredSession } from '../config/config.ts';
import { addressOf } from './held-sessions.ts';
import type { SessionParts } from './session-parts.ts';
import type { Turn } from './turns.ts';

/** Says whether the server answered that it has no logout. Only whoever runs the server can change that. */
const isWithoutLogout = (error: AppError): boolean =>
  error.kind === 'unexpected' && error.reason === 'operation-missing';

/** Ends sessions: here in any case, and at the server as far as it can be told. */
export function createLogOut(parts: SessionParts) {
  const { held, clientFor, production, references, turns, view, tokens, timestamp } = parts;

  /** Tells the server, at the address that the token came from and by the way it came. A server that no longer knows it has nothing left to end. */
  async function tell(turn: Turn, stored: StoredSession): Promise<AppError | undefined> {
    const token = await tokens.read(stored);
    if (token === null) return { kind: 'token-unreadable' };
    references.name(token, stored.id);
    const bound = await clientFor(stored.serverId, addressOf(stored));
    if (!bound.ok) return bound.error;
    const answer = await bound.value.client.logout(token, turn.signal, stored.loopbackAddress);
    return answer.ok || answer.error.kind === 'unauthenticated' ? undefined : answer.error;
  }

  return {
    /** Ends a session. The notice says whether the server was told. Until it is, the token is kept for that. */
    async logout(id: string, tellServer: boolean): Promise<Result<null>> {
      const stored = held.find(id);
      if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
      const { serverId } = stored;
      const allowed = tellServer ? production.check(serverId, stored.baseUrl) : ok(null);
      if (!allowed.ok) return allowed;
      return turns.take('logout', serverId, async (turn) => {
        const wasShown = view.isShown(stored);
        const error = tellServer ? await tell(turn, stored) : undefined;
        if (tellServer && !error) {
          await tokens.forget(stored);
        } else {
          held.update({ ...stored, loggedOutAt: timestamp() });
          if (held.current(serverId) === undefined) held.makeCurrent(serverId, undefined);
        }
        const notice: Notice = error
          ? { kind: isWithoutLogout(error) ? 'logged-out-no-way-to-tell' : 'logged-out-here-only', error }
          : { kind: tellServer ? 'logged-out' : 'logged-out-untold' };
        if (wasShown) view.show(turn, view.signedOut(serverId, notice));
        return ok(null);
      });
    },

    /** Tells the server of a logout that it was not told of; only then is the token let go. */
    async revoke(id: string): Promise<Result<null>> {
      const stored = held.find(id);
      if (stored?.loggedOutAt === undefined) return fail({ kind: 'not-now' });
      const allowed = production.check(stored.serverId, stored.baseUrl);
      if (!allowed.ok) return allowed;
      return turns.take('logout', stored.serverId, async (turn) => {
        const error = await tell(turn, stored);
        if (error) return fail(error);
        await tokens.forget(stored);
        view.settle(stored, { kind: 'logged-out' });
        return ok(null);
      });
    },

    /** Removes a session with its token, or gives up telling its server. */
    async forget(id: string): Promise<Result<null>> {
      const stored = held.find(id);
      if (!stored) return fail({ kind: 'not-now' });
      const wasShown = view.isShown(stored);
      if (wasShown) turns.leave();
      await tokens.forget(stored);
      if (wasShown) view.put(view.signedOut(stored.serverId));
      else view.settle(stored, undefined);
      return ok(null);
    },
  };
}
