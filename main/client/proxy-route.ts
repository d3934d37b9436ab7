import { BlockList, isIP } from 'node:net';
import {
  proxySchemes,
  type ProxyAddress,
  type ProxyScheme,
  type ProxySettings,
} from '../../preload/contract/connection.ts';
import { decodePercent } from '../interface/decode-percent.ts';

/** A direct connection, or one through a proxy. */
export type ProxyRoute = { via: 'direct' } | { via: 'proxy'; proxy: ProxyAddress; username?: string };

/**
 * Electron's `session.resolveProxy`: `PROXY host:port; SOCKS5 host:port; DIRECT`, for the origin of a request. It
 * runs the script at `pacUrl`, or else uses the operating system's settings.
 */
export type ResolveProxy = (origin: string, pacUrl?: string) => Promise<string>;

type ParsedProxyAddress =
  | { ok: true; proxy: ProxyAddress; username?: string; password?: string }
  | { ok: false; problem: 'empty' | 'not-an-address' | 'scheme' };

const direct: ProxyRoute = { via: 'direct' };

const defaultPorts: Record<ProxyScheme, number> = { http: 8080, https: 443, socks5: 1080, socks4: 1080 };

/** The keywords of PAC scripts; in Chromium, plain SOCKS is version 4. */
const schemeOfKeyword: Readonly<Record<string, ProxyScheme>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

/** As curl and others write them. */
const schemeAliases: Readonly<Record<string, ProxyScheme>> = { socks: 'socks5', socks5h: 'socks5', socks4a: 'socks4' };

/** `host:port`, with IPv6 in brackets. */
export function proxyText({ host, port }: ProxyAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Parses a pasted proxy address: `host:port`, `socks5://host`, `http://name:password@host:3128/`. Credentials are returned
 * separately, since they are stored separately.
 */
export function parseProxyAddress(text: string): ParsedProxyAddress {
  const typed = text.trim();
  if (typed === '') return { ok: false, problem: 'empty' };
  const [, written = 'http', rest = ''] = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(.*)$/is.exec(typed) ?? [];
  const word = written.toLowerCase();
  const scheme = proxySchemes.find((each) => each === (schemeAliases[word] ?? word));
  if (scheme === undefined) return { ok: false, problem: 'scheme' };
  // URL drops the default port of a scheme that it treats as special.
  const address = `proxy://${rest}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const host = url?.hostname.replace(/^\[|\]$/g, '') ?? '';
  const isHost = isIP(host) !== 0 || /^[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i.test(host);
  if (!url || !isHost || !/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '' || url.port === '0')
    return { ok: false, problem: 'not-an-address' };
  const proxy = { scheme, host: host.toLowerCase(), port: url.port === '' ? defaultPorts[scheme] : Number(url.port) };
  const username = decodePercent(url.username);
  const password = decodePercent(url.password);
  return { ok: true, proxy, ...(username !== '' && { username }), ...(password !== '' && { password }) };
}

/**
 * The routes in a resolver's answer, in its order, without unknown schemes. Chromium's answer is empty if a script could not
 * be fetched or run.
 */
export function parseResolvedProxies(answer: string): ProxyRoute[] {
  const entries = answer
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.flatMap((entry): ProxyRoute[] => {
    const [keyword = '', address = ''] = entry.split(/\s+/);
    if (keyword.toUpperCase() === 'DIRECT') return [direct];
    const scheme = schemeOfKeyword[keyword.toUpperCase()];
    const parsed = scheme === undefined ? undefined : parseProxyAddress(`${scheme}://${address}`);
    return parsed?.ok ? [{ via: 'proxy', proxy: parsed.proxy }] : [];
  });
}

/**
 * The routes to try for a URL, each if the proxy before it does not respond. Undefined if the resolver failed or named no
 * usable route: a direct connection would bypass the user's settings.
 */
export async function routesFor(
  url: URL,
  settings: ProxySettings,
  resolveProxy: ResolveProxy | undefined,
): Promise<ProxyRoute[] | undefined> {
  switch (settings.mode) {
    case 'none':
      return [direct];
    case 'manual': {
      if (isExcepted(url, settings.noProxy)) return [direct];
      const { proxy, username } = settings;
      return [{ via: 'proxy', proxy, ...(username !== undefined && { username }) }];
    }
    case 'system':
    case 'pac': {
      if (!resolveProxy) return settings.mode === 'system' ? [direct] : undefined;
      // Without the path, which a script of others need not know.
      const resolved =
        settings.mode === 'pac' ? resolveProxy(`${url.origin}/`, settings.url) : resolveProxy(`${url.origin}/`);
      const routes = await resolved.then(parseResolvedProxies, () => []);
      return routes.length > 0 ? routes : undefined;
    }
    default:
      return settings satisfies never;
  }
}

/** True if a no-proxy list has the host of a URL. A name includes its subdomains, as in curl. */
export function isExcepted(url: URL, noProxy: readonly string[]): boolean {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return noProxy.some((written) => {
    const entry = written.trim().toLowerCase();
    if (entry === '*') return true;
    if (entry.includes('/')) return isInNetwork(host, entry);
    const [, bracketed, plain, wantedPort] = /^(?:\[([^\]]*)\]|([^:]*|[^:]*:[^:]*:.*))(?::(\d+))?$/.exec(entry) ?? [];
    if (wantedPort !== undefined && wantedPort !== port) return false;
    const name = (bracketed ?? plain ?? '').replace(/^\*?\./, '');
    if (name === '') return false;
    return host === name || (isIP(host) === 0 && host.endsWith(`.${name}`));
  });
}

/** True if an entry can match a host in {@link isExcepted}. */
export function isNoProxyEntry(written: string): boolean {
  const entry = written.trim().toLowerCase();
  if (entry === '*') return true;
  if (entry.includes('/')) return networkOf(entry) !== undefined;
  return (
    entry.length <= 300 &&
    /^(?:\[[0-9a-f:.]+\]|[0-9a-f]*:[0-9a-f]*:[0-9a-f:.]*|(?:\*?\.)?[^\s:/@[\]*]+)(?::\d{1,5})?$/.test(entry)
  );
}

function isInNetwork(host: string, entry: string): boolean {
  const network = networkOf(entry);
  if (!network || isIP(host) !== network.family) return false;
  const type = network.family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network.address, network.bits, type);
  return list.check(host, type);
}

/** Parses `10.0.0.0/8`; undefined if the prefix is longer than the address. */
function networkOf(entry: string): { address: string; family: number; bits: number } | undefined {
  const [address = '', prefix = ''] = entry.split('/');
  const family = isIP(address);
  const bits = Number(prefix);
  if (family === 0 || !/^\d+$/.test(prefix) || bits > (family === 4 ? 32 : 128)) return undefined;
  return { address, family, bits };
}
