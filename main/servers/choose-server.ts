import { randomUUID } from 'node:crypto';
import type { Server } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { isDoubleId, plainServer, type ConfigStore } from '../config/config.ts';
import type { AgreedPlaces } from './agreed-places.ts';
import { nameOfAddress } from './name-of-address.ts';
import { isUsable, type HeldSessions } from '../session/held-sessions.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { addressOf } from './entered-server.ts';
import type { ServerList } from './server-list.ts';

export type ChooseServer = ReturnType<typeof createChooseServer>;

/** Chooses the active server, and which of its sessions is shown. */
export function createChooseServer(options: {
  config: ConfigStore;
  state: AppStateHolder;
  list: Pick<ServerList, 'stored'>;
  session: Pick<SessionService, 'leave' | 'showStored' | 'restore'>;
  held: HeldSessions;
  places: Pick<AgreedPlaces, 'agree' | 'keptWith'>;
  /** Makes sure that a server which runs here does so, as far as it can. */
  ready: (serverId: string) => Promise<unknown>;
}) {
  const { config, state, session, held, list, places, ready } = options;
  /** How often a server was chosen: only the last choice counts, however long one of before takes to start. */
  let choices = 0;

  /** Server and session change without a wait between them, so that no frame shows one's profile under another's name. */
  async function show(id: string): Promise<Result<null>> {
    const choice = ++choices;
    if (isDoubleId(id)) await ready(id);
    if (choice !== choices || !list.stored(id)) return ok(null);
    session.leave();
    config.change({ activeServerId: id });
    session.showStored();
    await session.restore();
    return ok(null);
  }

  const activate = (id: string): Promise<Result<null>> =>
    id === state.get().activeServerId ? Promise.resolve(ok(null)) : show(id);

  /** The server at an address; of several, the active one. */
  function serverAt(address: string): Server | undefined {
    const { servers, activeServerId } = state.get();
    const there = servers.filter(({ baseUrl }) => baseUrl === address);
    return there.find(({ id }) => id === activeServerId) ?? there[0];
  }

  return {
    show,

    async choose(id: string): Promise<Result<null>> {
      return config.get().servers.some((each) => each.id === id) ? activate(id) : fail({ kind: 'not-now' });
    },

    /** A new address becomes a new server, once the person agreed to it. */
    async chooseAddress(address: string): Promise<Result<null>> {
      const parsed = addressOf(address);
      if (!parsed.ok) return parsed;
      const known = serverAt(parsed.value);
      if (known) return activate(known.id);
      const plain = plainServer(randomUUID(), nameOfAddress(parsed.value), parsed.value);
      const to = { url: parsed.value, proxy: plain.connection.proxy };
      const agreed = await places.agree(undefined, to);
      if (!agreed.ok) return agreed;
      // It may have been added while the question was open.
      const existing = serverAt(parsed.value);
      if (existing) return activate(existing.id);
      const { servers } = state.get();
      const added = {
        ...plain,
        agreed: places.keptWith([], to),
        // Another path of a production server is no way around its guard.
        production: servers.some((each) => each.production && hostOf(each.baseUrl) === hostOf(parsed.value)),
      };
      config.change({ servers: [...config.get().servers, added] });
      return activate(added.id);
    },

    /** Shows a session, and with it its server. */
    async chooseSession(id: string): Promise<Result<null>> {
      const chosen = held.find(id);
      if (!chosen || chosen.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
      if (!isUsable(chosen, config.get())) return fail({ kind: 'other-address', baseUrl: chosen.baseUrl });
      held.makeCurrent(chosen.serverId, id);
      return show(chosen.serverId);
    },
  };
}

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '');
