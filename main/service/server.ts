import type { Socket } from 'node:net';
import { createApp, defaultTimeouts, type Timeouts } from './app.ts';
import { createPasswords, defaultArgon2Cost, type Argon2Cost } from './domain/passwords.ts';
import type { App, Parts } from './parts.ts';
import { unlimitedAttempts } from './stores/memory-attempt-store.ts';
import { openStores, type Database, type OpenFailure } from './stores/open-stores.ts';

const LOOPBACK = '127.0.0.1';
const PORTS_TRIED = 100;
const ENDS_IDLE_EVERY_MS = 50;
const DAY_SECONDS = 86_400;

export type ServiceOptions = {
  database: Database;
  /** 0 for any free port. */
  port: number;
  /** Take the next free port when this one is taken. */
  portSearch?: boolean;
  /** Receives what a person looking into a failure needs: no secrets, and no ending newline. */
  log?: (line: string) => void;
  rateLimit?: 'on' | 'off';
  limits?: Partial<Parts['limits']>;
  tokenLifetimeSeconds?: number;
  argon2?: Argon2Cost;
  timeouts?: Partial<Timeouts>;
  /** How long requests under way may take to finish when the service closes. */
  closeWithinMs?: number;
  /** Milliseconds since 1970. */
  now?: () => number;
};

export type Service = {
  /** Without a slash at its end. */
  baseUrl: string;
  port: number;
  /** For people: where the accounts are, without any password. */
  place: string;
  /** Ends idle connections at once, lets requests under way finish, and closes the database. */
  close(): Promise<void>;
};

export type StartFailure = OpenFailure | 'port-in-use' | 'port-forbidden';

export type StartResult =
  | { ok: true; service: Service }
  /** `message` is one English sentence. */
  | { ok: false; kind: StartFailure; message: string };

export const defaultLimits: Parts['limits'] = {
  login: { most: 5, windowSeconds: 60 },
  registration: { most: 10, windowSeconds: 60 },
};

type ListenFailure = Extract<StartFailure, 'port-in-use' | 'port-forbidden'>;

const listenFailures: Partial<Record<string, ListenFailure>> = { EADDRINUSE: 'port-in-use', EACCES: 'port-forbidden' };

/** Nothing when it listens. Loopback only: whoever can reach the port may try passwords. */
async function listen(app: App, port: number): Promise<ListenFailure | undefined> {
  try {
    await app.listen({ host: LOOPBACK, port });
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

/**
 * Starts the embedded service on 127.0.0.1.
 *
 * What a person can put right (a port in use, a folder that cannot be written, a damaged database) is
 * answered as a value; nothing is left open then.
 */
export async function startService(options: ServiceOptions): Promise<StartResult> {
  const opened = await openStores(options.database);
  if (!opened.ok) return opened;
  const { accounts, attempts, place } = opened.stores;

  const app = createApp({
    accounts,
    attempts: options.rateLimit === 'off' ? unlimitedAttempts : attempts,
    passwords: createPasswords(options.argon2 ?? defaultArgon2Cost),
    limits: { ...defaultLimits, ...options.limits },
    tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 30 * DAY_SECONDS,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    log: options.log ?? (() => {}),
    now: options.now ?? Date.now,
  });
  const endSilent = endSilentConnections(app);

  const last = options.portSearch ? Math.min(options.port + PORTS_TRIED - 1, 65_535) : options.port;
  let port = options.port;
  let failure = await listen(app, port);
  while (failure !== undefined && port < last) failure = await listen(app, ++port);

  async function close(): Promise<void> {
    const force = setTimeout(() => app.server.closeAllConnections(), options.closeWithinMs ?? 5000);
    // An answer given while closing leaves its connection open for a next request, which will not come.
    const endIdle = setInterval(() => app.server.closeIdleConnections(), ENDS_IDLE_EVERY_MS);
    const closing = app.close();
    endSilent();
    await closing;
    clearInterval(endIdle);
    clearTimeout(force);
    await accounts.close();
  }

  if (failure !== undefined) {
    await close();
    const ports = port === options.port ? `Port ${port} is` : `The ports ${options.port} to ${port} are`;
    const why = failure === 'port-in-use' ? 'already in use by another program' : 'reserved by the system';
    return { ok: false, kind: failure, message: `${ports} ${why}.` };
  }

  const address = app.server.address();
  const boundPort = address !== null && typeof address === 'object' ? address.port : port;
  return { ok: true, service: { baseUrl: `http://${LOOPBACK}:${boundPort}`, port: boundPort, place, close } };
}
