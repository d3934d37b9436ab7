import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { dialectNames, faultKindNames, defectNames, type FaultKind, operations } from '../../preload/contract/names.ts';
import { dialects } from '../service/fault-injection/dialects.ts';
import { faultKinds, parseFault, type InjectedFault } from '../service/fault-injection/faults.ts';
import type { FaultInjectionSettings } from '../service/fault-injection/fault-injection-settings.ts';
import { defects } from '../service/fault-injection/defects.ts';
import type { Argon2Cost } from '../service/domain/passwords.ts';
import { readHostName } from '../service/host-and-origin.ts';
import { CONNECTIONS_PER_CLIENT, loosestBeyondLoopback as most, MOST_CONNECTIONS } from '../service/limits.ts';
import { isLoopback, LOOPBACK, isReachableByOthers } from '../service/listening.ts';
import type { ExtendedServiceOptions } from '../service/fault-injection/extended-service.ts';
import { shippedNames } from '../interface/shipped.ts';
import type { Database } from '../service/stores/open-stores.ts';
import { DEFAULT_CONNECTIONS, readDatabaseUrl } from '../service/stores/postgres/database-url.ts';
import { DATABASE_NAME, DEFAULT_FOLDER, mockDataFolder } from './data-folder.ts';
import {
  readInterfaceReference,
  interfaceOptions,
  rejectDuplicates,
  type NamedVariable,
  type InterfaceReference,
} from './interface-arguments.ts';
import { readServerReference, serversOptions, type ServerReference } from './servers-file-arguments.ts';
import {
  filePathKind,
  folderPathKind,
  webOriginKind,
  flag,
  grouped,
  repeatableOption,
  numberFrom,
  singleOption,
  oneOf,
  parseUsage,
  formatExitCodes,
  defaultedOption,
} from './option-parser.ts';
import { UsageError, type ParsedUsage, type OptionValues } from './option-parser.ts';

const attempts = numberFrom(1, 1_000_000);

const atMost = (bound: number): string => `, at most ${bound} beyond loopback`;

/** The variable holds the URL of a database, which `ps` does not show. */
const DATABASE_VARIABLE = 'LLAVERO_DATABASE_URL';

const rehearsing = {
  group: 'Time and client mistakes, on this computer only:',
};
const forTeams = { group: 'Access from other computers:' };
const misbehaving = { group: 'Simulated faults and vulnerabilities, on loopback only:' };

/** Bounds of RFC 9106 section 3.1, and of what a server can be asked to compute for each login. */
function readArgon2(text: string): Argon2Cost | undefined {
  const [, memory, passes, lanes] = /^m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})$/.exec(text) ?? [];
  const cost = { memoryKiB: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  const fits = cost.lanes >= 1 && cost.passes >= 1 && cost.memoryKiB >= 8 * cost.lanes && cost.memoryKiB <= 2_097_152;
  return fits ? cost : undefined;
}

/** Reads an address, or a network such as `10.0.0.0/8`. */
function readNetwork(text: string): string | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  // To trust a larger network is to believe everybody, who could then choose the address that attempts are counted by.
  const bitsOfAddress = family === 4 ? 32 : 128;
  const hasBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 7 && Number(bits) <= bitsOfAddress);
  return family !== 0 && more.length === 0 && hasBits ? text : undefined;
}

const addressKind = {
  text: 'address',
  takes: 'an address of this computer',
  read: (text: string) => (isIP(text) !== 0 || text === 'localhost' ? text : undefined),
};

function readFault(text: string): InjectedFault {
  const read = parseFault(text);
  if (!read.ok) throw new UsageError(read.sentence);
  return read.fault;
}

