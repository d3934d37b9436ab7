import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { isLocalServerId } from '../config/server-ids.ts';
import type { ServerStore } from './server-store.ts';

/**
 * Keeps a person from changing things on a production server by mistake: its host must have been typed once in a run of
 * the application. Nothing of that is stored.
 */
export class ProductionGuard {
  readonly #list: Pick<ServerStore, 'find'>;
  readonly #confirmed = new Set<string>();
  /** The host that was asked for last, by the id of the server. */
  readonly #asked = new Map<string, string>();

  constructor(list: Pick<ServerStore, 'find'>) {
    this.#list = list;
  }

  /** Says whether a server may be called, without asking for its host. */
  allows(serverId: string): boolean {
    return this.#missing(serverId) === undefined;
  }

  /** Refuses until the host was typed. */
  check(serverId: string): Result<null> {
    const host = this.#missing(serverId);
    if (host === undefined) return ok(null);
    this.#asked.set(serverId, host);
    return fail({ kind: 'production-not-confirmed', serverId, host });
  }

  /**
   * Refuses until the host of a server was typed that is only being entered.
   * @param serverId of the server that is edited; empty for one that is not created yet
   */
  checkDraft(serverId: string, baseUrl: string): Result<null> {
    const { host } = new URL(baseUrl);
    if (this.#confirmed.has(keyOf(serverId, host))) return ok(null);
    this.#asked.set(serverId, host);
    return fail({ kind: 'production-not-confirmed', serverId, host });
  }

  /** Compares exactly with the host that was asked for. */
  confirm(serverId: string, typed: string): Result<null> {
    const host = this.#asked.get(serverId);
    if (host === undefined) return fail({ kind: 'not-now' });
    if (typed !== host) return fail({ kind: 'wrong-host', host });
    this.#confirmed.add(keyOf(serverId, host));
    return ok(null);
  }

  /** The host that is still to be typed, if there is one. */
  #missing(serverId: string): string | undefined {
    const server = this.#list.find(serverId);
    if (!server?.production || isLocalServerId(serverId)) return undefined;
    const { host } = new URL(server.baseUrl);
    return this.#confirmed.has(keyOf(serverId, host)) ? undefined : host;
  }
}

const keyOf = (serverId: string, host: string): string => JSON.stringify([serverId, host]);
