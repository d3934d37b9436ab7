import { isDeepStrictEqual } from 'node:util';
import type { ProxySettings } from '../../../preload/contract/connection.ts';
import type { ConnectionChange, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { proxyText } from '../../client/proxy-route.ts';
import { defaultInterfaceSummary } from '../../interface/default-interface-summary.ts';
import type { StoredInterface, StoredRealServer, StoredServer } from '../config/config.ts';
import { builtInId, isLocalServerId } from '../config/server-ids.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { enteredVariables } from './interface-form.ts';
import { connectionFiles, type ValidatedServerForm } from './server-form.ts';
import type { ServerStore } from './server-store.ts';

/** Everything that decides who receives the bytes of a call. */
export type ServerConnection = Pick<StoredServer, 'baseUrl' | 'pins' | 'connection' | 'interface'>;

/** Where a call goes, and through which proxy. */
export type Destination = { url: string; proxy: ProxySettings };

/** Main's own dialog. Succeeds if the user agrees. */
export type ConfirmQuestion = (question: DialogQuestion) => Promise<Result<null>>;

/** @param origins the origins and proxies in the question that were not approved before */
export type ConfirmOrigins = (
  question: Extract<DialogQuestion, { kind: 'new-origin' }>,
  origins: readonly string[],
) => Promise<Result<null>>;

export const hostOf = ({ baseUrl }: Pick<StoredServer, 'baseUrl'>): string => new URL(baseUrl).host;

/** Compares two API descriptions, and what was entered for their variables. */
export const hasSameInterface = (one: StoredInterface | undefined, other: StoredInterface | undefined): boolean =>
  one?.digest === other?.digest && isDeepStrictEqual(one && enteredVariables(one), other && enteredVariables(other));

/** Whether the sessions of a server end with a change: no credential goes to another address or API. */
export const isMoved = (
  known: Pick<ServerConnection, 'baseUrl' | 'interface'>,
  { baseUrl, validatedInterface }: Pick<ValidatedServerForm, 'baseUrl' | 'validatedInterface'>,
): boolean => baseUrl !== known.baseUrl || !hasSameInterface(known.interface, validatedInterface.interface);

/** True if the same bytes go to the same address, through the same proxy and with the same certificates. */
export const hasSameConnection = (one: ServerConnection, other: ServerConnection): boolean =>
  one.baseUrl === other.baseUrl &&
  hasSameInterface(one.interface, other.interface) &&
  isDeepStrictEqual(routeOf(one), routeOf(other));

const routeOf = ({ connection: { proxy, authority, clientCertificate }, pins }: ServerConnection) => ({
  proxy,
  authority,
  clientCertificate,
  pins,
});

/**
 * The one decision whether a server was changed or removed while something was awaited, such as the answer to a question:
 * what the user agreed to holds for the server as it was shown.
 */
export const isUnchanged = <S extends ServerConnection>(before: ServerConnection, now: S | undefined): now is S =>
  now !== undefined && hasSameConnection(before, now);

type ConsentOptions = {
  store: ServerStore;
  state: Pick<AppStateHolder, 'get'>;
  sessionStore: Pick<SessionStore, 'ofServer'>;
  ask: ConfirmQuestion;
  confirmOrigins: ConfirmOrigins;
};

/**
 * What the user agreed to in main's own dialogs: the origins that main sends to, the proxies and scripts that it uses, and
 * changes of connections. Servers that run here need no question, at the port on which main started them. An approved
 * origin is stored with its server; one without a server is forgotten with a lock.
 */
export class Consent {
  readonly #options: ConsentOptions;
  readonly #withoutServer = new Set<string>();
  /** Open questions, shared by calls to the same destination. */
  readonly #open = new Map<string, Promise<Result<null>>>();

  constructor(options: ConsentOptions) {
    this.#options = options;
  }

  /** Checked for every call. */
  isApproved(to: Destination): boolean {
    return this.#missing(to).length === 0;
  }

  /**
   * Asks about the origin and the proxy of a server, unless they are approved.
   * @param serverId absent for a server that is not saved
   */
  async confirmOrigin(
    serverId: string | undefined,
    { baseUrl, connection: { proxy } }: Pick<ServerConnection, 'baseUrl' | 'connection'>,
  ): Promise<Result<null>> {
    const missing = this.#missing({ url: baseUrl, proxy });
    if (missing.length === 0) return ok(null);
    const { confirmOrigins, store } = this.#options;
    const origin = originOf(baseUrl);
    const isProxyNew = missing.some((each) => each !== origin);
    const question = {
      kind: 'new-origin',
      origin,
      isNew: missing.includes(origin),
      proxy: isProxyNew ? proxy : undefined,
    } as const;
    const key = JSON.stringify(missing);
    const asking = this.#open.get(key) ?? confirmOrigins(question, missing).finally(() => this.#open.delete(key));
    this.#open.set(key, asking);
    const agreed = await this.#whileUnchanged(serverId === undefined ? undefined : store.find(serverId), asking);
    if (agreed.ok) this.#remember(serverId, missing);
    return agreed;
  }

  /**
   * Asks once before a connection is changed: sessions, pending logouts, extra headers and the next password go over the
   * new one, and another address or API description ends the sessions. A new address without them is asked about as an
   * origin.
   */
  async confirmChange(before: StoredRealServer, after: ServerConnection): Promise<Result<null>> {
    if (before.id === builtInId || hasSameConnection(before, after)) return ok(null);
    const atStake = this.#atStake(before);
    const changes = changesBetween(before, after);
    const isQuestionNeeded = atStake !== undefined || changes.some(({ what }) => !isOfItself.has(what));
    if (!isQuestionNeeded) return this.confirmOrigin(before.id, after);
    const agreed = await this.#askAbout(before, {
      kind: 'connection',
      host: hostOf(before),
      ...noStake,
      ...atStake,
      changes,
    });
    if (!agreed.ok) return agreed;
    const approvedBefore = originsOf(destinationOf(before));
    this.#remember(
      before.id,
      originsOf(destinationOf(after)).filter((each) => !approvedBefore.includes(each)),
    );
    return agreed;
  }

  /** Asks before the pinned certificates change. `question` names the certificate to trust; removing one has none. */
  async confirmPins(
    before: StoredServer,
    pins: string[],
    question?: Extract<DialogQuestion, { kind: 'trust' }>,
  ): Promise<Result<null>> {
    if (isLocalServerId(before.id)) return ok(null);
    const changes = changesBetween(before, { ...before, pins });
    return this.#askAbout(
      before,
      question ?? { kind: 'connection', host: hostOf(before), ...noStake, ...this.#atStake(before), changes },
    );
  }

  /** The approved origins to store with a server at this address, the earlier ones included. */
  approvedFor(before: readonly string[], to: Pick<ServerConnection, 'baseUrl' | 'connection'>): string[] {
    const own = originsOf(destinationOf(to)).filter((origin) => this.#isStored(origin));
    for (const origin of own) this.#withoutServer.delete(origin);
    return withOrigins(before, own);
  }

  /** Asks once about all that an import changes, and approves its proxies. An origin is asked about when it is used. */
  async confirmImport(
    question: Extract<DialogQuestion, { kind: 'import-servers' }>,
    changed: readonly { known: StoredRealServer; form: Pick<ServerConnection, 'connection'> }[],
  ): Promise<Result<null>> {
    const { ask, store } = this.#options;
    const agreed = await ask(question);
    if (!agreed.ok) return agreed;
    if (changed.some(({ known }) => !isUnchanged(known, store.find(known.id)))) return fail({ kind: 'not-now' });
    for (const { known, form } of changed) {
      const { proxy } = form.connection;
      if (!isDeepStrictEqual(proxy, known.connection.proxy)) this.#remember(known.id, proxyKeys(proxy));
    }
    return agreed;
  }

  forget(): void {
    this.#withoutServer.clear();
  }

  #askAbout(before: StoredServer, question: DialogQuestion): Promise<Result<null>> {
    return this.#whileUnchanged(before, this.#options.ask(question));
  }

  async #whileUnchanged(before: StoredServer | undefined, asking: Promise<Result<null>>): Promise<Result<null>> {
    const agreed = await asking;
    if (!agreed.ok || !before) return agreed;
    return isUnchanged(before, this.#options.store.find(before.id)) ? agreed : fail({ kind: 'not-now' });
  }

  /** Undefined if nothing secret is stored for the server. */
  #atStake({ id, extraHeaders }: StoredServer): typeof noStake | undefined {
    const sessions = this.#options.sessionStore.ofServer(id);
    const logouts = sessions.filter(({ loggedOutAt }) => loggedOutAt !== undefined).length;
    const headers = extraHeaders.filter(({ isSet }) => isSet).length;
    if (sessions.length + headers === 0) return undefined;
    return { sessions: sessions.length - logouts, logouts, headers };
  }

  #isStored(origin: string): boolean {
    return (
      this.#withoutServer.has(origin) ||
      this.#options.store.all().some(({ agreed }) => agreed.some((each) => each === origin))
    );
  }

  #isOurs(origin: string): boolean {
    const { servers } = this.#options.state.get();
    return servers.some(({ id, baseUrl }) => isLocalServerId(id) && baseUrl !== '' && originOf(baseUrl) === origin);
  }

  #missing(to: Destination): string[] {
    return originsOf(to).filter((origin) => !this.#isStored(origin) && !this.#isOurs(origin));
  }

  #remember(serverId: string | undefined, origins: readonly string[]): void {
    const { store } = this.#options;
    const server = serverId === undefined ? undefined : store.find(serverId);
    if (server && !isLocalServerId(server.id) && !server.mock)
      store.replace({ ...server, agreed: withOrigins(server.agreed, origins) });
    else for (const origin of origins) this.#withoutServer.add(origin);
  }
}

