import { availableParallelism } from 'node:os';
import { createSecureContext } from 'node:tls';
import { ApiAdapter } from '../interface/api-adapter.ts';
import { limitConnections } from './connection-limit.ts';
import { createApp, defaultTimeouts, type Timeouts } from './app.ts';
import { createHashQueue, type HashQueueSize } from './domain/hash-queue.ts';
import { createPasswords, defaultArgon2Cost, type Argon2Cost, type Passwords } from './domain/passwords.ts';
import { isLoopback, listen, LOOPBACK, isReachableByOthers, prepareClose, type ListenFailure } from './listening.ts';
import {
  areStrictEnough,
  CONNECTIONS_PER_CLIENT,
  defaultLimits,
  loosestBeyondLoopback,
  MOST_CONNECTIONS,
  type RateLimits,
} from './limits.ts';
import { createStatusPage } from './page/status-page.ts';
import { isPublicPassword } from './data/seeded-accounts.ts';
import type { MockDependencies } from './mock/mock-token-store.ts';
import { createMockTokenStore, type MockTokenStore } from './mock/mock-token-store.ts';
import { createMockUsernames } from './mock/mock-usernames.ts';
import type { MockDefinition } from './mock/mock-definition.ts';
import type { App, RouteDependencies } from './route-dependencies.ts';
import type { AccountStore } from './stores/account-store.ts';
import { unlimitedRateLimitStore } from './stores/memory-rate-limit-store.ts';
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
  /** The address to listen on: loopback unless given, since every computer that reaches the port may try passwords. */
  listen?: string;
  /** Names it answers for beside the loopback ones; the first is the one of the base URL beyond loopback. */
  allowHosts?: readonly string[];
  /** Returns the origins of web pages that may use it, each as `readWebOrigin` of `main/files/web-origin.ts` does. */
  allowOrigins?: (() => readonly string[]) | undefined;
  /** In PEM form. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  trustedProxies?: readonly string[] | undefined;
  logRequests?: boolean | undefined;
  /** Receives what a person looking into a failure needs: no secrets, and no ending newline. */
  log?: (line: string) => void;
  rateLimit?: 'on' | 'off';
  limits?: Partial<RateLimits>;
  tokenLifetimeSeconds?: number;
  argon2?: Argon2Cost | undefined;
  hashQueue?: HashQueueSize;
  timeouts?: Partial<Timeouts>;
  /** The most connections that are open at once. Further ones are closed as they come. */
  maxConnections?: number;
  /** Connections of one client; trusted proxies are not limited. */
  connectionsPerClient?: number | undefined;
  /** How long requests under way may take to finish when the service closes. */
  closeWithinMs?: number;
  /** What was learned of another server: the service is then its double, on loopback only. */
  mock?: MockDefinition | undefined;
  /** The interface that it answers at; a double answers at that of its model. */
  adapter?: ApiAdapter | undefined;
  /** Returns milliseconds since 1970. */
  now?: () => number;
  /** The same, by a clock that nobody moves; {@link now} unless given. Old tokens are swept by it. */
  realNow?: () => number;
};

/** The database of a service, and where it is a double the tokens of that. */
export type OpenedStores = { stores: Stores; tokens?: MockTokenStore | undefined };

/** What a caller puts around the service, as `lab/` does. Without it, no request meets any code for it. */
export type ServiceExtensions<Refusal> = {
  /** The time in milliseconds by which attempts are counted in a database of one's own. */
  monotonicNow?: (() => number) | undefined;
  /** Looks at the open database before anything listens; what it returns refuses the start. */
  open(opened: OpenedStores): Promise<Refusal | undefined>;
  /** These wrap what the routes are made of. */
  accounts(store: AccountStore): AccountStore;
  passwords(passwords: Passwords): Passwords;
  mockTokens(tokens: MockTokenStore): Omit<MockDependencies, keyof RouteDependencies | 'usernames'>;
  /** Adds its hooks before all others. */
  plugin: (app: App, parts: RouteDependencies) => void;
};

export type Service = {
  /** It has no slash at its end. */
  baseUrl: string;
  port: number;
  /** Where the accounts are, in words for people and without any password. */
  location: string;
  /** Ends idle connections at once, lets requests under way finish, and closes the database. */
  close(): Promise<void>;
};

type StartFailure =
  | OpenFailure
  | ListenFailure
  | 'tls-unusable'
  | 'shared-database'
  | 'double-beyond-loopback'
  | 'limits-beyond-loopback';

