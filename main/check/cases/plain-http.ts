import ipaddr from 'ipaddr.js';
import type { Severity } from '../../../preload/contract/report.ts';

/** Addresses that no router of the Internet leads to: RFC 1918, RFC 3927, RFC 4193 and RFC 4291. */
const localRanges: ReadonlySet<string> = new Set(['private', 'linkLocal', 'uniqueLocal', 'unspecified']);

/** Names that the public DNS does not have: RFC 6761, RFC 6762, `.internal` of ICANN, and names without a dot. */
const localName = /^[^.]+$|\.(?:local|test|internal)$/;
const ownName = /(?:^|\.)localhost$/;

/**
 * The severity of plain http at a host; undefined where nothing leaves this computer.
 * @param hostname as `URL.hostname` has it, an IPv6 address in brackets
 */
export function severityOfPlainHttp(hostname: string): Severity | undefined {
  const host = hostname.replaceAll(/^\[|[\].]$/g, '');
  if (!ipaddr.isValid(host)) {
    if (ownName.test(host)) return undefined;
    return localName.test(host) ? 'low' : 'high';
  }
  const range = ipaddr.process(host).range();
  if (range === 'loopback') return undefined;
  return localRanges.has(range) ? 'low' : 'high';
}
