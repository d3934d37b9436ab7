import { readFile } from 'node:fs/promises';
import { HELP, readArgs, type Run } from './serve-options.ts';
import { isLoopback, startService } from './server.ts';
import { describeBehaviour } from './behaviour/behaviour.ts';

/** What the command reaches of the world around it. */
export type ServeIo = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Aborted when the service should end. */
  stop: AbortSignal;
  env?: NodeJS.ProcessEnv;
};

/** What the files for TLS hold, or a sentence about the one that cannot be read. */
async function readTls(
  files: Run['tlsFiles'],
): Promise<{ ok: true; tls?: { cert: Buffer; key: Buffer } } | { ok: false; message: string }> {
  if (!files) return { ok: true };
  try {
    return { ok: true, tls: { cert: await readFile(files.cert), key: await readFile(files.key) } };
  } catch (error) {
    return { ok: false, message: `A file for TLS cannot be read: ${error instanceof Error ? error.message : ''}.` };
  }
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
  const usage = readArgs(args, io.env ?? {});
  if (usage.kind === 'help') {
    io.out(HELP);
    return 0;
  }
  if (usage.kind === 'wrong') {
    io.err(`${usage.sentence}\n`);
    return 2;
  }

  const { tlsFiles, ...run } = usage.run;
  const read = await readTls(tlsFiles);
  if (!read.ok) {
    io.err(`${read.message}\n`);
    return 3;
  }
  const { tls } = read;
  const started = await startService({ ...run, ...(tls && { tls }), log: (line) => io.err(`${line}\n`) });
  if (!started.ok) {
    io.err(`${started.message}\n`);
    return 3;
  }
  const limits = run.rateLimit === 'off' ? ', without limits on attempts' : '';
  io.err(`The embedded service keeps its accounts in ${started.service.place}${limits}.\n`);
  const { behaviour } = started.service;
  if (behaviour) io.err(`It misbehaves on purpose: ${describeBehaviour(behaviour.get())}.\n`);
  if (run.listen !== undefined && !isLoopback(run.listen) && !tls) {
    io.err('It is not encrypted: passwords and tokens can be read on the way. Give it --tls-cert and --tls-key.\n');
  }
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
    env: process.env,
  });
  // An open channel would keep the process running.
  if (process.connected) process.disconnect();
  return code;
}
