import { BlockList, isIP, isIPv6 } from 'node:net';
import { stripInvisible } from '../../preload/contract/clean-email.ts';
import { operationPaths, operations } from '../../preload/contract/names.ts';
import type { AddressProblem } from '../../preload/contract/result.ts';

type ParsedBaseUrl = { ok: true; value: string } | { ok: false; problem: AddressProblem };

/** In characters. The patterns for what stands around an address are not linear. */
const longest = 2000;

/** People copy any part of the interface's own path along with an address, from its start. */
const ownPasted = [
  '/api',
  '/api/v1',
  '/api/v1/auth',
  ...operations.map((name) => `/api/v1/auth/${operationPaths[name]}`),
];

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
 * default port left out, a trailing part of the interface's own path (`/api`, `/api/v1/auth/login`, …) cut off once,
 * in any case and with doubled slashes. The rest of the path stays as RFC 3986 (3.3) allows it.
 * Keep the result as it is: a second parse would take an `/api` of the server's own for the interface's.
 *
 * Without a scheme, a port 80 means http and 443 or 8443 https; else names and addresses that only exist inside a
 * network (loopback, private ranges, a single label, `.local`, `.test`, …) mean http, and everything public https, so
 * that no password leaves in the clear because a scheme was not typed.
 *
 * Of a line of a log, of JSON or of settings the one address in it counts. Where there are several, none does.
 * @param pasted what is cut off in the place of the interface's own path, for a server of another one
 */
export function parseBaseUrl(text: string, pasted: readonly string[] = ownPasted): ParsedBaseUrl {
  if (isCommand(stripInvisible(text.slice(0, commandBegins)).trimStart())) return no('command');
  if (text.length > longest) return no('not-a-url');
  const seen = stripInvisible(text).trim();
  const parsed = parseTyped(withoutWrapping(seen), pasted);
  return parsed.ok || !mayHoldMore.has(parsed.problem) ? parsed : (amongOthers(seen, pasted) ?? parsed);
}

const no = (problem: AddressProblem): ParsedBaseUrl => ({ ok: false, problem });

/** In characters: what of a command is looked at, which may be long where it has a cookie or a token. */
const commandBegins = 300;

