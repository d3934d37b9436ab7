import { isIP, type Socket } from 'node:net';
import { errorCodeOrEmpty } from './error-code-or-empty.ts';
import { LOOPBACK_NAMES } from './host-and-origin.ts';
import type { App } from './route-dependencies.ts';

export const LOOPBACK = '127.0.0.1';
const PORTS_TRIED = 100;
const ENDS_IDLE_EVERY_MS = 50;

/** Says whether only this computer can reach an address. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/**
 * Whether others than this computer's own programs may reach a service: directly, or through a proxy or by a name that it
 * was told of.
 */
export const isReachableByOthers = (options: {
  listen?: string | undefined;
  allowHosts?: readonly string[] | undefined;
  trustedProxies?: readonly string[] | undefined;
}): boolean =>
  !isLoopback(options.listen ?? LOOPBACK) ||
  (options.allowHosts ?? []).some((name) => !LOOPBACK_NAMES.includes(name)) ||
  (options.trustedProxies ?? []).length > 0;

export type ListenFailure = 'port-in-use' | 'port-forbidden' | 'address-not-here';

const listenFailures: Partial<Record<string, ListenFailure>> = {
  EADDRINUSE: 'port-in-use',
  EACCES: 'port-forbidden',
  EADDRNOTAVAIL: 'address-not-here',
  ENOTFOUND: 'address-not-here',
  EAI_AGAIN: 'address-not-here',
};

/** Makes the application listen, and says why it cannot; undefined when it listens. */
async function failureOfListening(app: App, host: string, port: number): Promise<ListenFailure | undefined> {
  try {
    await app.listen({ host, port });
    return undefined;
  } catch (error) {
    const kind = listenFailures[errorCodeOrEmpty(error)];
    if (kind === undefined) throw error;
    return kind;
  }
}

type Listening = { ok: true; port: number } | { ok: false; kind: ListenFailure; message: string };

/**
 * Makes the application listen.
 *
 * @param where.port 0 for any free one
 * @param where.portSearch whether the next ports are tried when one cannot be had
 * @returns the port that was taken, or what is in the way, with one English sentence
 */
export async function listen(
  app: App,
  { address, port: first, portSearch }: { address: string; port: number; portSearch: boolean },
): Promise<Listening> {
  const last = portSearch ? Math.min(first + PORTS_TRIED - 1, 65_535) : first;
  let port = first;
  let failure = await failureOfListening(app, address, port);
  while (failure !== undefined && failure !== 'address-not-here' && port < last) {
    failure = await failureOfListening(app, address, ++port);
  }
  if (failure === undefined) {
    const bound = app.server.address();
    return { ok: true, port: bound !== null && typeof bound === 'object' ? bound.port : port };
  }
  const ports = port === first ? `Port ${port} is` : `The ports ${first} to ${port} are`;
  const sentences: Record<ListenFailure, string> = {
    'port-in-use': `${ports} already in use by another program.`,
    'port-forbidden': `${ports} reserved by the system.`,
    'address-not-here': `This computer has no address ${address} to listen on.`,
  };
  return { ok: false, kind: failure, message: sentences[failure] };
}

/**
 * Prepares the end of the application, before it listens.
 *
 * @returns ends idle connections at once, lets requests under way finish for so many milliseconds, and closes it
 */
export function prepareClose(app: App): (closeWithinMs: number) => Promise<void> {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return async (closeWithinMs) => {
    const force = setTimeout(() => app.server.closeAllConnections(), closeWithinMs);
    // An answer given while closing leaves its connection open for a next request, which will not come.
    const endIdle = setInterval(() => app.server.closeIdleConnections(), ENDS_IDLE_EVERY_MS);
    const closing = app.close();
    // Node does not count a connection as idle on which nothing was ever sent, such as a browser's spare ones.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    await closing;
    clearInterval(endIdle);
    clearTimeout(force);
  };
}
