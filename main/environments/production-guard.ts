import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { builtInId, type ConfigStore } from '../config/config.ts';

export type ProductionGuard = ReturnType<typeof createProductionGuard>;

/**
 * What keeps a person from changing things on a production server by mistake: its host must have been typed once per
 * run of the application. Nothing of it is stored.
 */
export function createProductionGuard(config: ConfigStore) {
  const confirmed = new Set<string>();
  /** The host that was asked for last, by environment id. */
  const asked = new Map<string, string>();
  const keyOf = (environmentId: string, host: string): string => JSON.stringify([environmentId, host]);

  return {
    /** `baseUrl` is where the call goes to, if not to the environment's address of now. */
    check(environmentId: string, baseUrl?: string): Result<null> {
      const environment = config.get().environments.find(({ id }) => id === environmentId);
      if (!environment?.production || environmentId === builtInId) return ok(null);
      const { host } = new URL(baseUrl ?? environment.baseUrl);
      if (confirmed.has(keyOf(environmentId, host))) return ok(null);
      asked.set(environmentId, host);
      return fail({ kind: 'production-not-confirmed', environmentId, host });
    },

    /** Compares exactly with the host that was asked for. */
    confirm(environmentId: string, typed: string): Result<null> {
      const host = asked.get(environmentId);
      if (host === undefined) return fail({ kind: 'not-now' });
      if (typed !== host) return fail({ kind: 'wrong-host', host });
      confirmed.add(keyOf(environmentId, host));
      return ok(null);
    },
  };
}
