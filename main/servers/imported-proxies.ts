import { ConnectionChoices, type ProxySettings } from '../../preload/contract/connection.ts';
import type { Result } from '../../preload/contract/result.ts';
import type { ServerElsewhere } from '../config/config.ts';
import type { Question } from '../dialogs.ts';
import { proxyPlace } from './agreed-places.ts';
import { hostOf } from './way-changes.ts';

/** A dialog has room for so many. */
const mostListed = 8;

/**
 * The servers of a file as they may be added: with its proxies and scripts only if the person agreed to them in main's
 * own question, which lists them.
 */
export async function confirmImported(
  found: readonly ServerElsewhere[],
  ask: (question: Question) => Promise<Result<null>>,
): Promise<ServerElsewhere[]> {
  const byProxy = new Map<string, { proxy: ProxySettings; hosts: string[] }>();
  for (const server of found) {
    const { proxy } = server.connection;
    if (proxyPlace(proxy) === undefined) continue;
    const key = JSON.stringify(proxy);
    const entry = byProxy.get(key) ?? { proxy, hosts: [] };
    byProxy.set(key, { ...entry, hosts: [...entry.hosts, hostOf(server)] });
  }
  const listed = [...byProxy].slice(0, mostListed);
  const unlisted = byProxy.size - listed.length;
  const question = { kind: 'imported-proxies', listed: listed.map(([, each]) => each), unlisted } as const;
  const agreed = listed.length > 0 && (await ask(question)).ok;
  const used = new Set(agreed ? listed.map(([key]) => key) : []);
  return found.map((server) => {
    const { proxy } = server.connection;
    const place = proxyPlace(proxy);
    if (place === undefined) return server;
    if (used.has(JSON.stringify(proxy))) return { ...server, agreed: [place] };
    const { proxy: none } = ConnectionChoices.parse({});
    return { ...server, connection: { ...server.connection, proxy: none } };
  });
}
