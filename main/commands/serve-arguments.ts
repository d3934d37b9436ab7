import { Option } from '@commander-js/extra-typings';
import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import {
  accountDefectNames,
  dialectNames,
  faultKindNames,
  defectNames,
  type AccountDefectName,
  type DefectName,
  type FaultKind,
  operations,
} from '../../preload/contract/names.ts';
import { dialects } from '../service/fault-injection/dialects.ts';
import { faultKinds, parseFault, type InjectedFault } from '../service/fault-injection/faults.ts';
import type { FaultInjectionSettings } from '../service/fault-injection/fault-injection-settings.ts';
import { accountDefects } from '../service/fault-injection/account-defects.ts';
import { defects } from '../service/fault-injection/defects.ts';
import type { Argon2Cost } from '../service/domain/passwords.ts';
import { readHostName } from '../service/host-and-origin.ts';
import { CONNECTIONS_PER_CLIENT, loosestBeyondLoopback as most, MOST_CONNECTIONS } from '../service/limits.ts';
import { isLoopback, LOOPBACK, isReachableByOthers } from '../service/listening.ts';
import type { ExtendedServiceOptions } from '../service/fault-injection/extended-service.ts';
import { shippedNames } from '../interface/shipped-files.ts';
import type { Database } from '../service/stores/open-stores.ts';
import { DEFAULT_CONNECTIONS, readDatabaseUrl } from '../service/stores/postgres/database-url.ts';
import { anyCodeOption } from './any-code-option.ts';
import { DATABASE_NAME, DEFAULT_FOLDER, mockDataFolder } from './data-folder.ts';
import {
  interfaceType,
  readInterfaceReference,
  rejectDuplicates,
  variableOption,
  type InterfaceReference,
  type NamedVariable,
} from './interface-arguments.ts';
import { readServerReference, serverOption, type ServerReference } from './servers-file-arguments.ts';
import {
  filePath,
  folderPath,
  formatExitCodes,
  grouped,
  numberFrom,
  oneOf,
  parseUsage,
  repeatableOption,
  textType,
  UsageError,
  valueOption,
  webOrigin,
  type OptionValues,
  type ParsedUsage,
} from './option-parser.ts';

const attempts = numberFrom(1, 1_000_000);

const atMost = (bound: number): string => `, at most ${bound} beyond loopback`;

/** The variable holds the URL of a database, which `ps` does not show. */
const DATABASE_VARIABLE = 'LLAVERO_DATABASE_URL';

/** Bounds of RFC 9106 section 3.1, and of what a server can be asked to compute for each login. */
function parseArgon2(text: string): Argon2Cost | undefined {
  const [, memory, passes, lanes] = /^m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})$/.exec(text) ?? [];
  const cost = { memoryKiB: Number(memory), passes: Number(passes), lanes: Number(lanes) };
  const fits = cost.lanes >= 1 && cost.passes >= 1 && cost.memoryKiB >= 8 * cost.lanes && cost.memoryKiB <= 2_097_152;
  return fits ? cost : undefined;
}

/** Parses an address, or a network such as `10.0.0.0/8`. */
function parseNetwork(text: string): string | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  // In a larger network, anybody could choose the address that attempts are counted by.
  const bitsOfAddress = family === 4 ? 32 : 128;
  const hasBits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 7 && Number(bits) <= bitsOfAddress);
  return family !== 0 && more.length === 0 && hasBits ? text : undefined;
}

function parseFaultOption(text: string): InjectedFault {
  const read = parseFault(text);
  if (!read.ok) throw new UsageError(read.sentence);
  return read.fault;
}

