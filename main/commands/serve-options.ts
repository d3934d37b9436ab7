import { randomInt } from 'node:crypto';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { dialectNames, faultKindNames, wrongNames, type FaultKind, operations } from '../../preload/contract/names.ts';
import { dialects } from '../service/lab/dialects.ts';
import { faultKinds, parseFault, type Fault } from '../service/lab/faults.ts';
import type { BehaviourSettings } from '../service/lab/settings.ts';
import { wrongs } from '../service/lab/wrongs.ts';
import type { Argon2Cost } from '../service/domain/passwords.ts';
import { readHostName } from '../service/host-and-origin.ts';
import { CONNECTIONS_PER_CLIENT, loosestBeyondLoopback as most, MOST_CONNECTIONS } from '../service/limits.ts';
import { isLoopback, LOOPBACK, mayBeShared } from '../service/listening.ts';
import type { LabServiceOptions } from '../service/lab/lab.ts';
import { shippedNames } from '../interface/shipped.ts';
import type { Database } from '../service/stores/open-stores.ts';
import { DEFAULT_CONNECTIONS, readDatabaseUrl } from '../service/stores/postgres/database-url.ts';
import { DATABASE_NAME, DEFAULT_FOLDER, folderOfDouble } from './data-folder.ts';
import { interfaceOf, interfaceOptions, refuseTwice, type Named, type WantedInterface } from './check-interface.ts';
import { serverOf, serversOptions, type WantedServer } from './check-servers.ts';
import { aFile, aFolder, anOrigin, flag, grouped, many, numberFrom, one, oneOf, readUsage, usual } from './options.ts';
import { WrongUsage, type Usage, type Values } from './options.ts';

const attempts = numberFrom(1, 1_000_000);

const atMost = (bound: number): string => `, at most ${bound} beyond loopback`;

/** The variable holds the URL of a database, which `ps` does not show. */
const DATABASE_VARIABLE = 'LLAVERO_DATABASE_URL';

const rehearsing = {
  group: 'To rehearse what takes long, and to see what a client does wrong; on this computer only:',
};
const forTeams = { group: 'For a team, beyond this computer:' };
const misbehaving = { group: 'To test a client against a bad server, on loopback only and off at every start:' };

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

function readFault(text: string): Fault {
  const read = parseFault(text);
  if (!read.ok) throw new WrongUsage(read.sentence);
  return read.fault;
}

