import { randomUUID } from 'node:crypto';
import type { AppState, Server } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { builtInId, type Config, type ConfigStore } from '../config/config.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';

export type ServersService = ReturnType<typeof createServers>;

/** All servers as shown, the embedded service first; its address is empty while it does not run. */
export function listServers(config: Config, builtInUrl: string): Server[] {
  return [
    { id: builtInId, builtIn: true, baseUrl: builtInUrl },
    ...config.servers.map(({ id, baseUrl }) => ({ id, builtIn: false, baseUrl })),
  ];
}

/** Which server is the active one, and the addresses that were used. */
export function createServers(options: { config: ConfigStore; state: AppStateHolder; session: SessionService }) {
  const { config, state, session } = options;
  const builtInUrl = (): string => state.get().servers.find((server) => server.builtIn)?.baseUrl ?? '';

  /** One change of state, so that no frame shows one server's profile under another's name. */
  async function activate(id: string): Promise<Result<AppState>> {
    if (id === state.get().activeServerId) return ok(state.get());
    session.leave();
    config.change({ activeServerId: id });
    state.change({
      activeServerId: id,
      servers: listServers(config.get(), builtInUrl()),
      session: session.initial(id),
    });
    await session.restore();
    return ok(state.get());
  }

  return {
    async use(id: string): Promise<Result<AppState>> {
      return state.get().servers.some((server) => server.id === id) ? activate(id) : fail({ kind: 'not-now' });
    },

    async useAddress(address: string): Promise<Result<AppState>> {
      const parsed = parseBaseUrl(address);
      if (!parsed.ok) return fail({ kind: 'invalid-address', problem: parsed.problem });
      const baseUrl = parsed.value;
      const existing = state.get().servers.find((server) => server.baseUrl === baseUrl);
      if (existing) return activate(existing.id);
      const id = randomUUID();
      config.change({ servers: [...config.get().servers, { id, baseUrl }] });
      return activate(id);
    },

    /** The entry goes, and with it the session and the token; the server is not told. */
    async forget(id: string): Promise<Result<AppState>> {
      if (id === builtInId) return fail({ kind: 'not-now' });
      if (state.get().activeServerId === id) await activate(builtInId);
      await session.forget(id);
      const { [id]: _email, ...lastEmails } = config.get().lastEmails;
      config.change({ servers: config.get().servers.filter((server) => server.id !== id), lastEmails });
      return ok(state.change({ servers: listServers(config.get(), builtInUrl()) }));
    },
  };
}
