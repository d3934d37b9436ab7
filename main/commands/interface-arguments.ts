import { Option } from '@commander-js/extra-typings';
import { shippedNames } from '../interface/shipped-files.ts';
import { repeatableOption, textType, UsageError, valueOption } from './option-parser.ts';

/** The environment variable that has the value of a header or of a variable. */
export type NamedVariable = { name: string; variable: string };

/** `NAME=VARIABLE`: others see the command line, so the value is in the environment. */
export const namedVariable = {
  takes: 'NAME=VARIABLE, the name of an environment variable that holds the value',
  parse(text: string): NamedVariable | undefined {
    const at = text.lastIndexOf('=');
    const variable = text.slice(at + 1);
    return /^[A-Za-z_]\w{0,199}$/.test(variable) ? { name: text.slice(0, Math.max(0, at)), variable } : undefined;
  },
};

export const interfaceType = textType('a name or a file');

export const interfaceOption = valueOption(
  '--interface <name|file>',
  `API type, if it is not Llavero's default API: a file that describe reads, or one of ${shippedNames.join(', ')}`,
  interfaceType,
);
export const variableOption = repeatableOption(
  '--var <name=variable>',
  'value of a variable of the API type, such as a key, read from the environment variable',
  namedVariable,
);
export const acceptGuessesOption = new Option(
  '--accept-guesses',
  'sends account data even where parts of --interface are guesses',
);

/**
 * The API type that the options name, with the values of its variables.
 * @property text the description itself, from a servers file, whose address is final too
 */
export type InterfaceReference = { from: string; values: Readonly<Record<string, string>>; text?: string };

/** The API type that the options name; undefined for that of `interface.md`. */
export function readInterfaceReference(
  { interface: from, var: named = [] }: { interface?: string | undefined; var?: readonly NamedVariable[] | undefined },
  env: NodeJS.ProcessEnv,
): InterfaceReference | undefined {
  if (from === undefined && named.length > 0)
    throw new UsageError('The option --var needs an --interface or a --server.');
  rejectDuplicates(named);
  return from === undefined
    ? undefined
    : { from, values: Object.fromEntries(named.map(({ name, variable }) => [name, env[variable] ?? ''])) };
}

export function rejectDuplicates(named: readonly NamedVariable[]): void {
  const names = named.map(({ name }) => name);
  if (names.some((name, at) => name === '__proto__' || names.indexOf(name) !== at))
    throw new UsageError('The option --var takes each name once.');
}
