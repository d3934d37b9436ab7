import type { InterpretedResponse } from './parse-response.ts';
import type { TransportFailure } from './transport-failure.ts';
import type { ConnectionSecurity } from './trust.ts';

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Any HTTP/1.1 request. The rules of the API bind the client, and not the transport. */
export type TransportRequest = {
  method: string;
  /** An absolute address, http or https. */
  url: string;
  /** In this order and case, with duplicates. Host, Content-Length and Connection are added if they are missing. */
  headers: HeaderList;
  body?: string | undefined;
  /** Secret values in the URL, as they were typed, for redaction. */
  secretsInUrl?: readonly string[] | undefined;
  /** Secret values in the body, whatever their members are named, for redaction. */
  secretsInBody?: readonly string[] | undefined;
};

export type TransportResponse = {
  status: number;
  statusText: string;
  httpVersion: string;
  /** As received, in order, with case and duplicates. */
  rawHeaders: HeaderList;
  /** Decompressed, and decoded by its declared charset, with a byte order mark if there is one. */
  body: string;
  /** Decompressed. */
  bodyBytes: Uint8Array;
  /** The received size in bytes, if `bodyBytes` is only the beginning. */
  receivedBytes?: number;
};

/** Milliseconds since the call began. A phase that did not happen is absent, such as connecting on a reused connection. */
export type Timings = {
  dnsMs?: number;
  connectMs?: number;
  tlsMs?: number;
  firstByteMs?: number;
  totalMs: number;
};

/** A call with its secrets: redact it before it is stored or shown. */
export type TransportCall = {
  id: string;
  /** In ISO 8601. */
  startedAt: string;
  request: TransportRequest & {
    /** The request line and headers as written, with their line ends; `as-prepared` if Node no longer shows that. */
    head: { text: string; source: 'as-written' | 'as-prepared' };
    /** The names of the headers that the user set for the server. */
    added?: readonly string[] | undefined;
  };
  /** `ip:port` of the peer, which is the proxy if there is one. */
  remote?: string | undefined;
  /** `scheme://host:port`. */
  proxy?: string | undefined;
  /** Absent over plain http. */
  security?: ConnectionSecurity | undefined;
  /** The address of a `localhost` name that was connected to, see `SendOptions`. */
  loopbackAddress?: string | undefined;
  reusedConnection: boolean;
  timings: Timings;
  /** Present beside a failure too, if the head had arrived. The body is then what came before the failure. */
  response?: TransportResponse | undefined;
  failure?: TransportFailure | undefined;
  /** The sender's interpretation, which the recorder reuses. */
  interpreted?: InterpretedResponse | undefined;
};

export type TransportResult =
  | { ok: true; response: TransportResponse; call: TransportCall }
  | { ok: false; failure: TransportFailure; call: TransportCall };

/** A call without its response, which exceeded the memory of the worker; the status is kept. */
export const withoutResponse = ({ interpreted: _interpreted, response, ...call }: TransportCall): TransportCall =>
  response ? { ...call, failure: call.failure ?? { kind: 'resource-limit', status: response.status } } : call;
