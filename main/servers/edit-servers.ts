import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EnteredServer } from '../../preload/contract/contract.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import {
  builtInId,
  type ConfigStore,
  type ServerElsewhere,
  type StoredDouble,
  type StoredServer,
} from '../config/config.ts';
import type { AgreedPlaces, Destination } from './agreed-places.ts';
import { nameOfAddress } from './name-of-address.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { ChooseServer } from './choose-server.ts';
import type { ChosenFiles } from './chosen-files.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { secretsAfter } from './entered-connection.ts';
import { headersAfter, readEnteredHeaders, type ExtraHeaders } from './extra-headers.ts';
import type { Reached, ServerList } from './server-list.ts';
import { addressOf, entryOf, readConnection, withoutEmpty } from './entered-server.ts';
import type { WayChanges } from './way-changes.ts';

type EditOptions = {
  config: ConfigStore;
  state: AppStateHolder;
  session: Pick<SessionService, 'forgetServer'>;
  choose: Pick<ChooseServer, 'show'>;
  list: ServerList;
  secrets: ConnectionSecrets;
  headers: ExtraHeaders;
  chosenFiles: Pick<ChosenFiles, 'has'>;
  places: AgreedPlaces;
  ways: WayChanges;
  /** Told of a server that is gone with all that belonged to it. */
  onRemoved: (id: string) => Promise<void>;
};

/** Adding a server, changing one and removing it, with what hangs on it: connections, secrets and sessions. */
export const createEditServers = (options: EditOptions) => ({ ...createSaving(options), ...createCopying(options) });

const destinationOf = ({ baseUrl, connection }: Pick<Reached, 'baseUrl' | 'connection'>): Destination => ({
  url: baseUrl,
  proxy: connection.proxy,
});

/** Asks about what changes of how a server is reached where something is at stake, and about a place that is new. */
async function confirmReach(
  { ways, places }: EditOptions,
  before: ServerElsewhere,
  after: Reached,
): ReturnType<WayChanges['confirm']> {
  const allowed = await ways.confirm(before, after);
  const [from, to] = [destinationOf(before), destinationOf(after)];
  if (!allowed.ok || before.id === builtInId || isDeepStrictEqual(from, to)) return allowed;
  if (allowed.value.asked) places.agreedToChange(before.id, from, to);
  const agreed = await places.agree(before.id, to);
  return agreed.ok ? allowed : agreed;
}

/** Saves what was entered of a server. */
function createSaving(options: EditOptions) {
  const { state, choose, secrets, headers, places } = options;
  const { stored, save, replace } = options.list;

  async function create(entered: EnteredServer): Promise<Result<null>> {
    const address = addressOf(entered.address);
    if (!address.ok) return address;
    const read = await readConnection(entered.enteredConnection, undefined, options);
    if (!read.ok) return read;
    const added = readEnteredHeaders(entered.enteredConnection?.headers, [], false);
    if (!added.ok) return added;
    const { connection, changes } = read.value;
    const to = destinationOf({ baseUrl: address.value, connection });
    const agreed = await places.agree(undefined, to);
    if (!agreed.ok) return agreed;
    const id = randomUUID();
    await secrets.change(id, changes);
    await headers.change({ id, baseUrl: address.value }, added.value, []);
    const found = {
      learned: {},
      pins: [],
      connection,
      secrets: secretsAfter(changes, []),
      extraHeaders: headersAfter(added.value),
      agreed: places.keptWith([], to),
    };
    return save([...options.config.get().servers, entryOf(id, entered, address.value, found)]);
  }

  /**
   * With another address its sessions are unusable until that is back, and what was learned and trusted was another's,
   * as were its extra headers. If there are sessions or such headers, the person is asked before anything changes about how the server is reached.
   */
  async function edit({ id, ...entered }: EnteredServer & { id: string }): Promise<Result<null>> {
    const known = stored(id);
    if (!known) return fail({ kind: 'not-now' });
    if (known.double) return replace(doubleAfter(known, entered));
    const address = id === builtInId ? ok('') : addressOf(entered.address, known.baseUrl);
    if (!address.ok) return address;
    const read = await readConnection(id === builtInId ? undefined : entered.enteredConnection, known, options);
    if (!read.ok) return read;
    const isMoved = (server: ServerElsewhere): boolean => address.value !== server.baseUrl;
    const added = readEnteredHeaders(entered.enteredConnection?.headers, known.extraHeaders, isMoved(known));
    if (!added.ok) return added;
    const { connection, changes } = read.value;
    const pinsAt = (server: ServerElsewhere): string[] => (isMoved(server) ? [] : server.pins);
    const after = { baseUrl: address.value, connection, pins: pinsAt(known) };
    const allowed = await confirmReach(options, known, after);
    if (!allowed.ok) return allowed;
    await secrets.change(id, changes);
    await headers.change({ id, baseUrl: address.value }, added.value, known.extraHeaders);
    // While files and the vault were waited for, something may have been learned, or the entry removed.
    const before = stored(id);
    if (!before || before.double) {
      await secrets.removeAll(id);
      await headers.removeAll({ id, extraHeaders: headersAfter(added.value) });
      return fail({ kind: 'not-now' });
    }
    const moved = isMoved(before);
    const found = {
      learned: moved ? {} : before.dialect.learned,
      pins: pinsAt(before),
      connection,
      secrets: secretsAfter(changes, before.secrets),
      extraHeaders: headersAfter(added.value),
      agreed:
        id === builtInId ? [] : places.keptWith(before.agreed, destinationOf({ baseUrl: address.value, connection })),
    };
    replace(entryOf(id, entered, address.value, found));
    allowed.value.settle();
    return moved && id === state.get().activeServerId ? choose.show(id) : ok(null);
  }

  return { create, edit };
}

