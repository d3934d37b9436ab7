import { Command, CommanderError, Option } from 'commander';
import { isNetworkPath } from '../files/path-checks.ts';
import { parseWebOrigin } from '../files/web-origin.ts';
import { programName } from './program-name.ts';

/** What a command was asked to do. A wrong usage is one sentence for the person who typed it. */
export type ParsedUsage<Run> =
  | { kind: 'run'; run: Run }
  | { kind: 'help'; text: string }
  | { kind: 'wrong'; sentence: string };

/** A wrong usage, whose message is the sentence. */
export class UsageError extends Error {}

/** What the text of an option can be. */
type Kind<T> = {
  /** What stands for it in the help. */
  text: string;
  /** What follows "The option --x takes". */
  takes: string;
  /** Returns undefined for a text that it does not take. */
  read: (text: string) => T | undefined;
  /** The help lists these. */
  choices?: readonly string[] | undefined;
  /** No sentence repeats a text that may hold a secret. */
  isSecret?: boolean;
};

/** The keys of options that cannot be given with one, and its heading in the help if it is not that of most. */
type More = { conflicts?: string[]; group?: string };

/** One option. Its key is its name, with capitals instead of dashes. */
type Definition<Value> = More & {
  about: string;
  /** What it is when it is not given. */
  initial: Value;
  /** An option without one takes no text. */
  kind?: Kind<unknown>;
  isMany?: boolean;
};

type Definitions = Record<string, Definition<unknown>>;

/** The values of options, by their keys. */
export type OptionValues<D extends Definitions> = { [Key in keyof D]: D[Key]['initial'] };

export const flag = (about: string, more?: More): Definition<boolean> => ({ about, initial: false, ...more });

export const singleOption = <T>(kind: Kind<T>, about: string, more?: More): Definition<T | undefined> => ({
  kind,
  about,
  initial: undefined,
  ...more,
});

/** An option with a default, which the help names. */
export const defaultedOption = <T>(kind: Kind<T>, initial: NoInfer<T>, about: string, more?: More): Definition<T> => ({
  kind,
  about,
  initial,
  ...more,
});

export const repeatableOption = <T>(kind: Kind<T>, about: string, more?: More): Definition<readonly T[]> => ({
  kind,
  about: `${about} (repeatable)`,
  initial: [],
  isMany: true,
  ...more,
});

/** A number between two bounds. It is whole unless `decimals` are allowed, of which there are at most three. */
export function numberFrom(least: number, most: number, decimals = false): Kind<number> {
  const form = decimals ? /^\d{1,9}(?:\.\d{1,3})?$/ : /^\d{1,9}$/;
  const read = (text: string) =>
    form.test(text) && Number(text) >= least && Number(text) <= most ? Number(text) : undefined;
  return { text: 'n', takes: `a number from ${least} to ${most}`, read };
}

export const oneOf = <const T extends string>(text: string, choices: readonly T[]): Kind<T> => ({
  text,
  takes: new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(choices),
  read: (text) => choices.find((choice) => choice === text),
  choices,
});

const aPath = (text: string): Kind<string> => ({
  text,
  takes: `the path of a ${text}`,
  read: (path) => path || undefined,
});
export const filePathKind = aPath('file');
export const folderPathKind = aPath('folder');

/** The origin of web pages. */
export const webOriginKind: Kind<string> = {
  text: 'url',
  takes: 'the exact origin of a web page (scheme, host and port), such as http://localhost:5173',
  read: parseWebOrigin,
};

/** Quotes what was typed. The password of an address is cut out, with all that goes before it. */
export function quote(text: string): string {
  const at = text.lastIndexOf('@');
  return `"${text.slice(0, Math.max(0, at)).includes(':') ? `…${text.slice(at)}` : text}"`;
}

/** Quotes what stands beside the options. It may be one in disguise, with a password after its name. */
export const quoteArgument = (text: string): string => quote(text.replace(/=.+/s, '=…'));

