import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ConnectionReport, EndedSessions, Server, ServerDetails } from '../../../preload/contract/models.ts';
import type { ServerInput, FilePurpose, Handlers } from '../../../preload/contract/contract.ts';
import type { Dialogs } from '../../../preload/contract/dialogs.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import type { SecretRegistry } from '../../client/secrets/secret-registry.ts';
import type { Transport } from '../../client/transport.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import {
  builtInId,
  isMockServerId,
  isLocalServerId,
  createStoredServer,
  type ConfigStore,
  type StoredRealServer,
  type StoredSession,
} from '../config/config.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { BoundClient, ClientFor } from '../sessions/sessions-options.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import type { Vault } from '../vault/vault.ts';
import { ApprovedOrigins, type ConfirmOrigins, type Destination } from './approved-origins.ts';
import {
  confirmConnectionChange,
  hostOf,
  hasSameConnection,
  hasSameInterface,
  type ConfirmQuestion,
  type ServerConnection,
} from './confirm-connection-change.ts';
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
import { descriptionDigest } from '../../interface/read-description.ts';
import { ProductionGuard } from './production-guard.ts';
import { withoutProvenGuesses } from './proven-guesses.ts';
import { ServersFileSync } from './servers-file-sync.ts';
import { ServerStore } from './server-store.ts';
import { ServerSecrets } from './server-secrets.ts';
import { Transports, type TransportsOptions } from './transports.ts';
import { adapterFor, AdapterCache } from './adapter-cache.ts';

type ServersOptions = Pick<TransportsOptions, 'resolveProxy' | 'onCall' | 'record'> & {
  config: ConfigStore;
  state: AppStateHolder;
  sessionStore: SessionStore;
  vault: Vault;
  secretRegistry: SecretRegistry;
  /** Sessions, which are made later, since they reach servers by this. */
  sessions: () => Pick<
    Sessions,
    | 'abandonOperation'
    | 'showStoredSession'
    | 'restore'
    | 'removeServerSessions'
    | 'endServerSessions'
    | 'removeOrphanedSessions'
  >;
  /** Fails where a server that runs here could not be started. */
  ensureStarted: (serverId: string) => Promise<Result<null>>;
  /** Told of a server that is gone with all that belonged to it. */
  onRemoved: (id: string) => Promise<void>;
  ask: ConfirmQuestion;
  confirmOrigins: ConfirmOrigins;
  /** The system's own dialogs; undefined when the person chose nothing. */
  chooseFile: (purpose: 'import' | 'export' | FilePurpose) => Promise<string | undefined>;
  /** Opens an address in the person's browser. */
  openExternal: Dialogs['openExternal'];
};

type Asked<K extends keyof Handlers['servers']> = Parameters<Handlers['servers'][K]>[0];
export type ById = { id: string };

const noneEnded: EndedSessions = { ended: 0, pendingLogouts: 0 };

/**
 * The servers of a person: the list, the one that is shown, the one connection of each, and what is asked before
 * something is sent to it.
 */
export class Servers implements Disposable {
  readonly #options: ServersOptions;
  readonly #list: ServerStore;
  readonly #places: ApprovedOrigins;
  readonly #secrets: ServerSecrets;
  readonly #transports: Transports;
  readonly #wires: AdapterCache;
  readonly #chosenFiles = new ChosenFiles();
  readonly production: ProductionGuard;
  readonly files: ServersFileSync;
  /** What is asked of a server as its form has it. */
  readonly drafts: DraftConnections;
  /** Counts choices, so that a slow earlier one cannot win over a later one. */
  #choices = 0;

