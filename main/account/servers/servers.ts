import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { EndedSessions, Server, ServerDetails } from '../../../preload/contract/models.ts';
import type { ServerInput, FilePurpose, Handlers } from '../../../preload/contract/contract.ts';
import type { Dialogs } from '../../../preload/contract/dialogs.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { errorCodeOf } from '../../files/error-code.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import { createStoredServer, type StoredRealServer, type StoredServer } from '../config/config.ts';
import type { ConfigStore } from '../config/config-store.ts';
import { builtInId, isMockServerId, isLocalServerId } from '../config/server-ids.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import { Clients } from './clients.ts';
import {
  Consent,
  hostOf,
  hasSameInterface,
  isMoved,
  type ConfirmOrigins,
  type ConfirmQuestion,
  type ServerConnection,
} from './consent.ts';
import {
  parseServerAddress,
  ChosenFiles,
  applyFormToMockServer,
  toStoredServer,
  toStoredHeaders,
  validateServerForm,
  storedSecretsAfter,
  type ServerFormInput,
  type ValidatedServerForm,
} from './server-form.ts';
import { DraftConnections } from './draft-connections.ts';
import { defaultNameAndColour, withDefaultNameAndColour } from './server-defaults.ts';
import { ProductionGuard } from './production-guard.ts';
import { formatServersFile } from './export-servers.ts';
import { ServersImport } from './import-servers.ts';
import { ServerStore } from './server-store.ts';
import { ServerSecrets } from './server-secrets.ts';
import { Transports, type TransportsOptions } from './transports.ts';
import { AdapterCache } from './adapter-cache.ts';

type ServersOptions = Pick<TransportsOptions, 'resolveProxy' | 'onCall' | 'record'> & {
  config: ConfigStore;
  state: AppStateHolder;
  sessionStore: SessionStore;
  vault: Vault;
  secretRegistry: SecretRegistry;
  /** A function, since sessions are made after servers. */
  sessions: () => Pick<
    Sessions,
    'operations' | 'presenter' | 'restore' | 'removeServerSessions' | 'endServerSessions' | 'removeOrphanedSessions'
  >;
  /** Fails if a server that runs here could not be started. */
  ensureStarted: (serverId: string) => Promise<Result<null>>;
  onRemoved: (id: string) => Promise<void>;
  ask: ConfirmQuestion;
  confirmOrigins: ConfirmOrigins;
  /** Undefined if the user chose no file. */
  chooseFile: (purpose: 'import' | 'export' | FilePurpose) => Promise<string | undefined>;
  openExternal: Dialogs['openExternal'];
};

type Input<K extends keyof Handlers['servers']> = Parameters<Handlers['servers'][K]>[0];
type ById = { id: string };

const noneEnded: EndedSessions = { ended: 0, pendingLogouts: 0 };

/** The servers of the user: adds, edits, removes and shows them, with the questions that this needs. */
export class Servers implements Disposable {
  readonly #options: ServersOptions;
  readonly #secrets: ServerSecrets;
  readonly #adapters: AdapterCache;
  readonly #chosenFiles = new ChosenFiles();
  readonly store: ServerStore;
  readonly consent: Consent;
  readonly production: ProductionGuard;
  readonly transports: Transports;
  readonly clients: Clients;
  readonly drafts: DraftConnections;
  readonly fileImport: ServersImport;
  /** Counts choices, so that a slow earlier one cannot win over a later one. */
  #choices = 0;

  constructor(options: ServersOptions) {
    const { config, vault, secretRegistry } = options;
    this.#options = options;
    this.store = new ServerStore(config);
    this.consent = new Consent({ ...options, store: this.store });
    this.production = new ProductionGuard(this.store);
    this.#secrets = new ServerSecrets(vault, secretRegistry, this.store);
    this.#adapters = new AdapterCache(this.#secrets);
    const parts = {
      ...options,
      store: this.store,
      consent: this.consent,
      production: this.production,
      secrets: this.#secrets,
      adapters: this.#adapters,
    };
    this.transports = new Transports(parts);
    this.clients = new Clients({ ...parts, transports: this.transports });
    this.drafts = new DraftConnections({
      ...parts,
      transports: this.transports,
      listed: () => this.#listed(),
      validate: (form, before) => this.#validate(form, before),
    });
    this.fileImport = new ServersImport({
      ...parts,
      save: ({ known, entered, form }) => this.#applyChange(known, entered, form),
    });
  }

