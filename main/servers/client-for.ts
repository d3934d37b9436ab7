import type { Server } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { builtInId, isRunHere } from '../config/config.ts';
import { wayOf } from '../config/way.ts';
import type { ClientFor } from '../session/session-parts.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { AgreedPlaces } from './agreed-places.ts';
import type { Transports } from './transports.ts';

/**
 * Makes clients of servers. Their code is loaded with the first one.
 * @param options.ready makes sure that a server which runs here does so
 */
export function createClientFor(options: {
  state: Pick<AppStateHolder, 'get'>;
  transports: Pick<Transports, 'for'>;
  ready: (serverId: string) => Promise<Result<null>>;
  places: Pick<AgreedPlaces, 'agree'>;
}): ClientFor {
  const { state, transports, ready, places } = options;
  return async (serverId, own) => {
    const isReady = await ready(serverId);
    if (!isReady.ok) return isReady;
    const { servers, language } = state.get();
    const server: Server | undefined = servers.find(({ id }) => id === serverId);
    // The address of a server that runs here is the only one its sessions are ever sent to, whatever listens elsewhere.
    const baseUrl = (isRunHere(serverId) ? undefined : own?.baseUrl) ?? server?.baseUrl;
    if (!server || !baseUrl) return fail({ kind: 'not-now' });
    const way = own?.way ?? wayOf(server);
    // Asked of what the client is bound to: whatever the page changes meanwhile, it goes nowhere else.
    const agreed = await places.agree(serverId, { url: baseUrl, proxy: way.proxy });
    if (!agreed.ok) return agreed;
    const [{ createClient }, transport] = await Promise.all([
      import('../client/client.ts'),
      transports.for(server, way),
    ]);
    // The interface lists no such header: only our own service, whose choices are ours, is told the language.
    const acceptLanguage = serverId === builtInId ? { acceptLanguage: language } : {};
    return ok({ client: createClient({ transport, baseUrl, ...acceptLanguage, paths: server.pinned }), baseUrl, way });
  };
}
