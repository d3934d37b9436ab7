import { randomUUID } from 'node:crypto';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
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

type CallProgress = {
  remote?: string;
  proxy?: string | undefined;
  security?: ConnectionSecurity;
  loopbackAddress?: string;
  reusedConnection: boolean;
  timings: Omit<Timings, 'totalMs'>;
};

/** In bytes. A longer body is decoded in a task of its own. */
const longBody = 32 * 1024;

export type PendingCall = ReturnType<typeof startCall>;

/** Tracks a call from its start to its end, and aborts it on a limit or on cancellation. */
export function startCall(request: TransportRequest, limits: TransportLimits, cancelled: AbortSignal | undefined) {
  const startedAt = new Date();
  const started = performance.now();
  const sinceStart = (): number => Math.round((performance.now() - started) * 10) / 10;
  const progress: CallProgress = { timings: {}, reusedConnection: false };
  const chunks: Buffer[] = [];
  const deadlines = createDeadlines(limits, cancelled);
  const signal: AbortSignal = deadlines.signal;
  let sentRequest: Pick<TransportCall['request'], 'added'> & TransportRequest = request;
  let outgoing: ClientRequest | undefined;
  let incoming: IncomingMessage | undefined;
  /** True once a byte arrived after the request was passed to its connection. */
  let answerBegun = false;
  /** Node's own error: axios' wrapper has less information. */
  let socketError: Error | undefined;

  function failureOfThrown(thrown: unknown): TransportFailure {
    const failure = failureOf(socketError ?? thrown, request.url, incoming?.statusCode);
    return failure.kind === 'connection-lost' ? { ...failure, answerBegun } : failure;
  }

  return {
    progress,
    chunks,
    stop: deadlines.stop,
    signal,
    connected: (): void => deadlines.connected(),
    onPhase: (phase: keyof CallProgress['timings']): void => void (progress.timings[phase] ??= sinceStart()),

    /** Adds the headers that the user set for the server. */
    addHeaders(headers: HeaderList): void {
      if (headers.length === 0) return;
      sentRequest = {
        ...request,
        headers: [...request.headers, ...headers],
        added: headers.map(([name]) => name),
      };
    },
    request: (): TransportRequest => sentRequest,

    requestSent(clientRequest: ClientRequest): void {
      outgoing = clientRequest;
      clientRequest.on('error', (error) => (socketError ??= error));
      clientRequest.once('socket', (socket) => socket.once('data', () => (answerBegun = true)));
    },

    /** The head of the response has arrived. */
    responseStarted(message: IncomingMessage): void {
      incoming = message;
      progress.timings.firstByteMs = sinceStart();
      deadlines.responseStarted();
    },

    /** Returns the call once `work` is done, has failed, or is abandoned because the call was aborted. */
    async finish(work: Promise<void>): Promise<TransportCall> {
      const failed = await deadlines.failureOf(work, failureOfThrown);
      const receivedBytes = chunks.reduce((sum, { length }) => sum + length, 0);
      const failure = failed && isCompleteJson(failed, chunks, receivedBytes) ? undefined : failed;
      // Of a response that was cut off or is too large, only the beginning is decoded.
      const isBeginning = failure !== undefined && receivedBytes > longBody;
      const bodyBytes = Buffer.concat(chunks, isBeginning ? longBody : receivedBytes);
      chunks.length = 0;
      // Concatenating and decoding a long body take a task each.
      if (bodyBytes.length > longBody) await yieldToEventLoop();
      return {
        id: randomUUID(),
        startedAt: startedAt.toISOString(),
        request: { ...sentRequest, head: headOf(sentRequest, outgoing, progress.remote !== undefined) },
        ...progress,
        timings: { ...progress.timings, totalMs: sinceStart() },
        response: incoming && {
          ...responseOf(incoming, bodyBytes),
          ...(isBeginning && { receivedBytes }),
        },
        failure,
      };
    },
  };
}

/** In bytes. Scanning takes a few milliseconds. */
const maxScanned = 256 * 1024;

/**
 * True if only the end of the compression is missing, such as the checksum of gzip, and the content is complete JSON. curl
 * accepts such a response: `inflate_stream` in its `lib/content_encoding.c` leaves the loop at `Z_BUF_ERROR`.
 */
function isCompleteJson(failure: TransportFailure, chunks: readonly Buffer[], receivedBytes: number): boolean {
  if (failure.kind !== 'undecodable' || failure.code !== 'Z_BUF_ERROR' || receivedBytes > maxScanned) return false;
  const text = Buffer.concat(chunks).toString().trim();
  if (!/^[{[]/.test(text)) return false;
  const tokens = new JsonTokens(text);
  for (;;) {
    const token = tokens.next();
    if (token === 'end' || token === 'broken') return token === 'end';
  }
}

/** Aborts `signal` when `cancelled` is aborted, when a time limit passes, or by `stop`. */
function createDeadlines(limits: TransportLimits, cancelled: AbortSignal | undefined) {
  const controller = new AbortController();
  /** Why the call was aborted. Errors that follow are consequences. */
  let stopped: TransportFailure | undefined;
  const stop = (failure: TransportFailure): void => {
    stopped ??= failure;
    controller.abort();
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
    signal: controller.signal,

    connected(): void {
      clearTimeout(connectTimer);
      firstByteTimer = timeout('first-byte', limits.firstByteSeconds);
    },

    responseStarted: (): void => clearTimeout(firstByteTimer),

    /** Waits for the work or an abort. Returns why there is no complete response, if so. */
    async failureOf(
      work: Promise<void>,
      toFailure: (thrown: unknown) => TransportFailure,
    ): Promise<TransportFailure | undefined> {
      try {
        // A DNS lookup, a proxy script or a slow disk cannot be interrupted, and is abandoned.
        await Promise.race([work, whenAborted(controller.signal)]);
        return stopped;
      } catch (thrown) {
        return stopped ?? toFailure(thrown);
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
