import type { IncomingMessage } from 'node:http';
import type { ErrorKind } from './messages.ts';

export type HostRules = {
  /** Beside those of loopback, without a port. */
  allowed: readonly string[];
  /** Whether it uses TLS, since the scheme is part of the service's own origin. */
  secure: boolean;
  /** The allowed origins of web pages, as browsers write them. Called for each request. */
  origins?: (() => readonly string[]) | undefined;
};

export const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Why a request is refused. A foreign `Host` comes from a web page whose name was pointed at this computer (DNS rebinding),
 * and a foreign `Origin` from another web page: neither may try passwords here.
 */
export function createHostCheck({
  allowed,
  secure,
  origins = () => [],
}: HostRules): (request: Pick<IncomingMessage, 'headers' | 'rawHeaders'>) => ErrorKind | undefined {
  const names = [...LOOPBACK_NAMES, ...allowed].map((name) => name.replaceAll(/[.[\]]/g, '\\$&')).join('|');
  const ourHost = new RegExp(`^(?:${names})(?::\\d{1,5})?$`, 'i');
  const scheme = secure ? 'https' : 'http';

  return ({ headers, rawHeaders }) => {
    const { host, origin } = headers;
    if (host === undefined || isTwice(rawHeaders, 'host')) return 'host-missing';
    if (!ourHost.test(host)) return 'host-foreign';
    // An origin has no default port, but a Host header may have it.
    if (origin === undefined || origin === URL.parse(`${scheme}://${host}`)?.origin) return undefined;
    return origins().includes(origin) ? undefined : 'foreign-origin';
  };
}

/** Node uses the first of several Host headers; RFC 9112 section 3.2 requires a refusal. */
function isTwice(rawHeaders: readonly string[], header: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === header.length && name.toLowerCase() === header) count += 1;
  }
  return count > 1;
}

/** Reads a name or an address in the form of a Host header, with IPv6 in brackets. */
export function readHostName(text: string): string | undefined {
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(text);
  const isIpv6 = /^\[[0-9a-f:.]+\]$/i.test(text);
  return text.length <= 253 && (isName || isIpv6) ? text.toLowerCase() : undefined;
}
