import type { InterpretedResponse } from './parse-response.ts';
import type { TransportFailure } from './transport-failure.ts';
import type { ConnectionSecurity } from './trust.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** A request that may say anything HTTP/1.1 can say. The rules of the interface bind the client above, and not this. */
export type TransportRequest = {
  method: string;
  /** An absolute address, http or https. */
  url: string;
  /** In this order and case, with duplicates. Host, Content-Length and Connection are added where they are missing. */
  headers: HeaderList;
  body?: string | undefined;
  /** Values of its address that are secret, as they were typed. They are looked for wherever the call is kept or shown. */
  secretsInUrl?: readonly string[] | undefined;
};

export type TransportResponse = {
  status: number;
  statusText: string;
  httpVersion: string;
  /** As received, in their order and case, with duplicates. */
  rawHeaders: HeaderList;
  /** Decompressed, and read by the charset that it declares; a byte order mark is still there. */
  body: string;
  /** Decompressed. */
  bodyBytes: Uint8Array;
  /** The bytes of the body that were received, where only the beginning of them is here. */
  receivedBytes?: number;
};

/** Milliseconds since the call began. What did not happen is absent, such as connecting on a reused connection. */
export type Timings = {
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
  firstByteMs?: number;
  totalMs: number;
};

/** One call as it was. It holds secrets: redact it before it is kept or shown. */
export type TransportCall = {
  id: string;
  /** In ISO 8601. */
  startedAt: string;
  request: TransportRequest & {
    /** The request line and headers as written, with their line ends; `as-prepared` if Node no longer shows that. */
    head: { text: string; source: 'as-written' | 'as-prepared' };
    /** The names of those headers that were added for the server. */
    added?: readonly string[] | undefined;
  };
  /** `ip:port` of the other end, once connected. With a proxy, it is that of the proxy. */
  remote?: string | undefined;
  /** `scheme://host:port` of the proxy that the call went through. */
  proxy?: string | undefined;
  /** What secured the call. It is absent over plain http. */
  security?: ConnectionSecurity | undefined;
  /** The address of a `localhost` name that was connected to. `SendOptions` says what it is for. */
  loopbackAddress?: string | undefined;
  reusedConnection: boolean;
  timings: Timings;
  /** It is there beside a failure too if the head had arrived. The body is then what came before the failure. */
  response?: TransportResponse | undefined;
  failure?: TransportFailure | undefined;
  /** How the sender read the whole answer, so that the recorder does not read it again. */
  interpreted?: InterpretedResponse | undefined;
};

export type TransportResult =
  | { ok: true; response: TransportResponse; call: TransportCall }
  | { ok: false; failure: TransportFailure; call: TransportCall };

/** Returns a call without an answer that filled the memory; its status is left. */
export const withoutResponse = ({ interpreted: _understood, response, ...call }: TransportCall): TransportCall =>
  response ? { ...call, failure: call.failure ?? { kind: 'resource-limit', status: response.status } } : call;
