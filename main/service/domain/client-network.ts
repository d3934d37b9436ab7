import ipaddr from 'ipaddr.js';

/** An address with the port that some proxies add in `X-Forwarded-For`: `203.0.113.7:50123`, `[2001:db8::1]:50123`. */
const WITH_PORT = /^(?:\[(?<ipv6>[^\]]*)\]|(?<ipv4>[^:]*))(?::\d{1,5})?$/;

/**
 * What rate limits count as one client: an IPv4 address, or the /64 network of an IPv6 address, from which one household or
 * machine may choose freely (RFC 6177 section 2). All other texts together are one client, so that nobody gets further
 * attempts by inventing them.
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