const options = {
  ...grouped('Where it answers, and where its accounts are:', {
    port: usual(numberFrom(0, 65_535), 4848, 'the port; 0 for any free one'),
    data: one(aFolder, `the folder of the database, ./${DEFAULT_FOLDER} unless given; made when missing`, {
      conflicts: ['database'],
    }),
    database: one(
      { ...aFile, text: 'url', takes: 'the URL of a database', isSecret: true },
      `a PostgreSQL database in the place of the folder, which several instances may share: postgres://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=disable, require, verify-ca or verify-full (disable on this machine and verify-full elsewhere unless given) and &sslrootcert=FILE. Others on this machine see it in the list of processes: one with a password belongs into the variable ${DATABASE_VARIABLE}, which counts where neither option is given. No clock is moved there, and no dialect, fault or wrong mode is on`,
    ),
    databaseConnections: one(
      numberFrom(1, 1000),
      `how many connections to it at most, ${DEFAULT_CONNECTIONS} unless given`,
    ),
    tokenDays: usual(numberFrom(1, 3650), 30, 'days that a token lives'),
    argon2: one(
      { text: 'm=kib,t=n,p=n', takes: 'a cost such as m=19456,t=2,p=1', read: readArgon2 },
      'cost of new password hashes, m=19456,t=2,p=1 unless given; older ones follow at the next login',
    ),
    allowOrigin: many(
      anOrigin,
      'let web pages of this origin use it with fetch, cookies and headers included. A browser sends the cookies of one host name to that name alone, so a page at localhost calls http://localhost:PORT',
    ),
    logRequests: flag('one line for each answer, on standard error'),
  }),
  ...grouped('Its limits:', {
    rateLimit: usual(
      oneOf('word', ['on', 'off']),
      'on',
      'with --rate-limit off neither logins nor registrations are counted; on loopback only',
    ),
    loginLimit: usual(attempts, 5, `failed logins a minute of one email from one client${atMost(most.login)}`),
    registrationLimit: usual(attempts, 10, `registrations a minute from one client${atMost(most.registration)}`),
    clientLimit: usual(attempts, 300, `logins and registrations a minute from one client${atMost(most.client)}`),
    clientConnections: usual(
      numberFrom(1, MOST_CONNECTIONS),
      CONNECTIONS_PER_CLIENT,
      `connections of one client at once${atMost(most.connectionsPerClient)}; further ones are closed as they come. A --trust-proxy has no limit of its own`,
    ),
  }),
  ...grouped('As which server it answers:', {
    mock: one(
      aFile,
      `answer as a server does, by its model (check --mock-file FILE) or the report of a shared finding, at the addresses that it was learned at; on loopback only, with accounts of its own in ./${DEFAULT_FOLDER}/mocks/ unless --data says where, and with its limits alone`,
      { conflicts: ['database', 'dialect'] },
    ),
    interface: one(
      { ...aFile, text: 'name|file', takes: 'a name or a file' },
      `answer at the addresses of another interface, in its encoding and with its credential: a file that describes it, or one of ${shippedNames.join(', ')}. What is answered stays what it is, with the token added where the description says. Where accounts are made elsewhere, they are made at the service's own address; /api/v1/openapi.json is not there`,
      { conflicts: ['mock'] },
    ),
    var: interfaceOptions.var,
    servers: one(aFile, 'a file of servers, of which --server names one: answer by its interface', {
      conflicts: ['mock', 'interface'],
    }),
    server: serversOptions.server,
  }),

  clock: flag(
    'let the clock of the service be moved: the line that it prints then has the address and the key of a listener of its own. POST there {"advanceSeconds": 60}, {"to": "newest-token-end"} or {"to": "now"} with Authorization: Bearer KEY; GET answers the time. Refused while another instance uses the file of accounts; off at the next start',
    rehearsing,
  ),
  clientReport: one(
    aFile,
    'write what clients did wrong, as far as a server can see it, to this file of JSON when it ends; logins then set a cookie, which no client should send back',
    rehearsing,
  ),

  listen: usual(addressKind, LOOPBACK, 'an address of this computer, or 0.0.0.0 or :: for all of them', forTeams),
  allowHost: many(
    { text: 'name', takes: 'a name without a port', read: readHostName },
    'a name or address in the Host header that it answers for',
    forTeams,
  ),
  tlsCert: one(aFile, 'speak TLS with this certificate, in PEM form', forTeams),
  tlsKey: one(aFile, 'the key of that certificate, in PEM form', forTeams),
  trustProxy: many(
    { text: 'address', takes: 'an address or a network of at least 7 bits', read: readNetwork },
    'a proxy, or a network such as 10.0.0.0/8, whose X-Forwarded-For is believed',
    forTeams,
  ),

  dialect: one(
    // What each choice means stands in a list of its own.
    { ...oneOf('name', [...dialectNames]), choices: undefined },
    'answer as another family of servers does, with the same accounts, tokens and rules',
    misbehaving,
  ),
  wrong: many({ ...oneOf('name', [...wrongNames]), choices: undefined }, 'be wrong in exactly this way', misbehaving),
  fault: many(
    { text: 'operation:kind:often', takes: 'a fault', read: readFault },
    `make an operation (${operations.join(', ')}) go wrong, so many times or with a probability from 0.0 to 1.0, as in login:429=5:3 or perfil:reset:0.2`,
    misbehaving,
  ),
  seed: one(
    numberFrom(0, 2 ** 32 - 1),
    'decides every probability and random time; the same seed gives the same run',
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

const after = `${list('Dialects, and who speaks so:', dialects)}${list('Wrongs:', wrongs)}${list('Kinds of faults:', faultLines, faultKindNames.map(shown))}When it is ready, it prints one line of JSON, {"baseUrl":"http://127.0.0.1:PORT"}. A browser
that opens it finds a page to try it; /health answers 200 while the database does, and
/api/v1/openapi.json describes it.
Exit codes: 0 ended as told, 2 wrong usage, 3 could not start, 4 its address could not be written.`;

export type ServeRun = Omit<LabServiceOptions, 'tls' | 'log' | 'clients' | 'model' | 'wire'> & {
  interface: WantedInterface | undefined;
  /** The server of a file whose interface it answers by, with what was typed for its variables. */
  named: (WantedServer & { typed: readonly Named[] }) | undefined;
  tlsFiles: { cert: string; key: string } | undefined;
  /** The file of the model that it is a double by. */
  mock: string | undefined;
  /** The file that the report on clients is written to. */
  clientReport: string | undefined;
};

type Typed = Values<typeof options>;

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
  const isShared = mayBeShared({ listen, allowHosts: allowHost, trustedProxies: trustProxy });
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
    if (connections !== undefined) throw new WrongUsage('The option --database-connections needs a --database.');
    const folder = mock === undefined ? DEFAULT_FOLDER : folderOfDouble(mock);
    return { file: join(resolve(data ?? folder), DATABASE_NAME) };
  }
  const felt = onlyOnOwnDatabase.find((key) => keys.has(key));
  if (felt !== undefined) {
    const from = database === undefined ? `the variable ${DATABASE_VARIABLE}` : '--database';
    throw new WrongUsage(
      `The option --${felt} cannot be given together with ${from}, whose accounts others may share.`,
    );
  }
  const read = readDatabaseUrl(url);
  if (!read.ok) throw new WrongUsage(read.message);
  return { url, connections: connections ?? DEFAULT_CONNECTIONS };
}

