import { BlockList, isIP, isIPv6 } from 'node:net';
import { withoutUnseen } from '../../preload/contract/clean-email.ts';
import { operations } from '../../preload/contract/names.ts';
import type { AddressProblem } from '../../preload/contract/result.ts';

type ParsedBaseUrl = { ok: true; value: string } | { ok: false; problem: AddressProblem };

/** In characters. The patterns for what stands around an address are not linear. */
const longest = 2000;

/** People copy any part of the interface's own path along with an address, from its start. */
const pastedPath = new RegExp(String.raw`/api(?:/v1(?:/auth(?:/(?:${operations.join('|')}))?)?)?$`);

/** No public certificate authority vouches for these names (RFC 6761, RFC 6762, RFC 8375, ICANN's .internal). */
const privateName = /(?:^|\.)(?:localhost|local|test|internal|lan|home\.arpa|localdomain)$/;

const privateAddresses = new BlockList();
for (const [network, prefix, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const) {
  privateAddresses.addSubnet(network, prefix, family);
}

/**
 * Turns what a person pastes into one canonical base URL without a trailing slash: host in lower case and in ASCII,
 * default port left out, a trailing part of the interface's own path (`/api`, `/api/v1/auth/login`, …) cut off once.
 * Keep the result as it is: a second parse would take an `/api` of the server's own for the interface's.
 *
 * Without a scheme, a port 80 means http and 443 or 8443 https; else names and addresses that only exist inside a
 * network (loopback, private ranges, a single label, `.local`, `.test`, …) mean http, and everything public https, so
 * that no password leaves in the clear because a scheme was not typed.
 * @param pasted what is cut off in the place of the interface's own path, for a server of another one
 */
export function parseBaseUrl(text: string, pasted?: readonly string[]): ParsedBaseUrl {
  if (text.length > longest) return { ok: false, problem: 'not-a-url' };
  const bare = withoutWrapping(text);
  const typed = isIPv6(bare) ? `[${bare}]` : bare;
  if (typed === '') return { ok: false, problem: 'empty' };

  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(typed)?.[1]?.toLowerCase();
  const hasScheme = scheme === 'http' || scheme === 'https';
  // `name:password@host` starts like a scheme.
  const isUserInfo = /^[^/?#]*@/.test(typed) && scheme !== 'mailto';
  if (scheme !== undefined && !hasScheme && !isUserInfo) return { ok: false, problem: 'not-http' };
  // URL drops tabs and line breaks and reads `\` as `/`. Nobody means an address that needs that.
  if (/[\s\\]/.test(typed)) return { ok: false, problem: 'not-a-url' };
  // A scheme that is misspelt, such as `http//host` or `htp:host`, would be taken for a host.
  if (!hasScheme && typed.includes('//')) return { ok: false, problem: 'scheme-unclear' };
  // Quotes, brackets and the like are no part of any host, and would be written in other letters.
  if (/["'`“”„«»‹›‘’<>{}|^,;]/u.test(typed)) return { ok: false, problem: 'not-a-url' };

  const url = parse(hasScheme ? typed : `http://${typed.replace(/^\/+/, '')}`);
  if (!url) return { ok: false, problem: 'not-a-url' };
  if (url.username !== '' || url.password !== '') return { ok: false, problem: 'credentials' };
  if (url.search !== '' || url.hash !== '') return { ok: false, problem: 'query' };

  const origin = hasScheme ? url.origin : guessedOrigin(url, typed);
  const whole = url.pathname.replace(/(?<!\/)\/+$/, '');
  const path = pasted ? withoutPasted(whole, pasted) : whole.replace(pastedPath, '');
  return { ok: true, value: origin + path.replace(/(?<!\/)\/+$/, '') };
}

function withoutPasted(path: string, pasted: readonly string[]): string {
  const [longest = ''] = pasted
    .filter((each) => path.endsWith(each))
    .toSorted((one, other) => other.length - one.length);
  return path.slice(0, path.length - longest.length);
}

const opening = /^[\s"'`“”„«‹‘’<([]+/u;
const closing = /(?<![\s"'`“”«»‹›‘’>)\],;.])[\s"'`“”«»‹›‘’>)\],;.]+$/u;

/** Takes off what an address is copied with: quotes, brackets, a comma, a method before it, Markdown around it. */
function withoutWrapping(text: string): string {
  const seen = withoutUnseen(text).trim();
  const [, linked] = /^!?\[[^\]]*\]\(\s*<?([^\s<>()]+)>?[^)]*\)$/.exec(seen) ?? [];
  const [, afterMethod] =
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT)\s+(\S+)(?:\s+HTTP\/[\d.]+)?$/i.exec(seen) ?? [];
  const whole = linked ?? afterMethod ?? seen;
  // An address of version 6 stands in brackets itself.
  if (/^\[[\da-f:.]+\](?::\d+)?(?:\/.*)?$/i.test(whole)) return whole;
  const opened = whole.replace(opening, '');
  return /^(?:https?:\/\/)?\[[\da-f:.]+\]$/i.test(opened) ? opened : opened.replace(closing, '');
}

function parse(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A name with a dot at its end is the same host, and certificates do not carry the dot.
  if (url && /[^.]\.$/.test(url.hostname)) url.hostname = url.hostname.slice(0, -1);
  return url && isHost(url.hostname) ? url : undefined;
}

/** Says whether a text is a host. URL takes nearly any; a name has letters, digits, `-` and `_` between its dots. */
function isHost(hostname: string): boolean {
  return (
    hostname.startsWith('[') ||
    /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)(?:\.[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?)*$/.test(hostname)
  );
}

function guessedOrigin(url: URL, typed: string): string {
  const typedPort = /^[/]*(?:\[[^\]]*\]|[^:/?#]*):(\d+)/.exec(typed)?.[1];
  if (typedPort === undefined) return isPrivate(url.hostname) ? url.origin : `https://${url.host}`;
  if (Number(typedPort) === 80) return `http://${url.hostname}`;
  if (Number(typedPort) === 443) return `https://${url.hostname}`;
  return isPrivate(url.hostname) && url.port !== '8443' ? url.origin : `https://${url.host}`;
}

function isPrivate(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  const family = isIP(address);
  if (family !== 0) return privateAddresses.check(address, family === 4 ? 'ipv4' : 'ipv6');
  return !hostname.includes('.') || privateName.test(hostname);
}
