import { availableParallelism } from 'node:os';
import { createSecureContext } from 'node:tls';
import { ApiAdapter } from '../interface/api-adapter.ts';
import { createAccountCalls, type AccountCallParts } from './account-calls.ts';
import { limitConnections } from './connection-limit.ts';
import { createApp, defaultTimeouts, type ServicePlugin, type Timeouts } from './app.ts';
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
import { createMockTokenStore } from './mock/mock-token-store.ts';
import { createMockUsernames } from './mock/mock-usernames.ts';
import type { MockDefinition } from './mock/mock-definition.ts';
import type { RouteDependencies } from './route-dependencies.ts';
import type { AccountStore } from './stores/account-store.ts';
import { unlimitedRateLimitStore } from './stores/memory-rate-limit-store.ts';
import { openStores, type Database, type OpenFailure, type Stores } from './stores/open-stores.ts';
import { createSqliteAccountCallStore } from './stores/sqlite/sqlite-account-call-store.ts';
import { startTokenSweep } from './token-sweep.ts';
import { createTokenUses } from './token-uses.ts';

const DAY_SECONDS = 86_400;
export type ServiceOptions = {
  database: Database;
  /** 0 for any free port. */
  port: number;
  /** Whether the next free port is used if this one is taken. */
  portSearch?: boolean;
  /** The address to listen on; loopback by default, since every computer that reaches the port may try passwords. */
  listen?: string;
  /** Further names in `Host`; beyond loopback, the first is that of the base URL. */
  allowHosts?: readonly string[];
  /** Returns the origins of web pages that may use it, each as `readWebOrigin` of `main/files/web-origin.ts` does. */
  allowOrigins?: (() => readonly string[]) | undefined;
  /** In PEM form. */
  tls?: { cert: Buffer; key: Buffer } | undefined;
  trustedProxies?: readonly string[] | undefined;
  logRequests?: boolean | undefined;
  /** Receives lines for troubleshooting, without secrets. */
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
  /** How long running requests may take when the service closes. */
  closeWithinMs?: number;
  /** A generated mock; the service then answers as that server, on loopback only. */
  mock?: MockDefinition | undefined;
  /** Whether every login at the mock asks for a code, and any code in the usual form is right. */
  anyCode?: boolean | undefined;
  /** Another API type than the default one; a mock server has that of its model. */
  adapter?: ApiAdapter | undefined;
  /** Adds a second factor and the calls about an account, on SQLite and with the default API only. */
  accountCalls?: boolean | undefined;
  /** Milliseconds since 1970. */
  now?: () => number;
  /** A clock that is never moved ahead, by which old tokens are swept; {@link now} by default. */
  realNow?: () => number;
};

/** What the routes use and an extension may wrap. `mockTokens` is set for a mock server. */
export type WrappedDependencies = {
  accounts: AccountStore;
  passwords: Passwords;
  mockTokens?: Omit<MockDependencies, keyof RouteDependencies | 'usernames' | 'factors'> | undefined;
  accountCalls?: AccountCallParts | undefined;
};

/** What `fault-injection/` adds to a service. Without it, no request runs any code of it. */
export type ServiceExtension = {
  /** Milliseconds of the clock by which SQLite's rate limits count. */
  monotonicNow?: (() => number) | undefined;
  /** Wraps what the routes use. Called once, when the database is open and nothing listens yet. */
  wrap(dependencies: WrappedDependencies, database: Pick<Stores, 'local' | 'location'>): WrappedDependencies;
  plugin: ServicePlugin;
};

export type Service = {
  /** It has no slash at its end. */
  baseUrl: string;
  port: number;
  /** The database, as text for users, without a password. */
  location: string;
  /** Ends idle connections, lets running requests finish, and closes the database. */
  close(): Promise<void>;
};

type StartFailure =
  | OpenFailure
  | ListenFailure
  | 'tls-unusable'
  | 'account-calls-unusable'
  | 'shared-database'
  | 'mock-beyond-loopback'
  | 'limits-beyond-loopback';

export type StartResult =
  | { ok: true; service: Service }
  /** `message` is one English sentence. */
  | { ok: false; kind: StartFailure; message: string };

/** One core is left to answer requests that need no hash. */
const defaultHashQueue: HashQueueSize = { atOnce: Math.max(1, availableParallelism() - 1), waiting: 100 };
/** A mock server has only the limits of its original. */
const unboundedHashQueue: HashQueueSize = { ...defaultHashQueue, waiting: MOST_CONNECTIONS };

/** Checked at the start, since otherwise the first client would find out. */
function isUsable(tls: NonNullable<ServiceOptions['tls']>): boolean {
  try {
    createSecureContext(tls);
    return true;
  } catch {
    return false;
  }
}

