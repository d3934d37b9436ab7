import type { InterfaceFault } from '../../preload/contract/connection.ts';
import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { readDescription, variableFaults, variableValues } from '../interface/read-description.ts';
import { defaultInterface, canonicalInterface, shippedNames } from '../interface/shipped.ts';
import { ApiAdapter } from '../interface/api-adapter.ts';
import {
  filePathKind,
  flag,
  sanitizeForTerminal,
  repeatableOption,
  singleOption,
  UsageError,
} from './option-parser.ts';
import { readInterfaceSource, type InterfaceReadResult } from './read-interface.ts';
import { uncertainParts, formatFoundPart, formatReadFailure } from './format-found-interface.ts';

/** A variable of an environment, by the name that its value is for. */
export type NamedVariable = { name: string; variable: string };

/** Reads `NAME=VARIABLE`: others see the command line, so that values stand in the environment. */
function readNamed(text: string): NamedVariable | undefined {
  const at = text.lastIndexOf('=');
  const variable = text.slice(at + 1);
  return /^[A-Za-z_]\w{0,199}$/.test(variable) ? { name: text.slice(0, Math.max(0, at)), variable } : undefined;
}

export const namedKind = {
  text: 'name=variable',
  takes: 'NAME=VARIABLE, the name of an environment variable that holds the value',
  read: readNamed,
  // A value is in it when somebody took the variable for one.
  isSecret: true,
};

/** What commands are told of the interface of a server. */
export const interfaceOptions = {
  interface: singleOption(
    { ...filePathKind, text: 'name|file', takes: 'a name or a file' },
    `API type, if it is not Llavero's default API: a file that describe reads, or one of ${shippedNames.join(', ')}`,
  ),
  var: repeatableOption(
    namedKind,
    'value of a variable of the API type, such as a key, read from the environment variable',
  ),
  acceptGuesses: flag('sends account data even where parts of --interface are guesses'),
};

/**
 * An interface as it was typed, with the values that were in the environment.
 * @property text the description itself, where a file of servers has it, whose address is the final one too
 */
export type InterfaceReference = { from: string; values: Readonly<Record<string, string>>; text?: string };

/** Returns the interface that the options name; undefined for that of `interface.md`. */
export function readInterfaceReference(
  { interface: from, var: named }: { interface: string | undefined; var: readonly NamedVariable[] },
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

/**
 * @property guesses what of the interface is a guess, in a line each; nobody's account may be sent by it
 */
type Loaded =
  | { ok: true; adapter: ApiAdapter; secrets: readonly string[]; guesses: readonly string[] }
  | { ok: false; sentence: string };

/**
 * Reads the description that is meant, and says all that is wrong with it or with the values of its variables.
 * @param address a base URL of which nothing of the interface's own paths was cut off; undefined where a service is to
 * answer at this interface, which asks for no secret
 */
export async function loadInterface(
  wanted: InterfaceReference | undefined,
  address: string | undefined,
  language: string,
): Promise<Loaded> {
  if (!wanted) return { ok: true, adapter: new ApiAdapter(defaultInterface, address ?? ''), secrets: [], guesses: [] };
  const { from, values: given, text } = wanted;
  const say = createReportFormatter(language);
  const refuse = (faults: readonly InterfaceFault[]): Loaded => ({
    ok: false,
    sentence: faults
      .map((fault) => sanitizeForTerminal(say.t('command.interfaceFault', { from, fault: say.interfaceFault(fault) })))
      .join('\n'),
  });
  const read = text === undefined ? await readInterfaceSource(from) : readText(text);
  if (!read.ok) return { ok: false, sentence: formatReadFailure(read.unread, from, shippedNames.join(', '), say) };
  const { description } = read;
  if (!description) {
    const lines = uncertainParts(read.found).map((part) => formatFoundPart(part, read.found, say));
    const lacks = say.t(read.found.missing.includes('login') ? 'describe.noLogin' : 'describe.noProfile');
    return { ok: false, sentence: [...lines, lacks].join('\n') };
  }
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(description.variables, name));
  if (unknown.length > 0)
    return refuse(unknown.map((name) => ({ problem: 'unknown-key', at: 'variables', name }) as const));
  const origin = URL.parse(address ?? 'http://localhost')?.origin ?? '';
  const values = variableValues(description, given, origin);
  const isNeeded = ({ problem, name = '' }: InterfaceFault): boolean =>
    address !== undefined || problem !== 'missing' || description.variables[name]?.secret !== true;
  const faults = variableFaults(description, values).filter(isNeeded);
  if (faults.length > 0) return refuse(faults);
  const isFinal = text !== undefined;
  const base = parseBaseUrl(address ?? '', isFinal ? [] : new ApiAdapter(description, '', given).pasted());
  const secrets = Object.entries(values).flatMap(([name, value]) =>
    description.variables[name]?.secret ? [value] : [],
  );
  const adapter = new ApiAdapter(canonicalInterface(description), base.ok ? base.value : (address ?? ''), given);
  return {
    ok: true,
    adapter,
    secrets,
    guesses: guessesOf(read).map((part) => formatFoundPart(part, read.found!, say)),
  };
}

/** The guesses of a description that an import made. The address stands on the command line. */
const guessesOf = ({ found }: Extract<InterfaceReadResult, { ok: true; description: object }>) =>
  (found?.parts ?? []).filter(({ at, is }) => is === 'guess' && at !== 'address');

function readText(text: string): InterfaceReadResult {
  const read = readDescription(text);
  return read.ok ? read : { ok: false, unread: { why: 'faults', faults: read.faults } };
}
