import { isDeepStrictEqual } from 'node:util';
import { ConnectionChoices, type ProxySettings } from '../../../preload/contract/connection.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import { defaultInterfaceSummary } from '../../interface/default-interface-summary.ts';
import { isLocalServerId, type StoredInterface, type StoredRealServer, type StoredServer } from '../config/config.ts';
import type { ConnectionChange, DialogQuestion } from '../../../preload/contract/dialogs.ts';
import type { SessionStore } from '../sessions/session-store.ts';
import { proxyKey } from './approved-origins.ts';
import { enteredVariables } from './interface-form.ts';
import { connectionFiles } from './server-form.ts';
import type { ServerStore } from './server-store.ts';

/** Where a server is, and what decides who gets the bytes of a call to it. */
export type ServerConnection = Pick<StoredServer, 'baseUrl' | 'pins' | 'connection' | 'interface'>;

/** Main's own question. Succeeds when the person agreed. */
export type ConfirmQuestion = (question: DialogQuestion) => Promise<Result<null>>;

export const hostOf = ({ baseUrl }: Pick<StoredServer, 'baseUrl'>): string => new URL(baseUrl).host;

/** Whether two descriptions say the same, with what was entered for their variables. */
export const hasSameInterface = (one: StoredInterface | undefined, other: StoredInterface | undefined): boolean =>
  one?.digest === other?.digest && isDeepStrictEqual(one && enteredVariables(one), other && enteredVariables(other));

/** Whether two states of a server have the same address and interface, and get the same bytes by the same proxy and certificates. */
export const hasSameConnection = (one: ServerConnection, other: ServerConnection): boolean =>
  one.baseUrl === other.baseUrl &&
  hasSameInterface(one.interface, other.interface) &&
  isDeepStrictEqual(who(one), who(other));

const who = ({ connection: { proxy, authority, clientCertificate }, pins }: ServerConnection) => ({
  proxy,
  authority,
  clientCertificate,
  pins,
});

/** What needs no question while nothing is kept for the server. */
const isOfItself: ReadonlySet<ConnectionChange['what']> = new Set(['address', 'interface'] as const);

/**
 * Asks a person before a server is reached otherwise: its sessions, the logouts that it is still to be told of, its extra
 * headers and the next password go over the new connection, and at another address or by another description the sessions
 * end. Answers whether a
 * question was asked: another address needs none if no session ends. Fails when the server was changed while the
 * question was open, which was not about that change.
 */
export async function confirmConnectionChange(
  {
    sessionStore,
    list,
    ask,
  }: { sessionStore: Pick<SessionStore, 'ofServer'>; list: Pick<ServerStore, 'find'>; ask: ConfirmQuestion },
  before: StoredServer,
  after: ServerConnection,
  own?: Extract<DialogQuestion, { kind: 'trust' }>,
): Promise<Result<boolean>> {
  if (isLocalServerId(before.id)) return ok(false);
  const changes = changesBetween(before, after);
  const sessions = sessionStore.ofServer(before.id);
  const logouts = sessions.filter(({ loggedOutAt }) => loggedOutAt !== undefined).length;
  const headers = before.extraHeaders.filter(({ isSet }) => isSet).length;
  const atStake = { sessions: sessions.length - logouts, logouts, headers };
  const isSilent = sessions.length + headers === 0 && changes.every(({ what }) => isOfItself.has(what));
  if (!own && isSilent) return ok(false);
  const agreed = await ask(own ?? { kind: 'connection', host: hostOf(before), ...atStake, changes });
  if (!agreed.ok) return agreed;
  const now = list.find(before.id);
  return now && hasSameConnection(now, before) ? ok(true) : fail({ kind: 'not-now' });
}

function changesBetween(before: ServerConnection, after: ServerConnection): ConnectionChange[] {
  const [from, to] = [before.connection, after.connection];
  const changes: ConnectionChange[] = [];
  const moved = before.baseUrl !== after.baseUrl;
  if (moved) changes.push({ what: 'address', from: before.baseUrl, to: after.baseUrl });
  if (!hasSameInterface(before.interface, after.interface)) {
    changes.push({ what: 'interface', from: sayInterface(before.interface), to: sayInterface(after.interface) });
  }
  if (!isDeepStrictEqual(from.proxy, to.proxy)) changes.push({ what: 'proxy', from: from.proxy, to: to.proxy });
  const [filesBefore, filesAfter] = [connectionFiles(from), connectionFiles(to)];
  for (const what of ['authority', 'clientCertificate'] as const) {
    if (isDeepStrictEqual(from[what], to[what])) continue;
    const fileOf = ({ authority, pfx, certificate }: typeof filesBefore): string | undefined =>
      what === 'authority' ? authority : (pfx ?? certificate);
    changes.push({ what, from: fileOf(filesBefore), to: fileOf(filesAfter) });
  }
  // At another address the certificate of this one was dropped in any case.
  if (!moved && after.pins.length < before.pins.length) changes.push({ what: 'distrust' });
  return changes;
}

/** An interface by its name, and by where a password goes. */
function sayInterface(stored: StoredInterface | undefined): string {
  const { name, calls } = stored ?? defaultInterfaceSummary;
  return `${name} (${calls.login})`;
}

/** A dialog has room for so many. */
const mostListed = 8;

/**
 * The servers of a file as they may be added: with its proxies and scripts only if the person agreed to them in main's
 * own question, which lists them.
 */
export async function confirmImportedProxies(
  found: readonly StoredRealServer[],
  ask: ConfirmQuestion,
): Promise<StoredRealServer[]> {
  const byProxy = new Map<string, { proxy: ProxySettings; hosts: string[] }>();
  for (const server of found) {
    const { proxy } = server.connection;
    if (proxyKey(proxy) === undefined) continue;
    const key = JSON.stringify(proxy);
    const entry = byProxy.get(key) ?? { proxy, hosts: [] };
    byProxy.set(key, { ...entry, hosts: [...entry.hosts, hostOf(server)] });
  }
  const listed = [...byProxy].slice(0, mostListed);
  const unlisted = byProxy.size - listed.length;
  const question = { kind: 'imported-proxies', listed: listed.map(([, each]) => each), unlisted } as const;
  const agreed = listed.length > 0 && (await ask(question)).ok;
  const used = new Set(agreed ? listed.map(([key]) => key) : []);
  return found.map((server) => {
    const { proxy } = server.connection;
    const place = proxyKey(proxy);
    if (place === undefined) return server;
    if (used.has(JSON.stringify(proxy))) return { ...server, agreed: [place] };
    const { proxy: none } = ConnectionChoices.parse({});
    return { ...server, connection: { ...server.connection, proxy: none } };
  });
}
