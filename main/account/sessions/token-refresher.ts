import { isDeepStrictEqual } from 'node:util';
import type { AppError } from '../../../preload/contract/result.ts';
import type { ClientResult } from '../../client/client.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { StoredSession } from '../config/config.ts';
import { freshTokenRefused } from '../../client/map-error.ts';
import { expiryState } from './expiry.ts';
import { resolveSessionEnd, parseTokenId } from './session-end.ts';
import type { BoundClient } from '../servers/clients.ts';
import type { SessionsOptions } from './sessions-options.ts';
import type { SessionCredential, CredentialStore } from './credential-store.ts';

type Options = Pick<SessionsOptions, 'config' | 'sessionStore' | 'now'> & {
  credentials: CredentialStore;
  /** Checks a session whose refresh failed. False if that was not possible now. */
  checkAgain: (sessionId: string) => Promise<boolean>;
};

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** Before a request may refresh again, by the number of failures in a row. */
const pausesMs = [0, 1, 2, 4, 8, 16, 32, 60].map((seconds) => seconds * secondMs);
/** Before the next automatic retry, by the number of failures in a row. */
const retryDelaysMs = [5, 15, 60, 300, 900, 1800, 3600].map((seconds) => seconds * secondMs);
const longestRetryAfterMs = 24 * 60 * minuteMs;

type RefreshResult =
  | { is: 'refreshed'; credential: SessionCredential }
  | { is: 'refused'; error: AppError }
  | { is: 'not-now'; error: AppError };

/** Failures in a row. `notBefore` is in milliseconds since 1970. */
type Failures = { count: number; error: AppError; notBefore: number };

/**
 * The response to a call, and the credential after it. The error `unauthenticated` means that the session has ended.
 * @property isRefreshable if so, that error is of the refresh; else it is of the call
 */
type RefreshedCall = { answer: ClientResult; credential: SessionCredential; isRefreshable: boolean };

/** The stored flag of sessions that are refreshed automatically. */
export const refreshFlag = (adapter: ApiAdapter, credential: SessionCredential): Pick<StoredSession, 'renews'> => ({
  renews: adapter.canRefresh(credential) || undefined,
});

const isUnauthenticated = (answer: ClientResult): boolean => !answer.ok && answer.error.kind === 'unauthenticated';

const at = (list: readonly number[], index: number): number => list[Math.min(index, list.length - 1)] ?? 0;

/**
 * Sends the calls of sessions, and refreshes tokens if the API description has a call for it: shortly before they expire,
 * and where the server refuses one. Only a refused refresh ends such a session.
 *
 * A refresh that failed otherwise (5xx, 429, 408, a page, no response) ends nothing. The next call may try again at once,
 * then after 1 s, twice as long each time, up to 60 s. The application itself retries after 5 s, 15 s, 1, 5, 15, 30 and
 * then every 60 minutes. Both respect `Retry-After`, up to a day.
 *
 * `renewing` is written before a refresh, and removed once the new credential is sealed or the server refused. A server
 * may end a session where a refresh token is used twice (RFC 9700, 4.14.2), so a refresh whose response was lost is sent
 * again only after the server refused the stored token.
 */
export class TokenRefresher implements Disposable {
  readonly #options: Options;
  /** The running refresh by session id, shared by all that wait for it. */
  readonly #running = new Map<string, Promise<RefreshResult>>();
  readonly #failures = new Map<string, Failures>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isOpen = false;

  constructor(options: Options) {
    this.#options = options;
  }

