import { availableParallelism } from 'node:os';
import { createSecureContext } from 'node:tls';
import { capConnections } from './connection-cap.ts';
import { createApp, defaultTimeouts, type Timeouts } from './app.ts';
import { createHashQueue, type HashQueueSize } from './domain/hash-queue.ts';
import { createPasswords, defaultArgon2Cost, type Argon2Cost, type Passwords } from './domain/passwords.ts';
import { isLoopback, listen, LOOPBACK, mayBeShared, prepareClose, type ListenFailure } from './listening.ts';
import {
  areStrictEnough,
  CONNECTIONS_PER_CLIENT,
  defaultLimits,
  loosestBeyondLoopback,
  MOST_CONNECTIONS,
  type Limits,
} from './limits.ts';
import { isPublicPassword } from './data/known-people.ts';
import { createServiceData, type ServiceData } from './data/service-data.ts';
import { createBehaviour, type Behaviour } from './behaviour/behaviour.ts';
import { createClientWatch, type ClientReport } from './clients/client-watch.ts';
import { createClockControl, type ClockControl, type ClockWanted } from './clock/clock-control.ts';
import { createMovableClock } from './clock/movable-clock.ts';
import type { BehaviourSettings } from './behaviour/settings.ts';
import type { ServerModel } from './double/model.ts';
import type { AccountStore } from './stores/account-store.ts';
import type { Alone } from './stores/alone.ts';
import { unlimitedAttempts } from './stores/memory-attempt-store.ts';
import { openStores, type Database, type OpenFailure, type Stores } from './stores/open-stores.ts';
import { startTokenSweep } from './token-sweep.ts';
import { createTokenUses } from './token-uses.ts';

const DAY_SECONDS = 86_400;
export type ServiceOptions = {
  database: Database;
  /** 0 for any free port. */
  port: number;
  /** Whether the next free port is taken when this one is in use. */
  portSearch?: boolean;
  /** The address to listen on: loopback unless given, since whoever can reach the port may try passwords. */
  listen?: string;
  /** Names it answers for beside the loopback ones; the first is the one of the base URL beyond loopback. */
  allowHosts?: readonly string[];
  /** In PEM form. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  trustedProxies?: readonly string[] | undefined;
  logRequests?: boolean | undefined;
  /** Receives what a person looking into a failure needs: no secrets, and no ending newline. */
  log?: (line: string) => void;
  rateLimit?: 'on' | 'off';
  limits?: Partial<Limits>;
  tokenLifetimeSeconds?: number;
  argon2?: Argon2Cost | undefined;
  hashQueue?: HashQueueSize;
  timeouts?: Partial<Timeouts>;
  /** The most connections that are open at once. Further ones are closed as they come. */
  mostConnections?: number;
  /** The same for one client; a trusted proxy is none. */
  connectionsPerClient?: number | undefined;
  /** How long requests under way may take to finish when the service closes. */
  closeWithinMs?: number;
  /**
   * How it misbehaves on purpose to begin with; `{}` says in no way yet. It is for loopback and for SQLite only. If it is
   * absent, no request meets any code for it.
   */
  behaviour?: Partial<BehaviourSettings> | undefined;
  /** Whether its clock can be moved, on loopback and on SQLite only; see {@link ClockWanted}. */
  clock?: ClockWanted | undefined;
  /** Whether it watches what clients do wrong, on loopback only; `with-cookie` sets one, to see whether it comes back. */
  clients?: 'watched' | 'with-cookie' | undefined;
  /** What was learned of another server: the service is then its double, on loopback only. */
  model?: ServerModel | undefined;
  /** Returns milliseconds since 1970. */
  now?: () => number;
};

export type Service = {
  /** It has no slash at its end. */
  baseUrl: string;
  port: number;
  /** Where the accounts are, in words for people and without any password. */
  place: string;
  /** Only a service that was started with `behaviour` has it. */
  behaviour?: Behaviour | undefined;
  /** What is in its database. Only a service that was started with `behaviour` has it. */
  data?: ServiceData | undefined;
  /** Only a service that was started with `clock` has it. */
  clock?: ClockControl | undefined;
  /** Only a service that was started with `clients` has it. */
  clients?: ClientReport | undefined;
  /** Ends idle connections at once, lets requests under way finish, and closes the database. */
  close(): Promise<void>;
};

