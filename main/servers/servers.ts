import { randomUUID } from 'node:crypto';
import { ConnectionChoices, type EnteredConnection } from '../../preload/contract/connection.ts';
import type { EnteredServer, FilePurpose } from '../../preload/contract/contract.ts';
import type { AppState, ConnectionReport, Dialect, Server } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import type { Reading } from '../client/read-answer.ts';
import { createTrust } from '../client/trust.ts';
import { builtInId, plainServer, type Config, type ConfigStore, type StoredServer } from '../config/config.ts';
import { nameOfAddress } from '../config/migrate.ts';
import { isUsable, type HeldSessions } from '../session/held-sessions.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { parseEnteredConnection, secretsAfter, type SecretChanges } from './entered-connection.ts';
import { readServersFile, writeServersFile } from './servers-file.ts';
import type { ProductionGuard } from './production-guard.ts';
import type { SecretOf, Transports } from './transports.ts';

type ReadConnection = { connection: ConnectionChoices; changes: SecretChanges; secretOf: SecretOf };

/** All servers as shown; the address of the embedded service is empty while it does not run. */
export function listServers(config: Config, builtInUrl: string): Server[] {
  return config.servers.map(({ dialect, ...server }) => ({
    ...server,
    builtIn: server.id === builtInId,
    baseUrl: server.id === builtInId ? builtInUrl : server.baseUrl,
    learned: dialect.learned,
    pinned: dialect.pinned,
  }));
}

/** The server to begin with: the one of last time, if it is still there. */
export function firstServerId({ servers, activeServerId }: Config): string {
  return servers.some(({ id }) => id === activeServerId) ? activeServerId : builtInId;
}

export type Servers = ReturnType<typeof createServers>;

