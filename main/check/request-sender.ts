import { setTimeout as timer } from 'node:timers/promises';
import type { NotMeasured } from '../../preload/contract/report-cases.ts';
import type { RunOptions, Throttling } from '../../preload/contract/report.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { sendAndInterpret } from '../client/interpret.ts';
import type { TransportCall } from '../client/call.ts';
import { credentialSecrets, type Credential } from '../interface/credential.ts';
import { renewalOutput } from '../interface/refresh-token.ts';
import { findCookie, cookieNamePatterns, operationSecurity } from '../interface/security-schemes.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { addedValues } from '../client/extra-headers.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import { knownIdentifiers } from '../client/user-profile.ts';
import type { ReceivedResponse } from '../client/parse-response.ts';
import type { SendOptions, Transport } from '../client/transport.ts';
import type { TransportFailure } from '../client/transport-failure.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';
import type { CaseLog } from './case-log.ts';
import {
  requestFingerprint,
  isConnectionLost,
  isConnectionRefused,
  isStaleConnection,
  type TestRequest,
} from './crash-detection.ts';
import { createTestRequest, loginIdentifiersIn } from './create-test-request.ts';
import { readRateLimit } from './rate-limit.ts';
import { isUnanswered, classifyResponse, createFailedObservation, type Observation } from './observation.ts';