type StartFailure =
  | OpenFailure
  | ListenFailure
  | 'tls-unusable'
  | 'behaviour-beyond-loopback'
  | 'shared-database'
  | 'clock-beyond-loopback'
  | 'clock-shared'
  | 'clock-unclaimed'
  | 'double-beyond-loopback'
  | 'limits-beyond-loopback';

type StartResult =
  | { ok: true; service: Service }
  /** `message` is one English sentence. */
  | { ok: false; kind: StartFailure; message: string };

/** One core is left to answer requests that need no hash. */
const defaultHashQueue: HashQueueSize = { atOnce: Math.max(1, availableParallelism() - 1), waiting: 100 };
/** A double turns nobody away for now, unless its original does. */
const endlessHashQueue: HashQueueSize = { ...defaultHashQueue, waiting: MOST_CONNECTIONS };

/** Says whether TLS can be spoken with these files. Otherwise the first client would find out. */
function isUsable(tls: NonNullable<ServiceOptions['tls']>): boolean {
  try {
    createSecureContext(tls);
    return true;
  } catch {
    return false;
  }
}

/** What is wrong with the options themselves; undefined when they can be tried. */
function problemOf(options: ServiceOptions): StartResult | undefined {
  const { behaviour, clock, database, listen: address = LOOPBACK, model, tls } = options;
  if ('url' in database && (behaviour || clock || model)) {
    const message = 'A service on PostgreSQL, which others may share, keeps the time and misbehaves in no way.';
    return { ok: false, kind: 'shared-database', message };
  }
  if (tls && !isUsable(tls)) {
    const message = 'The files for TLS do not hold a certificate and its key in PEM form.';
    return { ok: false, kind: 'tls-unusable', message };
  }
  if (behaviour && !isLoopback(address)) {
    const message = 'A service that misbehaves on purpose listens on loopback only.';
    return { ok: false, kind: 'behaviour-beyond-loopback', message };
  }
  if ((clock || options.clients) && mayBeShared(options)) {
    const message = 'A service whose clock can be moved, or that watches its clients, is for this computer only.';
    return { ok: false, kind: 'clock-beyond-loopback', message };
  }
  if (model && !isLoopback(address)) {
    return { ok: false, kind: 'double-beyond-loopback', message: 'A double of a server listens on loopback only.' };
  }
  if (!isLoopback(address) && !areStrictEnough(options)) {
    const { login, registration, client, connectionsPerClient } = loosestBeyondLoopback;
    const message =
      `Beyond loopback, the limits are at most ${login} logins of one email, ${registration} registrations and ` +
      `${client} attempts a minute of one client, which may have ${connectionsPerClient} connections.`;
    return { ok: false, kind: 'limits-beyond-loopback', message };
  }
  return undefined;
}

function baseUrlOf({ allowHosts, listen: address = LOOPBACK, tls }: ServiceOptions, port: number): string {
  const [name = LOOPBACK] = isLoopback(address)
    ? [address.includes(':') ? `[${address}]` : address]
    : (allowHosts ?? []);
  return `${tls ? 'https' : 'http'}://${name}:${port}`;
}

/** Ends what an earlier run left, and makes what checks passwords ready for all the hashes that are kept. */
async function settleStore(
  accounts: AccountStore,
  argon2: Argon2Cost,
  log: (line: string) => void,
): Promise<Passwords> {
  // The wrong modes of that run are over; tokens of another process that is wrong just now go too. Where this fails, no
  // request here takes such a token either.
  await accounts
    .deleteBoundTokens()
    .catch((error: unknown) => log(`Tokens of wrong modes were not deleted: ${String(error)}`));
  const passwords = createPasswords(argon2);
  passwords.learnCosts(await accounts.hashBeginnings());
  return passwords;
}