/** The servers a person keeps, and which one is the active one. */
export function createServers(options: {
  config: ConfigStore;
  state: AppStateHolder;
  session: SessionService;
  held: HeldSessions;
  production: ProductionGuard;
  secrets: ConnectionSecrets;
  transports: Pick<Transports, 'look' | 'endLooks'>;
  /** Told of a server that is gone with all that belonged to it. */
  onRemoved: (id: string) => void;
  /** The system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import' | 'export' | FilePurpose) => Promise<string | undefined>;
}) {
  const { config, state, session, held, production, secrets, transports, onRemoved, chooseFile } = options;
  const stored = (id: string): StoredServer | undefined => config.get().servers.find((each) => each.id === id);
  const listed = (): Server[] => {
    const { builtIn } = state.get();
    return listServers(config.get(), builtIn.state === 'running' ? builtIn.baseUrl : '');
  };

  function save(servers: StoredServer[]): AppState {
    config.change({ servers });
    return state.change({ servers: listed(), sessions: held.list() });
  }

  const replace = (changed: StoredServer): StoredServer[] =>
    config.get().servers.map((each) => (each.id === changed.id ? changed : each));

  /** One change of state, so that no frame shows one session's profile under another's name. */
  async function show(id: string): Promise<Result<AppState>> {
    session.leave();
    config.change({ activeServerId: id });
    state.change({
      activeServerId: id,
      servers: listed(),
      sessions: held.list(),
      session: session.initial(id),
    });
    await session.restore();
    return ok(state.get());
  }

  const activate = (id: string): Promise<Result<AppState>> =>
    id === state.get().activeServerId ? Promise.resolve(ok(state.get())) : show(id);

  /** An address as it was stays as it is: parsing it anew could take a part of its path for the interface's. */
  function addressOf(entered: string, current?: string): Result<string> {
    if (entered.trim() === current) return ok(current);
    const parsed = parseBaseUrl(entered);
    return parsed.ok ? ok(parsed.value) : fail({ kind: 'invalid-address', problem: parsed.problem });
  }

  /**
   * A connection as it will be used: as entered, else as it was. Its files are read here, so that one that cannot be
   * used is not saved.
   */
  async function connectionOf(
    entered: EnteredConnection | undefined,
    before: StoredServer | undefined,
  ): Promise<Result<ReadConnection>> {
    if (!entered) {
      const kept = { connection: before?.connection ?? ConnectionChoices.parse({}), changes: {} };
      return ok({ ...kept, secretOf: secretsOf({}, before) });
    }
    const parsed = parseEnteredConnection(entered, before);
    if (!parsed.ok) return parsed;
    const { connection, secrets: changes } = parsed.value;
    const { authority, clientCertificate } = connection;
    const secretOf = secretsOf(changes, before);
    const read = await createTrust({
      ...(authority && { authority }),
      ...(clientCertificate && { clientCertificate }),
      passphrase: () => secretOf('passphrase'),
      systemCertificates: () => [],
    }).forServer();
    return read.ok ? ok({ connection, changes, secretOf }) : fail(read.failure);
  }

  /** As they will be once such changes are made. */
  function secretsOf(changes: SecretChanges, before: StoredServer | undefined): SecretOf {
    return async (secret) => {
      const changed = changes[secret];
      if (changed !== undefined) return changed === '' ? undefined : changed;
      return before?.secrets.includes(secret) ? secrets.read(before.id, secret) : undefined;
    };
  }

  function entryOf(
    id: string,
    entered: EnteredServer,
    baseUrl: string,
    found: Pick<StoredServer, 'pins' | 'connection' | 'secrets'> & { learned: Dialect['learned'] },
  ): StoredServer {
    const { name, colour, notes, registrationPath, production: isProduction, pinned } = entered;
    return {
      id,
      name: id === builtInId ? '' : name.trim() || nameOfAddress(baseUrl),
      baseUrl,
      colour,
      notes,
      registrationPath,
      // Nothing to protect: it is on this computer only.
      production: isProduction && id !== builtInId,
      pins: found.pins,
      connection: found.connection,
      secrets: found.secrets,
      dialect: { learned: found.learned, pinned: withoutEmpty(pinned) },
    };
  }

  function insertAfter(id: string, added: StoredServer): StoredServer[] {
    return config.get().servers.flatMap((each) => (each.id === id ? [each, added] : [each]));
  }

  return {
    async use(id: string): Promise<Result<AppState>> {
      return stored(id) ? activate(id) : fail({ kind: 'not-now' });
    },

    async useAddress(address: string): Promise<Result<AppState>> {
      const parsed = addressOf(address);
      if (!parsed.ok) return parsed;
      const { servers, activeServerId } = state.get();
      const there = servers.filter(({ baseUrl }) => baseUrl === parsed.value);
      const existing = there.find(({ id }) => id === activeServerId) ?? there[0];
      if (existing) return activate(existing.id);
      const id = randomUUID();
      const added = {
        ...plainServer(id, nameOfAddress(parsed.value), parsed.value),
        // Another path of a production server is no way around its guard.
        production: servers.some((each) => each.production && hostOf(each.baseUrl) === hostOf(parsed.value)),
      };
      config.change({ servers: [...config.get().servers, added] });
      return activate(id);
    },

    /** Shows a session, in its server. */
    async useSession(id: string): Promise<Result<AppState>> {
      const chosen = held.find(id);
      if (!chosen || chosen.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
      if (!isUsable(chosen, config.get())) return fail({ kind: 'other-address', baseUrl: chosen.baseUrl });
      held.makeCurrent(chosen.serverId, id);
      return show(chosen.serverId);
    },

    async create(entered: EnteredServer): Promise<Result<AppState>> {
      const address = addressOf(entered.address);
      if (!address.ok) return address;
      const read = await connectionOf(entered.enteredConnection, undefined);
      if (!read.ok) return read;
      const { connection, changes } = read.value;
      const id = randomUUID();
      await secrets.change(id, changes);
      const found = { learned: {}, pins: [], connection, secrets: secretsAfter(changes, []) };
      return ok(save([...config.get().servers, entryOf(id, entered, address.value, found)]));
    },

    /** With another address its sessions are unusable until that is back, and what was learned and trusted was another's. */
    async edit({ id, ...entered }: EnteredServer & { id: string }): Promise<Result<AppState>> {
      const known = stored(id);
      if (!known) return fail({ kind: 'not-now' });
      const address = id === builtInId ? ok('') : addressOf(entered.address, known.baseUrl);
      if (!address.ok) return address;
      const read = await connectionOf(id === builtInId ? undefined : entered.enteredConnection, known);
      if (!read.ok) return read;
      const { connection, changes } = read.value;
      await secrets.change(id, changes);
      // Something may have been learned, or the entry removed, while files and the vault were waited for.
      const before = stored(id);
      if (!before) {
        await secrets.removeAll(id);
        return fail({ kind: 'not-now' });
      }
      const moved = address.value !== before.baseUrl;
      const found = {
        ...(moved ? { learned: {}, pins: [] } : { learned: before.dialect.learned, pins: before.pins }),
        connection,
        secrets: secretsAfter(changes, before.secrets),
      };
      config.change({ servers: replace(entryOf(id, entered, address.value, found)) });
      if (moved && id === state.get().activeServerId) return show(id);
      return ok(state.change({ servers: listed(), sessions: held.list() }));
    },

    /** The copy has no sessions: its tokens would be another's. The secrets of its connection are the person's own. */
    async duplicate(id: string): Promise<Result<AppState>> {
      const original = stored(id);
      const baseUrl = state.get().servers.find((each) => each.id === id)?.baseUrl;
      if (!original || !baseUrl) return fail({ kind: 'not-now' });
      const copyId = randomUUID();
      const copied: SecretChanges = {};
      for (const secret of original.secrets) {
        const value = await secrets.read(id, secret);
        if (value !== undefined) copied[secret] = value;
      }
      await secrets.change(copyId, copied);
      const name = unusedName(original.name || nameOfAddress(baseUrl), config.get().servers);
      const kept = secretsAfter(copied, []);
      return ok(save(insertAfter(id, { ...original, id: copyId, name, baseUrl, secrets: kept })));
    },

    move(id: string, by: -1 | 1): Result<AppState> {
      const servers = [...config.get().servers];
      const from = servers.findIndex((each) => each.id === id);
      const other = servers[from + by];
      const moved = servers[from];
      if (!moved || !other) return fail({ kind: 'not-now' });
      servers[from] = other;
      servers[from + by] = moved;
      return ok(save(servers));
    },

    /** The entry goes, and with it its sessions and tokens; the server is not told. */
    async remove(id: string): Promise<Result<AppState>> {
      if (id === builtInId || !stored(id)) return fail({ kind: 'not-now' });
      const { [id]: _email, ...lastEmails } = config.get().lastEmails;
      config.change({ lastEmails });
      // Out of the list before anything is waited for: nobody can choose it again meanwhile, and a login that is still
      // under way finds no server for its token.
      save(config.get().servers.filter((each) => each.id !== id));
      if (state.get().activeServerId === id) await activate(builtInId);
      await session.forgetServer(id);
      onRemoved(id);
      await secrets.removeAll(id);
      return ok(state.get());
    },

    confirmProduction(id: string, host: string): Result<AppState> {
      const confirmed = production.confirm(id, host);
      return confirmed.ok ? ok(state.get()) : confirmed;
    },

    /** The next connection is made with it; those that are open were made without. */
    trust(id: string, sha256: string): Result<AppState> {
      const server = stored(id);
      return server ? ok(save(replace({ ...server, pins: [sha256] }))) : fail({ kind: 'not-now' });
    },

    distrust(id: string): Result<AppState> {
      const server = stored(id);
      return server ? ok(save(replace({ ...server, pins: [] }))) : fail({ kind: 'not-now' });
    },

    /** With the connection as entered; the trusted certificates are the server's while its address is. */
    async test({
      id,
      address,
      enteredConnection,
    }: {
      id?: string | undefined;
      address: string;
      enteredConnection?: EnteredConnection | undefined;
    }): Promise<Result<ConnectionReport>> {
      const known = id === undefined ? undefined : stored(id);
      const current = state.get().servers.find((each) => each.id === id)?.baseUrl;
      const parsed = addressOf(address, current);
      if (!parsed.ok) return parsed;
      if (id === builtInId) return ok(await transports.look(parsed.value, undefined, secretsOf({}, known), id));
      const read = await connectionOf(enteredConnection, known);
      if (!read.ok) return read;
      const { connection, secretOf } = read.value;
      const pins = parsed.value === current && known ? known.pins : [];
      return ok(await transports.look(parsed.value, { ...connection, pins }, secretOf, id));
    },

    /** Each answers that it was cancelled. */
    cancelTest(): Result<Record<string, never>> {
      transports.endLooks();
      return ok({});
    },

    async chooseConnectionFile(purpose: FilePurpose): Promise<Result<{ file?: string }>> {
      const file = await chooseFile(purpose);
      return ok(file === undefined ? {} : { file });
    },

    /** All servers of the file are added, or none; those that are here already under name and address are not. */
    async importFile(): Promise<Result<AppState>> {
      const file = await chooseFile('import');
      if (file === undefined) return ok(state.get());
      const read = await readServersFile(file);
      if (!read.ok) {
        const { reason, detail } = read;
        return fail({ kind: 'import-refused', reason, ...(detail !== undefined && { detail }) });
      }
      const { servers } = config.get();
      const added = read.servers.filter(
        ({ name, baseUrl }) => !servers.some((each) => each.name === name && each.baseUrl === baseUrl),
      );
      return ok(save([...servers, ...added]));
    },

    async exportFile(): Promise<Result<AppState>> {
      const file = await chooseFile('export');
      if (file === undefined) return ok(state.get());
      const code = await writeServersFile(file, config.get().servers);
      return code === undefined ? ok(state.get()) : fail({ kind: 'file-failed', code });
    },

    /** Remembers where an answer had its parts. */
    learn(id: string, { why }: Reading): void {
      const server = stored(id);
      if (!server) return;
      const { learned } = server.dialect;
      const next: Dialect['learned'] = {
        ...learned,
        ...(why.token && { token: why.token.path.slice(0, 300) }),
        ...(why.user && { user: why.user.path.slice(0, 300) }),
        ...(why.message && { message: why.message.path.slice(0, 300) }),
      };
      if (JSON.stringify(next) === JSON.stringify(learned)) return;
      save(replace({ ...server, dialect: { ...server.dialect, learned: next } }));
    },
  };
}

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '');

function withoutEmpty(pinned: Dialect['pinned']): Dialect['pinned'] {
  const { token, user, message } = pinned;
  return { ...(token && { token }), ...(user && { user }), ...(message && { message }) };
}

function unusedName(name: string, servers: readonly StoredServer[]): string {
  const taken = new Set(servers.map((each) => each.name));
  let number = 2;
  while (taken.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`.slice(0, 100);
}