export type StartResult =
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
  const { database, listen: address = LOOPBACK, mock, tls } = options;
  if ('url' in database && mock) {
    const message = 'A mock cannot store its accounts in PostgreSQL.';
    return { ok: false, kind: 'shared-database', message };
  }
  if (tls && !isUsable(tls)) {
    const message = 'The TLS files do not contain a certificate and its key in PEM format.';
    return { ok: false, kind: 'tls-unusable', message };
  }
  if (mock && !isLoopback(address)) {
    return { ok: false, kind: 'double-beyond-loopback', message: 'A mock is for loopback only.' };
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

/** Makes what checks passwords ready for all the hashes that are kept. */
async function passwordsFor(accounts: AccountStore, argon2: Argon2Cost): Promise<Passwords> {
  const passwords = createPasswords(argon2);
  passwords.learnCosts(await accounts.hashPrefixes());
  return passwords;
}

/**
 * Starts the service, on 127.0.0.1 unless told otherwise.
 *
 * What a person can put right (a port in use, a folder that cannot be written, a damaged database) is answered as a
 * value. Nothing is left open then.
 * @param around what the caller puts around it
 */
export async function startService<Refusal = never>(
  options: ServiceOptions,
  around?: ServiceExtensions<Refusal>,
): Promise<StartResult | Refusal> {
  const { allowHosts = [], listen: address = LOOPBACK, log = () => {}, mock, now = Date.now, tls } = options;
  const { realNow = now } = options;
  const adapter = mock ? mock.interface && new ApiAdapter(mock.interface, '') : options.adapter;
  const problem = problemOf(options);
  if (problem) return problem;
  const opened = await openStores(options.database, around?.monotonicNow);
  if (!opened.ok) return opened;
  const { local, location, ...stores } = opened.stores;
  const tokens = mock && local && (await createMockTokenStore(local, now()));
  const usernames = mock && local && (await createMockUsernames(local));
  const refusal = await around?.open({ stores: opened.stores, tokens });
  if (refusal) {
    await stores.accounts.close();
    return refusal;
  }

  const accounts = around?.accounts(stores.accounts) ?? stores.accounts;
  const passwords = await passwordsFor(accounts, options.argon2 ?? defaultArgon2Cost);
  const tokenUses = createTokenUses({ accounts, now, log });
  const app = createApp({
    accounts,
    rateLimitStore: options.rateLimit === 'off' ? unlimitedRateLimitStore : stores.rateLimitStore,
    passwords: around?.passwords(passwords) ?? passwords,
    limits: { ...defaultLimits, ...options.limits },
    tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 30 * DAY_SECONDS,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    hashQueue: createHashQueue(options.hashQueue ?? (mock ? endlessHashQueue : defaultHashQueue)),
    tokenUses,
    hosts: { allowed: allowHosts, secure: tls !== undefined, origins: options.allowOrigins },
    tls,
    trustedProxies: options.trustedProxies,
    logRequests: options.logRequests,
    isPublicPassword: isReachableByOthers(options) ? isPublicPassword : undefined,
    plugin: around?.plugin,
    adapter,
    page: isReachableByOthers(options) ? undefined : createStatusPage({ adapter, mock }),
    mock: mock &&
      tokens &&
      usernames && { model: mock, usernames, ...(around?.mockTokens(tokens) ?? { tokenStore: tokens }) },
    log,
    now,
  });
  app.server.maxConnections = options.maxConnections ?? MOST_CONNECTIONS;
  limitConnections(app, {
    perClient: options.connectionsPerClient ?? (mock ? MOST_CONNECTIONS : CONNECTIONS_PER_CLIENT),
    trustedProxies: options.trustedProxies ?? [],
  });
  const closeApp = prepareClose(app);
  let stopSweep = async (): Promise<void> => undefined;

  async function close(): Promise<void> {
    await closeApp(options.closeWithinMs ?? 5000);
    await Promise.all([stopSweep(), tokenUses.stop()]);
    await accounts.close();
  }

  const listening = await listen(app, { address, port: options.port, portSearch: options.portSearch ?? false });
  if (!listening.ok) {
    await close();
    return listening;
  }
  // A token that ended in a time ahead lives again once the clock is back.
  stopSweep = startTokenSweep({ accounts, now: realNow, log });
  const { port } = listening;
  return { ok: true, service: { baseUrl: baseUrlOf(options, port), port, location, close } };
}