/** Takes the database for one instance alone, whose clock can be moved; or closes it and says why that cannot be. */
async function claim({ accounts, own }: Stores): Promise<StartResult | undefined> {
  const failure = own && (await failureOfClaim(own.alone));
  if (!failure) return undefined;
  await accounts.close();
  return failure;
}

async function failureOfClaim(alone: Alone): Promise<StartResult | undefined> {
  try {
    if (await alone.claim()) return undefined;
    const message = 'Another instance uses the database, and the clock can be moved only where there is none.';
    return { ok: false, kind: 'clock-shared', message };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const message = `It cannot be told whether another instance uses the database, so the clock cannot be moved: ${why}.`;
    return { ok: false, kind: 'clock-unclaimed', message };
  }
}

/**
 * Starts the service, on 127.0.0.1 unless told otherwise.
 *
 * What a person can put right (a port in use, a folder that cannot be written, a damaged database) is answered as a
 * value. Nothing is left open then.
 */
export async function startService(options: ServiceOptions): Promise<StartResult> {
  const { allowHosts = [], listen: address = LOOPBACK, log = () => {}, now: realNow = Date.now, tls } = options;
  const problem = problemOf(options);
  if (problem) return problem;
  const movable = options.clock && createMovableClock(realNow);
  const now = movable?.now ?? realNow;
  const opened = await openStores(options.database, movable?.steady);
  if (!opened.ok) return opened;
  const { accounts, attempts, own, place } = opened.stores;
  const unclaimed = options.clock === 'from-start' && (await claim(opened.stores));
  if (unclaimed) return unclaimed;

  const passwords = await settleStore(accounts, options.argon2 ?? defaultArgon2Cost, log);
  const uses = createTokenUses({ accounts, now, log });
  const behaviour = options.behaviour && createBehaviour(options.behaviour);
  const clients =
    options.clients && createClientWatch({ clock: movable, setsCookie: options.clients === 'with-cookie' });
  const app = createApp({
    accounts,
    attempts: options.rateLimit === 'off' ? unlimitedAttempts : attempts,
    passwords,
    limits: { ...defaultLimits, ...options.limits },
    tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 30 * DAY_SECONDS,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    hashing: createHashQueue(options.hashQueue ?? (options.model ? endlessHashQueue : defaultHashQueue)),
    uses,
    hosts: { allowed: allowHosts, secure: tls !== undefined },
    tls,
    trustedProxies: options.trustedProxies,
    logRequests: options.logRequests,
    isPublicPassword: mayBeShared(options) ? isPublicPassword : undefined,
    behaviour,
    clients,
    movesClock: movable !== undefined,
    model: options.model,
    log,
    now,
  });
  app.server.maxConnections = options.mostConnections ?? MOST_CONNECTIONS;
  capConnections(app, {
    perClient: options.connectionsPerClient ?? (options.model ? MOST_CONNECTIONS : CONNECTIONS_PER_CLIENT),
    trustedProxies: options.trustedProxies ?? [],
  });
  const closeApp = prepareClose(app);
  let stopSweep = async (): Promise<void> => undefined;

  async function close(): Promise<void> {
    await closeApp(options.closeWithinMs ?? 5000);
    await Promise.all([stopSweep(), uses.stop()]);
    await accounts.close();
  }

  const listening = await listen(app, { address, port: options.port, portSearch: options.portSearch ?? false });
  if (!listening.ok) {
    await close();
    return listening;
  }
  // A token that ended in a time ahead lives again once the clock is back.
  stopSweep = startTokenSweep({ accounts, now: realNow, log });
  // It is given the store itself, which no wrong mode stands around.
  const data = behaviour && own && createServiceData({ table: own.table, accounts, file: place, now: realNow });
  const clock =
    movable && own && createClockControl({ clock: movable, accounts, alone: own.alone, wanted: options.clock });
  return {
    ok: true,
    service: {
      baseUrl: baseUrlOf(options, listening.port),
      port: listening.port,
      place,
      behaviour: behaviour?.control,
      data,
      clock,
      clients: clients?.report,
      close,
    },
  };
}
