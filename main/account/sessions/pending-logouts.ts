import type { AppError } from '../../../preload/contract/result.ts';
import type { StoredSession } from '../config/config.ts';
import type { SessionsOptions } from './sessions-options.ts';
import { hasLogout } from './session-store.ts';
import type { TokenRefresher } from './token-refresher.ts';
import type { SessionCredential, CredentialStore } from './credential-store.ts';

const minuteMs = 60_000;
/** Before the next retry, by the number of tries since the start or the last logout. */
const retryDelaysMs = [1, 2, 5, 15, 30, 60].map((minutes) => minutes * minuteMs);
const serversInParallel = 8;

/** `error` is why the server did not confirm the logout. */
export type LogoutResult = { stored: StoredSession; error: AppError | undefined };

/** False for errors that every session of the server would get. */
const isOfOneSession = (error: AppError): boolean =>
  error.kind === 'token-unreadable' ||
  error.kind === 'path-value' ||
  error.kind === 'validation' ||
  (error.kind === 'unexpected' && error.reason !== 'connection-lost') ||
  (error.kind === 'server-fault' && error.status === 500);

/** True if no retry can help: the API description has no logout, or the token cannot be sent. */
export const isLogoutImpossible = (error: AppError): boolean =>
  error.kind === 'path-value' ||
  (error.kind === 'unexpected' &&
    (error.reason === 'operation-missing' || error.reason === 'refresh-token-wanted' || error.reason === 'unsendable'));

type Options = Pick<SessionsOptions, 'config' | 'sessionStore' | 'clientFor' | 'production'> & {
  credentials: CredentialStore;
  refresher: TokenRefresher;
};

/**
 * Logs sessions out on their servers, and deletes their tokens once that is confirmed. Retries at the start, and then at
 * growing intervals; without a pending logout there is no timer. A production server is called once its host was typed in
 * this run.
 */
export class PendingLogouts implements Disposable {
  readonly #options: Options;
  #isOpen = false;
  #tries = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: AbortController | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Logs out at the address that issued the token. A server that does not know the token has nothing left to end; if the
   * session can be refreshed, only a refused refresh says so.
   */
  async revokeOnServer(signal: AbortSignal, stored: StoredSession): Promise<AppError | undefined> {
    const { config, credentials, refresher, clientFor } = this.#options;
    if (signal.aborted) return { kind: 'cancelled' };
    if (!hasLogout(stored, config.get())) return { kind: 'unexpected', reason: 'operation-missing' };
    const credential = await credentials.read(stored);
    if (credential === null) return { kind: 'token-unreadable' };
    const bound = await clientFor(stored.serverId, stored);
    if (!bound.ok) return bound.error;
    const { client } = bound.value;
    const logout = (each: SessionCredential) => client.logout(each, signal, stored.loopbackAddress);
    const { answer, credential: sent } = await refresher.callWithRefresh(stored, credential, bound.value, logout);
    if (answer.ok || answer.error.kind === 'unauthenticated') return undefined;
    await credentials.rotate(stored, sent, answer.credential);
    return answer.error;
  }

  /** Logs out on several servers in parallel, and deletes the token of each confirmed logout. */
  async revokeAllOnServers(signal: AbortSignal, sessions: readonly StoredSession[]): Promise<LogoutResult[]> {
    const waiting = [...Map.groupBy(sessions, ({ serverId }) => serverId).values()];
    const results: LogoutResult[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        results.push(...(await this.#revokeOnOne(signal, next)));
    };
    await Promise.all(Array.from({ length: serversInParallel }, work));
    return results;
  }

  /** To be called after each logout that a server did not confirm. */
  scheduleFirstRetry(): void {
    this.#tries = 0;
    this.#schedule();
  }

  /** To be called once tokens can be read: at the start and after a lock. Tries at once, then on a timer. */
  async startRetries(): Promise<void> {
    this.#isOpen = true;
    this.#tries = 0;
    await this.#retry();
  }

  /** Aborts its requests. Nothing more is sent until {@link startRetries}. */
  [Symbol.dispose](): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#running?.abort();
  }

  #pending(): StoredSession[] {
    return this.#options.sessionStore
      .all()
      .filter(({ loggedOutAt, tellLater }) => loggedOutAt !== undefined && tellLater);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#isOpen || this.#running || this.#pending().length === 0) return;
    this.#timer = setTimeout(() => void this.#retry(), retryDelaysMs[Math.min(this.#tries, retryDelaysMs.length - 1)]);
    this.#timer.unref();
  }

  async #retry(): Promise<void> {
    if (!this.#isOpen || this.#running) return;
    this.#running = new AbortController();
    try {
      const allowed = this.#pending().filter(({ serverId }) => this.#options.production.allows(serverId));
      await this.revokeAllOnServers(this.#running.signal, allowed);
    } finally {
      this.#running = undefined;
    }
    this.#tries += 1;
    this.#schedule();
  }

  /** One session after the other. After an error that all would get, the others are not tried. */
  async #revokeOnOne(signal: AbortSignal, sessions: readonly StoredSession[]): Promise<LogoutResult[]> {
    const results: LogoutResult[] = [];
    let unreachable: AppError | undefined;
    for (const stored of sessions) {
      const error = unreachable ?? (await this.revokeOnServer(signal, stored));
      await this.#settle(stored, error);
      results.push({ stored, error });
      if (error && !isOfOneSession(error)) unreachable = error;
    }
    return results;
  }

  /** A session that was removed meanwhile stays removed. */
  async #settle({ id }: StoredSession, error: AppError | undefined): Promise<void> {
    const { config, sessionStore, credentials } = this.#options;
    const session = sessionStore.find(id);
    if (!session) return;
    if (!error || !hasLogout(session, config.get())) await credentials.removeSessions([session]);
    else if (isLogoutImpossible(error))
      sessionStore.change({ put: [{ session: { ...session, tellLater: undefined } }] });
  }
}