const options = {
  ...grouped('Server and storage:', {
    port: defaultedOption(numberFrom(0, 65_535), 4848, 'port; 0 for any free one'),
    data: singleOption(folderPathKind, `folder of the database, created if missing (default: ./${DEFAULT_FOLDER})`, {
      conflicts: ['database'],
    }),
    database: singleOption(
      { ...filePathKind, text: 'url', takes: 'the URL of a database', isSecret: true },
      `PostgreSQL database instead of the folder, which several instances may share: postgres://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=disable, require, verify-ca or verify-full (default: disable on this computer, verify-full elsewhere) and &sslrootcert=FILE. A URL with a password belongs in ${DATABASE_VARIABLE}, since others see the list of processes; that variable is used if neither option is given. Not with --clock, --dialect, --fault, --seed or --wrong`,
    ),
    databaseConnections: singleOption(
      numberFrom(1, 1000),
      `maximum connections to that database (default: ${DEFAULT_CONNECTIONS})`,
    ),
    tokenDays: defaultedOption(numberFrom(1, 3650), 30, 'days for which a token is valid'),
    argon2: singleOption(
      { text: 'm=kib,t=n,p=n', takes: 'a cost such as m=19456,t=2,p=1', read: readArgon2 },
      'cost of new password hashes (default: m=19456,t=2,p=1); older hashes are replaced at the next login',
    ),
    allowOrigin: repeatableOption(
      webOriginKind,
      'lets web pages of this origin use it with fetch, including cookies and headers. Browsers send cookies only to the same host name, so a page at localhost calls http://localhost:PORT',
    ),
    logRequests: flag('logs one line per response on standard error'),
  }),
  ...grouped('Rate limits:', {
    rateLimit: defaultedOption(
      oneOf('word', ['on', 'off']),
      'on',
      'off stops counting logins and registrations; on loopback only',
    ),
    loginLimit: defaultedOption(attempts, 5, `failed logins per minute, email and client${atMost(most.login)}`),
    registrationLimit: defaultedOption(attempts, 10, `registrations per minute and client${atMost(most.registration)}`),
    clientLimit: defaultedOption(attempts, 300, `logins and registrations per minute and client${atMost(most.client)}`),
    clientConnections: defaultedOption(
      numberFrom(1, MOST_CONNECTIONS),
      CONNECTIONS_PER_CLIENT,
      `open connections per client${atMost(most.connectionsPerClient)}; more are closed at once. A --trust-proxy has no limit`,
    ),
  }),
  ...grouped('Mock or API type:', {
    mock: singleOption(
      filePathKind,
      `serves a mock at the paths of its original: a mock file (check --mock-file) or the report of a shared finding; on loopback only. Its accounts are in ./${DEFAULT_FOLDER}/mocks/ unless --data is given, and only the limits of the original apply`,
      { conflicts: ['database', 'dialect'] },
    ),
    interface: singleOption(
      { ...filePathKind, text: 'name|file', takes: 'a name or a file' },
      `uses the paths, the encoding and the authentication method of an API type: a file that describe reads, or one of ${shippedNames.join(', ')}. Response bodies stay the same, with the token added where the API type has it. If the API type creates accounts on another server, they are created at the usual path; there is no /api/v1/openapi.json`,
      { conflicts: ['mock'] },
    ),
    var: interfaceOptions.var,
    servers: singleOption(filePathKind, 'servers file; uses the API type of the one that --server names', {
      conflicts: ['mock', 'interface'],
    }),
    server: serversOptions.server,
  }),

  clock: flag(
    'lets a program move the clock: the line of JSON then has the address and key of a second listener. POST {"advanceSeconds": 60}, {"to": "newest-token-end"} or {"to": "now"} there with Authorization: Bearer KEY; GET returns the time. Not available while another instance uses the database; reset at the next start',
    rehearsing,
  ),
  clientReport: singleOption(
    filePathKind,
    'writes the client mistakes that a server can detect to this JSON file on exit; logins then set a cookie, which no client should send back',
    rehearsing,
  ),

  listen: defaultedOption(
    addressKind,
    LOOPBACK,
    'address of this computer to listen on; 0.0.0.0 or :: for all',
    forTeams,
  ),
  allowHost: repeatableOption(
    { text: 'name', takes: 'a name without a port', read: readHostName },
    'accepts this name or address in the Host header',
    forTeams,
  ),
  tlsCert: singleOption(filePathKind, 'uses TLS with this certificate, in PEM format', forTeams),
  tlsKey: singleOption(filePathKind, 'private key of that certificate, in PEM format', forTeams),
  trustProxy: repeatableOption(
    { text: 'address', takes: 'an address or a network of at least 7 bits', read: readNetwork },
    'trusts X-Forwarded-For from this proxy, or network such as 10.0.0.0/8',
    forTeams,
  ),

  dialect: singleOption(
    // What each choice means stands in a list of its own.
    { ...oneOf('name', [...dialectNames]), choices: undefined },
    'uses the response format of a framework, with the same accounts, tokens and rules',
    misbehaving,
  ),
  wrong: repeatableOption(
    { ...oneOf('name', [...defectNames]), choices: undefined },
    'simulates this vulnerability',
    misbehaving,
  ),
  fault: repeatableOption(
    { text: 'operation:kind:often', takes: 'a fault', read: readFault },
    `makes an operation (${operations.join(', ')}) fail, a number of times or with a probability from 0.0 to 1.0, as in login:429=5:3 or perfil:reset:0.2`,
    misbehaving,
  ),
  seed: singleOption(
    numberFrom(0, 2 ** 32 - 1),
    'seed for probabilities and random times; the same seed repeats the same run',
    misbehaving,
  ),
};

