import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultArgon2Cost, type Argon2Cost } from './domain/passwords.ts';
import { readHostName } from './host-and-origin.ts';
import { isLoopback, type ServiceOptions } from './server.ts';
import { readBehaviourOptions, behaviourHelp, behaviourOptions } from './behaviour/options.ts';
import type { Database } from './stores/open-stores.ts';
import { DEFAULT_CONNECTIONS, readDatabaseUrl } from './stores/postgres/database-url.ts';

const DEFAULT_PORT = 4848;
const DEFAULT_FOLDER = 'llavero-data';
/** The database's name inside the data folder, the same for the application and the command. */
const DATABASE_NAME = 'service.sqlite';

/** Holds the URL of a database, out of sight of `ps`. */
const DATABASE_VARIABLE = 'LLAVERO_DATABASE_URL';

export const HELP = `Usage: serve [options]

Runs the embedded authentication service until it is told to end; on 127.0.0.1 unless told otherwise.

  --port N               the port, ${DEFAULT_PORT} unless given; 0 for any free one
  --data DIR             the folder of the database, ./${DEFAULT_FOLDER} unless given; made when missing
  --database URL         a PostgreSQL database in the place of the folder, which several instances may share:
                         postgres://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=disable, require, verify-ca or
                         verify-full (disable on this machine and verify-full elsewhere unless given) and
                         &sslrootcert=FILE. Others on this machine see it in the list of processes: one with a
                         password belongs into the variable ${DATABASE_VARIABLE}, which counts where neither
                         option is given.
  --database-connections N
                         how many connections to it at most, ${DEFAULT_CONNECTIONS} unless given
  --rate-limit off       count neither logins nor registrations; on loopback only
  --login-limit N        failed logins a minute of one email from one client, 5 unless given
  --registration-limit N accounts a minute from one client, 10 unless given
  --token-days N         days that a token lives, 30 unless given
  --argon2 m=KIB,t=N,p=N cost of new password hashes, m=19456,t=2,p=1 unless given; older ones follow at the next login
  --log-requests         one line for each answer, on standard error
  --help                 this text

For a team, beyond this computer:

  --listen ADDRESS       an address of this computer, or 0.0.0.0 or :: for all of them
  --allow-host NAME      a name or address in the Host header that it answers for; may be given again
  --tls-cert FILE, --tls-key FILE   speak TLS with this certificate and key, in PEM form
  --trust-proxy ADDRESS  a proxy, or a network such as 10.0.0.0/8, whose X-Forwarded-For is believed; may be given again

${behaviourHelp}
When it is ready, it prints one line of JSON, {"baseUrl":"http://127.0.0.1:PORT"}. /health answers 200 while the
database does, and /api/v1/openapi.json describes it.
Exit codes: 0 ended as told, 2 wrong usage, 3 could not start.
`;

const options = {
  port: { type: 'string' },
  data: { type: 'string' },
  'rate-limit': { type: 'string' },
  'login-limit': { type: 'string' },
  'registration-limit': { type: 'string' },
  'token-days': { type: 'string' },
  argon2: { type: 'string' },
  'log-requests': { type: 'boolean' },
  help: { type: 'boolean' },
  database: { type: 'string' },
  'database-connections': { type: 'string' },
  listen: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
  'tls-cert': { type: 'string' },
  'tls-key': { type: 'string' },
  'trust-proxy': { type: 'string', multiple: true },
  ...behaviourOptions,
} as const;

export type Run = Omit<ServiceOptions, 'tls' | 'log'> & {
  tlsFiles?: { cert: string; key: string };
};

type Usage = { kind: 'run'; run: Run } | { kind: 'help' } | { kind: 'wrong'; sentence: string };

const wrong = (sentence: string): { kind: 'wrong'; sentence: string } => ({ kind: 'wrong', sentence });

/** A whole number between two bounds, or what is wrong with the option. */
function readNumber(
  name: string,
  text: string,
  least: number,
  most: number,
): { kind: 'number'; value: number } | { kind: 'wrong'; sentence: string } {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return { kind: 'number', value };
  return wrong(`The option --${name} takes a number from ${least} to ${most}, not "${text}".`);
}

/** Bounds of RFC 9106 section 3.1, and of what a server can be asked to compute for each login. */
function readArgon2(text: string): Argon2Cost | undefined {
  const [, memory, passes, lanes] = /^m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})$/.exec(text) ?? [];
  const cost = { memoryKiB: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  const fits = cost.lanes >= 1 && cost.passes >= 1 && cost.memoryKiB >= 8 * cost.lanes && cost.memoryKiB <= 2_097_152;
  return fits ? cost : undefined;
}

