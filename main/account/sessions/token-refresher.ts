import { isDeepStrictEqual } from 'node:util';
import type { AppError } from '../../../preload/contract/result.ts';
import type { ClientResult } from '../../client/client.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { StoredSession } from '../config/config.ts';
import { freshTokenRefused } from '../../client/map-error.ts';
import { expiryState } from './expiry.ts';
import { resolveSessionEnd, parseTokenId } from './expiry-timer.ts';
import type { BoundClient, SessionsOptions } from './sessions-options.ts';
import type { SessionCredential, SessionTokens } from './session-tokens.ts';

type Options = Pick<SessionsOptions, 'config' | 'sessionStore' | 'now'> & {
  tokens: SessionTokens;
  /** Asks about a session again, of which a renewal failed. Answers whether that could be done now. */
  checkAgain: (sessionId: string) => Promise<boolean>;
};

const secondMs = 1000;
const minuteMs = 60 * secondMs;
/** Milliseconds to the next renewal that a call asks for, by the number of those that failed one after the other. */
const pausesMs = [0, 1, 2, 4, 8, 16, 32, 60].map((seconds) => seconds * secondMs);
/** Milliseconds to the next try that nobody asks for. */
const waitsMs = [5, 15, 60, 300, 900, 1800, 3600].map((seconds) => seconds * secondMs);
/** A server that says more is asked after a day all the same. */
const longestRetryAfterMs = 24 * 60 * minuteMs;

/** What came of a renewal: what is held from now on, that the server refused it, or what kept it from being done. */
type Renewed =
  | { is: 'renewed'; held: SessionCredential }
  | { is: 'refused'; error: AppError }
  | { is: 'not-now'; error: AppError };

/** Renewals of a session that failed one after the other. `notBefore` is in milliseconds since 1970. */
type Failed = { count: number; error: AppError; notBefore: number };

/**
 * What a session was answered, and what it is kept by now. The error `unauthenticated` means that it is over.
 * @property isRenewable whether that was said of the renewal: without one, the answer of a call alone says it
 */
type Asked = { answer: ClientResult; held: SessionCredential; isRenewable: boolean };

/** What says of a session whether it is renewed by itself. */
export const refreshFlag = (adapter: ApiAdapter, held: SessionCredential): Pick<StoredSession, 'renews'> => ({
  renews: adapter.canRefresh(held) || undefined,
});

const isUnauthenticated = (answer: ClientResult): boolean => !answer.ok && answer.error.kind === 'unauthenticated';

const at = (list: readonly number[], index: number): number => list[Math.min(index, list.length - 1)] ?? 0;

/**
 * Makes the application's calls for sessions, and renews those whose description has a call for it: before their end, and
 * where the server refuses a token. Only a renewal that the server refuses ends such a session.
 *
 * A renewal that failed otherwise (5xx, 429, 408, a page, no answer) ends nothing. The next call may try it again at once,
 * and after each further failure later: after 1 s, twice as long each time, and after 60 s at most. The application itself
 * tries it after 5 s, 15 s, 1, 5, 15, 30 and then every 60 minutes. Both wait as long as `Retry-After` says, up to a day.
 *
 * A mark is written before a renewal and removed once what came is sealed, or the server has said no. A server may take the
 * old keys once, and end all of the session where it sees them again (RFC 9700, 4.14.2). So a renewal whose answer was lost
 * is made again only once the server refused the token that is held.
 */
export class TokenRefresher implements Disposable {
  readonly #options: Options;
  /** One for each session, for all that wait for it. */
  readonly #underWay = new Map<string, Promise<Renewed>>();
  readonly #failed = new Map<string, Failed>();
  readonly #timers = new Map<string, NodeJS.Timeout>();
  #isOpen = false;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Tries again by itself from now on what failed. */
  startRetries(): void {
    this.#isOpen = true;
    for (const id of this.#failed.keys()) this.#plan(id);
  }

  /** Tries nothing by itself until {@link startRetries}. */
  [Symbol.dispose](): void {
    this.#isOpen = false;
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }

  /**
   * Makes a call for a session. Near the end of the session it is renewed first; where the server refuses the call with
   * `unauthenticated`, it is renewed then, and the call is made once more. Calls that wait for one renewal share it.
   */
  async callWithRefresh(
    stored: StoredSession,
    kept: SessionCredential,
    bound: BoundClient,
    send: (held: SessionCredential) => Promise<ClientResult>,
  ): Promise<Asked> {
    const before =
      this.#isDue(stored) && bound.adapter.canRefresh(kept) ? await this.#renewed(stored, kept, bound) : undefined;
    if (before?.is === 'refused') return { answer: { ok: false, error: before.error }, held: kept, isRenewable: true };
    const held = before?.is === 'renewed' ? before.held : kept;
    const first = await send(held);
    const isRenewable = bound.adapter.canRefresh(held);
    if (!isUnauthenticated(first) || !isRenewable) return { answer: first, held, isRenewable };
    if (before?.is === 'renewed') return { answer: refusedAnew(first), held, isRenewable };
    const renewed = before ?? (await this.#afterRefusal(stored, held, bound));
    if (renewed.is !== 'renewed') return { answer: { ok: false, error: renewed.error }, held, isRenewable };
    const second = await send(renewed.held);
    return { answer: isUnauthenticated(second) ? refusedAnew(second) : second, held: renewed.held, isRenewable };
  }

  /** Whether a session is to be renewed before its token is refused. */
  #isDue({ id, ...stored }: StoredSession): boolean {
    // One that was logged out here is still to be ended at its server, which takes no token that is over.
    const isEnding = expiryState({ ...stored, loggedOutAt: undefined }, this.#nowMs()) !== undefined;
    return this.#underWay.has(id) || (isEnding && !this.#isLost(id) && this.#pauseOf(id) === undefined);
  }

  #isLost = (id: string): boolean => this.#options.sessionStore.find(id)?.renewing === true;

  #nowMs = (): number => this.#options.now().getTime();

  /** What kept the last renewal from being done, while it is too early for another. */
  #pauseOf(id: string): AppError | undefined {
    const failed = this.#failed.get(id);
    const leftMs = (failed?.notBefore ?? 0) - this.#nowMs();
    if (!failed || leftMs <= 0) return undefined;
    const { error } = failed;
    const saysWhen = 'retryAfterSeconds' in error && error.retryAfterSeconds !== undefined;
    return saysWhen ? { ...error, retryAfterSeconds: Math.ceil(leftMs / secondMs) } : error;
  }

  /** Renews a session whose token was refused, unless it was renewed meanwhile. */
  async #afterRefusal(stored: StoredSession, refused: SessionCredential, bound: BoundClient): Promise<Renewed> {
    const underWay = this.#underWay.get(stored.id);
    if (underWay) return underWay;
    const newest = await this.#options.tokens.read(stored);
    if (newest && newest.token !== refused.token) return { is: 'renewed', held: newest };
    const pause = this.#pauseOf(stored.id);
    return pause ? { is: 'not-now', error: pause } : this.#renewed(stored, refused, bound);
  }

