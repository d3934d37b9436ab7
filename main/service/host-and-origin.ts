import type { IncomingMessage } from 'node:http';
import type { RefusalKind } from './messages.ts';

const LOOPBACK_HOST = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d{1,5})?$/i;

/**
 * Why a request is not for us. A foreign `Host` is a web page whose name was pointed at this computer
 * (DNS rebinding), and an `Origin` other than our own is a web page too: neither may try passwords here.
 */
export function refusalOfHostOrOrigin({ headers, rawHeaders }: IncomingMessage): RefusalKind | undefined {
  const { host, origin } = headers;
  // Node takes the first of several; RFC 9112 section 3.2 refuses them all.
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host');
  if (host === undefined || hosts.length > 1) return 'host-missing';
  if (!LOOPBACK_HOST.test(host)) return 'host-foreign';
  // A serialized origin has no default port, and a Host header may have it.
  if (origin !== undefined && origin !== URL.parse(`http://${host}`)?.origin) return 'foreign-origin';
  return undefined;
}
