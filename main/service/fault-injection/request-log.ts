import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FaultKind } from '../../../preload/contract/names.ts';

/** One request that was answered, or whose connection ended. Nothing in it was chosen by a client. */
export type RequestLogEntry = {
  id: string;
  /** When it came, in milliseconds since 1970. */
  atMs: number;
  method: string;
  /** The route and not the path, which can hold anything, a token too; `null` for an unknown path. */
  route: string | null;
  /** `null` when the connection ended before there was an answer. */
  status: number | null;
  durationMs: number;
  /** What was done to it on purpose. */
  faults: FaultKind[];
};

/** The most that {@link createRequestLog} keeps: some 200 bytes each. */
export const MOST_LOGGED = 10_000;

/** Keeps the last so many requests in memory, and none of them unless told how many. */
export function createRequestLog() {
  let most = 0;
  let kept: RequestLogEntry[] = [];
  let onAdd = (): void => undefined;

  function add(request: RequestLogEntry): void {
    if (most === 0) return;
    kept.push(request);
    // It is cut rarely, since a full log would otherwise be moved at each request.
    if (kept.length >= most * 2) kept = kept.slice(-most);
  }

  return {
    isOn: (): boolean => most > 0,
    /** Sets how many are kept from now on. Older ones go. */
    setCapacity(count: number): void {
      most = Math.min(Math.max(0, Math.floor(count)), MOST_LOGGED);
      kept = most === 0 ? [] : kept.slice(-most);
    },
    add,
    /** Adds a request that has just come, once its answer was sent or its connection ended. */
    addWhenClosed(request: FastifyRequest, reply: FastifyReply, now: () => number, faultsOf: () => FaultKind[]): void {
      const atMs = now();
      const startedAt = performance.now();
      // It is not `onResponse`, since a connection that is cut has none.
      reply.raw.once('close', () => {
        add({
          id: request.id,
          atMs,
          method: request.method,
          route: request.routeOptions.url ?? null,
          status: reply.raw.headersSent ? reply.raw.statusCode : null,
          durationMs: Math.round(performance.now() - startedAt),
          faults: faultsOf(),
        });
        onAdd();
      });
    },
    /** Answers the log, the newest first. */
    list: (): RequestLogEntry[] => (most === 0 ? [] : kept.slice(-most).toReversed()),
    clear: (): void => void (kept = []),
    /** Calls the one listener after each request that was added. */
    onAdd: (listener: () => void): void => void (onAdd = listener),
  };
}