/** How commands begin that make a call, behind what a terminal and Markdown write before them. */
const isCommand = (seen: string): boolean =>
  /^(?:```\w*\s*)?(?:(?:PS )?[^\s"']{0,80}[$#>%] ?)?(?:\$?\w+\s*=\s*(?:\$\()?)?(?:sudo\s+)?(?:(?:await\s+)?fetch\s*\(|(?:curl|wget|invoke-(?:restmethod|webrequest)|irm|iwr)(?:\.exe)?\s|(?:https?|xh)\s+(?:-|(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)\s|\S+\s+\w+:?=))/i.test(
    seen,
  );

/** What is wrong with a text that may have an address in it. */
const mayHoldMore: ReadonlySet<AddressProblem> = new Set(['not-a-url', 'scheme-unclear', 'not-http', 'credentials']);

/** Schemes before another: a field that begins with `http://`, and a whole address pasted behind it. */
const doubledSchemes = /^(?:https?:\/{0,2}\s*)+(?=https?:\/)/i;

function parseTyped(bare: string, pasted: readonly string[]): ParsedBaseUrl {
  const typed = bracketed(bare.replace(doubledSchemes, '').replace(/^(https?:)\s*(\/\/)\s+/i, '$1$2'));
  if (typed === undefined) return no('ipv6');
  if (typed === '') return no('empty');

  const scheme = /^([a-z][a-z0-9+.-]*):(?!\d)/i.exec(typed)?.[1]?.toLowerCase();
  const hasScheme = scheme === 'http' || scheme === 'https';
  // `name:password@host` starts like a scheme.
  const isUserInfo = /^[^/?#]*@/.test(typed) && scheme !== 'mailto';
  if (isPlaceholder(typed)) return no('placeholder');
  if (scheme !== undefined && !hasScheme && !isUserInfo) return no('not-http');
  // URL drops tabs, line breaks and slashes before a host, and reads `\` as `/`. Nobody means an address that needs that.
  if (/[\s\\]|^\/[^/]/.test(typed)) return no('not-a-url');
  // A scheme that is misspelt, such as `http//host` or `htp:host`, would be taken for a host.
  if (/^https?:\/\/https?\/\//i.test(typed) || (!hasScheme && beginsUnclear(typed))) return no('scheme-unclear');
  const host = hostIn(typed);
  // Quotes, brackets and the like are no part of any host, and would be written in other letters. Those below are no signs
  // of a path by RFC 3986, 3.3; two addresses with a comma between them are one by that, and nobody means it.
  if (/["'`“”„«»‹›‘’<>{}|^,;]/u.test(host) || /["`<>{}|^]|[,;]https?:\/\//i.test(typed)) return no('not-a-url');
  if (hasWrongPort(host)) return no('port');

  const url = parse(hasScheme ? typed : `http://${typed}`);
  if (!url) return no('not-a-url');
  if (url.username !== '' || url.password !== '') return no('credentials');
  if (url.search !== '' || url.hash !== '') return no('query');

  const origin = hasScheme ? url.origin : guessedOrigin(url, typed);
  return { ok: true, value: origin + withoutPasted(url.pathname, pasted) };
}

/** Whether two slashes stand behind what need not be a host. */
const beginsUnclear = (typed: string): boolean =>
  /^[^/]*\/\//.test(typed) && !/^(?:localhost|[^/]+\.[^/.]+|[^/]+:\d+)\//i.test(typed);

/** What stands between the scheme and the path. */
const hostIn = (typed: string): string => /^(?:https?:\/*)?([^/?#]*)/i.exec(typed)?.[1] ?? '';

/** Documents leave parts of an address open: `https://{tenant}.example.com`, `http://<host>:8000`, `http://$HOST`. */
const isPlaceholder = (typed: string): boolean =>
  /\{[^{}"\s]+\}|<[^<>"\s]+>/.test(typed) || /^\$\w/.test(hostIn(typed));

/**
 * Puts an address of version 6 into its brackets (RFC 3986, 3.2.2). Undefined where what is behind its last colon may be
 * a port as well.
 */
function bracketed(typed: string): string | undefined {
  const host = hostIn(typed);
  if (!/^[\da-f.]*:[\da-f.]*:[\da-f:.]*$/i.test(host)) return typed;
  const at = host.lastIndexOf(':');
  const mayEndWithPort = /^\d{2,5}$/.test(host.slice(at + 1)) && isIPv6(host.slice(0, at));
  return isIPv6(host) && !mayEndWithPort ? typed.replace(host, `[${host}]`) : undefined;
}

/** Whether what is behind the colon of a host is no port: more than 65535, or no number. */
function hasWrongPort(host: string): boolean {
  const [, port] = /^(?:\[[^\]]*\]|[^:@[]*):([^@]+)$/.exec(host) ?? [];
  return port !== undefined && !(/^\d{1,9}$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535);
}

/** Finds the one address in a text that says more: a line of a log, of JSON, of settings. */
function amongOthers(seen: string, pasted: readonly string[]): ParsedBaseUrl | undefined {
  // PHP writes a slash of JSON so.
  const text = seen.replaceAll('\\/', '/');
  const urls = text.match(/(?<=')https?:\/\/[^\s'"]+|https?:\/\/(?:(?![,;|]https?:\/\/)[^\s"`<>“”„«»])+/gi) ?? [];
  if (urls.length === 0) return severalHosts(text, pasted) ? no('several') : undefined;
  const [first, ...others] = urls.map((each) => parseTyped(withoutClosing(each, false), pasted));
  if (first === undefined || !first.ok) return first;
  if (others.some((each) => !each.ok || each.value !== first.value)) return no('several');
  // What follows a blank may belong to it: `https://example .com`.
  const left = urls.reduce((rest, url) => rest.replace(url, ''), text);
  if (!/^https?:/i.test(text) || !/[\p{L}\p{N}]/u.test(left)) return first;
  return /\s/.test(text) ? no('more') : undefined;
}

/** Whether a text has several addresses without a scheme: `localhost:8000, localhost:9000`. */
function severalHosts(text: string, pasted: readonly string[]): boolean {
  const parts = text
    .split(/[\s,;|]+/)
    .filter((part) => /[\p{L}\p{N}]/u.test(part) && !/^(?:and|or|y|e|o|u)$/i.test(part));
  const isAddress = (part: string): boolean => /^localhost\b|\w[.:]\w/i.test(part) && parseTyped(part, pasted).ok;
  return parts.length > 1 && parts.every(isAddress);
}

/** Returns a path without a slash at its end, and without the longest of what was copied along. */
function withoutPasted(path: string, pasted: readonly string[]): string {
  const whole = withoutSlashes(path);
  const plain = whole.toLowerCase();
  const lengths = pasted.map((each) => {
    const segments = each.toLowerCase().split('/').filter(Boolean);
    let end = plain.length;
    for (const segment of segments.toReversed()) {
      if (!plain.slice(0, end).endsWith(`/${segment}`)) return 0;
      end = withoutSlashes(plain.slice(0, end - segment.length)).length;
    }
    return whole.length - end;
  });
  return withoutSlashes(whole.slice(0, whole.length - Math.max(0, ...lengths)));
}

const withoutSlashes = (path: string): string => path.replace(/(?<!\/)\/+$/, '');

const opening = /^(?:[\s"'`“”„«»‹›‘’<(]|\[(?![\da-f:.]+\]))+/iu;

/** Takes off what an address is copied with: quotes, brackets, a comma, a method before it, Markdown around it. */
function withoutWrapping(seen: string): string {
  const [, linked] = /^!?\[[^\]]*\]\(\s*<?([^\s<>()]+)>?[^)]*\)$/.exec(seen) ?? [];
  const [, afterMethod] =
    /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT)\s+(\S+)(?:\s+HTTP\/[\d.]+)?$/i.exec(seen) ?? [];
  const whole = linked ?? afterMethod ?? seen;
  const opened = whole.replace(opening, '');
  return withoutClosing(opened, whole.slice(0, whole.length - opened.length).includes("'"));
}

const neverLast = new Set(['"', '`', '“', '”', '„', '«', '»', '‹', '›', '‘', '’', '>', ',', ';', '.']);
const neverLastOfHost = new Set(["'", '!', '*', '~']);
const pairs: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/**
 * Takes off what stands behind an address. A bracket belongs to it where it was opened in it, as in the links of GitHub
 * Flavored Markdown (6.9), and so does an apostrophe of a path.
 * @param isQuoted whether an apostrophe stood before it
 */
function withoutClosing(text: string, isQuoted: boolean): string {
  const isPath = /^[^/]+\/./.test(text.replace(/^https?:\/*/i, ''));
  let end = text.length;
  for (; end > 0; end -= 1) {
    const last = text[end - 1] ?? '';
    const opener = pairs[last];
    const rest = text.slice(0, end);
    const isUnopened = opener !== undefined && rest.split(last).length > rest.split(opener).length;
    const isNone = isPath ? last === '/' || (isQuoted && last === "'") : neverLastOfHost.has(last);
    if (!(isUnopened || isNone || neverLast.has(last) || /\s/.test(last))) break;
  }
  return text.slice(0, end);
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
