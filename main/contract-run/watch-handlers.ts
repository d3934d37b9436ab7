import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { wayOf } from '../config/way.ts';
import type { Handlers } from '../ipc/answer.ts';
import { isShort } from '../secrets/secret-references.ts';
import type { SessionOptions } from '../session/session-parts.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { watchedAt } from './run-apart.ts';
import type { createWatches } from './watches.ts';

export type WatchHandlerOptions = {
  state: Pick<AppStateHolder, 'get'>;
  allowPassword: SessionOptions['allowPassword'];
  watches: Pick<ReturnType<typeof createWatches>, 'start' | 'stop'>;
};

/** Makes what the window may ask of watches. */
export function createWatchHandlers({ state, allowPassword, watches }: WatchHandlerOptions): Handlers['watch'] {
  /** Refuses what may not be measured, before anything is sent. */
  function problemOf(serverId: string, password: string): Result<null> {
    const { servers, settings } = state.get();
    const server = servers.find(({ id }) => id === serverId);
    if (server?.production) return fail({ kind: 'run-refused', problem: 'production' });
    if (!server || server.baseUrl === '') return fail({ kind: 'run-refused', problem: 'no-address' });
    if (!settings.notifications) return fail({ kind: 'run-refused', problem: 'notifications-off' });
    return isShort(password) ? fail({ kind: 'run-refused', problem: 'short-password' }) : ok(null);
  }

  return {
    async start({ serverId, email, password, everyMinutes }) {
      const possible = problemOf(serverId, password);
      if (!possible.ok) return possible;
      const server = state.get().servers.find(({ id }) => id === serverId);
      if (!server) return fail({ kind: 'not-now' });
      const watched = watchedAt(server, { email: email.trim(), password });
      const allowed = await allowPassword(serverId, { baseUrl: server.baseUrl, way: wayOf(server) });
      if (!allowed.ok) return allowed;
      watches.start(watched, everyMinutes);
      return ok(state.get());
    },

    stop({ serverId }) {
      watches.stop(serverId);
      return ok(state.get());
    },
  };
}