const noStake = { sessions: 0, logouts: 0, headers: 0 };

/** Changes that need no question of their own while nothing secret is stored. */
const isOfItself: ReadonlySet<ConnectionChange['what']> = new Set(['address', 'interface'] as const);

const withOrigins = (before: readonly string[], origins: readonly string[]): string[] => [
  ...new Set([...before, ...origins]),
];

const originOf = (url: string): string => new URL(url).origin;

const destinationOf = ({ baseUrl, connection }: Pick<ServerConnection, 'baseUrl' | 'connection'>): Destination => ({
  url: baseUrl,
  proxy: connection.proxy,
});

/** Who receives what is sent there: the origin, and the proxy or script that was entered. */
const originsOf = ({ url, proxy }: Destination): string[] => [originOf(url), ...proxyKeys(proxy)];

/** A proxy, or the script that chooses one, as it is stored. None for the system's, which no page can choose. */
export function proxyKeys(proxy: ProxySettings): string[] {
  if (proxy.mode === 'manual') return [`proxy ${proxy.proxy.scheme}://${proxyText(proxy.proxy)}`];
  return proxy.mode === 'pac' ? [`script ${proxy.url}`] : [];
}

/** What decides who receives the calls of a server, and changes. */
export function changesBetween(before: ServerConnection, after: ServerConnection): ConnectionChange[] {
  const [from, to] = [before.connection, after.connection];
  const changes: ConnectionChange[] = [];
  const moved = before.baseUrl !== after.baseUrl;
  if (moved) changes.push({ what: 'address', from: before.baseUrl, to: after.baseUrl });
  if (!hasSameInterface(before.interface, after.interface))
    changes.push({ what: 'interface', from: formatInterface(before.interface), to: formatInterface(after.interface) });
  if (!isDeepStrictEqual(from.proxy, to.proxy)) changes.push({ what: 'proxy', from: from.proxy, to: to.proxy });
  const [filesBefore, filesAfter] = [connectionFiles(from), connectionFiles(to)];
  for (const what of ['authority', 'clientCertificate'] as const) {
    if (isDeepStrictEqual(from[what], to[what])) continue;
    const fileOf = ({ authority, pfx, certificate }: typeof filesBefore): string | undefined =>
      what === 'authority' ? authority : (pfx ?? certificate);
    changes.push({ what, from: fileOf(filesBefore), to: fileOf(filesAfter) });
  }
  // At another address the pinned certificate is dropped in any case.
  if (!moved && after.pins.length < before.pins.length) changes.push({ what: 'distrust' });
  return changes;
}

/** Its name, and where a password goes. */
function formatInterface(stored: StoredInterface | undefined): string {
  const { name, calls } = stored ?? defaultInterfaceSummary;
  return `${name} (${calls.login})`;
}
