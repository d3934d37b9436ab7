import { setTimeout as timer } from 'node:timers/promises';
import type { NotMeasured } from '../../preload/contract/report-cases.ts';
import type { RunOptions, Throttling } from '../../preload/contract/report.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { sendAndInterpret, type InterpretContext } from '../client/interpret.ts';
import type { TransportCall } from '../client/call.ts';
import type { Credential } from '../interface/credential.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { addedValues } from '../client/extra-headers.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import type { ReceivedResponse } from '../client/parse-response.ts';
import type { SendOptions, Transport } from '../client/transport.ts';
import type { TransportFailure } from '../client/transport-failure.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import { registerAccountSecrets } from './account-responses.ts';
import type { CaseLog } from './case-log.ts';
import { readRateLimit } from './rate-limit.ts';
import {
  isConnectionLost,
  isConnectionRefused,
  isStaleConnection,
  isUnanswered,
  classifyResponse,
  createFailedObservation,
  type Observation,
} from './observation.ts';
import { SessionCredentials } from './session-credentials.ts';
import { createTestRequest, requestFingerprint, type TestRequest } from './test-request.ts';

/** The clock is given, so that tests need not wait. */
export type Clock = {
  /** Returns milliseconds since some moment. */
  now: () => number;
  /** Waits, and ends early without an error when the signal is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Returns milliseconds since 1970, from which codes are made. */
  date: () => number;
};

