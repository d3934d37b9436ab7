import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { behaviourHelp, behaviourOptions, readBehaviourOptions } from '../service/behaviour/options.ts';
import type { Argon2Cost } from '../service/domain/passwords.ts';
import { readHostName } from '../service/host-and-origin.ts';
import { isLoopback, LOOPBACK } from '../service/listening.ts';
import { CONNECTIONS_PER_CLIENT, loosestBeyondLoopback as most, MOST_CONNECTIONS } from '../service/limits.ts';
import type { ServiceOptions } from '../service/server.ts';
import type { Database } from '../service/stores/open-stores.ts';
import { DEFAULT_CONNECTIONS, readDatabaseUrl } from '../service/stores/postgres/database-url.ts';
import { DATABASE_NAME, DEFAULT_FOLDER, folderOfDouble } from './data-folder.ts';
import { readRehearsal, rehearsalHelp, rehearsalOptions, type Rehearsal } from './serve-rehearsal.ts';
import { read, readAll, readEach, readNumber, readOptions, wrong, type Read, type Usage } from './read-arguments.ts';

const DEFAULT_PORT = 4848;
const MOST_ATTEMPTS = 1_000_000;
const DATABASE_CONNECTIONS = { least: 1, most: 1000 };

/** The variable holds the URL of a database, which `ps` does not show. */
const DATABASE_VARIABLE = 'LLAVERO_DATABASE_URL';

export const HELP = `Usage: serve [options]

Runs the service until it is told to end; on 127.0.0.1 unless told otherwise.

  --port N               the port, ${DEFAULT_PORT} unless given; 0 for any free one
  --data DIR             the folder of the database, ./${DEFAULT_FOLDER} unless given; made when missing
  --database URL         a PostgreSQL database in the place of the folder, which several instances may share:
                         postgres://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=disable, require, verify-ca or
                         verify-full (disable on this machine and verify-full elsewhere unless given) and
                         &sslrootcert=FILE. Others on this machine see it in the list of processes: one with a
                         password belongs into the variable ${DATABASE_VARIABLE}, which counts where neither
                         option is given. No clock is moved there, and no dialect, fault or wrong mode is on.
  --database-connections N
                         how many connections to it at most, ${DEFAULT_CONNECTIONS} unless given
  --rate-limit off       count neither logins nor registrations; on loopback only
  --login-limit N        failed logins a minute of one email from one client, 5 unless given; at most ${most.login} beyond loopback
  --registration-limit N registrations a minute from one client, 10 unless given; at most ${most.registration} beyond loopback
  --client-limit N       logins and registrations a minute from one client, 300 unless given; at most ${most.client} beyond
                         loopback
  --client-connections N connections of one client at once, ${CONNECTIONS_PER_CLIENT} unless given, at most ${most.connectionsPerClient} beyond loopback; further ones
                         are closed as they come. A --trust-proxy has no limit of its own.
  --token-days N         days that a token lives, 30 unless given
  --argon2 m=KIB,t=N,p=N cost of new password hashes, m=19456,t=2,p=1 unless given; older ones follow at the next login
  --log-requests         one line for each answer, on standard error
  --imitate FILE         answer as a server does, by its model (check --model FILE) or the report of a shared finding;
                         on loopback only, with accounts of its own in ./${DEFAULT_FOLDER}/doubles/ unless --data says
                         where, and with its limits alone
  --help                 this text

${rehearsalHelp}
For a team, beyond this computer:

  --listen ADDRESS       an address of this computer, or 0.0.0.0 or :: for all of them
  --allow-host NAME      a name or address in the Host header that it answers for; may be given again
  --tls-cert FILE, --tls-key FILE   speak TLS with this certificate and key, in PEM form
  --trust-proxy ADDRESS  a proxy, or a network such as 10.0.0.0/8, whose X-Forwarded-For is believed; may be given again

${behaviourHelp}
When it is ready, it prints one line of JSON, {"baseUrl":"http://127.0.0.1:PORT"}. /health answers 200 while the
database does, and /api/v1/openapi.json describes it.
Exit codes: 0 ended as told, 2 wrong usage, 3 could not start, 4 its address could not be written.
`;

/** The options of `serve`, as Node's parser wants them. */
const serveOptions = {
  port: { type: 'string' },
  data: { type: 'string' },
  'rate-limit': { type: 'string' },
  'login-limit': { type: 'string' },
  'registration-limit': { type: 'string' },
  'client-limit': { type: 'string' },
  'client-connections': { type: 'string' },
  'token-days': { type: 'string' },
  argon2: { type: 'string' },
  'log-requests': { type: 'boolean' },
  imitate: { type: 'string' },
  help: { type: 'boolean' },
  database: { type: 'string' },
  'database-connections': { type: 'string' },
  listen: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'trust-proxy': { type: 'string', multiple: true },
  ...rehearsalOptions,
  ...behaviourOptions,
} as const;

