import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { isRunHere, type ConfigStore } from '../config/config.ts';

export type ProductionGuard = ReturnType<typeof createProductionGuard>;

/**
 * Keeps a person from changing things on a production server by mistake: its host must have been typed once in a run of
 * the application. Nothing of that is stored.
 */
export function createProductionGuard(config: ConfigStore) {
  const confirmed = new Set<string>();
  /** The host that was asked for last, by the id of the server. */
  const asked = new Map<string, string>();
  const keyOf = (serverId: string, host: string): string => JSON.stringify([serverId, host]);

  const isConfirmed = (serverId: string, host: string): boolean => {
    const server = config.get().servers.find(({ id }) => id === serverId);
    return !server?.production || isRunHere(serverId) || confirmed.has(keyOf(serverId, host));
  };

  return {
    /** Says whether a call may go to an address, without asking for its host. */
    allows: (serverId: string, baseUrl: string): boolean => isConfirmed(serverId, new URL(baseUrl).host),

    /** Refuses until the host was typed. `baseUrl` is where the call goes to, unless that is the server's address. */
    check(serverId: string, baseUrl?: string): Result<null> {
      const server = config.get().servers.find(({ id }) => id === serverId);
      if (!server?.production || isRunHere(serverId)) return ok(null);
      const { host } = new URL(baseUrl ?? server.baseUrl);
      if (isConfirmed(serverId, host)) return ok(null);
      asked.set(serverId, host);
      return fail({ kind: 'production-not-confirmed', serverId, host });
    },

    /** Compares exactly with the host that was asked for. */
    confirm(serverId: string, typed: string): Result<null> {
      const host = asked.get(serverId);
      if (host === undefined) return fail({ kind: 'not-now' });
      if (typed !== host) return fail({ kind: 'wrong-host', host });
      confirmed.add(keyOf(serverId, host));
      return ok(null);
    },
  };
}