  constructor(options: ServersOptions) {
    const { config, state, vault, secretRegistry } = options;
    this.#options = options;
    this.#list = new ServerStore(config);
    this.#places = new ApprovedOrigins(this.#list, state, options.confirmOrigins);
    this.#secrets = new ServerSecrets(vault, secretRegistry, (id) => this.#list.find(id));
    this.#wires = new AdapterCache(this.#secrets);
    this.#transports = new Transports({
      ...options,
      list: this.#list,
      secrets: this.#secrets,
      isApproved: (to) => this.#places.isApproved(to),
    });
    this.production = new ProductionGuard(this.#list);
    this.drafts = new DraftConnections({
      list: this.#list,
      approvedOrigins: this.#places,
      secrets: this.#secrets,
      transports: this.#transports,
      production: this.production,
      listed: () => this.#listed(),
      read: (...entered) => this.#read(...entered),
    });
    this.files = new ServersFileSync({
      ...options,
      list: this.#list,
      production: this.production,
      change: (...change) => this.#change(...change),
    });
  }

  /** Shows a server. */
  async choose({ id }: ById): Promise<Result<null>> {
    return this.#list.find(id) ? this.#activate(id) : fail({ kind: 'not-now' });
  }

  /** A new address becomes a new server, once the person agreed to it. */
  async chooseAddress({ address }: Asked<'chooseAddress'>): Promise<Result<null>> {
    const parsed = parseServerAddress(address);
    if (!parsed.ok) return parsed;
    const known = this.#serverAt(parsed.value);
    if (known) return this.#activate(known.id);
    const plain = createStoredServer(randomUUID(), '', parsed.value);
    const to = destinationOf(plain);
    const agreed = await this.#places.confirm(undefined, to);
    if (!agreed.ok) return agreed;
    // It may have been added while the question was open.
    const existing = this.#serverAt(parsed.value);
    if (existing) return this.#activate(existing.id);
    // Another path of a production server is no way around its guard.
    const production = this.#listed().some((each) => each.production && hostOf(each) === hostOf(plain));
    const face = defaultNameAndColour(plain.baseUrl, this.#list.all(), production);
    const added = { ...plain, ...face, agreed: this.#places.approvedFor([], to), production };
    this.#list.save([...this.#list.all(), added]);
    return this.#activate(added.id);
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
    const read = await this.#read(entered, undefined);
    if (!read.ok) return read;
    const to = destinationOf(read.value);
    const agreed = await this.#places.confirm(undefined, to);
    if (!agreed.ok) return agreed;
    const id = randomUUID();
    await this.#secrets.change(id, read.value, { extraHeaders: [] });
    const found = {
      learned: {},
      pins: [],
      connection: read.value.connection,
      secrets: storedSecretsAfter(read.value.secrets, []),
      extraHeaders: toStoredHeaders(read.value.headers),
      agreed: this.#places.approvedFor([], to),
      interface: read.value.validatedInterface.interface,
    };
    const { baseUrl } = read.value;
    const faced = withDefaultNameAndColour(entered, baseUrl, this.#list.all());
    this.#list.save([...this.#list.all(), toStoredServer(id, faced, baseUrl, found)]);
    return ok({ id });
  }

  /**
   * Saves what was entered of a server. At another address its sessions end, of which the old one is told first as far as
   * it can be; what was learned and trusted was another's, as were its extra headers. By another description they end in
   * the same way, told by the old one: what a session is kept by goes where one description says, and nowhere else.
   */
  async edit({ id, ...entered }: ServerInput & ById): Promise<Result<EndedSessions>> {
    const known = this.#list.find(id);
    if (!known) return fail({ kind: 'not-now' });
    if (known.double) {
      this.#list.replace(applyFormToMockServer(known, entered));
      return ok(noneEnded);
    }
    const read = await this.#read(entered, known);
    return read.ok ? this.#change(known, entered, read.value) : read;
  }

  /** Saves a server as it was read, once the person agreed to what changes of how it is reached. */
  async #change(
    known: StoredRealServer,
    entered: ServerDetails,
    read: ValidatedServerForm,
  ): Promise<Result<EndedSessions>> {
    const { state, sessionStore } = this.#options;
    const sessions = this.#options.sessions();
    const { id } = known;
    const { baseUrl, connection, secrets, validatedInterface } = read;
    const after = {
      baseUrl,
      connection,
      pins: baseUrl === known.baseUrl ? known.pins : [],
      ...interfaceIn(validatedInterface),
    };
    const moved = baseUrl !== known.baseUrl || !hasSameInterface(known.interface, validatedInterface.interface);
    const guarded = moved && sessionStore.ofServer(id).length > 0 ? this.production.check(id) : ok(null);
    if (!guarded.ok) return guarded;
    const allowed = await this.#confirmReach(known, after);
    if (!allowed.ok) return allowed;
    const ended = moved ? await sessions.endServerSessions(id) : noneEnded;
    const saving = () => this.#saveAfter(known, entered, read);
    const isSame = isDeepStrictEqual(reachOf(known), after) && Object.values(secrets).every((each) => !each);
    const saved = await (isSame ? saving() : this.#transports.change(id, saving));
    if (!saved.ok || !moved) return saved.ok ? ok(ended) : saved;
    // Somebody may have logged in at the old address, or by the old description, while that was told.
    const late = await sessions.removeOrphanedSessions();
    if (id === state.get().activeServerId) await this.#show(id);
    return ok({ ended: ended.ended + late, pendingLogouts: ended.pendingLogouts + late });
  }

  /** The copy has no sessions: its tokens would be another's. Its secrets and extra headers are the person's own. */
  async duplicate({ id }: ById): Promise<Result<ById>> {
    const original = this.#list.find(id);
    const baseUrl = this.#listed().find((each) => each.id === id)?.baseUrl;
    if (!original || original.double || !baseUrl) return fail({ kind: 'not-now' });
    const copyId = randomUUID();
    const copied = await this.#secrets.copy(original, copyId);
    const name = original.name || defaultNameAndColour(baseUrl, this.#list.all(), false).name;
    // A file has a name once, and that is the original's.
    return this.#list.addCopy(original, { ...original, ...copied, id: copyId, name, baseUrl, file: undefined });
  }

  move({ id, by }: Asked<'move'>): Result<{ place: number }> {
    return this.#list.move(id, by);
  }

  /** Removes the entry, and with it its sessions and tokens. The server is not told. */
  async remove({ id }: ById): Promise<Result<null>> {
    const { config, state, sessions, onRemoved } = this.#options;
    const removed = this.#list.find(id);
    if (id === builtInId || !removed) return fail({ kind: 'not-now' });
    const wasActive = state.get().activeServerId === id;
    const { [id]: _email, ...lastEmails } = config.get().lastEmails;
    const { [id]: _origins, ...allowedOrigins } = config.get().allowedOrigins;
    // It leaves the list before anything is waited for: nobody can choose it again meanwhile, and a login that is still
    // under way finds no server for its token.
    config.change({ lastEmails, allowedOrigins, servers: this.#list.all().filter((each) => each.id !== id) });
    if (wasActive) await this.#show(builtInId);
    await sessions().removeServerSessions(id);
    this.#transports.close(id);
    await onRemoved(id);
    await this.#secrets.removeAll(removed);
    return ok(null);
  }

  /** Lets web pages of these origins use a server that runs here. */
  allowOrigins({ id, origins }: Asked<'allowOrigins'>): Result<null> {
    return isLocalServerId(id) && this.#list.find(id)
      ? this.#list.allowOrigins(id, origins)
      : fail({ kind: 'not-now' });
  }

  confirmProduction({ id, host }: Asked<'confirmProduction'>): Result<null> {
    return this.production.confirm(id, host);
  }

  /** Trusts the certificate that the server's last call was refused for, once the person agreed, and no other. */
  async trust({ id }: ById): Promise<Result<null>> {
    const server = isLocalServerId(id) ? undefined : this.#list.find(id);
    const certificate = server && this.#transports.rejectedCertificate(id);
    if (!certificate) return fail({ kind: 'not-now' });
    const question = { kind: 'trust', host: hostOf(server), certificate, instead: server.pins.length > 0 } as const;
    return this.#setPins(server, [certificate.sha256], question);
  }

  /** Trusts what the system trusts, and nothing else. */
  async distrust({ id }: ById): Promise<Result<null>> {
    const server = this.#list.find(id);
    if (!server) return fail({ kind: 'not-now' });
    return server.pins.length === 0 ? ok(null) : this.#setPins(server, []);
  }

  /** See {@link DraftConnections}. */
  test(asked: Asked<'test'>): Promise<Result<ConnectionReport>> {
    return this.drafts.test(asked);
  }

  /** Ends every look. Each answers that it was cancelled. */
  cancelTest(): void {
    this.#transports.cancelTests();
  }

  /** Opens the address of the server that is shown in the person's browser, once they agreed. */
  async openInBrowser(): Promise<Result<{ opened: boolean }>> {
    const { state, ask, openExternal } = this.#options;
    const baseUrl = this.#listed().find(({ id }) => id === state.get().activeServerId)?.baseUrl;
    if (baseUrl === undefined) return fail({ kind: 'not-now' });
    const agreed = await ask({ kind: 'open-outside', baseUrl });
    if (!agreed.ok) return agreed.error.kind === 'cancelled' ? ok({ opened: false }) : agreed;
    const opened = await openExternal(baseUrl);
    return opened.ok ? ok({ opened: true }) : opened;
  }

  /** Asks for a file of a connection, which may be used for that from then on. */
  async chooseFile({ purpose }: Asked<'chooseFile'>): Promise<Result<{ file?: string | undefined }>> {
    const file = await this.#options.chooseFile(purpose);
    return ok({ file: file === undefined ? undefined : this.#chosenFiles.add(purpose, file) });
  }

  /** The description of a server as it was given. */
  interfaceText(id: string): Result<{ text?: string | undefined }> {
    const server = this.#list.find(id);
    return server ? ok({ text: server.interface?.text }) : fail({ kind: 'not-now' });
  }

  /** Forgets what was a guess of a server's description, since a login has worked by this text with these calls. */
  removeProvenGuesses(id: string, text: string, calls: readonly string[]): void {
    const servers = withoutProvenGuesses(this.#list.all(), id, descriptionDigest(text), calls);
    if (servers) this.#list.save(servers);
  }

  /** Makes a client of a server, whose code is loaded with the first one. */
  async client(...[serverId, session]: Parameters<ClientFor>): Promise<Result<BoundClient>> {
    const { state, ensureStarted } = this.#options;
    const isReady = await ensureStarted(serverId);
    if (!isReady.ok) return isReady;
    const { createClient } = await import('../../client/client.ts');
    const find = (): Server | undefined => this.#listed().find(({ id }) => id === serverId);
    const found = find();
    if (!found || found.baseUrl === '') return fail({ kind: 'not-now' });
    const { baseUrl } = found;
    const stored = this.#list.find(serverId)?.interface;
    const isItsOwn = (one: StoredSession): boolean => one.baseUrl === baseUrl && one.interface === stored?.digest;
    if (session && !isLocalServerId(serverId) && !isItsOwn(session)) return fail({ kind: 'not-now' });
    const agreed = await this.confirmOrigin(found);
    if (!agreed.ok) return agreed;
    const transport = await this.transport(serverId);
    const wire = await this.#wires.for({ id: serverId, baseUrl, interface: stored });
    if (!wire.ok) return wire;
    // It may have been changed while the question was open: nobody agreed to that.
    const server = find();
    const isAsAsked = server?.baseUrl === baseUrl && this.#list.find(serverId)?.interface === stored;
    if (!isAsAsked) return fail({ kind: 'not-now' });
    // The interface lists no such header: only our own service, whose choices are ours, is told the language.
    const acceptLanguage = serverId === builtInId ? { acceptLanguage: state.get().language } : {};
    const client = createClient({ transport, baseUrl, adapter: wire.value, ...acceptLanguage, paths: server.pinned });
    return ok({ client, baseUrl, adapter: wire.value, ...(stored && { interface: stored.digest }) });
  }

  /** How a server is spoken to, with all that was entered for it. */
  adapter({ id, baseUrl }: Pick<Server, 'id' | 'baseUrl'>): Promise<Result<ApiAdapter>> {
    return this.#wires.for({ id, baseUrl, interface: this.#list.find(id)?.interface });
  }

  /** How the requests and answers of a server are read. No secret is in it, since none is in an address. */
  readingAdapter({ id, baseUrl }: Pick<Server, 'id' | 'baseUrl'>): Result<ApiAdapter> {
    return adapterFor(this.#list.find(id)?.interface, baseUrl);
  }

  /** The one connection of a server. It sends nothing to a place that nobody agreed to. */
  transport(serverId: string): Promise<Transport> {
    return this.#transports.for(serverId);
  }

  /** Succeeds when something may be sent to a server as it is known here, and asks the person if its place is new. */
  confirmOrigin(server: Pick<Server, 'id' | 'baseUrl' | 'connection'>): Promise<Result<null>> {
    return this.#places.confirm(server.id, destinationOf(server));
  }

  /** Makes sure that a server which runs here does so, and that something may be sent to any other. */
  async ensureReachable(serverId: string): Promise<Result<null>> {
    const isReady = await this.#options.ensureStarted(serverId);
    const server = this.#listed().find(({ id }) => id === serverId);
    return !isReady.ok || !server || isLocalServerId(serverId) ? isReady : this.confirmOrigin(server);
  }

  /** What is to be remembered of a server after these answers. */
  learned(...learned: Parameters<ServerStore['learnFrom']>): ReturnType<ServerStore['learnFrom']> {
    return this.#list.learnFrom(...learned);
  }

  /** Closes every connection, and forgets what the person agreed to and chose for no server. */
  lock(): void {
    this.#transports.closeAll();
    this.#wires.forget();
    this.#places.forget();
    this.#chosenFiles.forget();
    this.files.forget();
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

  #activate(id: string): Promise<Result<null>> {
    return id === this.#options.state.get().activeServerId ? Promise.resolve(ok(null)) : this.#show(id);
  }

  /** Server and session change without a wait between them, so that no frame shows one's profile under another's name. */
  async #show(id: string): Promise<Result<null>> {
    const { config, sessions, ensureStarted } = this.#options;
    const choice = ++this.#choices;
    if (isMockServerId(id)) await ensureStarted(id);
    if (choice !== this.#choices || !this.#list.find(id)) return ok(null);
    sessions().abandonOperation();
    config.change({ activeServerId: id });
    sessions().showStoredSession();
    // A server may take long to answer, and what is stored is on the screen already.
    void sessions().restore();
    return ok(null);
  }

  #read(entered: ServerFormInput, before: StoredRealServer | undefined): Promise<Result<ValidatedServerForm>> {
    return validateServerForm(entered, before, {
      mayUse: (purpose, file) => this.#chosenFiles.has(purpose, file),
      stored: (...secret) => this.#secrets.read(...secret),
    });
  }

  #confirm(...change: Change): Promise<Result<boolean>> {
    return confirmConnectionChange({ ...this.#options, list: this.#list }, ...change);
  }

  /** Asks once about what changes of how a server is reached, or about an address that is new. */
  async #confirmReach(before: StoredRealServer, after: ServerConnection): Promise<Result<null>> {
    if (before.id === builtInId || hasSameConnection(before, after)) return ok(null);
    const asked = await this.#confirm(before, after);
    if (!asked.ok) return asked;
    if (!asked.value) return this.#places.confirm(before.id, destinationOf(after));
    this.#places.approveChange(before.id, destinationOf(before), destinationOf(after));
    return ok(null);
  }

  /** Trusts these certificates alone, whatever the system says of them, once the person agreed. */
  async #setPins(server: Change[0], pins: string[], question?: Change[2]): Promise<Result<null>> {
    const allowed = await this.#confirm(server, { ...server, pins }, question);
    return allowed.ok ? this.#transports.change(server.id, () => this.#list.setPins(server.id, pins)) : allowed;
  }

  /** Saves a server that was entered, unless it is another one by now. */
  async #saveAfter(known: StoredRealServer, entered: ServerDetails, read: ValidatedServerForm): Promise<Result<null>> {
    const { id } = known;
    const extraHeaders = toStoredHeaders(read.headers);
    await this.#secrets.change(id, read, known);
    // While files and the vault were waited for, something may have been learned, or the entry removed or changed.
    const before = this.#list.find(id);
    if (!before || before.double || before.baseUrl !== known.baseUrl) {
      await this.#secrets.removeAll({ id, extraHeaders, ...interfaceIn(read.validatedInterface) });
      return fail({ kind: 'not-now' });
    }
    const moved = read.baseUrl !== before.baseUrl;
    const isRead = !moved && hasSameInterface(read.validatedInterface.interface, before.interface);
    const found = {
      learned: isRead ? before.dialect.learned : {},
      pins: moved ? [] : before.pins,
      connection: read.connection,
      secrets: storedSecretsAfter(read.secrets, before.secrets),
      extraHeaders,
      agreed: id === builtInId ? [] : this.#places.approvedFor(before.agreed, destinationOf(read)),
      interface: read.validatedInterface.interface,
      file: before.file,
    };
    const others = this.#list.all().filter((each) => each.id !== id);
    const name = entered.name.trim() || defaultNameAndColour(read.baseUrl, others, entered.production).name;
    return this.#list.replace(toStoredServer(id, { ...entered, name }, read.baseUrl, found));
  }
}

/** What a question before a change is about. */
type Change = Parameters<typeof confirmConnectionChange> extends [unknown, ...infer Rest] ? Rest : never;

const reachOf = ({ baseUrl, connection, pins, ...of }: ServerConnection): ServerConnection => ({
  baseUrl,
  connection,
  pins,
  ...interfaceIn(of),
});

/** The description of a server, as a member that is there only with a value. */
const interfaceIn = (of: Partial<Pick<ServerConnection, 'interface'>> | undefined) =>
  of?.interface ? { interface: of.interface } : {};

const destinationOf = ({ baseUrl, connection }: Pick<ServerConnection, 'baseUrl' | 'connection'>): Destination => ({
  url: baseUrl,
  proxy: connection.proxy,
});
