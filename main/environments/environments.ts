import { randomUUID } from 'node:crypto';
import { ConnectionChoices, type EnteredConnection } from '../../preload/contract/connection.ts';
import type { EnteredEnvironment, FilePurpose } from '../../preload/contract/contract.ts';
import type { AppState, ConnectionReport, Dialect, Environment } from '../../preload/contract/models.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import type { Reading } from '../client/read-answer.ts';
import { createTrust } from '../client/trust.ts';
import {
  builtInId,
  plainEnvironment,
  type Config,
  type ConfigStore,
  type StoredEnvironment,
} from '../config/config.ts';
import { nameOfAddress } from '../config/migrate.ts';
import { isUsable, type HeldSessions } from '../session/held-sessions.ts';
import type { SessionService } from '../session/session.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { parseEnteredConnection, secretsAfter, type SecretChanges } from './entered-connection.ts';
import { readEnvironmentsFile, writeEnvironmentsFile } from './environments-file.ts';
import type { ProductionGuard } from './production-guard.ts';
import type { SecretOf, Transports } from './transports.ts';

type ReadConnection = { connection: ConnectionChoices; changes: SecretChanges; secretOf: SecretOf };

/** All environments as shown; the address of the embedded service is empty while it does not run. */
export function listEnvironments(config: Config, builtInUrl: string): Environment[] {
  return config.environments.map(({ dialect, ...environment }) => ({
    ...environment,
    builtIn: environment.id === builtInId,
    baseUrl: environment.id === builtInId ? builtInUrl : environment.baseUrl,
    learned: dialect.learned,
    pinned: dialect.pinned,
  }));
}

/** The environment to begin with: the one of last time, if it is still there. */
export function firstEnvironmentId({ environments, activeEnvironmentId }: Config): string {
  return environments.some(({ id }) => id === activeEnvironmentId) ? activeEnvironmentId : builtInId;
}

export type Environments = ReturnType<typeof createEnvironments>;