/** Lists what can be chosen, each with what it means. */
function list(heading: string, lines: Record<string, { help: string }>, order = Object.keys(lines)): string {
  const width = Math.max(...order.map(({ length }) => length));
  return [heading, ...order.map((name) => `      ${name.padEnd(width)}  ${lines[name]?.help}`), '', ''].join('\n');
}

/** A fault that takes a parameter is shown with one. */
const shown = (kind: FaultKind): string => (faultKinds[kind].parameter ? `${kind}=…` : kind);
const faultLines = Object.fromEntries(faultKindNames.map((kind) => [shown(kind), faultKinds[kind]]));

const after = `${list('Response formats, for --dialect:', dialects)}${list('Vulnerabilities, for --wrong:', defects)}${list('Kinds of faults, for --fault:', faultLines, faultKindNames.map(shown))}When it is ready, it prints one line of JSON, {"baseUrl":"http://127.0.0.1:PORT"}. That address is a
status page in a browser; /health returns 200 while the database responds, and /api/v1/openapi.json
describes the API.

${formatExitCodes([
  [0, 'It was stopped.'],
  [2, 'Invalid usage.'],
  [3, 'It could not start.'],
  [4, 'Its address could not be printed.'],
])}`;

export type ServeArguments = Omit<ExtendedServiceOptions, 'tls' | 'log' | 'clients' | 'mock' | 'adapter'> & {
  interface: InterfaceReference | undefined;
  /** The server of a file whose interface it answers by, with what was typed for its variables. */
  serverReference: (ServerReference & { typed: readonly NamedVariable[] }) | undefined;
  tlsFiles: { cert: string; key: string } | undefined;
  /** The file of the model that it is a double by. */
  mock: string | undefined;
  /** The file that the report on clients is written to. */
  clientReport: string | undefined;
};

type Typed = OptionValues<typeof options>;

/** Numbers that are smaller where others than this computer's own programs come. */
const beyondLoopback = [
  ['loginLimit', '--login-limit', most.login],
  ['registrationLimit', '--registration-limit', most.registration],
  ['clientLimit', '--client-limit', most.client],
  ['clientConnections', '--client-connections', most.connectionsPerClient],
] as const;

/** Returns what does not go together; an entry that holds is wrong. */
function wrongsOf(values: Typed): Record<string, boolean> {
  const { allowHost, trustProxy, clock, clientReport, listen, fault, seed } = values;
  const isShared = isReachableByOthers({ listen, allowHosts: allowHost, trustedProxies: trustProxy });
  const isReached = !isLoopback(listen);
  const misbehaves = values.dialect !== undefined || fault.length > 0 || seed !== undefined || values.wrong.length > 0;
  return {
    'The options --clock and --client-report are for this computer only.':
      (clock || clientReport !== undefined) && isShared,
    'The option --mock is for loopback only.': isReached && values.mock !== undefined,
    'The options --dialect, --fault, --seed and --wrong are for loopback only.': isReached && misbehaves,
    // A service that others can reach answers for named hosts only, and never without limits.
    'The option --listen needs at least one --allow-host beyond loopback.': isReached && allowHost.length === 0,
    'The option --rate-limit off is for loopback only.': isReached && values.rateLimit === 'off',
    'The options --tls-cert and --tls-key go together.':
      (values.tlsCert === undefined) !== (values.tlsKey === undefined),
    'The option --seed needs a --fault.': seed !== undefined && fault.length === 0,
    ...Object.fromEntries(
      beyondLoopback.map(([key, name, bound]) => [
        `The option ${name} takes a number from 1 to ${bound}, not "${values[key]}", beyond loopback.`,
        isReached && values[key] > bound,
      ]),
    ),
  };
}