  #renewed(stored: StoredSession, held: SessionCredential, bound: BoundClient): Promise<Renewed> {
    const { id } = stored;
    const underWay = this.#underWay.get(id);
    if (underWay) return underWay;
    const renewal = this.#renew(stored, held, bound).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, renewal);
    return renewal;
  }

  async #renew(stored: StoredSession, held: SessionCredential, bound: BoundClient): Promise<Renewed> {
    const { config, tokens, now } = this.#options;
    this.#put(stored, { renewing: true });
    await config.flushWithBackup();
    const answer = await bound.client.refresh(held, stored.loopbackAddress);
    if (!answer.ok) {
      const { error } = answer;
      const isLost = 'perhapsDone' in error && error.perhapsDone === true;
      if (!isLost) this.#put(stored, { renewing: undefined });
      if (error.kind !== 'unauthenticated') {
        // A token against forged requests may be new all the same.
        await tokens.rotate(stored, held, answer.credential);
        return this.#notNow(stored.id, error);
      }
      this.#succeeded(stored.id);
      return { is: 'refused', error };
    }
    const turned = await tokens.rotate(stored, held, answer.credential);
    // A vault that was closed meanwhile keeps nothing: the mark stays.
    const isSealed = turned !== held || answer.credential === undefined || isDeepStrictEqual(answer.credential, held);
    if (!isSealed) return this.#notNow(stored.id, { kind: 'token-unreadable' });
    const renewedAt = now().toISOString();
    const end = resolveSessionEnd({ token: turned.token, readings: [answer.reading], now: renewedAt });
    this.#put(stored, {
      renewing: undefined,
      renewedAt,
      end,
      tokenId: parseTokenId(turned.token),
      ...refreshFlag(bound.adapter, turned),
    });
    this.#succeeded(stored.id);
    return { is: 'renewed', held: turned };
  }

  #succeeded(id: string): void {
    this.#failed.delete(id);
    clearTimeout(this.#timers.get(id));
    this.#timers.delete(id);
  }

  #notNow(id: string, error: AppError): Renewed {
    const count = (this.#failed.get(id)?.count ?? 0) + 1;
    const saidSeconds = 'retryAfterSeconds' in error ? (error.retryAfterSeconds ?? 0) : 0;
    const pauseMs = Math.max(at(pausesMs, count - 1), Math.min(saidSeconds * secondMs, longestRetryAfterMs));
    this.#failed.set(id, { count, error, notBefore: this.#nowMs() + pauseMs });
    this.#plan(id);
    return { is: 'not-now', error };
  }

  #plan(id: string): void {
    clearTimeout(this.#timers.get(id));
    const failed = this.#failed.get(id);
    if (!this.#isOpen || !failed) return;
    const waitMs = Math.max(at(waitsMs, failed.count - 1), failed.notBefore - this.#nowMs());
    this.#timers.set(id, setTimeout(() => void this.#tryAgain(id), waitMs).unref());
  }

  async #tryAgain(id: string): Promise<void> {
    const stored = this.#options.sessionStore.find(id);
    // The servers of those that were logged out here are told on a timer of their own.
    if (!stored || stored.loggedOutAt !== undefined) this.#succeeded(id);
    else if (!(await this.#options.checkAgain(id))) this.#plan(id);
  }

  /** Changes a session that is still there. */
  #put({ id }: StoredSession, changes: Partial<StoredSession>): void {
    const { sessionStore } = this.#options;
    const session = sessionStore.find(id);
    if (session) sessionStore.change({ put: [{ session: { ...session, ...changes } }] });
  }
}

/** A token that the server gave a moment ago says nothing of the session where the server refuses it. */
const refusedAnew = (answer: ClientResult): ClientResult =>
  answer.ok || answer.error.kind !== 'unauthenticated'
    ? answer
    : {
        ...answer,
        error: freshTokenRefused(answer.error),
      };
