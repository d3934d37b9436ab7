import { Language } from '../../preload/contract/settings.ts';
import { oneOf, parseUsage, formatExitCodes, defaultedOption, UsageError, type ParsedUsage } from './option-parser.ts';

export type DescribeArguments = { /** A path, or `-` for standard input. */ from: string; language: Language };

const options = { lang: defaultedOption(oneOf('code', Language.options), 'en', 'language of messages') };

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

/** Reads what follows the command's name. */
export const parseDescribeArguments = (args: string[], env: NodeJS.ProcessEnv = {}): ParsedUsage<DescribeArguments> =>
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
