import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os';
import type { CertificateDetails, ProxyProblem, TlsProblem } from '../../preload/contract/connection.ts';
import type { HttpProblem } from '../../preload/contract/result.ts';
import { errorCodeOf } from '../files/error-code.ts';
import { tlsProblemOf, type SettingsFailure } from './trust.ts';

/** Why there is no whole answer. `host` is as in the address, with its port if it has one. */
export type TransportFailure =
  | { kind: 'offline' }
  /** Nothing accepted a connection. `addresses` has all that were tried, as `ip:port`. */
  | { kind: 'refused'; host: string; addresses: string[]; code: string }
  /** A network is here, and no way from it to the server. */
  | { kind: 'no-route'; host: string; addresses: string[]; code: string }
  /** This computer itself forbids the connection. */
  | { kind: 'blocked-here'; host: string; addresses: string[]; code: string }
  | { kind: 'dns'; host: string; code: string }
  /** The name could not be asked for, which says nothing about the name. */
  | { kind: 'name-server'; host: string; code: string }
  /** Nothing of the request was sent, unless the server refuses our client certificate. */
  | { kind: 'tls'; host: string; code: string; problem: TlsProblem; certificate?: CertificateDetails }
  /** `proxy` is `host:port`; `status` its answer to CONNECT, or to a request it was to pass on. */
  | {
      kind: 'proxy';
      proxy: string;
      problem: ProxyProblem;
      status?: number;
      code?: string;
      certificate?: CertificateDetails;
    }
  | SettingsFailure
  | { kind: 'timeout'; phase: 'connect' | 'first-byte' | 'total'; seconds: number }
  | { kind: 'cancelled' }
  | { kind: 'too-large'; status: number; limitBytes: number }
  /** It arrived whole, and reading it filled the memory of the other thread. */
  | { kind: 'resource-limit'; status: number }
  /** The head had arrived, and the body ended before its end. */
  | { kind: 'truncated'; status: number; code: string }
  /** The connection ended before the head of an answer was whole. `answerBegun` says whether any of it had come. */
  | { kind: 'connection-lost'; code: string; answerBegun: boolean }
  /** What answered is no HTTP/1.1. `status` is there if the head was whole. */
  | { kind: 'broken-http'; problem: HttpProblem; code: string; status?: number }
  /** The body is not what its Content-Encoding says, or in a coding that we do not know. */
  | { kind: 'undecodable'; status: number; code: string }
  /** Node will not write this request, for example with a line break in a header or with an address without a host. */
  | { kind: 'unsendable'; code: string };

/** `packet` is what the parser of HTTP could not read. */
type SystemError = { code: string; address?: string; port?: number; packet?: Uint8Array };

/**
 * The first pattern that matches any of the errors wins: of two addresses, the one where something answered tells most.
 * The codes are those of Node, OpenSSL, zlib and llhttp.
 */
const sorts: readonly (readonly [pattern: RegExp, sort: (found: Found) => TransportFailure])[] = [
  // getaddrinfo(3): AGAIN when no name server answers, FAIL when one answers with a failure of its own.
  [/^(?:EAI_AGAIN|EAI_FAIL|ESERVFAIL)$/, ({ host, code }) => ({ kind: 'name-server', host, code })],
  [/^(?:ENOTFOUND|EAI_\w+|ENODATA|EBADNAME)$/, ({ host, code }) => ({ kind: 'dns', host, code })],
  [/^(?:ECONNREFUSED|ETIMEDOUT)$/, unconnected('refused')],
  // Linux netfilter answers connect(2) with EPERM, and the Windows firewall with WSAEACCES.
  [/^(?:EACCES|EPERM)$/, unconnected('blocked-here')],
  [/^(?:EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL)$/, unconnected('no-route')],
  [/^HPE_/, ({ code, packet }) => ({ kind: 'broken-http', problem: httpProblemOf(code, packet), code })],
  [
    /^(?:ERR_INVALID_|ERR_UNESCAPED_|ERR_HTTP_|ERR_BAD_|ERR_SOCKET_BAD_PORT)/,
    ({ code }) => ({ kind: 'unsendable', code }),
  ],
  [
    /^(?:EPROTO$|ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_|PATH_LENGTH_)/,
    ({ host, code }) => ({ kind: 'tls', host, code, problem: tlsProblemOf(code) }),
  ],
];

/** Without any network these are its fault, and not the server's. */
const needsNetwork = /^(?:ENOTFOUND|EAI_\w+|ENETUNREACH|ENETDOWN|EHOSTUNREACH)$/;

/** zlib, Brotli and Zstandard say with these that the bytes are not theirs. */
const undecodable = /^(?:Z_|ERR__|ERR_BROTLI|ERR_ZSTD|ZSTD_|UNKNOWN_CODING)/;