/** Without a seed one is drawn here, so that it can be told. */
function behaviourOf({ dialect, fault, seed, wrong }: Typed): Partial<BehaviourSettings> | undefined {
  if (dialect === undefined && fault.length === 0 && wrong.length === 0) return undefined;
  return { dialect, faults: fault, seed: seed ?? randomInt(2 ** 32 - 1), wrong: [...new Set(wrong)] };
}

const examples = [
  ['--dialect spring --fault login:429=5:3', 'as Spring Boot answers, with three throttled logins'],
  ['--port 0 --rate-limit off --allow-origin http://localhost:5173', 'for tests and a page in development'],
  ['--mock shop.json', 'answers as the server that shop.json was learned from'],
] as const;

const about = 'Runs the service until it is told to end; on 127.0.0.1 unless told otherwise.';

/** Reads what follows the command's name. */
export const readArgs = (args: string[], env: NodeJS.ProcessEnv): Usage<ServeRun> =>
  readUsage({ name: 'serve', about, options, examples, after }, args, (values, { keys }) => {
    const database = databaseOf(values, keys, env);
    for (const [sentence, isWrong] of Object.entries(wrongsOf(values))) if (isWrong) throw new WrongUsage(sentence);
    const { tlsCert: cert, tlsKey: key } = values;
    const named = serverOf(values, undefined);
    if (named) refuseTwice(values.var);
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
      behaviour: behaviourOf(values),
      clock: values.clock ? 'from-start' : undefined,
      clientReport: values.clientReport,
      mock: values.mock,
      interface: named ? undefined : interfaceOf(values, env),
      named: named && { ...named, typed: values.var },
      tlsFiles: cert !== undefined && key !== undefined ? { cert, key } : undefined,
    };
  });
