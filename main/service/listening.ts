import { isIP, type Socket } from 'node:net';
import { errorCodeOrEmpty } from './error-code-or-empty.ts';
import { LOOPBACK_NAMES } from './host-and-origin.ts';
import type { App } from './route-dependencies.ts';

export const LOOPBACK = '127.0.0.1';
const PORTS_TRIED = 100;
const CLOSE_IDLE_EVERY_MS = 50;

export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** Whether other computers may reach a service: directly, through a proxy, or by a further host name. */
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

/** Why the application cannot listen; undefined if it does. */
async function tryListen(app: App, host: string, port: number): Promise<ListenFailure | undefined> {
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
 * @param where.port 0 for any free one
 * @param where.portSearch whether the next ports are tried if one is not available
 * @returns the port, or why there is none, as an English sentence
 */
export async function listen(
  app: App,
  { address, port: first, portSearch }: { address: string; port: number; portSearch: boolean },
): Promise<Listening> {
  const last = portSearch ? Math.min(first + PORTS_TRIED - 1, 65_535) : first;
  let port = first;
  let failure = await tryListen(app, address, port);
  while (failure !== undefined && failure !== 'address-not-here' && port < last) {
    failure = await tryListen(app, address, ++port);
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
 * Called before the application listens.
 *
 * @returns closes it: ends idle connections, and lets running requests finish for so many milliseconds
 */
export function prepareClose(app: App): (closeWithinMs: number) => Promise<void> {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return async (closeWithinMs) => {
    const force = setTimeout(() => app.server.closeAllConnections(), closeWithinMs);
    // A response while closing leaves its connection open.
    const endIdle = setInterval(() => app.server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
    const closing = app.close();
    // Node does not count a connection as idle before its first request, such as a browser's spare ones.
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    await closing;
    clearInterval(endIdle);
    clearTimeout(force);
  };
}
