import type { Server } from '../../preload/contract/models.ts';
import { fail, ok } from '../../preload/contract/result.ts';
import { builtInId } from '../config/config.ts';
import { wayOf } from '../config/way.ts';
import type { ClientFor } from '../session/session-parts.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Transports } from './transports.ts';

/**
 * Makes clients of servers. Their code is loaded with the first one.
 * @param options.builtInStarted resolves once the built-in server runs or could not be started
 */
export function createClientFor(options: {
  state: Pick<AppStateHolder, 'get'>;
  transports: Pick<Transports, 'for'>;
  builtInStarted: () => Promise<unknown>;
}): ClientFor {
  const { state, transports, builtInStarted } = options;
  return async (serverId, own) => {
    const isBuiltIn = serverId === builtInId;
    if (isBuiltIn) await builtInStarted();
    const { servers, builtIn, language } = state.get();
    if (isBuiltIn && builtIn.state === 'failed') return fail({ kind: 'built-in-stopped', message: builtIn.message });
    const server: Server | undefined = servers.find(({ id }) => id === serverId);
    // The built-in server's own address is the only one its sessions are ever sent to, whatever listens elsewhere.
    const baseUrl = (isBuiltIn ? undefined : own?.baseUrl) ?? server?.baseUrl;
    if (!server || !baseUrl) return fail({ kind: 'not-now' });
    const way = own?.way ?? wayOf(server);
    const [{ createClient }, transport] = await Promise.all([
      import('../client/client.ts'),
      transports.for(server, way),
    ]);
    // The interface lists no such header: only our own service, whose choices are ours, is told the language.
    const acceptLanguage = isBuiltIn ? { acceptLanguage: language } : {};
    return ok({ client: createClient({ transport, baseUrl, ...acceptLanguage, paths: server.pinned }), baseUrl, way });
  };
}