export type ServeRun = Omit<ServiceOptions, 'tls' | 'log' | 'clients' | 'model'> &
  Rehearsal & {
    tlsFiles?: { cert: string; key: string } | undefined;
    /** The file of the model that it is a double by. */
    imitate?: string | undefined;
  };

type Values = Partial<Record<'data' | 'database' | 'listen' | 'rate-limit' | 'tls-cert' | 'tls-key', string>>;

const readLimit = (name: string, text: string, most: number): Read<number> =>
  readNumber(name, text, { least: 1, most });

/** Bounds of RFC 9106 section 3.1, and of what a server can be asked to compute for each login. */
function readArgon2(text: string): Read<Argon2Cost> {
  const [, memory, passes, lanes] = /^m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})$/.exec(text) ?? [];
  const cost = { memoryKiB: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  const fits = cost.lanes >= 1 && cost.passes >= 1 && cost.memoryKiB >= 8 * cost.lanes && cost.memoryKiB <= 2_097_152;
  return fits ? read(cost) : wrong(`The option --argon2 takes a cost such as m=19456,t=2,p=1, not "${text}".`);
}

/** Reads an address, or a network such as `10.0.0.0/8`. */
function readNetwork(text: string): Read<string> {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  // Whoever trusts a larger network believes everybody, who then chooses the address by which attempts are counted.
  const bitsOfAddress = family === 4 ? 32 : 128;
  const hasBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 7 && Number(bits) <= bitsOfAddress);
  if (family !== 0 && more.length === 0 && hasBits) return read(text);
  return wrong(`The option --trust-proxy takes an address or a network of at least 7 bits, not "${text}".`);
}

function readRateLimit(text: string): Read<'on' | 'off'> {
  if (text === 'on' || text === 'off') return read(text);
  return wrong(`The option --rate-limit takes "on" or "off", not "${text}".`);
}

function readListen(text: string): Read<string> {
  if (isIP(text) !== 0 || text === 'localhost') return read(text);
  return wrong(`The option --listen takes an address of this computer, not "${text}".`);
}

function readAllowHost(text: string): Read<string> {
  const name = readHostName(text);
  return name === undefined ? wrong(`The option --allow-host takes a name without a port, not "${text}".`) : read(name);
}

/** A service that others can reach answers for named hosts only, and never without limits. */
function readReach(values: Values, allowHosts: readonly string[]): Read<undefined> {
  if (!isLoopback(values.listen ?? LOOPBACK)) {
    if (allowHosts.length === 0) return wrong('The option --listen needs at least one --allow-host beyond loopback.');
    if (values['rate-limit'] === 'off') return wrong('The option --rate-limit off is for loopback only.');
  }
  return read(undefined);
}

function readTlsFiles({ 'tls-cert': cert, 'tls-key': key }: Values): Read<ServeRun['tlsFiles']> {
  if (cert !== undefined && key !== undefined) return read({ cert, key });
  return cert === key ? read(undefined) : wrong('The options --tls-cert and --tls-key go together.');
}

/** A double is for loopback only, and speaks in its original's way. */
function readImitate(
  file: string | undefined,
  dialect: string | undefined,
  isOnLoopback: boolean,
): Read<string | undefined> {
  if (file === '') return wrong('The option --imitate takes the file of a model.');
  if (file !== undefined && !isOnLoopback) return wrong('The option --imitate is for loopback only.');
  if (file !== undefined && dialect !== undefined) {
    return wrong('Only one of the options --imitate and --dialect can be given.');
  }
  return read(file);
}

type DatabaseValues = Values & {
  imitate?: string;
  'database-connections'?: string;
  clock?: boolean;
  dialect?: string;
  fault?: string[];
  seed?: string;
  wrong?: string[];
};

/** What others would feel who share the database. */
const onlyOnOwnDatabase = ['clock', 'dialect', 'fault', 'seed', 'wrong'] as const;