const options = [
  ...grouped('Server and storage:', [
    valueOption('--port <n>', 'port; 0 for any free one', numberFrom(0, 65_535)).default(4848),
    valueOption(
      '--data <folder>',
      `folder of the database, created if missing (default: ./${DEFAULT_FOLDER})`,
      folderPath,
    ).conflicts('database'),
    valueOption(
      '--database <url>',
      `PostgreSQL database instead of the folder, which several instances may share: postgres://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=disable, require, verify-ca or verify-full (default: disable on this computer, verify-full elsewhere) and &sslrootcert=FILE. A URL with a password belongs in ${DATABASE_VARIABLE}, since others see the list of processes; that variable is used if neither option is given. Not with --account-calls, --dialect, --fault, --seed or --wrong`,
      textType('the URL of a database'),
    ),
    valueOption(
      '--database-connections <n>',
      `maximum connections to that database (default: ${DEFAULT_CONNECTIONS})`,
      numberFrom(1, 1000),
    ),
    valueOption('--token-days <n>', 'days for which a token is valid', numberFrom(1, 3650)).default(30),
    valueOption(
      '--argon2 <m=kib,t=n,p=n>',
      'cost of new password hashes (default: m=19456,t=2,p=1); older hashes are replaced at the next login',
      { takes: 'a cost such as m=19456,t=2,p=1', parse: parseArgon2 },
    ),
    repeatableOption(
      '--allow-origin <url>',
      'lets web pages of this origin use it with fetch, including cookies and headers. Browsers send cookies only to the same host name, so a page at localhost calls http://localhost:PORT',
      webOrigin,
    ),
    new Option(
      '--account-calls',
      'adds calls about an account beside the five: a second factor (TOTP) with recovery codes, a changed or forgotten password, another confirmation, and the deletion of the account; /api/v1/openapi.json describes them',
    ).conflicts(['mock', 'interface', 'servers', 'dialect']),
    new Option('--log-requests', 'logs one line per response on standard error'),
  ]),
  ...grouped('Rate limits:', [
    new Option('--rate-limit <word>', 'off stops counting logins and registrations; on loopback only')
      .choices(['on', 'off'])
      .default('on'),
    valueOption(
      '--login-limit <n>',
      `failed logins per minute, email and client${atMost(most.login)}`,
      attempts,
    ).default(5),
    valueOption(
      '--registration-limit <n>',
      `registrations per minute and client${atMost(most.registration)}`,
      attempts,
    ).default(10),
    valueOption(
      '--client-limit <n>',
      `logins and registrations per minute and client${atMost(most.client)}`,
      attempts,
    ).default(300),
    valueOption(
      '--client-connections <n>',
      `open connections per client${atMost(most.connectionsPerClient)}; more are closed at once. A --trust-proxy has no limit`,
      numberFrom(1, MOST_CONNECTIONS),
    ).default(CONNECTIONS_PER_CLIENT),
  ]),
  ...grouped('Mock or API type:', [
    valueOption(
      '--mock <file>',
      `serves a mock at the paths of its original: a mock file (check --mock-file) or the report of a shared finding; on loopback only. Its accounts are in ./${DEFAULT_FOLDER}/mocks/ unless --data is given, and only the limits of the original apply`,
      filePath,
    ).conflicts(['database', 'dialect']),
    anyCodeOption,
    valueOption(
      '--interface <name|file>',
      `uses the paths, the encoding and the authentication method of an API type: a file that describe reads, or one of ${shippedNames.join(', ')}. Response bodies stay the same, with the token added where the API type has it. If the API type creates accounts on another server, they are created at the usual path; there is no /api/v1/openapi.json`,
      interfaceType,
    ).conflicts('mock'),
    variableOption,
    valueOption(
      '--servers <file>',
      'servers file; uses the API type of the one that --server names',
      filePath,
    ).conflicts(['mock', 'interface']),
    serverOption,
  ]),
  ...grouped('Client mistakes, on this computer only:', [
    valueOption(
      '--client-report <file>',
      'writes the client mistakes that a server can detect to this JSON file on exit; logins then set a cookie, which no client should send back',
      filePath,
    ),
  ]),
  ...grouped('Access from other computers:', [
    valueOption('--listen <address>', 'address of this computer to listen on; 0.0.0.0 or :: for all', {
      takes: 'an address of this computer',
      parse: (text) => (isIP(text) !== 0 || text === 'localhost' ? text : undefined),
    }).default(LOOPBACK),
    repeatableOption('--allow-host <name>', 'accepts this name or address in the Host header', {
      takes: 'a name without a port',
      parse: readHostName,
    }),
    valueOption('--tls-cert <file>', 'uses TLS with this certificate, in PEM format', filePath),
    valueOption('--tls-key <file>', 'private key of that certificate, in PEM format', filePath),
    repeatableOption(
      '--trust-proxy <address>',
      'trusts X-Forwarded-For from this proxy, or network such as 10.0.0.0/8',
      { takes: 'an address or a network of at least 7 bits', parse: parseNetwork },
    ),
  ]),
  ...grouped('Simulated faults and vulnerabilities, on loopback only:', [
    valueOption(
      '--dialect <name>',
      'uses the response format of a framework, with the same accounts, tokens and rules',
      oneOf(dialectNames),
    ),
    repeatableOption('--wrong <name>', 'simulates this vulnerability', oneOf([...defectNames, ...accountDefectNames])),
    repeatableOption(
      '--fault <operation:kind:often>',
      `makes an operation (${operations.join(', ')}) fail, a number of times or with a probability from 0.0 to 1.0, as in login:429=5:3 or profile:reset:0.2`,
      { takes: 'a fault', parse: parseFaultOption },
    ),
    valueOption(
      '--seed <n>',
      'seed for probabilities and random times; the same seed repeats the same run',
      numberFrom(0, 2 ** 32 - 1),
    ),
  ]),
] as const;

