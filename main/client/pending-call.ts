import { randomUUID } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { decodeText } from './decode-text.ts';
import type { TransportCall, HeaderList, Timings, TransportRequest, TransportResponse } from './call.ts';
import { JsonTokens } from './reading/json.ts';
import { headOf } from './request-head.ts';
import { failureOf, type TransportFailure } from './transport-failure.ts';
import type { ConnectionSecurity } from './trust.ts';

export type TransportLimits = {
  connectSeconds: number;
  firstByteSeconds: number;
  totalSeconds: number;
  bodyBytes: number;
};

/** What is known of a call so far. */
type Seen = {
  remote?: string;
  proxy?: string | undefined;
  security?: ConnectionSecurity;
  loopbackAddress?: string;
  reusedConnection: boolean;
  timings: Omit<Timings, 'totalMs'>;
};

/** Bytes of a body above which main does not read it in one go. */
const longBody = 32 * 1024;

export type PendingCall = ReturnType<typeof startCall>;

/** Follows one call from its beginning to its end: what was seen of it, and what ends it. */
export function startCall(request: TransportRequest, limits: TransportLimits, cancelled: AbortSignal | undefined) {
  const startedAt = new Date();
  const started = performance.now();
  const sinceStart = (): number => Math.round((performance.now() - started) * 10) / 10;
  const seen: Seen = { timings: {}, reusedConnection: false };
  const chunks: Buffer[] = [];
  const end = endOfCall(limits, cancelled);
  const signal: AbortSignal = end.signal;
  let sentRequest: Pick<TransportCall['request'], 'added'> & TransportRequest = request;
  let outgoing: ClientRequest | undefined;
  let incoming: IncomingMessage | undefined;
  /** Whether a byte came back after the request had been handed to its connection. */
  let answerBegun = false;
  /** Node's own error, since axios' wrapper tells less. */
  let socketError: Error | undefined;

  function failureOfThrown(thrown: unknown): TransportFailure {
    const failure = failureOf(socketError ?? thrown, request.url, incoming?.statusCode);
    return failure.kind === 'connection-lost' ? { ...failure, answerBegun } : failure;
  }

  return {
    seen,
    chunks,
    stop: end.stop,
    signal,
    connected: (): void => end.connected(),
    onPhase: (phase: keyof Seen['timings']): void => void (seen.timings[phase] ??= sinceStart()),

    /** Takes note that the request goes out with these headers as well. */
    adds(headers: HeaderList): void {
      if (headers.length === 0) return;
      sentRequest = {
        ...request,
        headers: [...request.headers, ...headers],
        added: headers.map(([name]) => name),
      };
    },
    request: (): TransportRequest => sentRequest,

    /** Takes note that the request was handed to its connection. */
    sent(handed: ClientRequest): void {
      outgoing = handed;
      handed.on('error', (error) => (socketError ??= error));
      handed.once('socket', (socket) => socket.once('data', () => (answerBegun = true)));
    },

    /** Takes note that the head of an answer has arrived. */
    answered(message: IncomingMessage): void {
      incoming = message;
      seen.timings.firstByteMs = sinceStart();
      end.answered();
    },

    /** Answers the call as it was, once `work` is done, has failed, or is left behind because the call was ended. */
    async finish(work: Promise<void>): Promise<TransportCall> {
      const failed = await end.failureOf(work, failureOfThrown);
      const receivedBytes = chunks.reduce((sum, { length }) => sum + length, 0);
      const failure = failed && isWholeAllTheSame(failed, chunks, receivedBytes) ? undefined : failed;
      // Of an answer that broke off or grew too large nothing is read but its beginning.
      const isBeginning = failure !== undefined && receivedBytes > longBody;
      const bodyBytes = Buffer.concat(chunks, isBeginning ? longBody : receivedBytes);
      chunks.length = 0;
      // To put together what is long, and to read its letters, takes a turn each.
      if (bodyBytes.length > longBody) await turn();
      return {
        id: randomUUID(),
        startedAt: startedAt.toISOString(),
        request: { ...sentRequest, head: headOf(sentRequest, outgoing, seen.remote !== undefined) },
        ...seen,
        timings: { ...seen.timings, totalMs: sinceStart() },
        response: incoming && {
          ...responseOf(incoming, bodyBytes),
          ...(isBeginning && { receivedBytes }),
        },
        failure,
      };
    },
  };
}

