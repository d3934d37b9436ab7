import type { Server } from '../../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { Client } from '../../client/client.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { StoredServer, StoredSession } from '../config/config.ts';
import { builtInId, isLocalServerId } from '../config/server-ids.ts';
import { isServerUnchanged } from '../sessions/session-store.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { adapterFor, type AdapterCache } from './adapter-cache.ts';
import { isUnchanged, type Consent } from './consent.ts';
import type { ServerStore } from './server-store.ts';
import type { Transports } from './transports.ts';

/** A client, the one address that it sends to, its API adapter, and the digest of the API description. */
export type BoundClient = { client: Client; baseUrl: string; adapter: ApiAdapter; interface?: string };

type ReachedServer = Omit<StoredServer, 'baseUrl'> & { baseUrl: string };

type ClientsOptions = {
  store: ServerStore;
  state: Pick<AppStateHolder, 'get'>;
  consent: Pick<Consent, 'confirmOrigin'>;
  adapters: AdapterCache;
  transports: Pick<Transports, 'for'>;
  /** Fails if a server that runs here could not be started. */
  ensureStarted: (serverId: string) => Promise<Result<null>>;
};

/** Makes clients and adapters of servers, and checks that a server may be called. */
export class Clients {
  readonly #options: ClientsOptions;

  constructor(options: ClientsOptions) {
    this.#options = options;
  }

  /**
   * A client of a server at its present address, whose code is loaded with the first one.
   * @param session fails if its token was issued by another address or API description
   */
  async for(serverId: string, session?: StoredSession): Promise<Result<BoundClient>> {
    const { store, state, consent, adapters, transports } = this.#options;
    const isReady = await this.#options.ensureStarted(serverId);
    if (!isReady.ok) return isReady;
    const { createClient } = await import('../../client/client.ts');
    const before = this.#serverAsReached(serverId);
    if (!before || before.baseUrl === '') return fail({ kind: 'not-now' });
    if (session && !isServerUnchanged(session, { servers: store.all() })) return fail({ kind: 'not-now' });
    const agreed = await consent.confirmOrigin(serverId, before);
    if (!agreed.ok) return agreed;
    const transport = await transports.for(serverId);
    const adapter = await adapters.for(before);
    if (!adapter.ok) return adapter;
    const now = this.#serverAsReached(serverId);
    if (!isUnchanged(before, now)) return fail({ kind: 'not-now' });
    const { baseUrl, interface: described } = now;
    // Other servers get no Accept-Language: their API descriptions do not list it.
    const acceptLanguage = serverId === builtInId ? { acceptLanguage: state.get().language } : {};
    const paths = now.dialect.pinned;
    const client = createClient({ transport, baseUrl, adapter: adapter.value, ...acceptLanguage, paths });
    return ok({ client, baseUrl, adapter: adapter.value, ...(described && { interface: described.digest }) });
  }

  /** With the secret variables of the server. */
  adapter({ id, baseUrl }: Pick<Server, 'id' | 'baseUrl'>): Promise<Result<ApiAdapter>> {
    return this.#options.adapters.for({ id, baseUrl, interface: this.#options.store.find(id)?.interface });
  }

  /** For reading recorded calls: without secret variables, which are in no address. */
  readingAdapter({ id, baseUrl }: Pick<Server, 'id' | 'baseUrl'>): Result<ApiAdapter> {
    return adapterFor(this.#options.store.find(id)?.interface, baseUrl);
  }

  /** Starts a server that runs here; for any other, asks about its origin if that is new. */
  async ensureReachable(serverId: string): Promise<Result<null>> {
    const isReady = await this.#options.ensureStarted(serverId);
    const server = isLocalServerId(serverId) ? undefined : this.#options.store.find(serverId);
    return isReady.ok && server ? this.#options.consent.confirmOrigin(serverId, server) : isReady;
  }

  /** A server that runs here has the address at which it listens now. */
  #serverAsReached(serverId: string): ReachedServer | undefined {
    const server = this.#options.store.find(serverId);
    if (!server || !isLocalServerId(serverId)) return server;
    const listed = this.#options.state.get().servers.find(({ id }) => id === serverId);
    return { ...server, baseUrl: listed?.baseUrl ?? '' };
  }
}
