import type { FastifyReply, FastifyRequest } from 'fastify';
import type { FaultKind } from '../../../preload/contract/names.ts';

/** A request that was answered or whose connection ended. It contains nothing that a client chose. */
export type RequestLogEntry = {
  id: string;
  /** Its arrival, in milliseconds since 1970. */
  atMs: number;
  method: string;
  /** The route and not the path, which can contain anything, such as a token; `null` for an unknown path. */
  route: string | null;
  /** `null` if the connection ended before a response. */
  status: number | null;
  durationMs: number;
  /** The faults that were simulated. */
  faults: FaultKind[];
};

/** Some 200 bytes each. */
export const MOST_LOGGED = 10_000;

/** The last requests, in memory; none until a capacity is set. */
export function createRequestLog() {
  let capacity = 0;
  let entries: RequestLogEntry[] = [];
  let onAdd = (): void => undefined;

  function add(request: RequestLogEntry): void {
    if (capacity === 0) return;
    entries.push(request);
    // Trimmed rarely, since a full log would otherwise be copied at each request.
    if (entries.length >= capacity * 2) entries = entries.slice(-capacity);
  }

  return {
    isOn: (): boolean => capacity > 0,
    /** Sets how many requests it holds from now on. */
    setCapacity(count: number): void {
      capacity = Math.min(Math.max(0, Math.floor(count)), MOST_LOGGED);
      entries = capacity === 0 ? [] : entries.slice(-capacity);
    },
    add,
    /** Adds a request once its response was sent or its connection ended. */
    addWhenClosed(request: FastifyRequest, reply: FastifyReply, now: () => number, faultsOf: () => FaultKind[]): void {
      const atMs = now();
      const startedAt = performance.now();
      // Not `onResponse`, which a closed connection does not get.
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
    /** The newest first. */
    list: (): RequestLogEntry[] => (capacity === 0 ? [] : entries.slice(-capacity).toReversed()),
    clear: (): void => void (entries = []),
    /** Sets the one listener for added requests. */
    onAdd: (listener: () => void): void => void (onAdd = listener),
  };
}
