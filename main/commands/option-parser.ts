import { Command, CommanderError, Option, type InferOptions } from '@commander-js/extra-typings';
import { isNetworkPath } from '../files/path-checks.ts';
import { parseWebOrigin } from '../files/web-origin.ts';

/** What a command was asked to do. A usage error is one sentence, which repeats no value of an option. */
export type ParsedUsage<Run> =
  | { kind: 'run'; run: Run }
  | { kind: 'help'; text: string }
  | { kind: 'wrong'; sentence: string };

/** A usage error, whose message is the sentence. */
export class UsageError extends Error {}

/** What an option takes: `takes` completes the sentence "The option --x takes …". */
type ValueType<T> = {
  takes: string;
  /** Returns undefined for a text that the option does not take. */
  parse: (text: string) => T | undefined;
};

function parseValue<T>({ long = '' }: { long?: string }, { takes, parse }: ValueType<T>, text: string): T {
  // The second is the file of `form=file`.
  if (isNetworkPath(text) || isNetworkPath(text.slice(text.indexOf('=') + 1)))
    throw new UsageError(`The path in ${long} leads to another computer.`);
  const value = parse(text);
  if (value === undefined) throw new UsageError(`The option ${long} takes ${takes}.`);
  return value;
}

/** An option with a value. It is undefined where it is not given, unless a default follows. */
export function valueOption<const Flags extends string, T>(flags: Flags, about: string, type: ValueType<T>) {
  const option = new Option(flags, about);
  return option.argParser((text): T => parseValue(option, type, text));
}

/** An option that can be given several times. */
export function repeatableOption<const Flags extends string, T>(flags: Flags, about: string, type: ValueType<T>) {
  const option = new Option(flags, `${about} (repeatable)`);
  // There is nothing before the first, since a default would be in the help.
  return option.argParser<readonly T[] | undefined>((text, before) => [
    ...(before ?? []),
    parseValue(option, type, text),
  ]);
}

/** A number between two bounds. It is whole unless `decimals` are allowed, of which there are at most three. */
export function numberFrom(least: number, most: number, decimals = false): ValueType<number> {
  const form = decimals ? /^\d{1,9}(?:\.\d{1,3})?$/ : /^\d{1,9}$/;
  return {
    takes: `a number from ${least} to ${most}`,
    parse: (text) => (form.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined),
  };
}

/** `Intl.ListFormat` would take 30 ms of a help. */
export const formatChoices = (choices: readonly string[]): string => choices.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** One of several names that the help lists apart from the option, each with its meaning. */
export const oneOf = <const T extends string>(choices: readonly T[]): ValueType<T> => ({
  takes: formatChoices(choices),
  parse: (text) => choices.find((choice) => choice === text),
});

/** Any text but an empty one. */
export const textType = (takes: string): ValueType<string> => ({ takes, parse: (text) => text || undefined });
export const filePath = textType('the path of a file');
export const folderPath = textType('the path of a folder');

/** The origin of web pages. */
export const webOrigin: ValueType<string> = {
  takes: 'the exact origin of a web page (scheme, host and port), such as http://localhost:5173',
  parse: parseWebOrigin,
};

/**
 * Quotes an argument that stands beside the options. It may be an option in disguise, with a password after its name, or
 * an address with one before its host: both are left out.
 */
export function quoteArgument(text: string): string {
  const shown = text.replace(/=.+/s, '=…');
  const at = shown.lastIndexOf('@');
  return `"${shown.slice(0, Math.max(0, at)).includes(':') ? `…${shown.slice(at)}` : shown}"`;
}

/** Cuts what is quoted of a long text, and shows no character that would move or hide others on a terminal. */
export const sanitizeForTerminal = (sentence: string): string =>
  sentence.replaceAll(/"([^"]{60})[^"]{20,}"/g, '"$1…"').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\uFFFD');

// oxlint-disable-next-line typescript/no-explicit-any -- each option has other types, which `OptionValues` reads again
type AnyOption = Option<any, any, any, any, any, any>;

/** The values of options by their attribute names, as commander infers them from its flags. */
export type OptionValues<Options extends readonly AnyOption[], Values = object> = Options extends readonly [
  Option<infer Flags, infer Preset, infer Default, infer Parsed, infer IsMandatory, infer Choices>,
  ...infer Rest extends readonly AnyOption[],
]
  ? OptionValues<Rest, InferOptions<Values, Flags, Default, Parsed, IsMandatory, Preset, Choices>>
  : Values;

/** Puts options below one heading of the help. */
export function grouped<const Options extends readonly AnyOption[]>(heading: string, options: Options): Options {
  for (const option of options) option.helpGroup(heading);
  return options;
}

/** How a command is typed: after `npm run`, or by the name of the packaged application. */
export const programName = (command: string, env: Readonly<Record<string, string | undefined>>): string =>
  env['npm_lifecycle_event'] === command ? `npm run ${command} --` : `llavero ${command}`;

type CommandDescription<Options extends readonly AnyOption[]> = {
  name: string;
  /** The argument, where the command takes one. */
  takes?: 'URL' | 'FILE';
  about: string;
  options: Options;
  examples: readonly (readonly [typed: string, does: string])[];
  /** What follows the options and the examples in the help. */
  after: string;
  /** The names of tests, which `--list-tests` prints. */
  cases?: readonly string[];
};

/** What was given besides the values. */
type Given = { argument: string | undefined; isGiven: (attribute: string) => boolean };

/**
 * Parses what follows a command's name. The first usage error decides, before anything else is done.
 * @param env tells how the command was called, for its help
 * @param toRun makes of the values what the command does, and throws a {@link UsageError} where they do not go together
 */
