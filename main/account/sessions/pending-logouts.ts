import type { AppError } from '../../../preload/contract/result.ts';
import type { StoredSession } from '../config/config.ts';
import type { SessionsOptions } from './sessions-options.ts';
import { hasLogout } from './session-store.ts';
import type { TokenRefresher } from './token-refresher.ts';
import type { SessionCredential, SessionTokens } from './session-tokens.ts';

const minuteMs = 60_000;
/** Milliseconds to the next try, by the number of tries that failed since the start or the last logout. */
const waitsMs = [1, 2, 5, 15, 30, 60].map((minutes) => minutes * minuteMs);
/** So many servers are told at the same time. */
const serversAtOnce = 8;

/** A session that ended here, and what kept its server from being told, if anything did. */
export type LogoutResult = { stored: StoredSession; error: AppError | undefined };

/** Whether what kept the server from knowing of one session says nothing about the next one. */
const isOfOneSession = (error: AppError): boolean =>
  error.kind === 'token-unreadable' ||
  error.kind === 'path-value' ||
  error.kind === 'validation' ||
  (error.kind === 'unexpected' && error.reason !== 'connection-lost') ||
  (error.kind === 'server-fault' && error.status === 500);

/** Whether no further try can tell the server: it has no logout that the interface knows, or the token cannot be written. */
export const isLogoutImpossible = (error: AppError): boolean =>
  error.kind === 'path-value' ||
  (error.kind === 'unexpected' &&
    (error.reason === 'operation-missing' || error.reason === 'refresh-token-wanted' || error.reason === 'unsendable'));

type Options = Pick<SessionsOptions, 'config' | 'sessionStore' | 'clientFor' | 'production'> & {
  tokens: SessionTokens;
  renewals: TokenRefresher;
};

/**
 * Tells servers of logouts, and lets go of the tokens of those that they know of. Servers that were away are told at the
 * start, and then at growing intervals; without such a logout there is no timer. A production server is told once its host
 * was typed in this run of the application.
 */
export class PendingLogouts implements Disposable {
  readonly #options: Options;
  #isOpen = false;
  #tries = 0;
  #timer: NodeJS.Timeout | undefined;
  #underWay: AbortController | undefined;

  constructor(options: Options) {
    this.#options = options;
  }

  /**
   * Tells the server, at the address that the token came from. A server that no longer knows it has nothing left to end;
   * where the session can be renewed, only one that refuses that no longer knows it.
   */
  async revokeOnServer(signal: AbortSignal, stored: StoredSession): Promise<AppError | undefined> {
    const { config, tokens, renewals, clientFor } = this.#options;
    if (signal.aborted) return { kind: 'cancelled' };
    if (!hasLogout(stored, config.get())) return { kind: 'unexpected', reason: 'operation-missing' };
    const held = await tokens.read(stored);
    if (held === null) return { kind: 'token-unreadable' };
    const bound = await clientFor(stored.serverId, stored);
    if (!bound.ok) return bound.error;
    const { client } = bound.value;
    const logout = (credential: SessionCredential) => client.logout(credential, signal, stored.loopbackAddress);
    const asked = await renewals.callWithRefresh(stored, held, bound.value, logout);
    const { answer } = asked;
    if (answer.ok || answer.error.kind === 'unauthenticated') return undefined;
    await tokens.rotate(stored, asked.held, answer.credential);
    return answer.error;
  }

  /** Tells each server of its sessions, several servers at the same time. The token of each that is told is let go. */
  async revokeAllOnServers(signal: AbortSignal, sessions: readonly StoredSession[]): Promise<LogoutResult[]> {
    const waiting = [...Map.groupBy(sessions, ({ serverId }) => serverId).values()];
    const told: LogoutResult[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) told.push(...(await this.#tellOne(signal, next)));
    };
    await Promise.all(Array.from({ length: serversAtOnce }, work));
    return told;
  }

  /** Plans the first try after a logout of which a server could not be told. */
  scheduleFirstRetry(): void {
    this.#tries = 0;
    this.#plan();
  }

  /** Tells what can be told now. It is called once tokens can be read: at the start and after a lock. */
  async begin(): Promise<void> {
    this.#isOpen = true;
    this.#tries = 0;
    await this.#tellNow();
  }

  /** Ends what is under way. Nothing more is sent until {@link begin}. */
  [Symbol.dispose](): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#underWay?.abort();
  }

  #waiting(): StoredSession[] {
    return this.#options.sessionStore
      .all()
      .filter(({ loggedOutAt, tellLater }) => loggedOutAt !== undefined && tellLater);
  }

  #plan(): void {
    clearTimeout(this.#timer);
    if (!this.#isOpen || this.#underWay || this.#waiting().length === 0) return;
    this.#timer = setTimeout(() => void this.#tellNow(), waitsMs[Math.min(this.#tries, waitsMs.length - 1)]);
    this.#timer.unref();
  }

  async #tellNow(): Promise<void> {
    if (!this.#isOpen || this.#underWay) return;
    this.#underWay = new AbortController();
    try {
      const allowed = this.#waiting().filter(({ serverId }) => this.#options.production.allows(serverId));
      await this.revokeAllOnServers(this.#underWay.signal, allowed);
    } finally {
      this.#underWay = undefined;
    }
    this.#tries += 1;
    this.#plan();
  }

  /** Tells one server of its sessions, one after the other. Once it cannot be reached, the others are not tried. */
  async #tellOne(signal: AbortSignal, sessions: readonly StoredSession[]): Promise<LogoutResult[]> {
    const told: LogoutResult[] = [];
    let away: AppError | undefined;
    for (const stored of sessions) {
      const error = away ?? (await this.revokeOnServer(signal, stored));
      await this.#settle(stored, error);
      told.push({ stored, error });
      if (error && !isOfOneSession(error)) away = error;
    }
    return told;
  }

  /** Keeps what came of it. A session that is gone meanwhile stays gone. */
  async #settle({ id }: StoredSession, error: AppError | undefined): Promise<void> {
    const { config, sessionStore, tokens } = this.#options;
    const session = sessionStore.find(id);
    if (!session) return;
    if (!error || !hasLogout(session, config.get())) await tokens.removeSessions([session]);
    else if (isLogoutImpossible(error))
      sessionStore.change({ put: [{ session: { ...session, tellLater: undefined } }] });
  }
}