function validateOptions(options: ServiceOptions): StartResult | undefined {
  const { database, listen: address = LOOPBACK, mock, tls } = options;
  if ('url' in database && mock) {
    const message = 'A mock cannot store its accounts in PostgreSQL.';
    return { ok: false, kind: 'shared-database', message };
  }
  if (options.accountCalls && ('url' in database || mock || options.adapter)) {
    const message = 'Account calls need a SQLite database and the default API: no PostgreSQL, no mock and no API type.';
    return { ok: false, kind: 'account-calls-unusable', message };
  }
  if (options.anyCode && !mock?.answers.some(({ situation }) => situation === 'second-factor-required')) {
    const message = 'Any code is for mocks only, of servers that were seen to ask for a second factor.';
    return { ok: false, kind: 'account-calls-unusable', message };
  }
  if (tls && !isUsable(tls)) {
    const message = 'The TLS files do not contain a certificate and its key in PEM format.';
    return { ok: false, kind: 'tls-unusable', message };
  }
  if (mock && !isLoopback(address)) {
    return { ok: false, kind: 'mock-beyond-loopback', message: 'A mock is for loopback only.' };
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

/** The check of passwords, prepared for the costs of all stored hashes. */
async function preparePasswords(accounts: AccountStore, argon2: Argon2Cost): Promise<Passwords> {
  const passwords = createPasswords(argon2);
  passwords.learnCosts(await accounts.hashPrefixes());
  return passwords;
}

/**
 * Starts the service, on 127.0.0.1 by default.
 *
 * Returns what a user can fix (a port in use, a folder that cannot be written, a damaged database) as a value, with
 * nothing left open.
 */
export async function startService(options: ServiceOptions, extension?: ServiceExtension): Promise<StartResult> {
  const { allowHosts = [], listen: address = LOOPBACK, log = () => {}, mock, now = Date.now, tls } = options;
  const { realNow = now } = options;
  const adapter = mock ? mock.interface && new ApiAdapter(mock.interface, '') : options.adapter;
  const invalid = validateOptions(options);
  if (invalid) return invalid;
  const opened = await openStores(options.database, extension?.monotonicNow);
  if (!opened.ok) return opened;
  const { stores } = opened;
  const { local, location } = stores;
  const tokenStore = mock && local && (await createMockTokenStore(local, now()));
  const usernames = mock && local && (await createMockUsernames(local));
  const factors = mock && local && (await createSqliteAccountCallStore(local));
  const dependencies: WrappedDependencies = {
    accounts: stores.accounts,
    passwords: await preparePasswords(stores.accounts, options.argon2 ?? defaultArgon2Cost),
    mockTokens: tokenStore && { tokenStore },
    accountCalls:
      options.accountCalls && local
        ? { store: await createSqliteAccountCallStore(local), guesses: stores.rateLimitStore, now }
        : undefined,
  };
  const { accounts, passwords, mockTokens, accountCalls } = extension?.wrap(dependencies, stores) ?? dependencies;
  const tokenUses = createTokenUses({ accounts, now, log });
  const app = await createApp({
    accounts,
    rateLimitStore: options.rateLimit === 'off' ? unlimitedRateLimitStore : stores.rateLimitStore,
    passwords,
    limits: { ...defaultLimits, ...options.limits },
    tokenLifetimeSeconds: options.tokenLifetimeSeconds ?? 30 * DAY_SECONDS,
    timeouts: { ...defaultTimeouts, ...options.timeouts },
    hashQueue: createHashQueue(options.hashQueue ?? (mock ? unboundedHashQueue : defaultHashQueue)),
    tokenUses,
    hosts: { allowed: allowHosts, secure: tls !== undefined, origins: options.allowOrigins },
    tls,
    trustedProxies: options.trustedProxies,
    logRequests: options.logRequests,
    isPublicPassword: isReachableByOthers(options) ? isPublicPassword : undefined,
    accountCalls: accountCalls && createAccountCalls(accountCalls),
    plugin: extension?.plugin,
    adapter,
    page: isReachableByOthers(options) ? undefined : createStatusPage({ adapter, mock }),
    mock: mock &&
      mockTokens &&
      usernames &&
      factors && { model: mock, usernames, factors, anyCode: options.anyCode, ...mockTokens },
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
  // By the real clock: a token that expired while the clock was ahead is valid again afterwards.
  stopSweep = startTokenSweep({ accounts, now: realNow, log });
  const { port } = listening;
  return { ok: true, service: { baseUrl: baseUrlOf(options, port), port, location, close } };
}
