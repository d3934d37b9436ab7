import ipaddr from 'ipaddr.js';

/** An address with the port that some proxies add in `X-Forwarded-For`: `203.0.113.7:50123`, `[2001:db8::1]:50123`. */
const WITH_PORT = /^(?:\[(?<ipv6>[^\]]*)\]|(?<ipv4>[^:]*))(?::\d{1,5})?$/;

/**
 * What counts as one client where attempts are counted: an IPv4 address, or the /64 network of an IPv6 address, which
 * is what one household or machine is given (RFC 6177 section 2) and may choose freely from. All that is no address
 * counts as one client, so that nobody who can choose such a text gets further attempts by it.
 */
export function clientNetwork(text: string): string {
  const { ipv6, ipv4 } = WITH_PORT.exec(text)?.groups ?? {};
  const address = ipv6 ?? ipv4 ?? text;
  if (!ipaddr.isValid(address)) return 'unknown';
  // An IPv4 address in its IPv6 form is the same client.
  const ip = ipaddr.process(address);
  if (ip.kind() === 'ipv4') return ip.toString();
  return `${Buffer.from(ip.toByteArray().slice(0, 8)).toString('hex')}/64`;
}