/** The clock is given, so that tests need not wait. */
export type Clock = {
  /** Returns milliseconds since some moment. */
  now: () => number;
  /** Waits, and ends early without an error when the signal is aborted. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
};

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: async (ms, signal) => {
    try {
      await timer(ms, undefined, signal && { signal });
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  },
};

/** Why no more calls are sent: the run was cancelled, or several calls in a row got no answer. */
type Stopped = { kind: 'cancelled' } | { kind: 'unreachable'; error: AppError };

/** Milliseconds that a call may still take that may give a token, once the run is ended. */
const lastTokenMs = 500;
const longestWaitSeconds = 60;
const mostWaitingSeconds = 300;
const mostUnanswered = 3;
/** Milliseconds between tries to reach a server that ended: ten seconds in all, which restarts take as a rule. */
const restartWaitsMs = [250, 750, 1_500, 2_500, 5_000] as const;
/** Connections that may have been open. */
const mostOpen = 16;

export type RequestSenderOptions = {
  transport: Pick<Transport, 'send'>;
  /** The interface of the server. */
  adapter: ApiAdapter;
  /** The secrets of the run. */
  secretRegistry: SecretRegistry;
  /** Where a person says that things are in this server's answers. */
  paths: ReceivedResponse['paths'];
  run: RunOptions;
  /** Returns the most calls that may be sent in all. */
  callLimit: () => number;
  clock: Clock;
  /** Returns the signal of the part of the run that is under way. */
  signal: () => AbortSignal;
  onCall: () => void;
};

/** These did come from the server, although they are no whole answers, or were never sent there. */
const answering: ReadonlySet<TransportFailure['kind']> = new Set([
  'too-large',
  'resource-limit',
  'truncated',
  'undecodable',
  'unsendable',
]);

/**
 * Says whether a failed call tells nothing against there being a server that speaks HTTP/1.1 as well as it can.
 * @param hasAnswered whether it did so before
 */
const isFromServer = (failure: TransportFailure, hasAnswered: boolean): boolean =>
  failure.kind === 'broken-http'
    ? hasAnswered || (failure.problem !== 'http-2' && failure.problem !== 'not-http')
    : answering.has(failure.kind);

/** Sends the calls of a run: it keeps the pace and the limits, waits where the server asks to, and stops. */
export abstract class RequestSender {
  protected readonly log: CaseLog;
  readonly #options: RequestSenderOptions;
  readonly #throttlings: Throttling[] = [];
  readonly #extraHeaders = new Set<string>();
  /** The forms of calls that ended the server, which are sent once in a run. */
  readonly #crashingRequests = new Set<string>();
  /** What belongs to each token that an answer gave, by that token, as the answers after it renewed it. */
  readonly #credentials = new Map<string, Credential>();
  /** Who logged in, by the token that the answer gave. */
  readonly #identifiers = new Map<string, readonly string[]>();
  #lastCredential: Credential = {};
  #calls = 0;
  #timesAtOnce = 0;
  #busyMs = 0;
  /** When the next call may begin, by the clock. */
  #nextAt = -Infinity;
  #waitedSeconds = 0;
  #waitingUntil: number | undefined;
  #stopped: Stopped | undefined;
  #unanswered = 0;
  #failedAt = -Infinity;
  #hasOpenConnections = false;
  #hasAnswered = false;
  /** Whether nothing listened for a while, and then the server answered again. */
  #wasAway = false;

  constructor(options: RequestSenderOptions, log: CaseLog) {
    this.#options = options;
    this.log = log;
  }

  /** Answers the address of `localhost` that gave a token, which is the only one it is sent to. */
  protected abstract loopbackAddressOf(token: string | undefined): string | undefined;

  async call(wanted: TestRequest): Promise<Observation> {
    const { operation, mayFail = false, mayBeThrottled = false } = wanted;
    const form = requestFingerprint(wanted, this.log.currentCase());
    const unsent = this.#reasonNotToSend(1) ?? (this.#crashingRequests.has(form) ? { kind: 'ends-server' } : undefined);
    if (unsent) return this.log.add(createFailedObservation(operation, unsent), true);

    let seen = await this.#sendInTurn(wanted);
    if (isConnectionRefused(seen) && this.#hasAnswered && (await this.#waitForRestart())) {
      // It was restarted, and nothing of this call was sent.
      this.log.add(seen, false);
      seen = await this.#sendInTurn(wanted);
    } else if (isConnectionLost(seen) && (await this.#hasServerCrashed())) {
      this.#crashingRequests.add(form);
      seen.failed = { kind: 'ends-server' };
      this.log.addCrash(seen);
      return this.log.add(seen, true);
    }
    if (seen.handling === 'throttled' && !mayBeThrottled) {
      const { retryAfterSeconds } = seen.reading.summary;
      const mayRepeat = this.callsLeft() > 0 && (await this.#waitFor(retryAfterSeconds));
      const waitedSeconds = mayRepeat ? (retryAfterSeconds ?? 0) : 0;
      const told = readRateLimit(seen);
      if (seen.call)
        this.#throttlings.push({ call: seen.call.id, ...told, askedSeconds: retryAfterSeconds, waitedSeconds });
      const throttled: NotMeasured = { kind: 'throttled', retryAfterSeconds, ...told };
      if (!mayRepeat) return this.log.add({ ...seen, failed: throttled }, true);
      this.log.add(seen, false);
      seen = await this.#sendInTurn(wanted);
      if (seen.handling === 'throttled')
        return this.log.add({ ...seen, failed: { ...throttled, waitedSeconds } }, true);
    }
    return this.log.add(seen, !(mayFail && isUnanswered(seen)));
  }

  /**
   * Sends calls at the same moment. Where the server throttles, they are all sent again after the wait that it asks for.
   * @param wanted makes the calls, for each try
   * @param onSeen is told the answers to each try
   * @param mayFail whether no answer to some of them is an answer, too
   */
  protected async sendSimultaneously(
    wanted: () => readonly TestRequest[],
    onSeen: (seen: readonly Observation[]) => void = () => undefined,
    mayFail = false,
  ): Promise<Observation[]> {
    const send = async (callCount: readonly TestRequest[]): Promise<Observation[]> => {
      const seen = await this.#sendAtOnce(callCount);
      for (const each of seen) this.log.add(each, !(mayFail && isUnanswered(each)));
      onSeen(seen);
      return seen;
    };
    const calls = wanted();
    // Otherwise the first call, over an open connection, would come long before the others.
    if (!this.#hasOpenConnections) await this.#sendAtOnce(calls.map(() => ({ operation: 'perfil' })));
    this.#hasOpenConnections = true;
    const seen = await send(calls);
    if (!seen.some(isThrottled)) return seen;
    if (await this.#waitFor(waitOf(seen))) {
      const second = await send(wanted());
      if (!second.some(isThrottled)) return second;
    }
    this.log.markUnreliable({ kind: 'throttled', retryAfterSeconds: waitOf(seen) });
    return seen;
  }

  callSimultaneously = (calls: readonly TestRequest[]): Promise<Observation[]> => this.sendSimultaneously(() => calls);

  /** Waits by itself, and not because the server asks to. */
  pause = (ms: number): Promise<void> => this.#options.clock.sleep(ms, this.#signal());

  /** Does work that is still to be done when the run was ended. */
  protected async runAfterStop(work: () => Promise<void>): Promise<void> {
    const before = this.#stopped;
    this.#stopped = undefined;
    await work();
    this.#stopped = before;
  }

  /** Sends again, after a run that was ended. */
  resume(): void {
    this.#stopped = undefined;
    this.#unanswered = 0;
    this.#waitedSeconds = 0;
  }

  /** Answers whether the server was away for a while and came back, since this was last asked. */
  protected consumeOutage(): boolean {
    const was = this.#wasAway;
    this.#wasAway = false;
    return was;
  }

  stopReason = (): Stopped | undefined => this.#stopped;
  calls = (): number => this.#calls;
  callsLeft = (): number => Math.max(0, this.#options.callLimit() - this.#calls);
  /** Answers when the server throttled the run, in that order. */
  throttlings = (): readonly Throttling[] => this.#throttlings;
  /** Answers the names of the headers that were added for the server. */
  extraHeaders = (): string[] => [...this.#extraHeaders];
  /** Answers the average time of a call while it was under way. */
  millisecondsPerCall = (): number => (this.#calls === 0 ? 0 : this.#busyMs / this.#calls);
  /** Answers when the wait ends that the server asked for, in milliseconds since 1970. */
  waitingUntil = (): number | undefined => this.#waitingUntil;

  /** Answers how many milliseconds so many more calls will wait, if the server goes on asking to as it did. */
  estimateWaitMs(count: number): number {
    const perCall = this.#calls === 0 ? 0 : this.#waitedSeconds / this.#calls;
    return Math.min(count * perCall, mostWaitingSeconds - this.#waitedSeconds) * 1000;
  }

  #signal = (): AbortSignal => this.#options.signal();

  /** Says why so many more calls are not sent. */
  #reasonNotToSend(count: number): NotMeasured | undefined {
    const problem = this.log.problem();
    if (problem) return problem;
    if (this.#stopped || this.#signal().aborted) return { kind: 'run-ended' };
    return this.callsLeft() < count ? { kind: 'call-limit' } : undefined;
  }

  /** Lets calls begin at most so often a second, evenly. */
  async #waitForRateLimit(): Promise<void> {
    const { clock, run } = this.#options;
    const now = clock.now();
    const at = Math.max(now, this.#nextAt);
    this.#nextAt = at + 1000 / run.callsPerSecond;
    if (at > now) await this.pause(at - now);
  }

  async #sendInTurn(wanted: TestRequest): Promise<Observation> {
    await this.#waitForRateLimit();
    const seen = await this.#sendNow(wanted);
    this.#options.onCall();
    return seen;
  }

  /** Sends calls at the same moment, after as long a wait as they would take one after the other. */
  async #sendAtOnce(wanted: readonly TestRequest[]): Promise<Observation[]> {
    const unsent = this.#reasonNotToSend(wanted.length);
    if (unsent) return wanted.map(({ operation }) => createFailedObservation(operation, unsent));
    for (let waited = 0; waited < wanted.length; waited += 1) await this.#waitForRateLimit();
    this.#timesAtOnce += 1;
    const atOnce = this.#timesAtOnce;
    return Promise.all(wanted.map((each) => this.#sendNow(each, atOnce)));
  }

  /** Answers what a session that began with a token is renewed by; undefined where the server gave nothing for that. */
  refreshTokenOf(token: string): string | undefined {
    const { description } = this.#options.adapter;
    const name = renewalOutput(description);
    const held = this.#credentials.get(token);
    const [, cookie] =
      findCookie(held?.cookies ?? {}, cookieNamePatterns(operationSecurity(description, 'refresh'))) ?? [];
    if (cookie !== undefined) return cookie;
    return name === 'token' ? (held?.token ?? token) : held?.outputs?.[name ?? ''];
  }

  /** Answers the token by which a session that began with another one goes on. */
  currentToken = (token: string): string => this.#credentials.get(token)?.token ?? token;

  /** What goes along with a call. What no answer gave stands alone, or in the place of what it was made of. */
  #credentialFor({ token, tamperedFrom }: TestRequest): Credential {
    if (token === undefined) return {};
    const origin = tamperedFrom === undefined ? undefined : this.#credentials.get(tamperedFrom);
    return (
      this.#credentials.get(token) ??
      this.#options.adapter.withToken(origin ?? {}, token, origin ?? this.#lastCredential)
    );
  }

  /** What is known of the one whose token goes along, or is what the token was made of. */
  #identifiersFor({ token = '', tamperedFrom = token }: TestRequest): readonly string[] {
    return this.#identifiers.get(tamperedFrom) ?? [];
  }

  /** Takes over what an answer gave or renewed. All of it is secret, and is watched for before the call is kept. */
  #storeCredential(
    { operation, token }: TestRequest,
    next: Credential,
    given: string | undefined,
    isOk: boolean,
  ): void {
    if (given !== undefined) {
      this.#lastCredential = { ...next, token: given };
      this.#credentials.set(given, this.#lastCredential);
    } else if (
      isOk &&
      operation !== 'salir' &&
      token !== undefined &&
      next.token !== undefined &&
      this.#credentials.has(token)
    )
      this.#credentials.set(token, next);
  }

  #registerSecrets(held: Credential, before: Credential): void {
    const { secretRegistry } = this.#options;
    const { token, cookies = {}, ...others } = held;
    if (token !== undefined && token !== before.token) secretRegistry.register(token, 'token');
    for (const value of credentialSecrets({ ...others, cookies })) secretRegistry.register(value, 'token');
    // A cookie goes out again in a header, as it is meant.
    for (const value of Object.values(cookies))
      if (value.includes('%')) secretRegistry.register(unescaped(value), 'token');
  }

  /** Asks for the cookie against forged requests, where the interface has one and the call goes without. */
  async #prepared(operation: TestRequest['operation'], held: Credential, options: SendOptions) {
    const { transport, adapter } = this.#options;
    const request = adapter.csrfRequestIfNeeded(operation, held);
    if (!request) return { ok: true as const, held };
    this.#calls += 1;
    const result = await transport.send(request, options);
    const next = result.ok ? adapter.credentialAfter('csrf', result.response, held) : held;
    this.#registerSecrets(next, held);
    const call = await this.#keep(result.call, options.signal ?? this.#signal());
    if (!result.ok) return { ok: false as const, failure: result.failure, call };
    return { ok: true as const, held: held.token === undefined ? next : adapter.withToken(next, held.token, held) };
  }

  /** Keeps a call as evidence, with the names of headers that were added. */
  #keep(call: TransportCall, signal: AbortSignal): Promise<TransportCall> {
    for (const value of addedValues(call)) this.#options.secretRegistry.register(value, 'other');
    for (const name of call.request.added ?? []) this.#extraHeaders.add(name);
    return this.log.record(call, signal);
  }

  async #sendNow(wanted: TestRequest, batch?: number): Promise<Observation> {
    return { ...(await this.#sendAlone(wanted)), sent: wanted, batch };
  }

  async #sendAlone(wanted: TestRequest): Promise<Observation> {
    const { transport, adapter, paths, secretRegistry, clock } = this.#options;
    const { operation } = wanted;
    if (this.#signal().aborted) {
      this.#stopped ??= { kind: 'cancelled' };
      return createFailedObservation(operation, { kind: 'run-ended' });
    }
    this.#calls += 1;
    const startedAt = clock.now();
    using ending = endingOf(wanted, this.#signal());
    const sendOptions = { signal: ending.signal, loopbackAddress: this.loopbackAddressOf(wanted.token) };
    const prepared = await this.#prepared(operation, this.#credentialFor(wanted), sendOptions);
    if (!prepared.ok)
      return createFailedObservation(operation, this.#failed(prepared.failure, startedAt), prepared.call);
    const { held } = prepared;
    const { body: fields, renewWith } = wanted;
    const request = createTestRequest(wanted, held, adapter);
    const call = renewWith ? ('refresh' as const) : operation;
    const known = {
      adapter,
      call,
      pinned: paths,
      ...(operation === 'perfil' && { who: this.#identifiersFor(wanted) }),
    };
    const result = await sendAndInterpret(transport, request, operation, known, sendOptions);
    this.#busyMs += clock.now() - startedAt;
    if (result.ok) {
      const { status } = result.response;
      const after = adapter.credentialAfter(call, result.response, held, { fields });
      const { summary, trace } = result.understood.interpretation;
      const { token, user } = summary;
      const next = adapter.withDetectedToken(after, token, trace.token?.path);
      this.#registerSecrets(next, held);
      this.#storeCredential(wanted, next, token, status >= 200 && status < 300);
      if (token !== undefined)
        this.#identifiers.set(
          token,
          knownIdentifiers([...loginIdentifiersIn(fields), ...this.#identifiersFor(wanted)], token, user),
        );
    }
    const kept = await this.#keep(result.call, ending.signal);
    if (!result.ok) return createFailedObservation(operation, this.#failed(result.failure, startedAt), kept);
    this.#answered();
    return classifyResponse(result.understood, kept, secretRegistry, ending.signal);
  }

  /** A server that is back after it was away can be asked again. */
  #answered(): void {
    this.#hasAnswered = true;
    this.#unanswered = 0;
    if (this.#stopped?.kind === 'unreachable') this.#stopped = undefined;
  }

  /** Takes note of a call without a whole answer, and answers what that means for its case. */
  #failed(failure: TransportFailure, startedAt: number): NotMeasured {
    if (failure.kind === 'cancelled') {
      this.#stopped ??= { kind: 'cancelled' };
      return { kind: 'run-ended' };
    }
    const error = appErrorOfFailure(failure);
    // Calls that were under way at the same time count once.
    const isOneMore = startedAt >= this.#failedAt;
    this.#failedAt = this.#options.clock.now();
    this.#unanswered = isFromServer(failure, this.#hasAnswered) ? 0 : this.#unanswered + (isOneMore ? 1 : 0);
    if (this.#unanswered >= mostUnanswered) this.#stopped ??= { kind: 'unreachable', error };
    return { kind: 'no-answer', error };
  }

  /** Waits as long as a server says, up to a limit each time and one in all. Answers whether it waited to the end. */
  async #waitFor(seconds: number | undefined): Promise<boolean> {
    if (seconds === undefined || seconds > longestWaitSeconds || this.#waitedSeconds + seconds > mostWaitingSeconds) {
      return false;
    }
    this.#waitedSeconds += seconds;
    this.#waitingUntil = Date.now() + seconds * 1000;
    this.#options.onCall();
    await this.pause(seconds * 1000);
    this.#waitingUntil = undefined;
    return !this.#signal().aborted;
  }

  /**
   * Looks whether the server has ended after a call without an answer: nothing listens any more. One that only closes a
   * connection takes the next. Where it ended, it is waited for.
   */
  async #hasServerCrashed(): Promise<boolean> {
    if (!isConnectionRefused(await this.#tryFreshly())) return false;
    await this.#waitForRestart();
    return true;
  }

  /** Waits until a server at which nothing listens answers again, or for ten seconds. Answers whether it does. */
  async #waitForRestart(): Promise<boolean> {
    for (const ms of restartWaitsMs) {
      await this.pause(ms);
      if (this.#signal().aborted) return false;
      const seen = await this.#tryFreshly();
      if (seen.status === 0) continue;
      this.#wasAway = true;
      return true;
    }
    return false;
  }

  /** Sends a plain call over a connection that was not open before. */
  async #tryFreshly(): Promise<Observation> {
    let seen = await this.#tryPlainly();
    for (let tries = 0; isStaleConnection(seen) && tries < mostOpen; tries += 1) seen = await this.#tryPlainly();
    return seen;
  }

  /** Sends a plain call without its turn, since a server that ends may be back in a second. */
  async #tryPlainly(): Promise<Observation> {
    const seen = await this.#sendNow({ operation: 'perfil' });
    // Other connections that were open were lost with the server, and count for nothing.
    if (isStaleConnection(seen)) this.#answered();
    return this.log.add(seen, false);
  }
}

const isThrottled = ({ handling }: Observation): boolean => handling === 'throttled';

/** Returns the longest wait that any of the answers asks for, in seconds. */
function waitOf(seen: readonly Observation[]): number | undefined {
  const waits = seen.filter(isThrottled).map(({ reading }) => reading.summary.retryAfterSeconds);
  return waits.every((each) => each !== undefined) ? Math.max(...waits) : undefined;
}

/**
 * Answers what ends a call when the run is ended: at once, unless it may give a token, which has to be logged out then.
 */
function endingOf({ operation }: TestRequest, signal: AbortSignal): Disposable & { signal: AbortSignal } {
  if (operation === 'perfil' || operation === 'salir') return { signal, [Symbol.dispose]: () => undefined };
  const late = new AbortController();
  let ending: NodeJS.Timeout | undefined;
  const end = (): void => {
    ending = setTimeout(() => late.abort(signal.reason), lastTokenMs);
  };
  signal.addEventListener('abort', end);
  return {
    signal: late.signal,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', end);
      clearTimeout(ending);
    },
  };
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
