import type { NotMeasured } from '../../preload/contract/report-cases.ts';
import type { RunOptions, Throttling } from '../../preload/contract/report-run.ts';
import type { AppError } from '../../preload/contract/result.ts';
import { sendAndRead } from '../client/answer.ts';
import { operationUrls, type Operation } from '../client/base-url.ts';
import type { HeaderList, TransportRequest } from '../client/call.ts';
import { addedValues } from '../client/extra-headers.ts';
import { appErrorOfFailure } from '../client/map-error.ts';
import type { Answer } from '../client/read-answer.ts';
import type { Transport } from '../client/transport.ts';
import type { TransportFailure } from '../client/transport-failure.ts';
import type { SecretReferences } from '../secrets/secret-references.ts';
import type { CaseLog } from './case-log.ts';
import { createDeadlyCalls } from './deadly-calls.ts';
import type { Fields } from './identities.ts';
import { createPace, type Clock } from './pace.ts';
import { rateLimitOf } from './rate-limit.ts';
import { isUnanswered, judged, seenNothing, type Seen } from './seen.ts';

export type ProbeCall = {
  /** The operation that its answer is read for. It also says where the call goes if `path` says nothing else. */
  operation: Operation;
  method?: string;
  /** The path below the base URL. */
  path?: string;
  body?: string | Fields;
  token?: string;
  /** The word before the token; `Bearer` unless given. */
  scheme?: string;
  /** Headers besides the usual ones. */
  headers?: HeaderList;
  withoutAccept?: boolean;
  /** Whether no answer is an answer, too. */
  mayFail?: boolean;
  /** Whether being throttled is what is looked for. */
  mayBeThrottled?: boolean;
};

/** Why no more calls are sent. */
type Stopped = { kind: 'cancelled' } | { kind: 'unreachable'; error: AppError };

/** Milliseconds that a call may still take that may give a token, once the run is ended. */
const lastTokenMs = 500;
const longestWaitSeconds = 60;
const mostWaitingSeconds = 300;
const mostUnanswered = 3;

export type SenderOptions = {
  transport: Pick<Transport, 'send'>;
  baseUrl: string;
  /** The secrets of the run. */
  references: SecretReferences;
  /** Where a person says that things are in this server's answers. */
  paths: Answer['paths'];
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
  'too-hard',
  'truncated',
  'undecodable',
  'unsendable',
]);

/** Says whether a failed call tells nothing against there being a server that speaks HTTP/1.1 as well as it can. */
const isFromServer = (failure: TransportFailure): boolean =>
  failure.kind === 'broken-http'
    ? failure.problem !== 'http-2' && failure.problem !== 'not-http'
    : answering.has(failure.kind);

