import type { Understood } from './read-answer.ts';
import type { TransportFailure } from './transport-failure.ts';
import type { Security } from './trust.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Anything HTTP/1.1 can say: the rules of the interface bind the client above, not this. */
export type TransportRequest = {
  method: string;
  /** Absolute, http or https. */
  url: string;
  /** In this order and case, duplicates kept. Host, Content-Length and Connection are added where they lack. */
  headers: HeaderList;
  body?: string | undefined;
};

/** What is left of a body that was too hard to read. `bytes` is its size. */
export type Unread = { bytes: number; sha256: string };

export type TransportResponse = {
  status: number;
  statusText: string;
  httpVersion: string;
  /** As received: order, case and duplicates kept. */
  rawHeaders: HeaderList;
  /** Decompressed and read as UTF-8; a byte order mark is still there. */
  body: string;
  /** Decompressed. */
  bodyBytes: Uint8Array;
  unread?: Unread | undefined;
};

/** Milliseconds since the call began; what did not happen (a reused connection, say) is absent. */
export type Timings = {
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
  firstByteMs?: number;
  totalMs: number;
};

/** One call as it was. It holds secrets: whoever keeps or shows it redacts it. */
export type Call = {
  id: string;
  /** ISO 8601. */
  startedAt: string;
  request: TransportRequest & {
    /** Request line and headers as written, with their line ends; `as-prepared` if Node no longer shows that. */
    head: { text: string; source: 'as-written' | 'as-prepared' };
    unread?: Unread | undefined;
  };
  /** `ip:port` at the other end, once connected; with a proxy, the proxy's. */
  remote?: string | undefined;
  /** `scheme://host:port` of the proxy it went through. */
  proxy?: string | undefined;
  /** What secured it; absent over plain http. */
  security?: Security | undefined;
  /** The address of a `localhost` name that was connected to; `SendOptions` says what for. */
  loopbackAddress?: string | undefined;
  reusedConnection: boolean;
  timings: Timings;
  /** Also beside a failure, when the head had arrived; the body is then what came before the failure. */
  response?: TransportResponse | undefined;
  failure?: TransportFailure | undefined;
  /** How whoever sent it read the whole answer. Whoever records the call need not read the answer again. */
  understood?: Understood | undefined;
};

export type TransportResult =
  { ok: true; response: TransportResponse; call: Call } | { ok: false; failure: TransportFailure; call: Call };