  /** Shows a server. */
  async choose({ id }: ById): Promise<Result<null>> {
    if (!this.store.find(id)) return fail({ kind: 'not-now' });
    return id === this.#options.state.get().activeServerId ? ok(null) : this.#show(id);
  }

  /** Shows the server at an address. A new address becomes a new server, if the user agrees. */
  async chooseAddress({ address }: Input<'chooseAddress'>): Promise<Result<null>> {
    const parsed = parseServerAddress(address);
    if (!parsed.ok) return parsed;
    const plain = createStoredServer(randomUUID(), '', parsed.value);
    const agreed = this.#serverAt(plain.baseUrl) ? ok(null) : await this.consent.confirmOrigin(undefined, plain);
    if (!agreed.ok) return agreed;
    const server = this.#serverAt(plain.baseUrl) ?? this.#add(plain);
    return server.id === this.#options.state.get().activeServerId ? ok(null) : this.#show(server.id);
  }

  #add(plain: StoredRealServer): StoredRealServer {
    // Another path of a production host is production too.
    const production = this.#listed().some((each) => each.production && hostOf(each) === hostOf(plain));
    const defaults = defaultNameAndColour(plain.baseUrl, this.store.all(), production);
    const added = { ...plain, ...defaults, agreed: this.consent.approvedFor([], plain), production };
    this.store.save([...this.store.all(), added]);
    return added;
  }

  /** Shows a session, and with it its server. */
  async chooseSession({ id }: ById): Promise<Result<null>> {
    const { sessionStore } = this.#options;
    const chosen = sessionStore.find(id);
    if (!chosen || chosen.loggedOutAt !== undefined) return fail({ kind: 'not-now' });
    sessionStore.change({ current: { [chosen.serverId]: id } });
    return this.#show(chosen.serverId);
  }

  async create(entered: ServerInput): Promise<Result<ById>> {
    const validated = await this.#validate(entered, undefined);
    if (!validated.ok) return validated;
    const form = validated.value;
    const agreed = await this.consent.confirmOrigin(undefined, form);
    if (!agreed.ok) return agreed;
    const id = randomUUID();
    await this.#secrets.change(id, form, { extraHeaders: [] });
    const found = {
      learned: {},
      pins: [],
      connection: form.connection,
      secrets: storedSecretsAfter(form.secrets, []),
      extraHeaders: toStoredHeaders(form.headers),
      agreed: this.consent.approvedFor([], form),
      interface: form.validatedInterface.interface,
    };
    const named = withDefaultNameAndColour(entered, form.baseUrl, this.store.all());
    this.store.save([...this.store.all(), toStoredServer(id, named, form.baseUrl, found)]);
    return ok({ id });
  }

  /**
   * Saves the form of a server. Another address or API description first logs out of all sessions by the old one, since a
   * credential goes nowhere else. At another address the certificates, learned places and extra headers go too.
   */
  async edit({ id, ...entered }: ServerInput & ById): Promise<Result<EndedSessions>> {
    const known = this.store.find(id);
    if (!known) return fail({ kind: 'not-now' });
    if (known.mock) {
      this.store.replace(applyFormToMockServer(known, entered));
      return ok(noneEnded);
    }
    const form = await this.#validate(entered, known);
    return form.ok ? this.#change(known, entered, form.value) : form;
  }

  async #change(
    known: StoredRealServer,
    entered: ServerDetails,
    form: ValidatedServerForm,
  ): Promise<Result<EndedSessions>> {
    const { id } = known;
    const endsSessions = isMoved(known, form) && this.#options.sessionStore.ofServer(id).length > 0;
    const guarded = endsSessions ? this.production.check(id) : ok(null);
    if (!guarded.ok) return guarded;
    const agreed = await this.consent.confirmChange(known, connectionAfter(known, form));
    return agreed.ok ? this.#applyChange(known, entered, form) : agreed;
  }

  /** Saves a change that the user agreed to. */
  async #applyChange(
    known: StoredRealServer,
    entered: ServerDetails,
    form: ValidatedServerForm,
  ): Promise<Result<EndedSessions>> {
    const { state } = this.#options;
    const sessions = this.#options.sessions();
    const { id } = known;
    const moved = isMoved(known, form);
    const ended = moved ? await sessions.endServerSessions(id) : noneEnded;
    const saving = () => this.#save(known, entered, form);
    const isSame =
      isDeepStrictEqual(connectionOf(known), connectionAfter(known, form)) &&
      Object.values(form.secrets).every((each) => !each);
    const saved = await (isSame ? saving() : this.transports.change(id, saving));
    if (!saved.ok || !moved) return saved.ok ? ok(ended) : saved;
    // A login may have succeeded at the old address during the logouts.
    const late = await sessions.removeOrphanedSessions();
    if (id === state.get().activeServerId) await this.#show(id);
    return ok({ ended: ended.ended + late, pendingLogouts: ended.pendingLogouts + late });
  }

  /** Copies a server with its secrets and extra headers, without its sessions. */
  async duplicate({ id }: ById): Promise<Result<ById>> {
    const original = this.store.find(id);
    const baseUrl = this.#listed().find((each) => each.id === id)?.baseUrl;
    if (!original || original.mock || !baseUrl) return fail({ kind: 'not-now' });
    const copyId = randomUUID();
    const copied = await this.#secrets.copy(original, copyId);
    const name = original.name || defaultNameAndColour(baseUrl, this.store.all(), false).name;
    return this.store.addCopy(original, { ...original, ...copied, id: copyId, name, baseUrl });
  }

  /** Removes a server with its sessions and tokens, without a logout. */
  async remove({ id }: ById): Promise<Result<null>> {
    const { config, state, sessions, onRemoved } = this.#options;
    const removed = this.store.find(id);
    if (id === builtInId || !removed) return fail({ kind: 'not-now' });
    const wasActive = state.get().activeServerId === id;
    const { [id]: _email, ...lastEmails } = config.get().lastEmails;
    const { [id]: _origins, ...allowedOrigins } = config.get().allowedOrigins;
    // Before anything is awaited, so that it cannot be chosen again, and a running login finds no server for its token.
    config.change({ lastEmails, allowedOrigins, servers: this.store.all().filter((each) => each.id !== id) });
    if (wasActive) await this.#show(builtInId);
    await sessions().removeServerSessions(id);
    this.transports.close(id);
    await onRemoved(id);
    await this.#secrets.removeAll(removed);
    return ok(null);
  }

  /** Pins the certificate that the last call rejected, if the user agrees. */
  async trust({ id }: ById): Promise<Result<null>> {
    const server = isLocalServerId(id) ? undefined : this.store.find(id);
    const certificate = server && this.transports.rejectedCertificate(id);
    if (!certificate) return fail({ kind: 'not-now' });
    const question = { kind: 'trust', host: hostOf(server), certificate, instead: server.pins.length > 0 } as const;
    return this.#setPins(server, [certificate.sha256], question);
  }

  /** Removes the pinned certificate. */
  async distrust({ id }: ById): Promise<Result<null>> {
    const server = this.store.find(id);
    if (!server) return fail({ kind: 'not-now' });
    return server.pins.length === 0 ? ok(null) : this.#setPins(server, []);
  }

  /** Opens the address of the active server in the browser, if the user agrees. */
  async openInBrowser(): Promise<Result<{ opened: boolean }>> {
    const { state, ask, openExternal } = this.#options;
    const baseUrl = this.#listed().find(({ id }) => id === state.get().activeServerId)?.baseUrl;
    if (baseUrl === undefined) return fail({ kind: 'not-now' });
    const agreed = await ask({ kind: 'open-outside', baseUrl });
    if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok({ opened: false }) : agreed;
    const opened = await openExternal(baseUrl);
    return opened.ok ? ok({ opened: true }) : opened;
  }

  /** Writes the servers into a file that others can import. */
  async exportFile(): Promise<Result<null>> {
    const file = await this.#options.chooseFile('export');
    if (file === undefined) return ok(null);
    try {
      await writeAtomically(file, await formatServersFile(this.store.all()));
      return ok(null);
    } catch (error) {
      return fail({ kind: 'file-failed', code: errorCodeOf(error) ?? 'unknown' });
    }
  }

  /** The chosen file may be used in forms until a lock. */
  async chooseFile({ purpose }: Input<'chooseFile'>): Promise<Result<{ file?: string | undefined }>> {
    const file = await this.#options.chooseFile(purpose);
    return ok({ file: file === undefined ? undefined : this.#chosenFiles.add(purpose, file) });
  }

  /** Closes all connections, and forgets secrets and what the user agreed to or chose without a server. */
  lock(): void {
    this.transports.closeAll();
    this.#adapters.forget();
    this.consent.forget();
    this.#chosenFiles.forget();
    this.fileImport.forget();
  }

  [Symbol.dispose](): void {
    this.lock();
  }

  #listed(): readonly Server[] {
    return this.#options.state.get().servers;
  }

  /** The server at an address; of several, the active one. */
  #serverAt(address: string): Server | undefined {
    const there = this.#listed().filter(({ baseUrl }) => baseUrl === address);
    return there.find(({ id }) => id === this.#options.state.get().activeServerId) ?? there[0];
  }

  /** Server and session change synchronously, so that no frame shows one's profile under another's name. */
  async #show(id: string): Promise<Result<null>> {
    const { config, sessions, ensureStarted } = this.#options;
    const choice = ++this.#choices;
    if (isMockServerId(id)) await ensureStarted(id);
    if (choice !== this.#choices || !this.store.find(id)) return ok(null);
    sessions().operations.abandon();
    config.change({ activeServerId: id });
    sessions().presenter.showStored();
    void sessions().restore();
    return ok(null);
  }

  #validate(form: ServerFormInput, before: StoredRealServer | undefined): Promise<Result<ValidatedServerForm>> {
    return validateServerForm(form, before, {
      mayUse: (purpose, file) => this.#chosenFiles.has(purpose, file),
      stored: (...secret) => this.#secrets.read(...secret),
    });
  }

  async #setPins(
    server: StoredServer,
    pins: string[],
    question?: Parameters<Consent['confirmPins']>[2],
  ): Promise<Result<null>> {
    const agreed = await this.consent.confirmPins(server, pins, question);
    return agreed.ok ? this.transports.change(server.id, () => this.store.setPins(server.id, pins)) : agreed;
  }

  async #save(known: StoredRealServer, entered: ServerDetails, form: ValidatedServerForm): Promise<Result<null>> {
    const { id } = known;
    const extraHeaders = toStoredHeaders(form.headers);
    await this.#secrets.change(id, form, known);
    const before = this.store.find(id);
    // The secrets just written are not for another address. What else changed meanwhile, such as a pin, is kept.
    if (!before || before.mock || before.baseUrl !== known.baseUrl) {
      await this.#secrets.removeAll({ id, extraHeaders, ...interfaceIn(form.validatedInterface) });
      return fail({ kind: 'not-now' });
    }
    const moved = form.baseUrl !== before.baseUrl;
    const isLearnedValid = !moved && hasSameInterface(form.validatedInterface.interface, before.interface);
    const found = {
      learned: isLearnedValid ? before.dialect.learned : {},
      pins: moved ? [] : before.pins,
      connection: form.connection,
      secrets: storedSecretsAfter(form.secrets, before.secrets),
      extraHeaders,
      agreed: id === builtInId ? [] : this.consent.approvedFor(before.agreed, form),
      interface: form.validatedInterface.interface,
    };
    const others = this.store.all().filter((each) => each.id !== id);
    const name = entered.name.trim() || defaultNameAndColour(form.baseUrl, others, entered.production).name;
    return this.store.replace(toStoredServer(id, { ...entered, name }, form.baseUrl, found));
  }
}

const connectionAfter = (
  known: StoredRealServer,
  { baseUrl, connection, validatedInterface }: ValidatedServerForm,
): ServerConnection => ({
  baseUrl,
  connection,
  pins: baseUrl === known.baseUrl ? known.pins : [],
  ...interfaceIn(validatedInterface),
});

const connectionOf = ({ baseUrl, connection, pins, ...of }: ServerConnection): ServerConnection => ({
  baseUrl,
  connection,
  pins,
  ...interfaceIn(of),
});

/** Without the member if there is no API description. */
const interfaceIn = (of: Partial<Pick<ServerConnection, 'interface'>> | undefined) =>
  of?.interface ? { interface: of.interface } : {};