/** Sends calls one at a time: it keeps the pace and the limits, and waits where the server asks to. */
export function createSender(
  options: SenderOptions,
  log: CaseLog,
  loopbackAddressOf: (token: string | undefined) => string | undefined,
) {
  const { run, callLimit, clock, signal, onCall } = options;
  const pace = createPace(run.callsPerSecond, clock);
  const waiting = createWaiting(options);
  const stop = createStop();
  const throttlings: Throttling[] = [];
  const { sendNow, calls, busyMs, extraHeaders } = createSending(options, log, stop, loopbackAddressOf);
  const deadly = createDeadlyCalls({ sendNow, log, forgive: () => stop.answered(), clock, signal });
  const turn = (): Promise<void> => pace.turn(signal());

  async function sendOnce(wanted: ProbeCall): Promise<Seen> {
    await turn();
    return sendNow(wanted);
  }

  /** Says why so many more calls are not sent. */
  function unsentOf(count: number): NotMeasured | undefined {
    if (stop.why() !== undefined || signal().aborted) return log.problem() ?? { kind: 'run-ended' };
    return log.problem() ?? (calls() + count > callLimit() ? { kind: 'call-limit' } : undefined);
  }

  async function call(wanted: ProbeCall): Promise<Seen> {
    const { operation, mayFail = false, mayBeThrottled = false } = wanted;
    const unsent = unsentOf(1) ?? deadly.problemOf(wanted);
    if (unsent) return log.note(seenNothing(operation, unsent), true);

    let seen = await sendOnce(wanted);
    onCall();
    if (await deadly.hasEnded(wanted, seen)) return log.note(seen, true);
    if (seen.handling === 'throttled' && !mayBeThrottled) {
      const { retryAfterSeconds } = seen.reading.meaning;
      const mayRepeat = calls() < callLimit() && (await waiting.waitFor(retryAfterSeconds));
      const waitedSeconds = mayRepeat ? (retryAfterSeconds ?? 0) : 0;
      const told = rateLimitOf(seen);
      if (seen.call) throttlings.push({ call: seen.call.id, ...told, askedSeconds: retryAfterSeconds, waitedSeconds });
      const throttled: NotMeasured = { kind: 'throttled', retryAfterSeconds, ...told };
      if (!mayRepeat) return log.note({ ...seen, failed: throttled }, true);
      log.note(seen, false);
      seen = await sendOnce(wanted);
      onCall();
      if (seen.handling === 'throttled') return log.note({ ...seen, failed: { ...throttled, waitedSeconds } }, true);
    }
    return log.note(seen, !(mayFail && isUnanswered(seen)));
  }

  return {
    call,
    /** These are for calls that do not wait for each other. */
    unsentOf,
    turn,
    sendNow,
    waitFor: waiting.waitFor,

    /** Does work that is still to be done when the run was ended. */
    afterwards: stop.afterwards,

    /** Sends again, after a run that was ended. */
    goOn: (): void => {
      stop.reset();
      waiting.reset();
    },

    /** Waits by itself, and not because the server asks to. */
    pause: (ms: number): Promise<void> => clock.sleep(ms, signal()),

    stopped: stop.why,
    calls,
    callsLeft: (): number => Math.max(0, callLimit() - calls()),
    /** Answers when the server throttled the run, in that order. */
    throttlings: (): readonly Throttling[] => throttlings,
    extraHeaders,
    ...foretelling({ calls, busyMs }, waiting),
    waitingUntil: waiting.until,
  };
}

/** Sends single calls, counts them, and keeps what they show. */
function createSending(
  { transport, baseUrl, paths, references, clock, signal }: SenderOptions,
  log: CaseLog,
  stop: ReturnType<typeof createStop>,
  loopbackAddressOf: (token: string | undefined) => string | undefined,
) {
  let calls = 0;
  let busyMs = 0;
  const added = new Set<string>();

  async function sendNow(wanted: ProbeCall): Promise<Seen> {
    if (signal().aborted) {
      stop.cancelled();
      return seenNothing(wanted.operation, { kind: 'run-ended' });
    }
    calls += 1;
    const startedAt = clock.now();
    using ending = endingOf(wanted, signal());
    const sendOptions = { signal: ending.signal, loopbackAddress: loopbackAddressOf(wanted.token) };
    const request = requestOf(wanted, baseUrl);
    const result = await sendAndRead(transport, request, wanted.operation, paths, sendOptions);
    busyMs += clock.now() - startedAt;
    for (const value of addedValues(result.call)) references.watch(value, 'other');
    for (const name of result.call.request.added ?? []) added.add(name);
    const call = await log.keep(result.call, ending.signal);
    if (!result.ok) return seenNothing(wanted.operation, stop.failed(result.failure, startedAt, clock.now()), call);
    stop.answered();
    return judged(result.understood, call, references, ending.signal);
  }

  return {
    sendNow,
    calls: (): number => calls,
    busyMs: (): number => busyMs,
    /** Answers the names of the headers that were added for the server. */
    extraHeaders: (): string[] => [...added],
  };
}

/**
 * Answers what ends a call when the run is ended: at once, unless it may give a token, which has to be logged out then.
 */
function endingOf({ operation }: ProbeCall, signal: AbortSignal): Disposable & { signal: AbortSignal } {
  if (operation === 'perfil' || operation === 'salir') return { signal, [Symbol.dispose]: () => undefined };
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    timer = setTimeout(() => late.abort(signal.reason), lastTokenMs);
  };
  signal.addEventListener('abort', end);
  return {
    signal: late.signal,
    [Symbol.dispose]: () => {
      signal.removeEventListener('abort', end);
      clearTimeout(timer);
    },
  };
}

