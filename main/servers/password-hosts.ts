import type { ProxySettings, Way } from '../../preload/contract/connection.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { proxyText } from '../client/proxy-route.ts';
import { isRunHere, type ConfigStore } from '../config/config.ts';
import type { Question } from '../dialogs.ts';
import { createServerList } from './server-list.ts';

/** A server keeps so many of them; the oldest go. */
const mostHosts = 32;

/**
 * Knows the hosts that passwords may go to or through: those that a person typed, and those that they agreed to. A page
 * that was taken over can give a server any address and any proxy; before the first password goes there, main asks.
 * The function succeeds when a password may go to this address by this way.
 */
export function createPasswordHosts(config: ConfigStore, ask: (question: Question) => Promise<Result<null>>) {
  const { stored, replace } = createServerList(config);
  const isKnown = (host: string): boolean =>
    config.get().servers.some((server) => !server.double && server.passwordHosts.includes(host));

  return async (serverId: string, { baseUrl, way }: { baseUrl: string; way: Way }): Promise<Result<null>> => {
    if (isRunHere(serverId)) return ok(null);
    const hosts = hostsOf(baseUrl, way);
    if (hosts.every(isKnown)) return ok(null);
    const { host, origin } = new URL(baseUrl);
    const agreed = await ask({
      kind: 'first-password',
      host,
      origin: isKnown(origin) ? undefined : origin,
      proxy: hosts.slice(1).every(isKnown) ? undefined : way.proxy,
    });
    if (!agreed.ok) return agreed;
    const server = stored(serverId);
    // It may have been removed while the question was open.
    if (!server || server.double) return fail({ kind: 'cancelled' });
    replace({ ...server, passwordHosts: withHosts(server.passwordHosts, hosts) });
    return ok(null);
  };
}

/** The hosts of before and some more. */
export const withHosts = (before: readonly string[], hosts: readonly string[]): string[] =>
  [...new Set([...before, ...hosts])].slice(-mostHosts);

/** Who gets what is sent to an address: its origin, and the proxy that the person set. */
function hostsOf(baseUrl: string, { proxy }: Pick<Way, 'proxy'>): string[] {
  const through = proxyHost(proxy);
  return [new URL(baseUrl).origin, ...(through === undefined ? [] : [through])];
}

/** What stands for a proxy, or for the script that chooses one. What the system says is not the page's to choose. */
export function proxyHost(proxy: ProxySettings): string | undefined {
  if (proxy.mode === 'manual') return `proxy ${proxy.proxy.scheme}://${proxyText(proxy.proxy)}`;
  return proxy.mode === 'pac' ? `script ${proxy.url}` : undefined;
}