/** Names that an option takes, each with its meaning. */
function formatNames(heading: string, lines: Record<string, { help: string }>, order = Object.keys(lines)): string {
  const width = Math.max(...order.map(({ length }) => length));
  return [heading, ...order.map((name) => `      ${name.padEnd(width)}  ${lines[name]?.help}`), '', ''].join('\n');
}

const faultLabel = (kind: FaultKind): string => (faultKinds[kind].parameter ? `${kind}=…` : kind);
const faultLines = Object.fromEntries(faultKindNames.map((kind) => [faultLabel(kind), faultKinds[kind]]));

const after = `${formatNames('Response formats, for --dialect:', dialects)}${formatNames('Vulnerabilities, for --wrong:', defects)}${formatNames('The same of --account-calls:', accountDefects)}${formatNames('Kinds of faults, for --fault:', faultLines, faultKindNames.map(faultLabel))}When it is ready, it prints one line of JSON, {"baseUrl":"http://127.0.0.1:PORT"}. That address is a
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
  /** The server in a servers file whose API type is used, with the variables of the command line. */
  serverReference: (ServerReference & { typed: readonly NamedVariable[] }) | undefined;
  tlsFiles: { cert: string; key: string } | undefined;
  /** The mock file. */
  mock: string | undefined;
  /** The file for the report on clients. */
  clientReport: string | undefined;
};

type Values = OptionValues<typeof options>;

const isAccountDefect = (name: DefectName | AccountDefectName): name is AccountDefectName =>
  Object.hasOwn(accountDefects, name);

/** Smaller bounds where other computers have access. */
const boundsBeyondLoopback = [
  ['loginLimit', '--login-limit', most.login],
  ['registrationLimit', '--registration-limit', most.registration],
  ['clientLimit', '--client-limit', most.client],
  ['clientConnections', '--client-connections', most.connectionsPerClient],
] as const;

/** The sentences about options that do not go together; those that are true apply. */
function usageErrors(values: Values): Record<string, boolean> {
  const { allowHost = [], trustProxy = [], clientReport, listen, fault = [], seed } = values;
  const isShared = isReachableByOthers({ listen, allowHosts: allowHost, trustedProxies: trustProxy });
  const isReachable = !isLoopback(listen);
  const isSimulating =
    values.dialect !== undefined || fault.length > 0 || seed !== undefined || values.wrong !== undefined;
  return {
    'The option --client-report is for this computer only.': clientReport !== undefined && isShared,
    'The option --mock is for loopback only.': isReachable && values.mock !== undefined,
    'The options --dialect, --fault, --seed and --wrong are for loopback only.': isReachable && isSimulating,
    // A service that others can reach answers for named hosts only, and never without limits.
    'The option --listen needs at least one --allow-host beyond loopback.': isReachable && allowHost.length === 0,
    'The option --rate-limit off is for loopback only.': isReachable && values.rateLimit === 'off',
    'The options --tls-cert and --tls-key go together.':
      (values.tlsCert === undefined) !== (values.tlsKey === undefined),
    'Vulnerabilities of account calls need --account-calls.':
      values.accountCalls !== true && (values.wrong ?? []).some(isAccountDefect),
    'The option --any-code needs a --mock.': values.anyCode === true && values.mock === undefined,
    'The option --seed needs a --fault.': seed !== undefined && fault.length === 0,
    ...Object.fromEntries(
      boundsBeyondLoopback.map(([key, name, bound]) => [
        `The option ${name} takes a number from 1 to ${bound} beyond loopback.`,
        isReachable && values[key] > bound,
      ]),
    ),
  };
}

/** What others who share the database would notice. */
const onlyOnOwnDatabase = {
  accountCalls: '--account-calls',
  dialect: '--dialect',
  fault: '--fault',
  seed: '--seed',
  wrong: '--wrong',
} as const;

/** Where the accounts are: options come before the environment. */
function readDatabase(
  { data, database, mock, databaseConnections: connections }: Values,
  isGiven: (option: string) => boolean,
  env: NodeJS.ProcessEnv,
): Database {
  // A mock has accounts of its own, whatever the environment has.
  const isFromEnvironment = data === undefined && mock === undefined;
  const url = database ?? (isFromEnvironment ? env[DATABASE_VARIABLE] || undefined : undefined);
  if (url === undefined) {
    if (connections !== undefined) throw new UsageError('The option --database-connections needs a --database.');
    const folder = mock === undefined ? DEFAULT_FOLDER : mockDataFolder(mock);
    return { file: join(resolve(data ?? folder), DATABASE_NAME) };
  }
  const [, exclusive] = Object.entries(onlyOnOwnDatabase).find(([option]) => isGiven(option)) ?? [];
  if (exclusive !== undefined) {
    const from = database === undefined ? `the variable ${DATABASE_VARIABLE}` : '--database';
    throw new UsageError(
      `The option ${exclusive} cannot be given together with ${from}, whose accounts others may share.`,
    );
  }
  const read = readDatabaseUrl(url);
  if (!read.ok) throw new UsageError(read.message);
  return { url, connections: connections ?? DEFAULT_CONNECTIONS };
}

/** A seed that is not given is drawn here, so that it can be printed. */
function readFaultInjection({
  dialect,
  fault = [],
  seed,
  wrong = [],
}: Values): Partial<FaultInjectionSettings> | undefined {
  if (dialect === undefined && fault.length === 0 && wrong.length === 0) return undefined;
  const named = [...new Set(wrong)];
  return {
    dialect,
    faults: fault,
    seed: seed ?? randomInt(2 ** 32 - 1),
    defects: named.filter((name) => !isAccountDefect(name)),
    accountDefects: named.filter(isAccountDefect),
  };
}

const examples = [
  ['--dialect spring --fault login:429=5:3', 'responds like Spring Boot, with three rate-limited logins'],
  ['--port 0 --rate-limit off --allow-origin http://localhost:5173', 'for tests and a page in development'],
  ['--mock shop.json', 'serves the mock in shop.json'],
] as const;

const about = 'Runs the built-in server, or a mock, until it is stopped; on 127.0.0.1 by default.';

/** Parses what follows the command's name. */
export const parseServeArguments = (args: string[], env: NodeJS.ProcessEnv): Promise<ParsedUsage<ServeArguments>> =>
  parseUsage({ name: 'serve', about, options, examples, after }, args, env, (values, { isGiven }) => {
    const database = readDatabase(values, isGiven, env);
    for (const [sentence, applies] of Object.entries(usageErrors(values))) if (applies) throw new UsageError(sentence);
    const { tlsCert: cert, tlsKey: key } = values;
    const serverReference = readServerReference(values, undefined);
    const { var: variables = [], allowOrigin = [] } = values;
    if (serverReference) rejectDuplicates(variables);
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
      allowHosts: values.allowHost ?? [],
      allowOrigins: () => allowOrigin,
      trustedProxies: values.trustProxy ?? [],
      logRequests: values.logRequests === true,
      accountCalls: values.accountCalls === true,
      anyCode: values.anyCode === true,
      faultInjection: readFaultInjection(values),
      clientReport: values.clientReport,
      mock: values.mock,
      interface: serverReference ? undefined : readInterfaceReference(values, env),
      serverReference: serverReference && { ...serverReference, typed: variables },
      tlsFiles: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    };
  });
