import type { LoggedOutEverywhere, Notice } from '../../preload/contract/models.ts';
import { fail, ok, type AppError, type Result } from '../../preload/contract/result.ts';
import type { StoredSession } from '../config/config.ts';
import type { SessionParts } from './session-parts.ts';
import type { TellLater } from './tell-later.ts';
import { isWithoutLogout, type TellServers, type Told } from './tell-servers.ts';

/** Ends sessions: here in any case, and at the server as far as it can be told. */
export function createLogOut(parts: SessionParts, servers: TellServers, later: TellLater) {
  const { held, production, turns, view, tokens, timestamp } = parts;

  /** Ends a session here. */
  function endHere(stored: StoredSession, error: AppError | undefined): void {
    const tellLater = error && !isWithoutLogout(error) ? true : undefined;
    held.update({ ...stored, loggedOutAt: timestamp(), tellLater });
    if (held.current(stored.serverId) === undefined) held.makeCurrent(stored.serverId, undefined);
    if (tellLater) later.added();
  }

  return {
    ...createLogOutEverywhere(parts, servers, later),

    /** Ends a session. The notice says whether the server was told. Until it is, the token is kept for that. */
    async logout(id: string, tellServer: boolean): Promise<Result<null>> {
      const stored = held.find(id);
      if (!stored || stored.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
      const { serverId } = stored;
      const allowed = tellServer ? production.check(serverId, stored.baseUrl) : ok(null);
      if (!allowed.ok) return allowed;
      return turns.take('logout', serverId, async (turn) => {
        const wasShown = view.isShown(stored);
        const error = tellServer ? await servers.tell(turn.signal, stored) : undefined;
        if (tellServer && !error) await tokens.forget(stored);
        else endHere(stored, error);
        const notice: Notice = tellServer ? noticeOf(error) : { kind: 'logged-out-untold' };
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
        const error = await servers.tell(turn.signal, stored);
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

function createLogOutEverywhere(parts: SessionParts, servers: TellServers, later: TellLater) {
  const { held, state, production, turns, view, timestamp } = parts;
  return {
    /**
     * Ends every session of every server here at once, and then tells each server. Those that cannot be told now are
     * told later. Fails, and ends none, while the host of a production server among them was not typed.
     */
    async logoutEverywhere(): Promise<Result<LoggedOutEverywhere>> {
      const refused = held.all().map(({ serverId, baseUrl }) => production.check(serverId, baseUrl));
      const problem = refused.find((allowed) => !allowed.ok);
      if (problem?.ok === false) return problem;
      return turns.take('logout', state.get().activeServerId, async (turn) => {
        const shown = view.shown();
        held.endAll(timestamp());
        if (shown) view.put(view.signedOut(shown.stored.serverId));
        const told = await servers.tellAll(turn.signal, held.all());
        later.added();
        const ofShown = told.find(({ stored }) => stored.id === shown?.stored.id);
        if (ofShown) view.show(turn, view.signedOut(ofShown.stored.serverId, noticeOf(ofShown.error)));
        return ok(counted(told));
      });
    },
  };
}

const noticeOf = (error: AppError | undefined): Notice =>
  error
    ? { kind: isWithoutLogout(error) ? 'logged-out-no-way-to-tell' : 'logged-out-here-only', error }
    : { kind: 'logged-out' };

function counted(all: readonly Told[]): LoggedOutEverywhere {
  const untold = all.flatMap(({ error }) => error ?? []);
  const noLogout = untold.filter(isWithoutLogout).length;
  return { told: all.length - untold.length, waiting: untold.length - noLogout, noLogout };
}
