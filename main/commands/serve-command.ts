import { runCommand, runAsProcess } from './run-command.ts';
import { parseServeArguments } from './serve-arguments.ts';

/**
 * Runs the service as this process, without a window.
 *
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const runServe = (args: string[]): Promise<0 | 2 | 3> =>
  runAsProcess((io) =>
    runCommand(parseServeArguments(args, io.env), io, async (run) => (await import('./run-serve.ts')).serve(run, io)),
  );