/** Bytes that are looked through in a few milliseconds. */
const longestRead = 256 * 1024;

/**
 * Whether only the end of the packing is missing, such as the checksum of gzip, and what was packed is whole JSON. curl
 * reads such an answer without an error: it leaves its loop at `Z_BUF_ERROR` (`inflate_stream` in its
 * `lib/content_encoding.c`). Nothing else can say by itself that it is whole.
 */
function isWholeAllTheSame(failure: TransportFailure, chunks: readonly Buffer[], receivedBytes: number): boolean {
  if (failure.kind !== 'undecodable' || failure.code !== 'Z_BUF_ERROR' || receivedBytes > longestRead) return false;
  const text = Buffer.concat(chunks).toString().trim();
  if (!/^[{[]/.test(text)) return false;
  const tokens = new JsonTokens(text);
  for (;;) {
    const token = tokens.next();
    if (token === 'end' || token === 'broken') return token === 'end';
  }
}

/** Ends a call before its time: on an abort of `cancelled`, when a limit passes, or by `stop`. It aborts `signal`. */
function endOfCall(limits: TransportLimits, cancelled: AbortSignal | undefined) {
  const end = new AbortController();
  /** Why we ended the call ourselves. Whatever error follows is only its echo. */
  let stopped: TransportFailure | undefined;
  const stop = (failure: TransportFailure): void => {
    stopped ??= failure;
    end.abort();
  };
  const cancel = (): void => stop({ kind: 'cancelled' });
  const timeout = (phase: 'connect' | 'first-byte' | 'total', seconds: number): NodeJS.Timeout =>
    setTimeout(() => stop({ kind: 'timeout', phase, seconds }), seconds * 1000);
  const totalTimer = timeout('total', limits.totalSeconds);
  const connectTimer = timeout('connect', limits.connectSeconds);
  let firstByteTimer: NodeJS.Timeout | undefined;
  cancelled?.addEventListener('abort', cancel, { once: true });
  if (cancelled?.aborted) cancel();

  return {
    stop,
    signal: end.signal,

    /** Takes note that the request can go out now. */
    connected(): void {
      clearTimeout(connectTimer);
      firstByteTimer = timeout('first-byte', limits.firstByteSeconds);
    },

    answered: (): void => clearTimeout(firstByteTimer),

    /** Waits for the work, or for an earlier end of the call. It answers why there is no whole answer, if so. */
    async failureOf(
      work: Promise<void>,
      ofThrown: (thrown: unknown) => TransportFailure,
    ): Promise<TransportFailure | undefined> {
      try {
        // A look-up of a name, a proxy script or a slow disk cannot be interrupted, and is left behind.
        await Promise.race([work, whenAborted(end.signal)]);
        return stopped;
      } catch (thrown) {
        return stopped ?? ofThrown(thrown);
      } finally {
        clearTimeout(totalTimer);
        clearTimeout(connectTimer);
        clearTimeout(firstByteTimer);
        cancelled?.removeEventListener('abort', cancel);
      }
    },
  };
}

function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function responseOf(incoming: IncomingMessage, bodyBytes: Buffer): TransportResponse {
  const { rawHeaders } = incoming;
  return {
    status: incoming.statusCode ?? 0,
    statusText: incoming.statusMessage ?? '',
    httpVersion: incoming.httpVersion,
    rawHeaders: rawHeaders.flatMap((name, index) =>
      index % 2 === 0 ? [[name, rawHeaders[index + 1] ?? ''] as const] : [],
    ),
    body:
      decodeText(bodyBytes, incoming.headers['content-type']) ??
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(bodyBytes),
    bodyBytes,
  };
}
