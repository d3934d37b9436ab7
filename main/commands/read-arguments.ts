import { parseArgs, type ParseArgsConfig } from 'node:util';
import { leadsElsewhere } from '../files/path-checks.ts';

/** A wrong usage, as one sentence for whoever typed it. */
export type Wrong = { kind: 'wrong'; sentence: string };

/** What some arguments mean, or what is wrong with them. */
export type Read<T> = { kind: 'read'; value: T } | Wrong;

/** What a command was asked to do. */
export type Usage<Run> = { kind: 'run'; run: Run } | { kind: 'help' } | Wrong;

export const read = <T>(value: T): Read<T> => ({ kind: 'read', value });
export const wrong = (sentence: string): Wrong => ({ kind: 'wrong', sentence: inOneLine(sentence) });

/** Cuts what is quoted of a long text, and shows no character that would move or hide others on a terminal. */
const inOneLine = (sentence: string): string =>
  sentence.replaceAll(/"([^"]{60})[^"]{20,}"/g, '"$1…"').replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** The arguments as Node's parser understands them; its complaint becomes one sentence. No path leads to another computer. */
export function readOptions<Config extends ParseArgsConfig>(
  config: Config,
): Read<ReturnType<typeof parseArgs<Config>>> {
  try {
    const parsed = parseArgs(config);
    const texts = Object.values(parsed.values).flat().map(String);
    // A report is given as `form=file`.
    const elsewhere = texts.find((text) => leadsElsewhere(text) || leadsElsewhere(text.slice(text.indexOf('=') + 1)));
    if (elsewhere !== undefined) return wrong(`The path "${elsewhere}" leads to another computer.`);
    const twice = givenTwice(config);
    return twice === undefined ? read(parsed) : wrong(`The option --${twice} is given twice.`);
  } catch (error) {
    const dashed = /^Option '(?:-\w, )?(--[\w-]+)[^']*' argument is ambiguous/.exec(String(Object(error).message))?.[1];
    if (dashed !== undefined) return wrong(`The option ${dashed} has no value; one with a dash is ${dashed}=-….`);
    // Node's texts go on with advice about positional arguments.
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split(/\.\s/, 1);
    return wrong(sentence.replace(/\.?$/, '.'));
  }
}

/** Returns an option that has one value and got several. */
function givenTwice(config: ParseArgsConfig): string | undefined {
  const given = new Set<string>();
  for (const token of parseArgs({ ...config, tokens: true }).tokens) {
    if (token.kind !== 'option' || config.options?.[token.name]?.multiple) continue;
    if (given.has(token.name)) return token.name;
    given.add(token.name);
  }
  return undefined;
}

/** Returns all values by their names, or the first thing that is wrong, in the order of the names. */
export function readAll<Values extends Record<string, unknown>>(parts: {
  [Name in keyof Values]: Read<Values[Name]>;
}): Read<Values> {
  const values: Partial<Values> = {};
  for (const name in parts) {
    const part = parts[name];
    if (part.kind === 'wrong') return part;
    values[name] = part.value;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every name of `parts` has got its value
  return read(values as Values);
}

/** Reads several texts of one option, each alone. The first wrong one decides. */
export function readEach<T>(texts: readonly string[], readOne: (text: string) => Read<T>): Read<T[]> {
  const values: T[] = [];
  for (const text of texts) {
    const one = readOne(text);
    if (one.kind === 'wrong') return one;
    values.push(one.value);
  }
  return read(values);
}

type Bounds = { least: number; most: number; decimals?: boolean };

/** Reads a number between two bounds. It is whole unless `decimals` are allowed, of which there are at most three. */
export function readNumber(name: string, text: string, { least, most, decimals = false }: Bounds): Read<number> {
  const form = decimals ? /^\d{1,9}(?:\.\d{1,3})?$/ : /^\d{1,9}$/;
  const value = form.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return read(value);
  return wrong(`The option --${name} takes a number from ${least} to ${most}, not "${text}".`);
}