/** Foretells the time that calls will take by what the earlier ones took. */
function foretelling(
  { calls, busyMs }: Pick<ReturnType<typeof createSending>, 'calls' | 'busyMs'>,
  { waitedMs, leftMs }: Pick<ReturnType<typeof createWaiting>, 'waitedMs' | 'leftMs'>,
) {
  const perCall = (ms: number): number => (calls() === 0 ? 0 : ms / calls());
  return {
    /** Answers the average time of a call while it was under way. */
    millisecondsPerCall: (): number => perCall(busyMs()),
    /** Answers how long so many more calls will wait, if the server goes on asking to as it did. */
    waitsToCome: (count: number): number => Math.min(count * perCall(waitedMs()), leftMs()),
  };
}

/** Keeps why no more calls are sent: the run was cancelled, or several calls in a row got no answer. */
function createStop() {
  let stopped: Stopped | undefined;
  let unanswered = 0;
  let failedAt = -Infinity;
  const cancelled = (): void => void (stopped ??= { kind: 'cancelled' });
  return {
    why: (): Stopped | undefined => stopped,
    cancelled,

    /** A server that is back after it was away can be asked again. */
    answered(): void {
      unanswered = 0;
      if (stopped?.kind === 'unreachable') stopped = undefined;
    },

    /**
     * Takes note of a call without a whole answer, and answers what that means for its case. Calls that were under way at
     * the same time count once.
     */
    failed(failure: TransportFailure, startedAt: number, endedAt: number): NotMeasured {
      const { kind } = failure;
      if (kind === 'cancelled') {
        cancelled();
        return { kind: 'run-ended' };
      }
      const error = appErrorOfFailure(failure);
      const isOneMore = startedAt >= failedAt;
      failedAt = endedAt;
      unanswered = isFromServer(failure) ? 0 : unanswered + (isOneMore ? 1 : 0);
      if (unanswered >= mostUnanswered) stopped ??= { kind: 'unreachable', error };
      return { kind: 'no-answer', error };
    },

    afterwards: async (work: () => Promise<void>): Promise<void> => {
      const before = stopped;
      stopped = undefined;
      await work();
      stopped = before;
    },

    reset(): void {
      stopped = undefined;
      unanswered = 0;
    },
  };
}

function requestOf(call: ProbeCall, baseUrl: string): TransportRequest {
  const { operation, method = operation === 'perfil' ? 'GET' : 'POST', path, body, token, scheme = 'Bearer' } = call;
  const headers: HeaderList = [
    ...(call.withoutAccept ? [] : [['Accept', 'application/json'] as const]),
    ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
    ...(token === undefined ? [] : [['Authorization', `${scheme} ${token}`] as const]),
    ...(call.headers ?? []),
  ];
  return {
    method,
    url: path === undefined ? operationUrls(baseUrl)[operation] : baseUrl + path,
    headers,
    body: body === undefined || typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** Waits as long as a server says, up to a limit each time and one in all. */
function createWaiting({ clock, signal, onCall }: Pick<SenderOptions, 'clock' | 'signal' | 'onCall'>) {
  let waitedSeconds = 0;
  let until: number | undefined;
  return {
    /** Answers whether it waited to the end. */
    waitFor: async (seconds: number | undefined): Promise<boolean> => {
      if (seconds === undefined || seconds > longestWaitSeconds || waitedSeconds + seconds > mostWaitingSeconds) {
        return false;
      }
      waitedSeconds += seconds;
      until = Date.now() + seconds * 1000;
      onCall();
      await clock.sleep(seconds * 1000, signal());
      until = undefined;
      return !signal().aborted;
    },

    reset(): void {
      waitedSeconds = 0;
    },

    waitedMs: (): number => waitedSeconds * 1000,
    /** Answers how much longer it may still wait in all. */
    leftMs: (): number => (mostWaitingSeconds - waitedSeconds) * 1000,
    /** Answers when the wait ends, in milliseconds since 1970; undefined while it does not wait. */
    until: (): number | undefined => until,
  };
}
