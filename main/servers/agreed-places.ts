import type { ProxySettings } from '../../preload/contract/connection.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { proxyText } from '../client/proxy-route.ts';
import { isRunHere, type ConfigStore } from '../config/config.ts';
import type { Question } from '../dialogs.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { createServerList } from './server-list.ts';

/** A server keeps so many of them; the oldest go. */
const mostPlaces = 32;

/** What is sent, and by which proxy. */
export type Destination = { url: string; proxy: ProxySettings };

/** The question about an origin, and the places in it that nobody agreed to yet. */
type Ask = (question: Extract<Question, { kind: 'new-origin' }>, places: readonly string[]) => Promise<Result<null>>;

export type AgreedPlaces = ReturnType<typeof createAgreedPlaces>;

/**
 * Knows the places that a person agreed to in main's own question: the origins that main sends to, and the proxies and
 * scripts that it does so by. What runs here needs no question, at the port on which main started it. A place belongs to
 * its server and is forgotten with it; one without a server is known until a lock.
 */
export function createAgreedPlaces(options: { config: ConfigStore; state: Pick<AppStateHolder, 'get'>; ask: Ask }) {
  const { config, state, ask } = options;
  const { stored, replace } = createServerList(config);
  const withoutServer = new Set<string>();
  /** The questions that are open, so that two calls to one place wait for the same answer. */
  const open = new Map<string, Promise<Result<null>>>();

  const isAgreed = (place: string): boolean =>
    withoutServer.has(place) || config.get().servers.some(({ agreed }) => agreed.some((each) => each === place));
  const isOurs = (place: string): boolean =>
    state.get().servers.some(({ id, baseUrl }) => isRunHere(id) && baseUrl !== '' && originOf(baseUrl) === place);
  const missing = (to: Destination): string[] => placesOf(to).filter((place) => !isAgreed(place) && !isOurs(place));

  function remember(serverId: string | undefined, places: readonly string[]): void {
    const server = serverId === undefined ? undefined : stored(serverId);
    if (server && !isRunHere(server.id) && !server.double)
      replace({ ...server, agreed: withPlaces(server.agreed, places) });
    else for (const place of places) withoutServer.add(place);
  }

  return {
    /** Whether anything may be sent there. Every call is asked about here. */
    allows: (to: Destination): boolean => missing(to).length === 0,

    /** Succeeds when something may be sent there, and asks the person if that is new. */
    async agree(serverId: string | undefined, to: Destination): Promise<Result<null>> {
      const places = missing(to);
      if (places.length === 0) return ok(null);
      const origin = originOf(to.url);
      const proxy = places.some((place) => place !== origin) ? to.proxy : undefined;
      const question = { kind: 'new-origin', origin, isNew: places.includes(origin), proxy } as const;
      const key = JSON.stringify(places);
      const asked = open.get(key) ?? ask(question, places).finally(() => open.delete(key));
      open.set(key, asked);
      const agreed = await asked;
      if (!agreed.ok) return agreed;
      // It may have been removed while the question was open.
      if (serverId !== undefined && !stored(serverId)) return fail({ kind: 'not-now' });
      remember(serverId, places);
      return ok(null);
    },

    /** The person agreed to what changes about how a server is reached in a question that showed it. */
    agreedToChange(serverId: string, from: Destination, to: Destination): void {
      const before = placesOf(from);
      remember(
        serverId,
        placesOf(to).filter((place) => !before.includes(place)),
      );
    },

    /** The places that a server is to keep which is saved with this address: those of before, and its own if agreed to. */
    keptWith(before: readonly string[], to: Destination): string[] {
      const own = placesOf(to).filter(isAgreed);
      for (const place of own) withoutServer.delete(place);
      return withPlaces(before, own);
    },

    forget: (): void => withoutServer.clear(),
  };
}

const withPlaces = (before: readonly string[], places: readonly string[]): string[] =>
  [...new Set([...before, ...places])].slice(-mostPlaces);

const originOf = (url: string): string => new URL(url).origin;

/** Who gets what is sent to an address: its origin, and the proxy or script that was set. */
function placesOf({ url, proxy }: Destination): string[] {
  const through = proxyPlace(proxy);
  return [originOf(url), ...(through === undefined ? [] : [through])];
}

/** What stands for a proxy, or for the script that chooses one. What the system says is not the page's to choose. */
export function proxyPlace(proxy: ProxySettings): string | undefined {
  if (proxy.mode === 'manual') return `proxy ${proxy.proxy.scheme}://${proxyText(proxy.proxy)}`;
  return proxy.mode === 'pac' ? `script ${proxy.url}` : undefined;
}
