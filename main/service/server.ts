import { isIP, type Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { createSecureContext } from 'node:tls';
import { createApp, defaultTimeouts, type Timeouts } from './app.ts';
import { createHashQueue, type HashQueueSize } from './domain/hash-queue.ts';
import { createPasswords, defaultArgon2Cost, type Argon2Cost } from './domain/passwords.ts';
import type { App, Parts } from './parts.ts';
import { createServiceData, type ServiceData } from './data/service-data.ts';
import { createBehaviour, type Behaviour, type BehaviourSettings } from './behaviour/behaviour.ts';
import { unlimitedAttempts } from './stores/memory-attempt-store.ts';
import { openStores, type Database, type OpenFailure } from './stores/open-stores.ts';
import { startTokenSweep } from './token-sweep.ts';
import { createTokenUses } from './token-uses.ts';

const LOOPBACK = '127.0.0.1';
const PORTS_TRIED = 100;
const ENDS_IDLE_EVERY_MS = 50;
const DAY_SECONDS = 86_400;
/** More than any team needs at once; each costs a file descriptor, of which a process often has 1024. */
const MOST_CONNECTIONS = 900;

export type ServiceOptions = {
  database: Database;
  /** 0 for any free port. */
  port: number;
  /** Take the next free port when this one is taken. */
  portSearch?: boolean;
  /** The address to listen on: loopback unless given, since whoever can reach the port may try passwords. */
  listen?: string;
  /** Names it answers for beside the loopback ones; the first is the one of the base URL beyond loopback. */
  allowHosts?: readonly string[];
  /** PEM. */
  tls?: { cert: Buffer; key: Buffer };
  trustedProxies?: readonly string[];
  logRequests?: boolean;
  /** Receives what a person looking into a failure needs: no secrets, and no ending newline. */
  log?: (line: string) => void;
  rateLimit?: 'on' | 'off';
  limits?: Partial<Parts['limits']>;
  tokenLifetimeSeconds?: number;
  argon2?: Argon2Cost;
  hashQueue?: HashQueueSize;
  timeouts?: Partial<Timeouts>;
  /** Connections open at once; further ones are closed as they come. */
  mostConnections?: number;
  /** How long requests under way may take to finish when the service closes. */
  closeWithinMs?: number;
  /**
   * Lets it misbehave on purpose, in this way to begin with: `{}` for none yet. On loopback only; without it nothing of
   * it stands in the way of a request.
   */
  behaviour?: Partial<BehaviourSettings>;
  /** Milliseconds since 1970. */
  now?: () => number;
};

export type Service = {
  /** Without a slash at its end. */
  baseUrl: string;
  port: number;
  /** For people: where the accounts are, without any password. */
  place: string;
  /** When it was started with it. */
  behaviour?: Behaviour;
  /** What is in its database: with `behaviour`, and of SQLite only. */
  data?: ServiceData;
  /** Ends idle connections at once, lets requests under way finish, and closes the database. */
  close(): Promise<void>;
};

export type StartFailure = OpenFailure | ListenFailure | 'tls-unusable' | 'behaviour-beyond-loopback';

export type StartResult =
  | { ok: true; service: Service }
  /** `message` is one English sentence. */
  | { ok: false; kind: StartFailure; message: string };

export const defaultLimits: Parts['limits'] = {
  login: { most: 5, windowSeconds: 60 },
  registration: { most: 10, windowSeconds: 60 },
  client: { most: 300, windowSeconds: 60 },
};

/** One core is left to answer requests that need no hash. */
const defaultHashQueue: HashQueueSize = { atOnce: Math.max(1, availableParallelism() - 1), waiting: 100 };

type ListenFailure = 'port-in-use' | 'port-forbidden' | 'address-not-here';

const listenFailures: Partial<Record<string, ListenFailure>> = {
  EADDRINUSE: 'port-in-use',
  EACCES: 'port-forbidden',
  EADDRNOTAVAIL: 'address-not-here',
  ENOTFOUND: 'address-not-here',
  EAI_AGAIN: 'address-not-here',
};

/** Nothing when it listens. */
async function listen(app: App, host: string, port: number): Promise<ListenFailure | undefined> {
  try {
    await app.listen({ host, port });
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const kind = listenFailures[code];
    if (kind === undefined) throw error;
    return kind;
  }
}

/** Ends connections on which nothing was ever sent, such as a browser's spare ones: Node does not count them as idle. */
function endSilentConnections(app: App): () => void {
  const open = new Set<Socket>();
  app.server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  return () => {
    for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
  };
}

/** Whether only this computer can reach an address. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}

/** A file of the person's that is no certificate would otherwise be found by the first client. */
function isUsable(tls: NonNullable<ServiceOptions['tls']>): boolean {
  try {
    createSecureContext(tls);
    return true;
  } catch {
    return false;
  }
}

/**
 * Starts the embedded service, on 127.0.0.1 unless told otherwise.
 *
 * What a person can put right (a port in use, a folder that cannot be written, a damaged database) is
 * answered as a value; nothing is left open then.
 */
export async function startService(options: ServiceOptions): Promise<StartResult> {
  const { listen: address = LOOPBACK, allowHosts = [], tls } = options;
  if (tls && !isUsable(tls)) {
    const message = 'The files for TLS do not hold a certificate and its key in PEM form.';
    return { ok: false, kind: 'tls-unusable', message };
  }
  if (options.behaviour && !isLoopback(address)) {
    const message = 'A service that misbehaves on purpose listens on loopback only.';
    return { ok: false, kind: 'behaviour-beyond-loopback', message };
  }
  const opened = await openStores(options.database);
  if (!opened.ok) return opened;
  const { accounts, attempts, table, place } = opened.stores;

  const log = options.log ?? (() => {});
  const now = options.now ?? Date.now;
  const uses = createTokenUses({ accounts, now, log });
  const behaviour = options.behaviour && createBehaviour(options.behaviour);
  const app = createApp({
    accounts,
    attempts: options.rateLimit === 'off' ? unlimitedAttempts : attempts,
    passwords: createPasswords(options.argon2 ?? defaultArgon2Cost),
    limits: { ...defaultLimits, ...options.limits },
    tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 30 * DAY_SECONDS,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    hashing: createHashQueue(options.hashQueue ?? defaultHashQueue),
    uses,
    hosts: { allowed: allowHosts, secure: tls !== undefined },
    ...(tls && { tls }),
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    ...(options.logRequests !== undefined && { logRequests: options.logRequests }),
    ...(behaviour && { behaviour }),
    log,
    now,
  });
  app.server.maxConnections = options.mostConnections ?? MOST_CONNECTIONS;
  const endSilent = endSilentConnections(app);
  let stopSweep = async (): Promise<void> => undefined;

  const last = options.portSearch ? Math.min(options.port + PORTS_TRIED - 1, 65_535) : options.port;
  let port = options.port;
  let failure = await listen(app, address, port);
  while (failure !== undefined && failure !== 'address-not-here' && port < last)
    failure = await listen(app, address, ++port);

  async function close(): Promise<void> {
    const force = setTimeout(() => app.server.closeAllConnections(), options.closeWithinMs ?? 5000);
    // An answer given while closing leaves its connection open for a next request, which will not come.
    const endIdle = setInterval(() => app.server.closeIdleConnections(), ENDS_IDLE_EVERY_MS);
    const closing = app.close();
    endSilent();
    await closing;
    clearInterval(endIdle);
    clearTimeout(force);
    await Promise.all([stopSweep(), uses.stop()]);
    await attempts.close?.();
    await accounts.close();
  }

  if (failure !== undefined) {
    await close();
    const ports = port === options.port ? `Port ${port} is` : `The ports ${options.port} to ${port} are`;
    const sentences: Record<ListenFailure, string> = {
      'port-in-use': `${ports} already in use by another program.`,
      'port-forbidden': `${ports} reserved by the system.`,
      'address-not-here': `This computer has no address ${address} to listen on.`,
    };
    return { ok: false, kind: failure, message: sentences[failure] };
  }

  stopSweep = startTokenSweep({ accounts, now, log });
  const bound = app.server.address();
  const boundPort = bound !== null && typeof bound === 'object' ? bound.port : port;
  const [publicName = LOOPBACK] = isLoopback(address) ? [address.includes(':') ? `[${address}]` : address] : allowHosts;
  const baseUrl = `${tls ? 'https' : 'http'}://${publicName}:${boundPort}`;
  // The store itself, which no way to be wrong stands around.
  const data = behaviour && table && createServiceData({ table, accounts, file: place, now });
  return {
    ok: true,
    service: {
      baseUrl,
      port: boundPort,
      place,
      ...(behaviour && { behaviour: behaviour.control }),
      ...(data && { data }),
      close,
    },
  };
}