  startRetries(): void {
    this.#isOpen = true;
    for (const id of this.#failures.keys()) this.#schedule(id);
  }

  /** Stops the timers until {@link startRetries}. */
  [Symbol.dispose](): void {
    this.#isOpen = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /** Sends a call. Refreshes before it, if the session is near its end, or after a refusal, and then sends it once more. */
  async callWithRefresh(
    stored: StoredSession,
    initial: SessionCredential,
    bound: BoundClient,
    send: (credential: SessionCredential) => Promise<ClientResult>,
  ): Promise<RefreshedCall> {
    const before =
      this.#isDue(stored) && bound.adapter.canRefresh(initial)
        ? await this.#refresh(stored, initial, bound)
        : undefined;
    if (before?.is === 'refused')
      return { answer: { ok: false, error: before.error }, credential: initial, isRefreshable: true };
    const credential = before?.is === 'refreshed' ? before.credential : initial;
    const first = await send(credential);
    const isRefreshable = bound.adapter.canRefresh(credential);
    if (!isUnauthenticated(first) || !isRefreshable) return { answer: first, credential, isRefreshable };
    if (before?.is === 'refreshed') return { answer: freshRefusal(first), credential, isRefreshable };
    const after = before ?? (await this.#refreshAfterRefusal(stored, credential, bound));
    if (after.is !== 'refreshed') return { answer: { ok: false, error: after.error }, credential, isRefreshable };
    return { answer: freshRefusal(await send(after.credential)), credential: after.credential, isRefreshable };
  }

  /** True if the session is to be refreshed before the server refuses its token. */
  #isDue({ id, ...stored }: StoredSession): boolean {
    // A pending logout needs a valid token too.
    const isEnding = expiryState({ ...stored, loggedOutAt: undefined }, this.#nowMs()) !== undefined;
    return this.#running.has(id) || (isEnding && !this.#hasLostRefresh(id) && this.#pauseOf(id) === undefined);
  }

  #hasLostRefresh = (id: string): boolean => this.#options.sessionStore.find(id)?.renewing === true;

  #nowMs = (): number => this.#options.now().getTime();

  /** The error of the last refresh, while it is too early for another. */
  #pauseOf(id: string): AppError | undefined {
    const failures = this.#failures.get(id);
    const leftMs = (failures?.notBefore ?? 0) - this.#nowMs();
    if (!failures || leftMs <= 0) return undefined;
    const { error } = failures;
    const hasRetryAfter = 'retryAfterSeconds' in error && error.retryAfterSeconds !== undefined;
    return hasRetryAfter ? { ...error, retryAfterSeconds: Math.ceil(leftMs / secondMs) } : error;
  }

  async #refreshAfterRefusal(
    stored: StoredSession,
    refused: SessionCredential,
    bound: BoundClient,
  ): Promise<RefreshResult> {
    const running = this.#running.get(stored.id);
    if (running) return running;
    // Another call may have refreshed it meanwhile.
    const newest = await this.#options.credentials.read(stored);
    if (newest && newest.token !== refused.token) return { is: 'refreshed', credential: newest };
    const pause = this.#pauseOf(stored.id);
    return pause ? { is: 'not-now', error: pause } : this.#refresh(stored, refused, bound);
  }

  #refresh(stored: StoredSession, credential: SessionCredential, bound: BoundClient): Promise<RefreshResult> {
    const { id } = stored;
    const running =
      this.#running.get(id) ?? this.#send(stored, credential, bound).finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  async #send(stored: StoredSession, credential: SessionCredential, bound: BoundClient): Promise<RefreshResult> {
    const { config, credentials, now } = this.#options;
    this.#update(stored, { renewing: true });
    await config.flushWithBackup();
    const answer = await bound.client.refresh(credential, stored.loopbackAddress);
    if (!answer.ok) {
      const { error } = answer;
      const isLost = 'perhapsDone' in error && error.perhapsDone === true;
      if (!isLost) this.#update(stored, { renewing: undefined });
      if (error.kind !== 'unauthenticated') {
        // A CSRF token may be new all the same.
        await credentials.rotate(stored, credential, answer.credential);
        return this.#fail(stored.id, error);
      }
      this.#clearFailures(stored.id);
      return { is: 'refused', error };
    }
    const rotated = await credentials.rotate(stored, credential, answer.credential);
    // A vault that was locked meanwhile stores nothing: `renewing` stays.
    const isSealed =
      rotated !== credential || answer.credential === undefined || isDeepStrictEqual(answer.credential, credential);
    if (!isSealed) return this.#fail(stored.id, { kind: 'token-unreadable' });
    const renewedAt = now().toISOString();
    const end = resolveSessionEnd({ token: rotated.token, readings: [answer.reading], now: renewedAt });
    this.#update(stored, {
      renewing: undefined,
      renewedAt,
      end,
      tokenId: parseTokenId(rotated.token),
      ...refreshFlag(bound.adapter, rotated),
    });
    this.#clearFailures(stored.id);
    return { is: 'refreshed', credential: rotated };
  }

  #clearFailures(id: string): void {
    this.#failures.delete(id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  #fail(id: string, error: AppError): RefreshResult {
    const count = (this.#failures.get(id)?.count ?? 0) + 1;
    const retryAfterSeconds = 'retryAfterSeconds' in error ? (error.retryAfterSeconds ?? 0) : 0;
    const pauseMs = Math.max(at(pausesMs, count - 1), Math.min(retryAfterSeconds * secondMs, longestRetryAfterMs));
    this.#failures.set(id, { count, error, notBefore: this.#nowMs() + pauseMs });
    this.#schedule(id);
    return { is: 'not-now', error };
  }

  #schedule(id: string): void {
    clearTimeout(this.#timers.get(id));
    const failures = this.#failures.get(id);
    if (!this.#isOpen || !failures) return;
    const waitMs = Math.max(at(retryDelaysMs, failures.count - 1), failures.notBefore - this.#nowMs());
    this.#timers.set(id, setTimeout(() => void this.#retry(id), waitMs).unref());
  }

  async #retry(id: string): Promise<void> {
    const stored = this.#options.sessionStore.find(id);
    // Pending logouts have their own retries.
    if (!stored || stored.loggedOutAt !== undefined) this.#clearFailures(id);
    else if (!(await this.#options.checkAgain(id))) this.#schedule(id);
  }

  /** Does nothing if the session was removed meanwhile. */
  #update({ id }: StoredSession, changes: Partial<StoredSession>): void {
    const { sessionStore } = this.#options;
    const session = sessionStore.find(id);
    if (session) sessionStore.change({ put: [{ session: { ...session, ...changes } }] });
  }
}

/** A refused token that was issued a moment ago says nothing about the session. */
const freshRefusal = (answer: ClientResult): ClientResult =>
  answer.ok || answer.error.kind !== 'unauthenticated' ? answer : { ...answer, error: freshTokenRefused(answer.error) };