/** What others would feel who share the database. */
const onlyOnOwnDatabase = ['clock', 'dialect', 'fault', 'seed', 'wrong'] as const;

/** Where the accounts are to be: what is typed goes before what the environment holds. */
function databaseOf(
  { data, database, mock, databaseConnections: connections }: Typed,
  keys: ReadonlySet<string>,
  env: NodeJS.ProcessEnv,
): Database {
  // The accounts of a double are its own, whatever the environment says of others.
  const isFromEnvironment = data === undefined && mock === undefined;
  const url = database ?? (isFromEnvironment ? env[DATABASE_VARIABLE] || undefined : undefined);
  if (url === undefined) {
    if (connections !== undefined) throw new UsageError('The option --database-connections needs a --database.');
    const folder = mock === undefined ? DEFAULT_FOLDER : mockDataFolder(mock);
    return { file: join(resolve(data ?? folder), DATABASE_NAME) };
  }
  const felt = onlyOnOwnDatabase.find((key) => keys.has(key));
  if (felt !== undefined) {
    const from = database === undefined ? `the variable ${DATABASE_VARIABLE}` : '--database';
    throw new UsageError(
      `The option --${felt} cannot be given together with ${from}, whose accounts others may share.`,
    );
  }
  const read = readDatabaseUrl(url);
  if (!read.ok) throw new UsageError(read.message);
  return { url, connections: connections ?? DEFAULT_CONNECTIONS };
}

/** Without a seed one is drawn here, so that it can be told. */
function behaviourOf({ dialect, fault, seed, wrong }: Typed): Partial<FaultInjectionSettings> | undefined {
  if (dialect === undefined && fault.length === 0 && wrong.length === 0) return undefined;
  return { dialect, faults: fault, seed: seed ?? randomInt(2 ** 32 - 1), defects: [...new Set(wrong)] };
}

const examples = [
  ['--dialect spring --fault login:429=5:3', 'responds like Spring Boot, with three rate-limited logins'],
  ['--port 0 --rate-limit off --allow-origin http://localhost:5173', 'for tests and a page in development'],
  ['--mock shop.json', 'serves the mock in shop.json'],
] as const;

const about = 'Runs the built-in server, or a mock, until it is stopped; on 127.0.0.1 by default.';

/** Reads what follows the command's name. */
export const parseServeArguments = (args: string[], env: NodeJS.ProcessEnv): ParsedUsage<ServeArguments> =>
  parseUsage({ name: 'serve', about, options, examples, after }, args, env, (values, { keys }) => {
    const database = databaseOf(values, keys, env);
    for (const [sentence, isWrong] of Object.entries(wrongsOf(values))) if (isWrong) throw new UsageError(sentence);
    const { tlsCert: cert, tlsKey: key } = values;
    const named = readServerReference(values, undefined);
    if (named) rejectDuplicates(values.var);
    const limit = (most: number) => ({ most, windowSeconds: 60 });
    return {
      port: values.port,
      database,
      rateLimit: values.rateLimit,
      limits: {
        login: limit(values.loginLimit),
        registration: limit(values.registrationLimit),
        client: limit(values.clientLimit),
      },
      connectionsPerClient: values.clientConnections,
      tokenLifetimeSeconds: values.tokenDays * 86_400,
      argon2: values.argon2,
      listen: values.listen,
      allowHosts: values.allowHost,
      allowOrigins: () => values.allowOrigin,
      trustedProxies: values.trustProxy,
      logRequests: values.logRequests,
      faultInjection: behaviourOf(values),
      clock: values.clock ? 'from-start' : undefined,
      clientReport: values.clientReport,
      mock: values.mock,
      interface: named ? undefined : readInterfaceReference(values, env),
      serverReference: named && { ...named, typed: values.var },
      tlsFiles: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    };
  });
