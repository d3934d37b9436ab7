import ipaddr from 'ipaddr.js';

/**
 * What counts as one client where attempts are counted: an IPv4 address, or the /64 network of an IPv6 address, which
 * is what one household or machine is given (RFC 6177 section 2) and may choose freely from.
 */
export function clientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  // An IPv4 address in its IPv6 form is the same client.
  const ip = ipaddr.process(address);
  if (ip.kind() === 'ipv4') return ip.toString();
  return `${Buffer.from(ip.toByteArray().slice(0, 8)).toString('hex')}/64`;
}
