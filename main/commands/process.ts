import type { Readable } from 'node:stream';
import type { Usage } from './options.ts';

/** What a command reaches of the world around it. */
export type CommandIo = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** It is aborted when the command should end. */
  stop: AbortSignal;
  env: NodeJS.ProcessEnv;
  /** Returns standard input, which only a command that reads it may ask for. */
  input: () => Readable;
};

/** Prints the help (0) or what is wrong with the usage (2), or does what was asked for. */
export async function obey<Run, Code extends number>(
  usage: Usage<Run>,
  { out, err }: Pick<CommandIo, 'out' | 'err'>,
  run: (run: Run) => Promise<Code>,
): Promise<Code | 0 | 2> {
  if (usage.kind === 'run') return run(usage.run);
  if (usage.kind === 'help') {
    out(usage.text);
    return 0;
  }
  err(`${usage.sentence}\n`);
  return 2;
}

/** Says that a fault is none of the server's. */
export const faultOfOurs = (error: unknown): string =>
  `Llavero itself failed: ${error instanceof Error ? error.stack : String(error)}\n`;

/** Makes a crash end with 4, and never with 0 or with the 1 of a server that failed. */
export function endCrashesAsOurs(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      process.stderr.write(faultOfOurs(error));
      process.exit(4);
    });
  }
}

/** Milliseconds of work, and in all, that a command may take to end after a signal. */
const mostWorkMs = 1500;
const mostMs = 10_000;

/** Ends the process if its command does not end by itself soon after a signal. */
function endSoon(): void {
  const before = process.cpuUsage();
  const since = performance.now();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if ((user + system) / 1000 < mostWorkMs && performance.now() - since < mostMs) return;
    process.stderr.write('It took too long to end what was under way: it was left as it is.\n');
    process.exit(1);
  }, 100).unref();
}

/**
 * Lets the command go on when nobody reads any more what it says, as behind `head`. What cannot be written for another
 * reason, such as a full disk, ends the process with one sentence and 4.
 */
function outliveReaders(whenNobodyReads: () => void): void {
  // There is nowhere left to say it.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return whenNobodyReads();
    process.stderr.write(`Standard output cannot be written (${code}).\n`);
    process.exit(4);
  });
}

/**
 * Runs a command as this process: its signals end the command, and so does the loss of the channel to whoever started
 * it. A signal may come twice, from the terminal and from a launcher above; the second changes nothing.
 *
 * @param endsSoon whether the process ends soon after a signal, whatever the command still does, and when nobody reads
 * what it says
 * @returns what the command returns, its exit code
 */
export async function runAsProcess<Code extends number>(
  command: (io: CommandIo) => Promise<Code>,
  endsSoon = false,
): Promise<Code> {
  const stop = new AbortController();
  if (endsSoon) stop.signal.addEventListener('abort', endSoon, { once: true });
  const end = (): void => stop.abort();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  if (process.channel) process.once('disconnect', end);
  outliveReaders(() => endsSoon && end());

  const code = await command({
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    stop: stop.signal,
    env: process.env,
    input: () => process.stdin,
  });
  // An open channel would keep the process running.
  if (process.connected) process.disconnect();
  return code;
}
