import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startService } from './server.ts';
import { DEFAULT_CONNECTIONS, readDatabaseUrl } from './stores/postgres/database-url.ts';
import type { Database } from './stores/open-stores.ts';

const DEFAULT_PORT = 4848;
const DEFAULT_FOLDER = 'llavero-data';
/** The database's name inside the data folder, the same for the application and the command. */
export const DATABASE_NAME = 'service.sqlite';

/** Holds the URL of a database, out of sight of `ps`. */
const DATABASE_VARIABLE = 'LLAVERO_DATABASE_URL';

const HELP = `Usage: serve [--port N] [--data DIR | --database URL] [--rate-limit off]

Runs the embedded authentication service on 127.0.0.1 until it is told to end.

  --port N          the port, ${DEFAULT_PORT} unless given; 0 for any free one
  --data DIR        the folder of the database, ./${DEFAULT_FOLDER} unless given; made when missing
  --database URL    a PostgreSQL database in the place of the folder, which several instances may share:
                    postgres://USER:PASSWORD@HOST:PORT/DATABASE, with ?sslmode=disable, require, verify-ca or
                    verify-full (disable on this machine and verify-full elsewhere unless given) and
                    &sslrootcert=FILE. Others on this machine see it in the list of processes: one with a password
                    belongs into the variable ${DATABASE_VARIABLE}, which counts where neither option is given.
  --database-connections N
                    how many connections to it at most, ${DEFAULT_CONNECTIONS} unless given
  --rate-limit off  count neither logins nor registrations
  --help            this text

When it is ready, it prints one line of JSON, {"baseUrl":"http://127.0.0.1:PORT"}.
Exit codes: 0 ended as told, 2 wrong usage, 3 could not start.
`;

/** What the command reaches of the world around it. */
export type ServeIo = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Aborted when the service should end. */
  stop: AbortSignal;
  environment?: NodeJS.ProcessEnv;
};

const options = {
  port: { type: 'string' },
  data: { type: 'string' },
  'rate-limit': { type: 'string' },
  help: { type: 'boolean' },
  database: { type: 'string' },
  'database-connections': { type: 'string' },
  listen: { type: 'string' },
  'allow-host': { type: 'string', multiple: true },
} as const;

/** Part of the command as it is planned, and not built yet. */
const comingOptions = ['listen', 'allow-host'] as const;

type Usage =
  | { kind: 'run'; port: number; database: Database; rateLimit: 'on' | 'off' }
  | { kind: 'help' }
  | { kind: 'wrong'; sentence: string };

const wrong = (sentence: string): Usage => ({ kind: 'wrong', sentence });

const MOST_CONNECTIONS = 1000;

function readArgs(args: string[], environment: NodeJS.ProcessEnv): Usage {
  let values;
  try {
    ({ values } = parseArgs({ args, options, allowPositionals: false }));
  } catch (error) {
    // Node's texts go on with advice about positional arguments, of which there are none here.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/, 1);
    return wrong(sentence.replace(/\.?$/, '.'));
  }
  if (values.help) return { kind: 'help' };

  const coming = comingOptions.find((name) => values[name] !== undefined);
  if (coming !== undefined) return wrong(`The option --${coming} is not available yet.`);

  const port = values.port ?? String(DEFAULT_PORT);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return wrong(`The option --port takes a number from 0 to 65535, not "${port}".`);
  }
  if (values.data === '') return wrong('The option --data takes the path of a folder.');
  const rateLimit = values['rate-limit'] ?? 'on';
  if (rateLimit !== 'on' && rateLimit !== 'off') {
    return wrong(`The option --rate-limit takes "on" or "off", not "${rateLimit}".`);
  }
  const run = (database: Database): Usage => ({ kind: 'run', port: Number(port), database, rateLimit });

  if (values.data !== undefined && values.database !== undefined) {
    return wrong('Only one of the options --data and --database can be given.');
  }
  // What is typed goes before what the environment holds.
  const url = values.database ?? (values.data === undefined ? environment[DATABASE_VARIABLE] || undefined : undefined);
  const connections = values['database-connections'];
  if (
    connections !== undefined &&
    (!/^\d{1,4}$/.test(connections) || Number(connections) < 1 || Number(connections) > MOST_CONNECTIONS)
  ) {
    return wrong(
      `The option --database-connections takes a number from 1 to ${MOST_CONNECTIONS}, not "${connections}".`,
    );
  }
  if (url === undefined) {
    if (connections !== undefined) return wrong('The option --database-connections needs a --database.');
    return run({ file: join(resolve(values.data ?? DEFAULT_FOLDER), DATABASE_NAME) });
  }
  const readUrl = readDatabaseUrl(url);
  if (!readUrl.ok) return wrong(readUrl.message);
  return run({ url, ...(connections !== undefined && { connections: Number(connections) }) });
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((settle) => {
    if (signal.aborted) settle();
    else signal.addEventListener('abort', () => settle(), { once: true });
  });

/**
 * Runs the embedded service without a window until `io.stop`.
 *
 * @param args what follows the command's name
 * @returns the exit code: 0 ended as told, 2 wrong usage, 3 could not start
 */
export async function serveCommand(args: string[], io: ServeIo): Promise<0 | 2 | 3> {
  const usage = readArgs(args, io.environment ?? {});
  if (usage.kind === 'help') {
    io.out(HELP);
    return 0;
  }
  if (usage.kind === 'wrong') {
    io.err(`${usage.sentence}\n`);
    return 2;
  }

  const { port, database, rateLimit } = usage;
  const started = await startService({
    database,
    port,
    rateLimit,
    log: (line) => io.err(`${line}\n`),
  });
  if (!started.ok) {
    io.err(`${started.message}\n`);
    return 3;
  }
  const limits = rateLimit === 'off' ? ', without limits on attempts' : '';
  io.err(`The embedded service keeps its accounts in ${started.service.place}${limits}.\n`);
  io.out(`${JSON.stringify({ baseUrl: started.service.baseUrl })}\n`);

  await aborted(io.stop);
  await started.service.close();
  return 0;
}

/**
 * Runs the command as this process: its signals end the service, and so does the loss of the channel to whoever
 * started it. A signal may come twice, from the terminal and from a launcher above; the second changes nothing.
 */
export async function runServe(args: string[]): Promise<0 | 2 | 3> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  if (process.channel) process.once('disconnect', end);

  const code = await serveCommand(args, {
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    stop: stop.signal,
    environment: process.env,
  });
  // An open channel would keep the process running.
  if (process.connected) process.disconnect();
  return code;
}