/** Where the accounts are to be: what is typed goes before what the environment holds. */
function readDatabase(values: DatabaseValues, env: NodeJS.ProcessEnv): Read<Database> {
  const { data, database, imitate, 'database-connections': typed } = values;
  if (data !== undefined && database !== undefined) {
    return wrong('Only one of the options --data and --database can be given.');
  }
  if (imitate !== undefined && database !== undefined) {
    return wrong('Only one of the options --imitate and --database can be given.');
  }
  // The accounts of a double are its own, whatever the environment says of others.
  const isFromEnvironment = data === undefined && imitate === undefined;
  const url = database ?? (isFromEnvironment ? env[DATABASE_VARIABLE] || undefined : undefined);
  const connections = readNumber('database-connections', typed ?? String(DEFAULT_CONNECTIONS), DATABASE_CONNECTIONS);
  if (connections.kind === 'wrong') return connections;
  if (url === undefined) {
    if (typed !== undefined) return wrong('The option --database-connections needs a --database.');
    const folder = imitate === undefined ? DEFAULT_FOLDER : folderOfDouble(imitate);
    return read({ file: join(resolve(data ?? folder), DATABASE_NAME) });
  }
  const felt = onlyOnOwnDatabase.find((name) => values[name] !== undefined);
  if (felt !== undefined) {
    const from = database === undefined ? `the variable ${DATABASE_VARIABLE}` : '--database';
    return wrong(`The option --${felt} cannot be given together with ${from}, whose accounts others may share.`);
  }
  const readUrl = readDatabaseUrl(url);
  return readUrl.ok ? read({ url, connections: connections.value }) : wrong(readUrl.message);
}

/** Reads what follows the command's name. The first wrong use decides. */
export function readArgs(args: string[], env: NodeJS.ProcessEnv): Usage<ServeRun> {
  const parsed = readOptions({ args, options: serveOptions, allowPositionals: false });
  if (parsed.kind === 'wrong') return parsed;
  const { values } = parsed.value;
  if (values.help) return { kind: 'help' };

  const allowHosts = readEach(values['allow-host'] ?? [], readAllowHost);
  const isOnLoopback = isLoopback(values.listen ?? LOOPBACK);
  const all = readAll({
    port: readNumber('port', values.port ?? String(DEFAULT_PORT), { least: 0, most: 65_535 }),
    logins: readLimit('login-limit', values['login-limit'] ?? '5', isOnLoopback ? MOST_ATTEMPTS : most.login),
    registrations: readLimit(
      'registration-limit',
      values['registration-limit'] ?? '10',
      isOnLoopback ? MOST_ATTEMPTS : most.registration,
    ),
    attempts: readLimit('client-limit', values['client-limit'] ?? '300', isOnLoopback ? MOST_ATTEMPTS : most.client),
    connectionsPerClient: readLimit(
      'client-connections',
      values['client-connections'] ?? String(CONNECTIONS_PER_CLIENT),
      isOnLoopback ? MOST_CONNECTIONS : most.connectionsPerClient,
    ),
    days: readNumber('token-days', values['token-days'] ?? '30', { least: 1, most: 3650 }),
    argon2: values.argon2 === undefined ? read(undefined) : readArgon2(values.argon2),
    data: values.data === '' ? wrong('The option --data takes the path of a folder.') : read(values.data),
    rateLimit: readRateLimit(values['rate-limit'] ?? 'on'),
    listen: readListen(values.listen ?? LOOPBACK),
    allowHosts,
    reach: readReach(values, allowHosts.kind === 'read' ? allowHosts.value : []),
    trustedProxies: readEach(values['trust-proxy'] ?? [], readNetwork),
    tlsFiles: readTlsFiles(values),
    behaviour: readBehaviourOptions(values, isOnLoopback),
    imitate: readImitate(values.imitate, values.dialect, isOnLoopback),
    database: readDatabase(values, env),
    rehearsal: readRehearsal(values),
  });
  if (all.kind === 'wrong') return all;
  const {
    port,
    logins,
    registrations,
    attempts,
    connectionsPerClient,
    days,
    argon2,
    rateLimit,
    listen,
    trustedProxies,
    ...rest
  } = all.value;
  return {
    kind: 'run',
    run: {
      port,
      database: rest.database,
      rateLimit,
      limits: {
        login: { most: logins, windowSeconds: 60 },
        registration: { most: registrations, windowSeconds: 60 },
        client: { most: attempts, windowSeconds: 60 },
      },
      connectionsPerClient,
      tokenLifetimeSeconds: days * 86_400,
      argon2,
      listen,
      allowHosts: rest.allowHosts,
      trustedProxies,
      logRequests: values['log-requests'],
      behaviour: rest.behaviour,
      ...rest.rehearsal,
      imitate: rest.imitate,
      tlsFiles: rest.tlsFiles,
    },
  };
}
