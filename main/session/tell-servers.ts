import type { AppError } from '../../preload/contract/result.ts';
import type { StoredSession } from '../config/config.ts';
import { addressOf } from './held-sessions.ts';
import type { SessionParts } from './session-parts.ts';

/** So many servers are told at the same time. */
const serversAtOnce = 8;

/** A session that ended here, and what kept its server from being told, if anything did. */
export type Told = { stored: StoredSession; error: AppError | undefined };

/** Says whether what kept the server from knowing of one session says nothing about the next one. */
const isOfOneSession = (error: AppError): boolean =>
  error.kind === 'token-unreadable' ||
  error.kind === 'validation' ||
  (error.kind === 'unexpected' && error.reason !== 'connection-lost') ||
  (error.kind === 'server-fault' && error.status === 500);

export type TellServers = ReturnType<typeof createTellServers>;

/** Says whether no further try can tell the server: it has no logout that the interface knows, or the token cannot be written. */
export const isWithoutLogout = (error: AppError): boolean =>
  error.kind === 'unexpected' &&
  (error.reason === 'operation-missing' || error.reason === 'refresh-token-wanted' || error.reason === 'unsendable');

/** Tells servers of logouts, and lets go of the tokens of those that they know of. */
export function createTellServers(parts: Pick<SessionParts, 'held' | 'clientFor' | 'references' | 'tokens'>) {
  const { held, clientFor, references, tokens } = parts;

  /** Tells the server, at the address that the token came from and by the way it came. A server that no longer knows it has nothing left to end. */
  async function tell(signal: AbortSignal, stored: StoredSession): Promise<AppError | undefined> {
    if (signal.aborted) return { kind: 'cancelled' };
    const token = await tokens.read(stored);
    if (token === null) return { kind: 'token-unreadable' };
    references.name(token, stored.id);
    const bound = await clientFor(stored.serverId, addressOf(stored));
    if (!bound.ok) return bound.error;
    const answer = await bound.value.client.logout(token, signal, stored.loopbackAddress);
    return answer.ok || answer.error.kind === 'unauthenticated' ? undefined : answer.error;
  }

  /** Keeps what came of it. A session that is gone meanwhile stays gone. */
  async function settle(stored: StoredSession, error: AppError | undefined): Promise<void> {
    const now = held.find(stored.id);
    if (!now) return;
    if (!error) await tokens.forget(now);
    else if (isWithoutLogout(error)) held.update({ ...now, tellLater: undefined });
  }

  /** Tells one server of its sessions, one after the other. Once it cannot be reached, the others are not tried. */
  async function tellOne(signal: AbortSignal, sessions: readonly StoredSession[]): Promise<Told[]> {
    const told: Told[] = [];
    let away: AppError | undefined;
    for (const stored of sessions) {
      const error = away ?? (await tell(signal, stored));
      await settle(stored, error);
      told.push({ stored, error });
      if (error && !isOfOneSession(error)) away = error;
    }
    return told;
  }

  return {
    tell,

    /** Tells each server of its sessions, several servers at the same time. The token of each that is told is let go. */
    async tellAll(signal: AbortSignal, sessions: readonly StoredSession[]): Promise<Told[]> {
      const byAddress = Map.groupBy(sessions, ({ serverId, baseUrl }) => `${serverId} ${baseUrl}`);
      const waiting = [...byAddress.values()];
      const told: Told[] = [];
      async function work(): Promise<void> {
        for (let next = waiting.shift(); next; next = waiting.shift()) told.push(...(await tellOne(signal, next)));
      }
      await Promise.all(Array.from({ length: serversAtOnce }, work));
      return told;
    },
  };
}