/** The environments a person keeps, and which one is the active one. */
export function createEnvironments(options: {
  config: ConfigStore;
  state: AppStateHolder;
  session: SessionService;
  held: HeldSessions;
  production: ProductionGuard;
  secrets: ConnectionSecrets;
  transports: Pick<Transports, 'look' | 'endLooks'>;
  /** Told of an environment that is gone with all that belonged to it. */
  onRemoved: (id: string) => void;
  /** The system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import' | 'export' | FilePurpose) => Promise<string | undefined>;
}) {
  const { config, state, session, held, production, secrets, transports, onRemoved, chooseFile } = options;
  const stored = (id: string): StoredEnvironment | undefined =>
    config.get().environments.find((each) => each.id === id);
  const listed = (): Environment[] => {
    const { service } = state.get();
    return listEnvironments(config.get(), service.state === 'running' ? service.baseUrl : '');
  };

  function save(environments: StoredEnvironment[]): AppState {
    config.change({ environments });
    return state.change({ environments: listed(), sessions: held.list() });
  }

  const replace = (changed: StoredEnvironment): StoredEnvironment[] =>
    config.get().environments.map((each) => (each.id === changed.id ? changed : each));

  /** One change of state, so that no frame shows one session's profile under another's name. */
  async function show(id: string): Promise<Result<AppState>> {
    session.leave();
    config.change({ activeEnvironmentId: id });
    state.change({
      activeEnvironmentId: id,
      environments: listed(),
      sessions: held.list(),
      session: session.initial(id),
    });
    await session.restore();
    return ok(state.get());
  }

  const activate = (id: string): Promise<Result<AppState>> =>
    id === state.get().activeEnvironmentId ? Promise.resolve(ok(state.get())) : show(id);

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
    before: StoredEnvironment | undefined,
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
  function secretsOf(changes: SecretChanges, before: StoredEnvironment | undefined): SecretOf {
    return async (secret) => {
      const changed = changes[secret];
      if (changed !== undefined) return changed === '' ? undefined : changed;
      return before?.secrets.includes(secret) ? secrets.read(before.id, secret) : undefined;
    };
  }

  function entryOf(
    id: string,
    entered: EnteredEnvironment,
    baseUrl: string,
    found: Pick<StoredEnvironment, 'pins' | 'connection' | 'secrets'> & { learned: Dialect['learned'] },
  ): StoredEnvironment {
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

  function insertAfter(id: string, added: StoredEnvironment): StoredEnvironment[] {
    return config.get().environments.flatMap((each) => (each.id === id ? [each, added] : [each]));
  }

  return {
    async use(id: string): Promise<Result<AppState>> {
      return stored(id) ? activate(id) : fail({ kind: 'not-now' });
    },

    async useAddress(address: string): Promise<Result<AppState>> {
      const parsed = addressOf(address);
      if (!parsed.ok) return parsed;
      const { environments, activeEnvironmentId } = state.get();
      const there = environments.filter(({ baseUrl }) => baseUrl === parsed.value);
      const existing = there.find(({ id }) => id === activeEnvironmentId) ?? there[0];
      if (existing) return activate(existing.id);
      const id = randomUUID();
      const added = {
        ...plainEnvironment(id, nameOfAddress(parsed.value), parsed.value),
        // Another path of a production server is no way around its guard.
        production: environments.some((each) => each.production && hostOf(each.baseUrl) === hostOf(parsed.value)),
      };
      config.change({ environments: [...config.get().environments, added] });
      return activate(id);
    },

    /** Shows a session, in its environment. */
    async useSession(id: string): Promise<Result<AppState>> {
      const chosen = held.find(id);
      if (!chosen || chosen.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
      if (!isUsable(chosen, config.get())) return fail({ kind: 'other-address', baseUrl: chosen.baseUrl });
      held.makeCurrent(chosen.environmentId, id);
      return show(chosen.environmentId);
    },

    async create(entered: EnteredEnvironment): Promise<Result<AppState>> {
      const address = addressOf(entered.address);
      if (!address.ok) return address;
      const read = await connectionOf(entered.enteredConnection, undefined);
      if (!read.ok) return read;
      const { connection, changes } = read.value;
      const id = randomUUID();
      await secrets.change(id, changes);
      const found = { learned: {}, pins: [], connection, secrets: secretsAfter(changes, []) };
      return ok(save([...config.get().environments, entryOf(id, entered, address.value, found)]));
    },

    /** With another address its sessions are unusable until that is back, and what was learned and trusted was another's. */
    async edit({ id, ...entered }: EnteredEnvironment & { id: string }): Promise<Result<AppState>> {
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
      config.change({ environments: replace(entryOf(id, entered, address.value, found)) });
      if (moved && id === state.get().activeEnvironmentId) return show(id);
      return ok(state.change({ environments: listed(), sessions: held.list() }));
    },

    /** The copy has no sessions: its tokens would be another's. The secrets of its connection are the person's own. */
    async duplicate(id: string): Promise<Result<AppState>> {
      const original = stored(id);
      const baseUrl = state.get().environments.find((each) => each.id === id)?.baseUrl;
      if (!original || !baseUrl) return fail({ kind: 'not-now' });
      const copyId = randomUUID();
      const copied: SecretChanges = {};
      for (const secret of original.secrets) {
        const value = await secrets.read(id, secret);
        if (value !== undefined) copied[secret] = value;
      }
      await secrets.change(copyId, copied);
      const name = unusedName(original.name || nameOfAddress(baseUrl), config.get().environments);
      const kept = secretsAfter(copied, []);
      return ok(save(insertAfter(id, { ...original, id: copyId, name, baseUrl, secrets: kept })));
    },

    move(id: string, by: -1 | 1): Result<AppState> {
      const environments = [...config.get().environments];
      const from = environments.findIndex((each) => each.id === id);
      const other = environments[from + by];
      const moved = environments[from];
      if (!moved || !other) return fail({ kind: 'not-now' });
      environments[from] = other;
      environments[from + by] = moved;
      return ok(save(environments));
    },

    /** The entry goes, and with it its sessions and tokens; the server is not told. */
    async remove(id: string): Promise<Result<AppState>> {
      if (id === builtInId || !stored(id)) return fail({ kind: 'not-now' });
      const { [id]: _email, ...lastEmails } = config.get().lastEmails;
      config.change({ lastEmails });
      // Out of the list before anything is waited for: nobody can choose it again meanwhile, and a login that is still
      // under way finds no environment for its token.
      save(config.get().environments.filter((each) => each.id !== id));
      if (state.get().activeEnvironmentId === id) await activate(builtInId);
      await session.forgetEnvironment(id);
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
      const environment = stored(id);
      return environment ? ok(save(replace({ ...environment, pins: [sha256] }))) : fail({ kind: 'not-now' });
    },

    distrust(id: string): Result<AppState> {
      const environment = stored(id);
      return environment ? ok(save(replace({ ...environment, pins: [] }))) : fail({ kind: 'not-now' });
    },

    /** With the connection as entered; the trusted certificates are the environment's while its address is. */
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
      const current = state.get().environments.find((each) => each.id === id)?.baseUrl;
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

    /** All environments of the file are added, or none; those that are here already under name and address are not. */
    async importFile(): Promise<Result<AppState>> {
      const file = await chooseFile('import');
      if (file === undefined) return ok(state.get());
      const read = await readEnvironmentsFile(file);
      if (!read.ok) {
        const { reason, detail } = read;
        return fail({ kind: 'import-refused', reason, ...(detail !== undefined && { detail }) });
      }
      const { environments } = config.get();
      const added = read.environments.filter(
        ({ name, baseUrl }) => !environments.some((each) => each.name === name && each.baseUrl === baseUrl),
      );
      return ok(save([...environments, ...added]));
    },

    async exportFile(): Promise<Result<AppState>> {
      const file = await chooseFile('export');
      if (file === undefined) return ok(state.get());
      const code = await writeEnvironmentsFile(file, config.get().environments);
      return code === undefined ? ok(state.get()) : fail({ kind: 'file-failed', code });
    },

    /** Remembers where an answer had its parts. */
    learn(id: string, { why }: Reading): void {
      const environment = stored(id);
      if (!environment) return;
      const { learned } = environment.dialect;
      const next: Dialect['learned'] = {
        ...learned,
        ...(why.token && { token: why.token.path.slice(0, 300) }),
        ...(why.user && { user: why.user.path.slice(0, 300) }),
        ...(why.message && { message: why.message.path.slice(0, 300) }),
      };
      if (JSON.stringify(next) === JSON.stringify(learned)) return;
      save(replace({ ...environment, dialect: { ...environment.dialect, learned: next } }));
    },
  };
}

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '');

function withoutEmpty(pinned: Dialect['pinned']): Dialect['pinned'] {
  const { token, user, message } = pinned;
  return { ...(token && { token }), ...(user && { user }), ...(message && { message }) };
}

function unusedName(name: string, environments: readonly StoredEnvironment[]): string {
  const taken = new Set(environments.map((each) => each.name));
  let number = 2;
  while (taken.has(`${name} (${number})`)) number += 1;
  return `${name} (${number})`.slice(0, 100);
}
