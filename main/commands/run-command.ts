import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import type { ParsedUsage } from './option-parser.ts';

/** What a command reaches of the world around it. */
export type CommandIo = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** It is aborted when the command should end. */
  stop: AbortSignal;
  env: NodeJS.ProcessEnv;
  /** Takes what is to be said should the command be ended before it came to say it itself. */
  onForcedExit?: ((words: () => string) => void) | undefined;
  /**
   * Shows one line in the place of the one before, until anything else is said. It is there where standard error is a
   * terminal.
   */
  status?: ((line: string) => void) | undefined;
  /** Colours what is for standard error, where it is a terminal that has colours and nobody said that none are wanted. */
  paint?: ((colour: 'green' | 'red' | 'yellow', text: string) => string) | undefined;
  /** Returns standard input, which only a command that reads it may ask for. */
  input: () => Readable;
};

/** Prints the help (0) or what is wrong with the usage (2), or does what was asked for. */
export async function runCommand<Run, Code extends number>(
  usage: ParsedUsage<Run>,
  { out, err }: Pick<CommandIo, 'out' | 'err'>,
  run: (run: Run) => Promise<Code>,
): Promise<Code | 0 | 2> {
  if (usage.kind === 'run') return run(usage.run);
  if (usage.kind === 'help') {
    out(usage.text);
    return 0;
  }
  err(`${usage.sentence}\nUse --help to list the options.\n`);
  return 2;
}

/** Says that a fault is ours, and not the server's. */
export const formatInternalError = (error: unknown): string =>
  `Llavero itself failed: ${error instanceof Error ? error.stack : String(error)}\n`;

/** Makes a crash end with 4, and never with 0 or with the 1 of a server that failed. */
export function exitOnCrash(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      process.stderr.write(formatInternalError(error));
      process.exit(4);
    });
  }
}

/** Milliseconds that a command may take to end after a signal: with what a busy computer needs, two seconds in all. */
const mostMs = 1500;

/** Ends the process if its command does not end by itself soon after a signal. */
function endSoon(words: () => string): void {
  setTimeout(() => {
    process.stderr.write(`${words()}Stopping took too long; requests in progress were abandoned.\n`);
    process.exit(1);
  }, mostMs).unref();
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

/** How a command says things, on a terminal or in a log. */
function onTerminal(): Pick<CommandIo, 'out' | 'err' | 'status' | 'paint'> {
  const { stdout, stderr } = process;
  let isShown = false;
  const clear = (): void => {
    if (isShown) stderr.write('\r\u001B[K');
    isShown = false;
  };
  const hasColours = stderr.isTTY && stderr.hasColors() && !process.argv.includes('--no-color');
  return {
    out(text) {
      clear();
      stdout.write(text);
    },
    err(text) {
      clear();
      stderr.write(text);
    },
    status: stderr.isTTY
      ? (line) => {
          clear();
          // A line that is wrapped could not be taken back.
          stderr.write(line.slice(0, Math.max(0, stderr.columns - 1)));
          isShown = true;
        }
      : undefined,
    paint: hasColours ? (colour, text) => styleText(colour, text, { validateStream: false }) : undefined,
  };
}

/**
 * Runs a command as this process: its signals end the command, and so does the loss of the channel to its
 * parent. A signal may come twice, from the terminal and from a launcher above; the second changes nothing.
 *
 * @param ends whether the process ends within two seconds of a signal, whatever the command still does, and whether it
 * ends when nobody reads what it says
 * @returns what the command returns, its exit code
 */
export async function runAsProcess<Code extends number>(
  command: (io: CommandIo) => Promise<Code>,
  { soon = false, withoutReaders = false } = {},
): Promise<Code> {
  const stop = new AbortController();
  let words = (): string => '';
  if (soon) stop.signal.addEventListener('abort', () => endSoon(() => words()), { once: true });
  const end = (): void => stop.abort();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  if (process.channel) process.once('disconnect', end);
  outliveReaders(() => withoutReaders && end());

  const code = await command({
    ...onTerminal(),
    stop: stop.signal,
    env: process.env,
    onForcedExit: (given) => (words = given),
    input: () => process.stdin,
  });
  // An open channel would keep the process running.
  if (process.connected) process.disconnect();
  return code;
}
