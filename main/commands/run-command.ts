import type { Readable } from 'node:stream';
import { styleText } from 'node:util';
import type { ParsedUsage } from './option-parser.ts';

/** The process of a command, or what stands for it in a test. */
export type CommandIo = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Aborted when the command should end. */
  stop: AbortSignal;
  env: NodeJS.ProcessEnv;
  /**
   * Gives the command so many milliseconds after a signal instead of two seconds. Its reason is then another signal, which
   * is aborted by a second signal of the user, or when the time is over.
   */
  extendStop?: ((ms: number) => void) | undefined;
  /** Sets the text that is printed if the process ends before its command does. */
  onForcedExit?: ((text: () => string) => void) | undefined;
  /** Replaces the status line, until anything else is printed. Undefined where standard error is no terminal. */
  status?: ((line: string) => void) | undefined;
  /** Colours text for standard error. Undefined without a terminal that has colours, with NO_COLOR and with --no-color. */
  paint?: ((colour: 'green' | 'red' | 'yellow', text: string) => string) | undefined;
  /** Standard input. Called by a command that reads it only, since an open one keeps the process running. */
  input: () => Readable;
};

/**
 * Prints the help (0) or a usage error (2), or runs the command.
 * @param run imports the code of the command itself, which its help needs not wait for
 */
export async function runCommand<Run, Code extends number>(
  parsed: Promise<ParsedUsage<Run>>,
  { out, err }: Pick<CommandIo, 'out' | 'err'>,
  run: (run: Run) => Promise<Code>,
): Promise<Code | 0 | 2> {
  const usage = await parsed;
  if (usage.kind === 'run') return run(usage.run);
  if (usage.kind === 'help') {
    out(usage.text);
    return 0;
  }
  err(`${usage.sentence}\nUse --help to list the options.\n`);
  return 2;
}

/** The text of a bug of ours, so that it is not taken for a fault of the server. */
export const formatInternalError = (error: unknown): string =>
  `Llavero itself failed: ${error instanceof Error ? error.stack : String(error)}\n`;

/** Ends a crash with 4, never with 0 or with the 1 of a server that failed. */
export function exitOnCrash(): void {
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      process.stderr.write(formatInternalError(error));
      process.exit(4);
    });
  }
}

/** After a signal. On a busy computer, the process ends within two seconds. */
const shutdownMs = 1500;
/** A terminal signals a whole group of processes, and a launcher among them passes the signal on. */
const sameSignalMs = 400;

/** Ends the process if its command does not end soon after a signal. */
function forceExit(text: () => string): void {
  setTimeout(() => {
    process.stderr.write(`${text()}Stopping took too long; requests in progress were abandoned.\n`);
    process.exit(1);
  }, shutdownMs).unref();
}

/**
 * Handles a standard output that cannot be written: a closed pipe, as of `head`, is no failure; anything else, such as a
 * full disk, ends the process with 4.
 */
function handleOutputErrors(onClosed: () => void): void {
  // A failure to report on standard error cannot be reported.
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return onClosed();
    process.stderr.write(`Standard output cannot be written (${code}).\n`);
    process.exit(4);
  });
}

function terminalOutput(): Pick<CommandIo, 'out' | 'err' | 'status' | 'paint'> {
  const { stdout, stderr } = process;
  let hasStatus = false;
  const clear = (): void => {
    if (hasStatus) stderr.write('\r\u001B[K');
    hasStatus = false;
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
          // A wrapped line could not be cleared.
          stderr.write(line.slice(0, Math.max(0, stderr.columns - 1)));
          hasStatus = true;
        }
      : undefined,
    paint: hasColours ? (colour, text) => styleText(colour, text, { validateStream: false }) : undefined,
  };
}

/**
 * Runs a command as this process: a signal aborts it, and so does the loss of the channel to its parent. A signal may
 * come twice, from the terminal and from a launcher above; the second changes nothing.
 *
 * @param options `endsSoon` ends the process within two seconds of a signal, whatever the command still does;
 * `endsWithReaders` aborts the command when its standard output is closed
 * @returns the exit code
 */
export async function runAsProcess<Code extends number>(
  command: (io: CommandIo) => Promise<Code>,
  { endsSoon = false, endsWithReaders = false } = {},
): Promise<Code> {
  const stop = new AbortController();
  const stopNow = new AbortController();
  let extendedMs: number | undefined;
  let stoppedAt: number | undefined;
  let forcedExitText = (): string => '';
  stopNow.signal.addEventListener('abort', () => endsSoon && forceExit(() => forcedExitText()), { once: true });
  function end(): void {
    const now = performance.now();
    if (stoppedAt !== undefined && now - stoppedAt > sameSignalMs) return stopNow.abort();
    if (stoppedAt !== undefined) return;
    stoppedAt = now;
    stop.abort(extendedMs === undefined ? undefined : stopNow.signal);
    if (extendedMs === undefined) stopNow.abort();
    else setTimeout(() => stopNow.abort(), extendedMs).unref();
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  if (process.channel) process.once('disconnect', end);
  handleOutputErrors(() => endsWithReaders && end());

  const code = await command({
    ...terminalOutput(),
    stop: stop.signal,
    env: process.env,
    extendStop: (ms) => (extendedMs = ms),
    onForcedExit: (text) => (forcedExitText = text),
    input: () => process.stdin,
  });
  // An open channel would keep the process running.
  if (process.connected) process.disconnect();
  return code;
}
