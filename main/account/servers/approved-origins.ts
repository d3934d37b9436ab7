import type { ProxySettings } from '../../../preload/contract/connection.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { proxyText } from '../../client/proxy-route.ts';
import { isLocalServerId } from '../config/config.ts';
import type { DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { ServerStore } from './server-store.ts';

/** A server keeps so many of them; the oldest go. */
const mostPlaces = 32;

/** What is sent, and by which proxy. */
export type Destination = { url: string; proxy: ProxySettings };

/** The question about an origin, and the places in it that nobody agreed to yet. */
export type ConfirmOrigins = (
  question: Extract<DialogQuestion, { kind: 'new-origin' }>,
  places: readonly string[],
) => Promise<Result<null>>;

/**
 * Knows the places that a person agreed to in main's own question: the origins that main sends to, and the proxies and
 * scripts that it does so by. What runs here needs no question, at the port on which main started it. A place belongs to
 * its server and is forgotten with it; one without a server is known until a lock.
 */
export class ApprovedOrigins {
  readonly #list: ServerStore;
  readonly #state: Pick<AppStateHolder, 'get'>;
  readonly #ask: ConfirmOrigins;
  readonly #withoutServer = new Set<string>();
  /** The questions that are open, so that two calls to one place wait for the same answer. */
  readonly #open = new Map<string, Promise<Result<null>>>();

  constructor(list: ServerStore, state: Pick<AppStateHolder, 'get'>, ask: ConfirmOrigins) {
    this.#list = list;
    this.#state = state;
    this.#ask = ask;
  }

  /** Whether anything may be sent there. Every call is asked about here. */
  isApproved(to: Destination): boolean {
    return this.#missing(to).length === 0;
  }

  /** Succeeds when something may be sent there, and asks the person if that is new. */
  async confirm(serverId: string | undefined, to: Destination): Promise<Result<null>> {
    const places = this.#missing(to);
    if (places.length === 0) return ok(null);
    const origin = originOf(to.url);
    const proxy = places.some((place) => place !== origin) ? to.proxy : undefined;
    const question = { kind: 'new-origin', origin, isNew: places.includes(origin), proxy } as const;
    const key = JSON.stringify(places);
    const asked = this.#open.get(key) ?? this.#ask(question, places).finally(() => this.#open.delete(key));
    this.#open.set(key, asked);
    const agreed = await asked;
    if (!agreed.ok) return agreed;
    // It may have been removed while the question was open.
    if (serverId !== undefined && !this.#list.find(serverId)) return fail({ kind: 'not-now' });
    this.#remember(serverId, places);
    return ok(null);
  }

  /** The person agreed to what changes about how a server is reached in a question that showed it. */
  approveChange(serverId: string, from: Destination, to: Destination): void {
    const before = placesOf(from);
    this.#remember(
      serverId,
      placesOf(to).filter((place) => !before.includes(place)),
    );
  }

  /** The agreed places of a server that is saved with this address: its earlier ones, and the new one if agreed to. */
  approvedFor(before: readonly string[], to: Destination): string[] {
    const own = placesOf(to).filter((place) => this.#isAgreed(place));
    for (const place of own) this.#withoutServer.delete(place);
    return withPlaces(before, own);
  }

  forget(): void {
    this.#withoutServer.clear();
  }

  #isAgreed(place: string): boolean {
    return (
      this.#withoutServer.has(place) || this.#list.all().some(({ agreed }) => agreed.some((each) => each === place))
    );
  }

  #isOurs(place: string): boolean {
    const { servers } = this.#state.get();
    return servers.some(({ id, baseUrl }) => isLocalServerId(id) && baseUrl !== '' && originOf(baseUrl) === place);
  }

  #missing(to: Destination): string[] {
    return placesOf(to).filter((place) => !this.#isAgreed(place) && !this.#isOurs(place));
  }

  #remember(serverId: string | undefined, places: readonly string[]): void {
    const server = serverId === undefined ? undefined : this.#list.find(serverId);
    if (server && !isLocalServerId(server.id) && !server.double)
      this.#list.replace({ ...server, agreed: withPlaces(server.agreed, places) });
    else for (const place of places) this.#withoutServer.add(place);
  }
}

const withPlaces = (before: readonly string[], places: readonly string[]): string[] =>
  [...new Set([...before, ...places])].slice(-mostPlaces);

const originOf = (url: string): string => new URL(url).origin;

/** Who gets what is sent to an address: its origin, and the proxy or script that was set. */
function placesOf({ url, proxy }: Destination): string[] {
  const through = proxyKey(proxy);
  return [originOf(url), ...(through === undefined ? [] : [through])];
}

/** What stands for a proxy, or for the script that chooses one. What the system says is not the page's to choose. */
export function proxyKey(proxy: ProxySettings): string | undefined {
  if (proxy.mode === 'manual') return `proxy ${proxy.proxy.scheme}://${proxyText(proxy.proxy)}`;
  return proxy.mode === 'pac' ? `script ${proxy.url}` : undefined;
}