/** A double takes what is said of it, and stays where it is. */
function doubleAfter(known: StoredDouble, entered: EnteredServer): StoredDouble {
  const { name, colour, notes, registrationPath, pinned } = entered;
  const dialect = { ...known.dialect, pinned: withoutEmpty(pinned) };
  return { ...known, name: name.trim() || known.name, colour, notes, registrationPath, dialect };
}

/** Copies servers and removes them. */
function createCopying(options: EditOptions) {
  const { config, state, session, choose, secrets, headers, onRemoved } = options;
  const { stored, save } = options.list;

  /** The copy has no sessions: its tokens would be another's. Its secrets and extra headers are the person's own. */
  async function duplicate(id: string): Promise<Result<null>> {
    const original = stored(id);
    const baseUrl = state.get().servers.find((each) => each.id === id)?.baseUrl;
    if (!original || original.double || !baseUrl) return fail({ kind: 'not-now' });
    const copyId = randomUUID();
    const copied = await secrets.copy(original, copyId);
    const extraHeaders = await headers.copy(original, copyId);
    const { servers } = config.get();
    const name = unusedName(original.name || nameOfAddress(baseUrl), servers);
    const copy = { ...original, id: copyId, name, baseUrl, secrets: secretsAfter(copied, []), extraHeaders };
    return save(servers.flatMap((each) => (each.id === id ? [each, copy] : [each])));
  }

  /** Removes the entry, and with it its sessions and tokens. The server is not told. */
  async function remove(id: string): Promise<Result<null>> {
    const removed = stored(id);
    if (id === builtInId || !removed) return fail({ kind: 'not-now' });
    const wasActive = state.get().activeServerId === id;
    const { [id]: _email, ...lastEmails } = config.get().lastEmails;
    // It leaves the list before anything is waited for: nobody can choose it again meanwhile, and a login that is still
    // under way finds no server for its token.
    config.change({ lastEmails, servers: config.get().servers.filter((each) => each.id !== id) });
    if (wasActive) await choose.show(builtInId);
    await session.forgetServer(id);
    await onRemoved(id);
    await secrets.removeAll(id);
    await headers.removeAll(removed);
    return ok(null);
  }

  return { duplicate, remove };
}

function unusedName(name: string, servers: readonly StoredServer[]): string {
  const taken = new Set(servers.map((each) => each.name));
  let number = 2;
  while (taken.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`.slice(0, 100);
}