/** Cuts what is quoted of a long text, and shows no character that would move or hide others on a terminal. */
export const sanitizeForTerminal = (sentence: string): string =>
  sentence.replaceAll(/"([^"]{60})[^"]{20,}"/g, '"$1…"').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** Puts options below one heading of the help. */
export const grouped = <D extends Definitions>(group: string, options: D): D =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys stay, and each definition but for its heading
  Object.fromEntries(Object.entries(options).map(([key, each]) => [key, { ...each, group }])) as D;

/** What was given: the argument, where a command takes one, and the keys of options. */
type Given = { argument: string | undefined; keys: ReadonlySet<string> };

/** One command, as its help says it. */
type Described<D extends Definitions> = {
  name: string;
  /** What its argument is, where it has one. */
  takes?: 'URL' | 'FILE';
  about: string;
  options: D;
  /** How it may be typed, each with what that does. */
  examples: readonly (readonly [typed: string, does: string])[];
  after: string;
  /** The names of cases, which `--list-tests` prints. */
  cases?: readonly string[];
};

/**
 * Reads what follows a command's name. The first wrong use decides, before anything else is done.
 * @param env says how the command was called, for its help
 * @param toRun makes of the values what the command does, and throws a {@link UsageError} where they do not go together
 */
export function parseUsage<D extends Definitions, Run>(
  { name, takes, about, options, examples, after, cases = [] }: Described<D>,
  args: string[],
  env: NodeJS.ProcessEnv,
  toRun: (values: OptionValues<D>, given: Given) => Run,
): ParsedUsage<Run> {
  const keys = new Set<string>();
  let text = '';
  const program = programName(name, env);
  const command = new Command(program)
    .usage(takes === undefined ? '[options]' : `${takes} [options]`)
    .description(about)
    .helpOption(false)
    .addHelpText('after', `\n${sayExamples(program, examples)}\n${after}`)
    .exitOverride()
    .configureOutput({
      writeOut: (piece) => void (text += piece),
      outputError: () => undefined,
      getOutHelpWidth: () => HELP_WIDTH,
      getOutHasColors: () => false,
    });
  if (takes !== undefined) command.argument(`[${takes.toLowerCase()}]`);
  // Nothing reads its value: `runAsProcess` looks for its name, since it also colours what comes before any reading.
  const noColor = flag('prints no colours; the variable NO_COLOR does the same');
  const listTests = flag('prints the names of all tests, for --only');
  const definitions: Definitions = {
    ...options,
    noColor,
    ...(cases.length > 0 && { listTests }),
    help: flag('prints this help'),
  };
  for (const key in definitions) addOption(command, key, definitions[key]!, args, keys);
  try {
    command.parse(args, { from: 'user' });
    if (keys.has('help')) {
      command.outputHelp();
      return { kind: 'help', text };
    }
    if (keys.has('listTests')) return { kind: 'help', text: `${cases.join('\n')}\n` };
    return { kind: 'run', run: toRun(command.opts<OptionValues<D>>(), { argument: command.args[0], keys }) };
  } catch (error) {
    if (error instanceof UsageError) return { kind: 'wrong', sentence: sanitizeForTerminal(error.message) };
    if (error instanceof CommanderError)
      return { kind: 'wrong', sentence: sanitizeForTerminal(sayWrong(error, command, args)) };
    throw error;
  }
}

/** In columns, also of what is written by hand. */
const HELP_WIDTH = 100;

function sayExamples(program: string, examples: Described<Definitions>['examples']): string {
  const width = Math.max(...examples.map(([typed]) => typed.length));
  const isWide = examples.some(([, does]) => program.length + width + does.length + 5 > HELP_WIDTH);
  const lines = examples.map(([typed, does]) =>
    isWide ? `  ${program} ${typed}\n      ${does}` : `  ${program} ${typed.padEnd(width)}  ${does}`,
  );
  return `Examples:\n${lines.join('\n')}\n`;
}

