import { Option } from '@commander-js/extra-typings';
import type { Language } from '../../preload/contract/settings.ts';
import { languageNames } from '../../preload/contract/locales/languages.ts';
import { formatExitCodes, parseUsage, UsageError, type ParsedUsage } from './option-parser.ts';
import { exitOnCrash, runCommand, runAsProcess, type CommandIo } from './run-command.ts';

export type DescribeArguments = { /** A path, or `-` for standard input. */ from: string; language: Language };

const options = [
  new Option('--lang <code>', 'language of messages').choices(Object.keys(languageNames)).default('en'),
] as const;

const about =
  'Creates an API description from an OpenAPI document, a Postman, Insomnia or Bruno collection (or its folder), a HAR file, a .env file, or commands such as curl. It prints the description, and on standard error how certain each part is. It runs nothing in the file, sends no requests and prints no secrets. FILE is a path, or - for standard input.';

const examples = [
  ['openapi.yaml', 'prints the description, to be saved for --interface of check, mock and serve'],
  ['-', 'reads pasted text up to the end of the input'],
  ['bruno/', 'reads the folder of a collection'],
] as const;

const after = formatExitCodes([
  [0, 'The description can be used.'],
  [1, 'The login or the profile is missing, or nothing was found.'],
  [2, 'Invalid usage, or the file cannot be read.'],
  [4, 'Llavero itself failed.'],
]);

/** Parses what follows the command's name. */
export const parseDescribeArguments = (
  args: string[],
  env: NodeJS.ProcessEnv = {},
): Promise<ParsedUsage<DescribeArguments>> =>
  parseUsage(
    { name: 'describe', takes: 'FILE', about, options, examples, after },
    args,
    env,
    ({ lang }, { argument }) => {
      if (argument === undefined || argument === '')
        throw new UsageError('The file is missing: give its path, or - for standard input.');
      return { from: argument, language: lang };
    },
  );

/**
 * Prints the description that a file or standard input gives, and on standard error how certain each part is.
 * @param args what follows the command's name
 * @returns the exit code, as the help says
 */
export const describeCommand = (args: string[], io: CommandIo): Promise<0 | 1 | 2> =>
  runCommand(parseDescribeArguments(args, io.env), io, async (run) =>
    (await import('./run-describe.ts')).describe(run, io),
  );

/** Runs the command as this process. */
export function runDescribe(args: string[]): Promise<0 | 1 | 2> {
  exitOnCrash();
  return runAsProcess((io) => describeCommand(args, io), { endsSoon: true, endsWithReaders: true });
}