/** The first match wins. The codes are those of llhttp. */
const httpProblems: readonly (readonly [pattern: RegExp, problem: HttpProblem])[] = [
  [/^HPE_HEADER_OVERFLOW$/, 'head-too-long'],
  // RFC 9112, 6.3: two lengths, or one beside chunks.
  [/^HPE_(?:INVALID_CONTENT_LENGTH|UNEXPECTED_CONTENT_LENGTH|INVALID_TRANSFER_ENCODING)$/, 'length'],
  [/^HPE_(?:CR|LF)_EXPECTED$/, 'line-ends'],
  [/^HPE_(?:INVALID_CHUNK_SIZE|CHUNK_)/, 'chunks'],
  [/^HPE_(?:INVALID_CONSTANT|INVALID_VERSION)$/, 'not-http'],
];

function httpProblemOf(code: string, packet: Uint8Array | undefined): HttpProblem {
  const problem = httpProblems.find(([pattern]) => pattern.test(code))?.[1] ?? 'other';
  return problem === 'not-http' && packet && isHttp2(packet) ? 'http-2' : problem;
}

/** Says whether something begins with a frame of HTTP/2 for the whole connection: its settings, or its end (RFC 9113, 6.5 and 6.8). */
const isHttp2 = (packet: Uint8Array): boolean =>
  packet.length >= 9 && (packet[3] === 4 || packet[3] === 7) && packet.subarray(5, 9).every((byte) => byte === 0);

const unknownCode = 'UNKNOWN';

type Found = { host: string; code: string; packet: Uint8Array | undefined; errors: SystemError[] };

/**
 * Sorts Node's error of a failed request into a kind a person can act on. `status` is that of the answer whose head had
 * already arrived, if one had.
 */
export function failureOf(
  error: unknown,
  url: string,
  status?: number,
  hasNetwork: () => boolean = () => hasOutsideAddress(),
): TransportFailure {
  const errors = systemErrors(error);
  const code = errors[0]?.code ?? unknownCode;
  if (status !== undefined) {
    if (code.startsWith('HPE_')) return { kind: 'broken-http', problem: httpProblemOf(code, undefined), code, status };
    return { kind: undecodable.test(code) ? 'undecodable' : 'truncated', status, code };
  }
  if (errors.every((each) => needsNetwork.test(each.code)) && errors.length > 0 && !hasNetwork())
    return { kind: 'offline' };
  const host = URL.canParse(url) ? new URL(url).host : url;
  for (const [pattern, sort] of sorts) {
    const found = errors.find((each) => pattern.test(each.code));
    if (found) return sort({ host, code: found.code, packet: found.packet, errors });
  }
  return { kind: 'connection-lost', code, answerBegun: false };
}

function unconnected(kind: 'refused' | 'no-route' | 'blocked-here'): (found: Found) => TransportFailure {
  return ({ host, code, errors }) => {
    const addresses = errors.flatMap(({ address, port }) =>
      address === undefined ? [] : [addressText(address, port)],
    );
    return { kind, host, addresses, code };
  };
}

/** Writes `ip:port`, IPv6 in brackets. */
export function addressText(address: string, port: number | undefined): string {
  return `${address.includes(':') ? `[${address}]` : address}:${port ?? 0}`;
}

/** Returns the system's, Node's or OpenSSL's code of an error, and the first one where there are several. */
export function networkErrorCode(error: unknown): string {
  return systemErrors(error)[0]?.code ?? unknownCode;
}

/** Node tries every address of a name and throws one AggregateError with an error for each. */
function systemErrors(error: unknown): SystemError[] {
  const all: unknown[] = error instanceof AggregateError ? error.errors : [error];
  return all.flatMap((each) => {
    const code = errorCodeOf(each);
    if (code === undefined || !(each instanceof Error)) return [];
    return [
      {
        code,
        ...('address' in each && typeof each.address === 'string' && { address: each.address }),
        ...('port' in each && typeof each.port === 'number' && { port: each.port }),
        ...('rawPacket' in each && each.rawPacket instanceof Uint8Array && { packet: each.rawPacket }),
      },
    ];
  });
}

/** A computer gives itself link-local addresses without any network (RFC 3927, RFC 4862). */
const linkLocal = /^(?:169\.254\.|fe[89ab][0-9a-f]:)/i;

/** Says whether this computer has an address that somebody in a network could have given it. */
export function hasOutsideAddress(
  interfaces: NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address' | 'internal'>[]> = networkInterfaces(),
): boolean {
  return Object.values(interfaces).some((addresses) =>
    addresses?.some(({ address, internal }) => !internal && !linkLocal.test(address)),
  );
}
