import { BlockList, isIP } from 'node:net';
import {
  proxySchemes,
  type ProxyAddress,
  type ProxyScheme,
  type ProxySettings,
} from '../../preload/contract/connection.ts';

/** One way to a server. */
export type ProxyRoute = { via: 'direct' } | { via: 'proxy'; proxy: ProxyAddress; username?: string };

/**
 * Electron's `session.resolveProxy`: `PROXY host:port; SOCKS5 host:port; DIRECT`, for the origin of a request. With
 * `pacUrl` that script is asked, else the operating system's settings.
 */
export type ResolveProxy = (origin: string, pacUrl?: string) => Promise<string>;

type ParsedProxyAddress =
  | { ok: true; proxy: ProxyAddress; username?: string; password?: string }
  | { ok: false; problem: 'empty' | 'not-an-address' | 'scheme' };

const direct: ProxyRoute = { via: 'direct' };

const defaultPorts: Record<ProxyScheme, number> = { http: 8080, https: 443, socks5: 1080, socks4: 1080 };

/** These are the words of PAC scripts (in Chromium's proxy resolution, plain SOCKS is version 4). */
const schemeOfWord: Readonly<Record<string, ProxyScheme>> = {
  PROXY: 'http',
  HTTP: 'http',
  HTTPS: 'https',
  SOCKS: 'socks4',
  SOCKS4: 'socks4',
  SOCKS5: 'socks5',
};

/** People also write these for the same things. */
const schemeAliases: Readonly<Record<string, ProxyScheme>> = { socks: 'socks5', socks5h: 'socks5', socks4a: 'socks4' };

/** Writes a proxy as `host:port`, IPv6 in brackets. */
export function proxyText({ host, port }: ProxyAddress): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/**
 * Reads what a person pastes as a proxy's address: `host:port`, `socks5://host`, `http://name:password@host:3128/`.
 * Credentials come back apart, since they are kept apart.
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
  const username = decoded(url.username);
  const password = decoded(url.password);
  return { ok: true, proxy, ...(username !== '' && { username }), ...(password !== '' && { password }) };
}

/**
 * Returns the ways that a resolver's answer names, in its order, without those that we do not speak. An empty answer
 * names none: it is Chromium's for a script that could not be fetched or run.
 */
export function parseResolvedProxies(answer: string): ProxyRoute[] {
  const entries = answer
    .split(';')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.flatMap((entry): ProxyRoute[] => {
    const [word = '', address = ''] = entry.split(/\s+/);
    if (word.toUpperCase() === 'DIRECT') return [direct];
    const scheme = schemeOfWord[word.toUpperCase()];
    const parsed = scheme === undefined ? undefined : parseProxyAddress(`${scheme}://${address}`);
    return parsed?.ok ? [{ via: 'proxy', proxy: parsed.proxy }] : [];
  });
}

/**
 * Returns the ways to try for a URL, in their order. The next way is for a proxy at which nothing answers. It is
 * undefined when the resolver failed or named no way that we speak, since a direct way would go where the person said
 * not to.
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
      // Only the origin is asked about: a script from outside has no business with the path.
      const asked =
        settings.mode === 'pac' ? resolveProxy(`${url.origin}/`, settings.url) : resolveProxy(`${url.origin}/`);
      const routes = await asked.then(parseResolvedProxies, () => []);
      return routes.length > 0 ? routes : undefined;
    }
    default:
      return settings satisfies never;
  }
}

/** Says whether a no-proxy list names the host of a URL. A name stands for its subdomains too, as in curl. */
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

/** Says whether {@link isExcepted} could ever find a host by this entry. */
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

/** Reads `10.0.0.0/8` and its like; undefined when the prefix is longer than the address. */
function networkOf(entry: string): { address: string; family: number; bits: number } | undefined {
  const [address = '', prefix = ''] = entry.split('/');
  const family = isIP(address);
  const bits = Number(prefix);
  if (family === 0 || !/^\d+$/.test(prefix) || bits > (family === 4 ? 32 : 128)) return undefined;
  return { address, family, bits };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A password may hold a lone percent sign.
    return part;
  }
}
