import type { IncomingMessage } from 'node:http';
import type { ErrorKind } from './messages.ts';

/** The names by which the service may be asked. */
export type HostRules = {
  /** The names beside those of loopback, without a port. */
  allowed: readonly string[];
  /** Whether clients speak TLS, since the scheme is part of the service's own origin. */
  secure: boolean;
  /** Returns the origins of web pages that may use it, as browsers write them. They are asked for with each request. */
  origins?: (() => readonly string[]) | undefined;
};

export const LOOPBACK_NAMES = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Says why a request is not for us. A foreign `Host` is a web page whose name was pointed at this computer
 * (DNS rebinding), and an `Origin` other than our own, and than those that were named, is a web page too: neither may try
 * passwords here.
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
    // A serialized origin has no default port, and a Host header may have it.
    if (origin === undefined || origin === URL.parse(`${scheme}://${host}`)?.origin) return undefined;
    return origins().includes(origin) ? undefined : 'foreign-origin';
  };
}

/** Node takes the first of several Host headers; RFC 9112 section 3.2 refuses them all. */
function isTwice(rawHeaders: readonly string[], wanted: string): boolean {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === wanted.length && name.toLowerCase() === wanted) count += 1;
  }
  return count > 1;
}

/** Reads a name or an address as it stands in a Host header, IPv6 in brackets; undefined for anything else. */
export function readHostName(text: string): string | undefined {
  const isName = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(text);
  const isIpv6 = /^\[[0-9a-f:.]+\]$/i.test(text);
  return text.length <= 253 && (isName || isIpv6) ? text.toLowerCase() : undefined;
}