export async function parseUsage<const Options extends readonly AnyOption[], Run>(
  description: CommandDescription<Options>,
  args: string[],
  env: NodeJS.ProcessEnv,
  toRun: (values: OptionValues<Options>, given: Given) => Run | Promise<Run>,
): Promise<ParsedUsage<Run>> {
  const { takes, cases } = description;
  const command = createCommand(description, programName(description.name, env));
  try {
    rejectSwallowedOptions(command, args);
    command.parse(args, { from: 'user' });
    const isGiven = (attribute: string): boolean => command.getOptionValueSource(attribute) === 'cli';
    if (isGiven('help')) return { kind: 'help', text: helpOf(command) };
    if (cases && isGiven('listTests')) return { kind: 'help', text: `${cases.join('\n')}\n` };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the command has these options
    const values = command.opts() as OptionValues<Options>;
    return { kind: 'run', run: await toRun(values, { argument: command.args[0], isGiven }) };
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'wrong', sentence: sanitizeForTerminal(error.message) };
    if (error instanceof CommanderError)
      return { kind: 'wrong', sentence: formatUsageError(error, command, args, takes) };
    throw error;
  }
}

/** In columns, also of what is written by hand. */
const helpWidth = 100;

function createCommand(
  { takes, about, options, examples, after, cases }: CommandDescription<readonly AnyOption[]>,
  program: string,
): Command {
  const command = new Command(program)
    .usage(takes === undefined ? '[options]' : `${takes} [options]`)
    .description(about)
    .addHelpText('after', `\n${formatExamples(program, examples)}\n${after}`)
    .configureOutput({ outputError: () => undefined, getOutHelpWidth: () => helpWidth })
    .exitOverride()
    // Commander's own would hide usage errors beside it.
    .helpOption(false);
  if (takes !== undefined) command.argument(`[${takes.toLowerCase()}]`);
  for (const option of options) command.addOption(option);
  // `runAsProcess` looks for it in the arguments, since it also colours what comes before they are parsed.
  command.option('--no-color', 'prints no colours; the variable NO_COLOR does the same');
  if (cases) command.option('--list-tests', 'prints the names of all tests, for --only');
  command.option('--help', 'prints this help');
  rejectRepetitions(command);
  return command;
}

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => void (text += piece) }).outputHelp();
  return text;
}

/** Rejects a second value, of which commander would take the last one. */
function rejectRepetitions(command: Command): void {
  for (const option of command.options) {
    let times = 0;
    command.on(`option:${option.name()}`, () => {
      times += 1;
      if (times > 1 && !Array.isArray(command.getOptionValue(option.attributeName())))
        throw new UsageError(`The option ${option.long} is given twice.`);
    });
  }
}

/** Rejects an option after one whose value was forgotten, which commander takes for that value. */
function rejectSwallowedOptions({ options }: Command, args: string[]): void {
  const at = args.findIndex((arg, index) => {
    const takesValue = options.some(({ long, required }) => required && long === arg);
    return takesValue && /^-./s.test(args[index + 1] ?? '');
  });
  if (at >= 0)
    throw new UsageError(`The option ${args[at]} needs a value. If it starts with a dash, write ${args[at]}=-….`);
}

function formatExamples(program: string, examples: readonly (readonly [typed: string, does: string])[]): string {
  const width = Math.max(...examples.map(([typed]) => typed.length));
  const isWide = examples.some(([, does]) => program.length + width + does.length + 5 > helpWidth);
  const lines = examples.map(([typed, does]) =>
    isWide ? `  ${program} ${typed}\n      ${does}` : `  ${program} ${typed.padEnd(width)}  ${does}`,
  );
  return `Examples:\n${lines.join('\n')}\n`;
}

export type ExitCodes = readonly (readonly [code: number, meaning: string])[];

/** Lists exit codes for the help, in rows that fit it. */
export function formatExitCodes(codes: ExitCodes): string {
  const rows = codes.map(([code, meaning]) => {
    const lines = meaning.match(new RegExp(`.{1,${helpWidth - 6}}(?: |$)`, 'g')) ?? [];
    return `  ${code}  ${lines.map((line) => line.trimEnd()).join('\n     ')}`;
  });
  return ['Exit codes:', ...rows].join('\n');
}

/** Commander's own sentences repeat what was typed, which may be a secret: of an option, only the name is taken over. */
function formatUsageError(error: CommanderError, command: Command, args: string[], takes = ''): string {
  const optionOf = (long: string) => command.options.find((option) => option.long === long);
  const takesNone = (long: string): boolean => optionOf(long)?.required === false;
  const [name = '', other = ''] = [...error.message.matchAll(/'(--[\w-]*|-[^])/g)].map(([, flag]) => flag);
  switch (error.code) {
    case 'commander.optionMissingArgument':
      return `The option ${name} needs a value.`;
    case 'commander.invalidArgument':
      return `The option ${name} takes ${formatChoices(optionOf(name)?.argChoices ?? [])}.`;
    case 'commander.conflictingOption':
      return `Only one of the options ${name} and ${other} can be given.`;
    case 'commander.unknownOption': {
      if (takesNone(name)) return `The option ${name} takes no value.`;
      const [, meant] = /\(Did you mean (--[\w-]+)\?\)$/.exec(error.message) ?? [];
      return sanitizeForTerminal(`Unknown option ${name}${meant === undefined ? '' : ` (did you mean ${meant}?)`}.`);
    }
    case 'commander.excessArguments': {
      const extra = command.args[command.registeredArguments.length] ?? '';
      const before = args[args.indexOf(extra) - 1] ?? '';
      // Somebody may have typed a password after --password-stdin.
      if (takesNone(before)) return `The option ${before} takes no value.`;
      return takes === '' ? 'The command takes options only.' : `The command takes one ${takes} and options only.`;
    }
    default:
      throw error;
  }
}