/** What each exit code of a command means. */
export type ExitCodes = readonly (readonly [code: number, means: string])[];

/** A row has so many characters beside its number. */
const widestRow = HELP_WIDTH - 6;

/** Lists exit codes for the help, in rows that fit it. */
export function formatExitCodes(codes: ExitCodes): string {
  const rows = codes.map(([code, means]) => {
    const lines = means.match(new RegExp(`.{1,${widestRow}}(?: |$)`, 'g')) ?? [];
    return `  ${code}  ${lines.map((line) => line.trimEnd()).join('\n     ')}`;
  });
  return ['Exit codes:', ...rows].join('\n');
}

function addOption(
  command: Command,
  key: string,
  { about, initial, kind, isMany = false, conflicts = [], group }: Definition<unknown>,
  args: string[],
  given: Set<string>,
): void {
  const long = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  const option = new Option(kind ? `${long} <${kind.text}>` : long, about).conflicts(conflicts);
  if (group !== undefined) option.helpGroup(group);
  if (kind?.choices) option.choices(kind.choices);
  if (kind && isMany) option.argParser((text, before: readonly unknown[]) => [...before, valueOf(long, kind, text)]);
  else if (kind) option.argParser((text) => valueOf(long, kind, text));
  // Only what is no empty list and no `false` is worth a word in the help.
  const isShown = typeof initial === 'string' || typeof initial === 'number';
  if (isShown) option.default(initial);
  // It comes before commander's own listener, which reads the text.
  command.on(`option:${option.name()}`, (text?: string) => {
    if (given.has(key) && !isMany) throw new UsageError(`The option ${long} is given twice.`);
    given.add(key);
    // Commander takes the next option for the text of this one.
    if (text !== undefined && /^-./s.test(text) && args.some((arg, at) => arg === long && args[at + 1] === text))
      throw new UsageError(`The option ${long} needs a value. If it starts with a dash, write ${long}=-….`);
  });
  command.addOption(option);
  if (!isShown) command.setOptionValueWithSource(key, initial, 'default');
}

/** Reads the text of an option. No path leads to another computer; a report is given as `form=file`. */
function valueOf(long: string, { takes, read, isSecret = false }: Kind<unknown>, text: string): unknown {
  if (isNetworkPath(text) || isNetworkPath(text.slice(text.indexOf('=') + 1)))
    throw new UsageError(`The path ${isSecret ? `in ${long}` : quote(text)} leads to another computer.`);
  const value = read(text);
  if (value === undefined)
    throw new UsageError(`The option ${long} takes ${takes}${isSecret ? '' : `, not ${quote(text)}`}.`);
  return value;
}

/** Says what commander found, without a text that may hold a secret. */
function sayWrong(error: CommanderError, command: Command, args: string[]): string {
  const isFlag = (arg: string): boolean => command.options.some(({ long, required }) => long === arg && !required);
  // Of an option only the name is repeated: a password may follow it.
  const [name = '', other = ''] = [...error.message.matchAll(/'(--[\w-]*|-[^])/g)].map(([, flag]) => flag);
  const [, meant] = /\(Did you mean (.*)\?\)$/.exec(error.message) ?? [];
  const extra = command.args[command.registeredArguments.length] ?? '';
  const before = args[args.indexOf(extra) - 1] ?? '';
  switch (error.code) {
    case 'commander.optionMissingArgument':
      return `The option ${name} needs a value.`;
    case 'commander.conflictingOption':
      return `Only one of the options ${name} and ${other} can be given.`;
    case 'commander.unknownOption':
      if (isFlag(name)) return `The option ${name} takes no value.`;
      return `Unknown option ${name}${meant === undefined ? '' : ` (did you mean ${meant}?)`}.`;
    case 'commander.excessArguments':
      // Somebody may have typed a password after --password-stdin.
      return isFlag(before) ? `The option ${before} takes no value.` : `Unexpected argument ${quoteArgument(extra)}.`;
    default:
      throw error;
  }
}