/** An address, or a network as `10.0.0.0/8`. */
function isNetwork(text: string): boolean {
  const [address = '', bits] = text.split('/');
  const family = isIP(address);
  if (family === 0 || text.split('/').length > 2) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

const MOST_CONNECTIONS = 1000;

/** Where the accounts are to be: what is typed goes before what the env holds. */
function readDatabase(
  values: { data?: string; database?: string; 'database-connections'?: string },
  env: NodeJS.ProcessEnv,
): { kind: 'database'; value: Database } | { kind: 'wrong'; sentence: string } {
  if (values.data !== undefined && values.database !== undefined) {
    return wrong('Only one of the options --data and --database can be given.');
  }
  const url = values.database ?? (values.data === undefined ? env[DATABASE_VARIABLE] || undefined : undefined);
  const typed = values['database-connections'];
  const connections = typed === undefined ? undefined : readNumber('database-connections', typed, 1, MOST_CONNECTIONS);
  if (connections?.kind === 'wrong') return connections;
  if (url === undefined) {
    if (connections) return wrong('The option --database-connections needs a --database.');
    return { kind: 'database', value: { file: join(resolve(values.data ?? DEFAULT_FOLDER), DATABASE_NAME) } };
  }
  const readUrl = readDatabaseUrl(url);
  if (!readUrl.ok) return wrong(readUrl.message);
  return { kind: 'database', value: { url, ...(connections && { connections: connections.value }) } };
}

/** Reads what follows the command's name; a wrong usage is one sentence. */
export function readArgs(args: string[], env: NodeJS.ProcessEnv): Usage {
  let values;
  try {
    ({ values } = parseArgs({ args, options, allowPositionals: false }));
  } catch (error) {
    // Node's texts go on with advice about positional arguments, of which there are none here.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/, 1);
    return wrong(sentence.replace(/\.?$/, '.'));
  }
  if (values.help) return { kind: 'help' };

  const port = readNumber('port', values.port ?? String(DEFAULT_PORT), 0, 65_535);
  if (port.kind === 'wrong') return port;
  const logins = readNumber('login-limit', values['login-limit'] ?? '5', 1, 1_000_000);
  if (logins.kind === 'wrong') return logins;
  const registrations = readNumber('registration-limit', values['registration-limit'] ?? '10', 1, 1_000_000);
  if (registrations.kind === 'wrong') return registrations;
  const days = readNumber('token-days', values['token-days'] ?? '30', 1, 3650);
  if (days.kind === 'wrong') return days;
  const argon2 = values.argon2 === undefined ? defaultArgon2Cost : readArgon2(values.argon2);
  if (!argon2) return wrong(`The option --argon2 takes a cost such as m=19456,t=2,p=1, not "${values.argon2}".`);
  if (values.data === '') return wrong('The option --data takes the path of a folder.');
  const rateLimit = values['rate-limit'] ?? 'on';
  if (rateLimit !== 'on' && rateLimit !== 'off') {
    return wrong(`The option --rate-limit takes "on" or "off", not "${rateLimit}".`);
  }

  const listen = values.listen ?? '127.0.0.1';
  if (isIP(listen) === 0 && listen !== 'localhost') {
    return wrong(`The option --listen takes an address of this computer, not "${listen}".`);
  }
  const allowHosts: string[] = [];
  for (const text of values['allow-host'] ?? []) {
    const name = readHostName(text);
    if (name === undefined) return wrong(`The option --allow-host takes a name without a port, not "${text}".`);
    allowHosts.push(name);
  }
  if (!isLoopback(listen)) {
    if (allowHosts.length === 0) return wrong('The option --listen needs at least one --allow-host beyond loopback.');
    if (rateLimit === 'off') return wrong('The option --rate-limit off is for loopback only.');
  }
  const badProxy = values['trust-proxy']?.find((text) => !isNetwork(text));
  if (badProxy !== undefined)
    return wrong(`The option --trust-proxy takes an address or a network, not "${badProxy}".`);
  const { 'tls-cert': cert, 'tls-key': key } = values;
  if ((cert === undefined) !== (key === undefined)) return wrong('The options --tls-cert and --tls-key go together.');

  const behaviour = readBehaviourOptions(values, isLoopback(listen));
  if (behaviour.kind === 'wrong') return behaviour;

  const database = readDatabase(values, env);
  if (database.kind === 'wrong') return database;

  return {
    kind: 'run',
    run: {
      port: port.value,
      database: database.value,
      rateLimit,
      limits: {
        login: { most: logins.value, windowSeconds: 60 },
        registration: { most: registrations.value, windowSeconds: 60 },
      },
      tokenLifetimeSeconds: days.value * 86_400,
      argon2,
      listen,
      allowHosts,
      ...(values['trust-proxy'] && { trustedProxies: values['trust-proxy'] }),
      ...(values['log-requests'] && { logRequests: true }),
      ...(behaviour.value && { behaviour: behaviour.value }),
      ...(cert !== undefined && key !== undefined && { tlsFiles: { cert, key } }),
    },
  };
}