export const realClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await timer(ms, undefined, signal && { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

/** The check was cancelled, or several requests in a row got no response. */
type StopReason = { kind: 'cancelled' } | { kind: 'unreachable'; error: AppError };

/** Milliseconds that a request may still take after a cancellation if its response may have a token to log out. */
const tokenGraceMs = 500;
const longestWaitSeconds = 60;
const maxWaitedSeconds = 300;
const maxUnanswered = 3;
/** Milliseconds between attempts to reach a server that crashed: ten seconds in all, enough for most restarts. */
const restartWaitsMs = [250, 750, 1_500, 2_500, 5_000] as const;
/** Attempts to get past stale connections of the pool. */
const maxStaleConnections = 16;

export type RequestSenderOptions = {
  transport: Pick<Transport, 'send'>;
  adapter: ApiAdapter;
  /** The secrets of the check. */
  secretRegistry: SecretRegistry;
  /** Where the user says that values are in this server's responses. */
  paths: ReceivedResponse['paths'];
  run: RunOptions;
  /** The most requests of the whole check. */
  callLimit: () => number;
  clock: Clock;
  /** The signal of the current part of the check. */
  signal: () => AbortSignal;
  onCall: () => void;
};

/** Failures at a response of the server, or before anything was sent. */
const reachedServer: ReadonlySet<TransportFailure['kind']> = new Set([
  'too-large',
  'resource-limit',
  'truncated',
  'undecodable',
  'unsendable',
]);

/**
 * True if a failure does not speak against a server that speaks HTTP/1.1.
 * @param hasAnswered whether it responded before
 */
const isFromServer = (failure: TransportFailure, hasAnswered: boolean): boolean =>
  failure.kind === 'broken-http'
    ? hasAnswered || (failure.problem !== 'http-2' && failure.problem !== 'not-http')
    : reachedServer.has(failure.kind);

/** Sends the requests of a check within its limits: the rate, `Retry-After`, crashes, and when to stop. */
export class RequestSender {
  protected readonly log: CaseLog;
  readonly sessions: SessionCredentials;
  readonly #options: RequestSenderOptions;
  readonly #throttlings: Throttling[] = [];
  readonly #extraHeaders = new Set<string>();
  /** The fingerprints of requests that crashed the server, which are not repeated. */
  readonly #crashingRequests = new Set<string>();
  #calls = 0;
  #batches = 0;
  #busyMs = 0;
  /** When the rate limit allows the next request, by the clock. */
  #nextAt = -Infinity;
  #waitedSeconds = 0;
  #waitingUntil: number | undefined;
  #stopped: StopReason | undefined;
  #unanswered = 0;
  #failedAt = -Infinity;
  #hasOpenConnections = false;
  #hasAnswered = false;
  #serverClockMs: number | undefined;
  #cameBack = false;

  constructor(options: RequestSenderOptions, log: CaseLog) {
    this.#options = options;
    this.log = log;
    this.sessions = new SessionCredentials(options);
  }

  async call(request: TestRequest): Promise<Observation> {
    const { operation, mayFail = false, mayBeThrottled = false } = request;
    const fingerprint = requestFingerprint(request, this.log.currentCase());
    const unsent =
      this.#reasonNotToSend(1) ?? (this.#crashingRequests.has(fingerprint) ? { kind: 'ends-server' } : undefined);
    if (unsent) return this.log.add(createFailedObservation(operation, unsent), true);

    let seen = await this.#sendAtRate(request);
    if (isConnectionRefused(seen) && this.#hasAnswered && (await this.#waitForRestart())) {
      // It was restarted, and nothing of this request was sent.
      this.log.add(seen, false);
      seen = await this.#sendAtRate(request);
    } else if (isConnectionLost(seen) && (await this.#hasServerCrashed())) {
      this.#crashingRequests.add(fingerprint);
      seen.failed = { kind: 'ends-server' };
      this.log.addCrash(seen);
      return this.log.add(seen, true);
    }
    if (isThrottled(seen) && !mayBeThrottled) {
      const { retryAfterSeconds } = seen.reading.summary;
      const mayRepeat = this.callsLeft() > 0 && (await this.#waitAsRequested(retryAfterSeconds));
      const waitedSeconds = mayRepeat ? (retryAfterSeconds ?? 0) : 0;
      const rateLimit = readRateLimit(seen);
      if (seen.call)
        this.#throttlings.push({ call: seen.call.id, ...rateLimit, askedSeconds: retryAfterSeconds, waitedSeconds });
      const throttled: NotMeasured = { kind: 'throttled', retryAfterSeconds, ...rateLimit };
      if (!mayRepeat) return this.log.add({ ...seen, failed: throttled }, true);
      this.log.add(seen, false);
      seen = await this.#sendAtRate(request);
      if (isThrottled(seen)) return this.log.add({ ...seen, failed: { ...throttled, waitedSeconds } }, true);
    }
    return this.log.add(seen, !(mayFail && isUnanswered(seen)));
  }

  /**
   * Sends requests simultaneously. Where the server throttles, all are sent again after `Retry-After`.
   * @param makeRequests called for each attempt
   * @param onObservations called for each attempt
   * @param mayFail whether a missing response to some of them is a result, too
   */
  protected async sendSimultaneously(
    makeRequests: () => readonly TestRequest[],
    onObservations: (observations: readonly Observation[]) => void = () => undefined,
    mayFail = false,
  ): Promise<Observation[]> {
    const send = async (requests: readonly TestRequest[]): Promise<Observation[]> => {
      const observations = await this.#sendBatch(requests);
      for (const each of observations) this.log.add(each, !(mayFail && isUnanswered(each)));
      onObservations(observations);
      return observations;
    };
    const requests = makeRequests();
    // Otherwise the first request, over an open connection, would arrive long before the others.
    if (!this.#hasOpenConnections) await this.#sendBatch(requests.map(() => ({ operation: 'profile' })));
    this.#hasOpenConnections = true;
    const first = await send(requests);
    if (!first.some(isThrottled)) return first;
    const retryAfterSeconds = longestRetryAfter(first);
    if (await this.#waitAsRequested(retryAfterSeconds)) {
      const second = await send(makeRequests());
      if (!second.some(isThrottled)) return second;
    }
    this.log.markUnreliable({ kind: 'throttled', retryAfterSeconds });
    return first;
  }

  callSimultaneously = (requests: readonly TestRequest[]): Promise<Observation[]> =>
    this.sendSimultaneously(() => requests);

  /** Waits for the sake of a test. */
  pause = (ms: number): Promise<void> => this.#options.clock.sleep(ms, this.#signal());

  /** Lets `work` send requests although the check has stopped. */
  protected async runAfterStop(work: () => Promise<void>): Promise<void> {
    const before = this.#stopped;
    this.#stopped = undefined;
    await work();
    this.#stopped = before;
  }

  /** Lets a check that ended send requests again. */
  resume(): void {
    this.#stopped = undefined;
    this.#unanswered = 0;
    this.#waitedSeconds = 0;
  }

  /** Whether the server was unreachable and came back since the last call of this method. */
  protected consumeOutage(): boolean {
    const cameBack = this.#cameBack;
    this.#cameBack = false;
    return cameBack;
  }

  stopReason = (): StopReason | undefined => this.#stopped;
  calls = (): number => this.#calls;
  callsLeft = (): number => Math.max(0, this.#options.callLimit() - this.#calls);
  throttlings = (): readonly Throttling[] => this.#throttlings;
  /** The names of headers that were added for an access gateway. */
  extraHeaders = (): string[] => [...this.#extraHeaders];
  /** The average without the waits before a request. */
  millisecondsPerCall = (): number => (this.#calls === 0 ? 0 : this.#busyMs / this.#calls);
  /** When the current `Retry-After` ends, in milliseconds since 1970. */
  waitingUntil = (): number | undefined => this.#waitingUntil;

  /** The milliseconds of `Retry-After` to expect in so many more requests. */
  estimateWaitMs(count: number): number {
    const perCall = this.#calls === 0 ? 0 : this.#waitedSeconds / this.#calls;
    return Math.min(count * perCall, maxWaitedSeconds - this.#waitedSeconds) * 1000;
  }

  #signal = (): AbortSignal => this.#options.signal();

  #reasonNotToSend(count: number): NotMeasured | undefined {
    const problem = this.log.problem();
    if (problem) return problem;
    if (this.#stopped || this.#signal().aborted) return { kind: 'run-ended' };
    return this.callsLeft() < count ? { kind: 'call-limit' } : undefined;
  }

  async #waitForRateLimit(): Promise<void> {
    const { clock, run } = this.#options;
    const now = clock.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + 1000 / run.callsPerSecond;
    if (at > now) await this.pause(at - now);
  }

  async #sendAtRate(request: TestRequest): Promise<Observation> {
    await this.#waitForRateLimit();
    const seen = await this.#send(request);
    this.#options.onCall();
    return seen;
  }

  /** Sends requests simultaneously, after as long a wait as they would take one after the other. */
  async #sendBatch(requests: readonly TestRequest[]): Promise<Observation[]> {
    const unsent = this.#reasonNotToSend(requests.length);
    if (unsent) return requests.map(({ operation }) => createFailedObservation(operation, unsent));
    for (let waits = 0; waits < requests.length; waits += 1) await this.#waitForRateLimit();
    this.#batches += 1;
    const batch = this.#batches;
    return Promise.all(requests.map((each) => this.#send(each, batch)));
  }

  /** Requests the CSRF cookie if the operation needs one that the credential lacks. */
  async #withCsrfCookie(operation: TestRequest['operation'], credential: Credential, options: SendOptions) {
    const { transport, adapter } = this.#options;
    const request = adapter.csrfRequestIfNeeded(operation, credential);
    if (!request) return { ok: true as const, credential };
    this.#calls += 1;
    const result = await transport.send(request, options);
    const next = result.ok ? adapter.credentialAfter('csrf', result.response, credential) : credential;
    this.sessions.registerSecrets(next, credential);
    const call = await this.#record(result.call, options.signal ?? this.#signal());
    if (!result.ok) return { ok: false as const, failure: result.failure, call };
    const { token } = credential;
    return {
      ok: true as const,
      credential: token === undefined ? next : adapter.authenticator.withToken(next, token, credential),
    };
  }

  #record(call: TransportCall, signal: AbortSignal): Promise<TransportCall> {
    for (const value of addedValues(call)) this.#options.secretRegistry.register(value, 'other');
    for (const name of call.request.added ?? []) this.#extraHeaders.add(name);
    return this.log.record(call, signal);
  }

  async #send(request: TestRequest, batch?: number): Promise<Observation> {
    return { ...(await this.#sendAndObserve(request)), sent: request, batch };
  }

  async #sendAndObserve(request: TestRequest): Promise<Observation> {
    const { transport, adapter, paths, secretRegistry, clock } = this.#options;
    const { operation, renewWith, token } = request;
    if (this.#signal().aborted) {
      this.#stopped ??= { kind: 'cancelled' };
      return createFailedObservation(operation, { kind: 'run-ended' });
    }
    this.#calls += 1;
    const startedAt = clock.now();
    using deadline = deadlineOf(request, this.#signal());
    const { signal } = deadline;
    const sendOptions = { signal, loopbackAddress: this.sessions.loopbackAddressOf(token) };
    const csrfOperation = request.account ? 'login' : operation;
    const prepared = await this.#withCsrfCookie(csrfOperation, this.sessions.credentialFor(request), sendOptions);
    if (!prepared.ok)
      return createFailedObservation(operation, this.#handleFailure(prepared.failure, startedAt), prepared.call);
    const { credential } = prepared;
    const call = renewWith ? ('refresh' as const) : operation;
    const context: InterpretContext = {
      adapter,
      call,
      pinned: paths,
      ...(operation === 'profile' && { who: this.sessions.identifiersFor(request) }),
    };
    const httpRequest = createTestRequest(request, credential, adapter);
    if (request.account) registerAccountSecrets(secretRegistry, adapter, request.account);
    const result = await sendAndInterpret(transport, httpRequest, operation, context, sendOptions);
    this.#busyMs += clock.now() - startedAt;
    const given = result.ok ? this.sessions.takeResponse(request, credential, result, clock.date()) : {};
    if (result.ok) this.#noteServerClock(result.understood.interpretation.dateMs);
    const recorded = await this.#record(result.call, signal);
    if (!result.ok) return createFailedObservation(operation, this.#handleFailure(result.failure, startedAt), recorded);
    this.#markReachable();
    return { ...(await classifyResponse(result.understood, recorded, secretRegistry, signal)), ...given };
  }

  #noteServerClock(dateMs: number | undefined): void {
    if (dateMs !== undefined) this.#serverClockMs = dateMs - this.#options.clock.date();
  }

  /** By how much the clock of the server is ahead, in milliseconds by its last `Date` header, which has whole seconds. */
  serverClockMs = (): number | undefined => this.#serverClockMs;
  /** Milliseconds since 1970 by the clock of this computer. */
  dateMs = (): number => this.#options.clock.date();

  #markReachable(): void {
    this.#hasAnswered = true;
    this.#unanswered = 0;
    if (this.#stopped?.kind === 'unreachable') this.#stopped = undefined;
  }

  /** Counts a missing response, and returns what it means for the case. */
  #handleFailure(failure: TransportFailure, startedAt: number): NotMeasured {
    if (failure.kind === 'cancelled') {
      this.#stopped ??= { kind: 'cancelled' };
      return { kind: 'run-ended' };
    }
    const error = appErrorOfFailure(failure);
    // Simultaneous requests count once.
    const isOneMore = startedAt >= this.#failedAt;
    this.#failedAt = this.#options.clock.now();
    this.#unanswered = isFromServer(failure, this.#hasAnswered) ? 0 : this.#unanswered + (isOneMore ? 1 : 0);
    if (this.#unanswered >= maxUnanswered) this.#stopped ??= { kind: 'unreachable', error };
    return { kind: 'no-answer', error };
  }

  /** Waits for `Retry-After` within the limits. False if it did not wait to the end. */
  async #waitAsRequested(seconds: number | undefined): Promise<boolean> {
    if (seconds === undefined || seconds > longestWaitSeconds || this.#waitedSeconds + seconds > maxWaitedSeconds) {
      return false;
    }
    this.#waitedSeconds += seconds;
    this.#waitingUntil = Date.now() + seconds * 1000;
    this.#options.onCall();
    await this.pause(seconds * 1000);
    this.#waitingUntil = undefined;
    return !this.#signal().aborted;
  }

  /** True if nothing listens after a lost connection; a server that only closed it accepts the next. Waits for a restart. */
  async #hasServerCrashed(): Promise<boolean> {
    if (!isConnectionRefused(await this.#tryNewConnection())) return false;
    await this.#waitForRestart();
    return true;
  }

  /** Waits up to ten seconds until the server responds again, and returns whether it does. */
  async #waitForRestart(): Promise<boolean> {
    for (const ms of restartWaitsMs) {
      await this.pause(ms);
      if (this.#signal().aborted) return false;
      const seen = await this.#tryNewConnection();
      if (seen.status === 0) continue;
      this.#cameBack = true;
      return true;
    }
    return false;
  }

  async #tryNewConnection(): Promise<Observation> {
    let seen = await this.#tryConnection();
    for (let tries = 0; isStaleConnection(seen) && tries < maxStaleConnections; tries += 1)
      seen = await this.#tryConnection();
    return seen;
  }

  /** Does not wait for the rate limit, since a crashed server may be back in a second. */
  async #tryConnection(): Promise<Observation> {
    const seen = await this.#send({ operation: 'profile' });
    // Other connections that were open were lost with the server, and count for nothing.
    if (isStaleConnection(seen)) this.#markReachable();
    return this.log.add(seen, false);
  }
}

const isThrottled = ({ handling }: Observation): boolean => handling === 'throttled';

/** Seconds; undefined if one of the throttled responses has no `Retry-After`. */
function longestRetryAfter(observations: readonly Observation[]): number | undefined {
  const waits = observations.filter(isThrottled).map(({ reading }) => reading.summary.retryAfterSeconds);
  return waits.every((each) => each !== undefined) ? Math.max(...waits) : undefined;
}

/** Aborts a request when the check is cancelled: at once, or later if the response may have a token to log out. */
function deadlineOf({ operation }: TestRequest, signal: AbortSignal): Disposable & { signal: AbortSignal } {
  if (operation === 'profile' || operation === 'logout') return { signal, [Symbol.dispose]: () => undefined };
  const late = new AbortController();
  let timeout: NodeJS.Timeout | undefined;
  const abortLater = (): void => {
    timeout = setTimeout(() => late.abort(signal.reason), tokenGraceMs);
  };
  signal.addEventListener('abort', abortLater);
  return {
    signal: late.signal,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', abortLater);
      clearTimeout(timeout);
    },
  };
}
