import type { Readable } from 'node:stream';
import type { Usage } from './read-arguments.ts';

/** What a command reaches of the world around it. */
export type CommandIo = {
  out: (text: string) => void;
  err: (text: string) => void;
  /** Aborted when the command should end. */
  stop: AbortSignal;
  env: NodeJS.ProcessEnv;
  /** Standard input, which only a command that reads it may ask for. */
  input: () => Readable;
};

/** Prints the help (0) or what is wrong with the usage (2), or does what was asked for. */
export async function obey<Run, Code extends number>(
  usage: Usage<Run>,
  help: string,
  { out, err }: Pick<CommandIo, 'out' | 'err'>,
  run: (run: Run) => Promise<Code>,
): Promise<Code | 0 | 2> {
  if (usage.kind === 'run') return run(usage.run);
  if (usage.kind === 'help') {
    out(help);
    return 0;
  }
  err(`${usage.sentence}\n`);
  return 2;
}

/**
 * Runs a command as this process: its signals end the command, and so does the loss of the channel to whoever started
 * it. A signal may come twice, from the terminal and from a launcher above; the second changes nothing.
 *
 * @returns what the command returns, its exit code
 */
export async function runAsProcess<Code extends number>(command: (io: CommandIo) => Promise<Code>): Promise<Code> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
  if (process.channel) process.once('disconnect', end);

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
