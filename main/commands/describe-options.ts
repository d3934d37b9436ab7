import { Language } from '../../preload/contract/settings.ts';
import { oneOf, readUsage, usual, WrongUsage, type Usage } from './options.ts';

export type DescribeRun = { /** A path, or `-` for standard input. */ from: string; language: Language };

const options = { lang: usual(oneOf('code', Language.options), 'en', 'the language of what is said') };

const about =
  "Makes the description of a server's login out of what people have: an OpenAPI document, a collection of Postman, Insomnia or Bruno (its folder too), an archive (HAR), a .env, or commands such as those of curl. It prints the description, and on standard error each part with how certain it is. Nothing of the file is run, no address in it is asked, and no secret of it is printed. FILE is a path, or - for standard input.";

const examples = [
  ['openapi.yaml', 'prints the description; in a file, --interface of check, mock and serve takes it'],
  ['-', 'reads a pasted command, up to the end of the input'],
  ['bruno/', 'reads the folder of a collection'],
] as const;

const after = `Exit codes: 0 the description can be used; 1 the login or the profile is missing, or nothing was
found; 2 wrong usage, or the file cannot be read; 4 Llavero itself failed.`;

/** Reads what follows the command's name. */
export const readArgs = (args: string[]): Usage<DescribeRun> =>
  readUsage({ name: 'describe', takes: 'FILE', about, options, examples, after }, args, ({ lang }, { argument }) => {
    if (argument === undefined || argument === '')
      throw new WrongUsage('The file is missing: give its path, or - for standard input.');
    return { from: argument, language: lang };
  });
