import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { readDescription } from '../interface/read-description.ts';
import { readServersFile, type VariableReference, type ResolvedEntry } from '../servers-file/read-servers-file.ts';
import type { NamedVariable, InterfaceReference } from './interface-arguments.ts';
import { filePathKind, sanitizeForTerminal, repeatableOption, singleOption, UsageError } from './option-parser.ts';

/**
 * Reads an origin as the WHATWG URL standard has it (https://url.spec.whatwg.org/#origin), with its scheme, and with
 * nothing else: a path would look as if it were compared too. It is canonical as the address of a server is, so that
 * upper case, a default port, a dot at the end of the host and an international name do not matter.
 */
function readOrigin(text: string): string | undefined {
  const isBare = /^https?:\/\/[^\s/\\?#@]+\/?$/i.test(text);
  const parsed = isBare ? parseBaseUrl(text, []) : undefined;
  return parsed?.ok && parsed.value === new URL(parsed.value).origin ? parsed.value : undefined;
}

/** What commands are told of a file of servers. */
export const serversOptions = {
  servers: singleOption(
    filePathKind,
    'servers file, such as llavero.servers.json; --server names a server in it, instead of an address. Of the environment variables it names, only those that start with LLAVERO_ are read; --header and --var allow others',
    { conflicts: ['interface'] },
  ),
  server: singleOption(
    { text: 'name', takes: 'the name of a server', read: (text) => text || undefined },
    'server in that file, with its address, API type and extra headers',
  ),
  origin: repeatableOption(
    {
      text: 'url',
      takes: 'a scheme, a host and a port alone, such as https://staging.example.test',
      read: readOrigin,
    },
    'only origin that requests are sent to; required with --server and an account, a header or a variable, since others may change the file',
  ),
};

/** A server of a file, as it was typed. Without a name, the names there are told. */
export type ServerReference = { file: string; name: string | undefined };

/** Returns the server of a file that the options name. */
export function readServerReference(
  { servers: file, server: name }: { servers: string | undefined; server: string | undefined },
  address: string | undefined,
): ServerReference | undefined {
  if (file === undefined) {
    if (name !== undefined) throw new UsageError('The option --server needs --servers FILE.');
    return undefined;
  }
  if (address !== undefined)
    throw new UsageError('The address of a server cannot be given together with --servers, which names one.');
  return { file, name };
}

/** Those that hold what is Llavero's own to use: a file that others may change never gets at them. */
const ownVariables = /^LLAVERO_(?:CHECK_\w+|PROXY_PASSWORD|DATABASE_URL)$/;

/** Whether a variable of the environment may be read since a file names it, and nobody allowed it on the command line. */
const isForFiles = (variable: string): boolean => variable.startsWith('LLAVERO_') && !ownVariables.test(variable);

type Found = { ok: true; server: ResolvedEntry } | { ok: false; sentence: string };

/** Reads the file, and finds the server in it. */
export async function findServer({ file, name }: ServerReference, language: string): Promise<Found> {
  const say = createReportFormatter(language);
  const command = say.texts('command');
  const refuse = (sentence: string): Found => ({ ok: false, sentence: sanitizeForTerminal(sentence) });
  const read = await readServersFile(file);
  if (!read.ok) return refuse(say.serversFault(file, read.fault));
  const listed = read.servers.map((each) => `“${each.name}”`).slice(0, mostListed);
  if (listed.length < read.servers.length) listed.push('…');
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(listed);
  if (listed.length === 0) return refuse(command('serversNone', { file }));
  if (name === undefined) return refuse(command('serversChoose', { file, names }));
  const server = read.servers.find((each) => each.name === name);
  return server ? { ok: true, server } : refuse(command('serversUnknown', { file, name, names }));
}

/** A sentence has room for so many names. */
const mostListed = 20;

/** What the command line allows beside what a file may name by itself: it counts before the file. */
type Allowed = {
  file: string;
  server: string;
  option: 'header' | 'var';
  typed: readonly NamedVariable[];
  language: string;
};

type Values = { ok: true; named: NamedVariable[] } | { ok: false; sentence: string };

/**
 * Returns by which variable each value is read: the command line's own, or what the file names, where that may be read.
 * No other variable is looked at, not even whether it is set: a change of the file could name any of them.
 */
export function resolveVariables(
  wanted: readonly VariableReference[],
  { file, server, option, typed, language }: Allowed,
  env: NodeJS.ProcessEnv,
): Values {
  const command = createReportFormatter(language).texts('command');
  const isTyped = ({ name }: VariableReference): boolean =>
    typed.some((each) => (option === 'header' ? each.name.toLowerCase() === name.toLowerCase() : each.name === name));
  const fromFile = wanted.filter((each) => !isTyped(each));
  for (const { name, variable } of fromFile) {
    const values = { file, server, name, variable, option: `--${option} ${name}=${variable}` };
    const problem = !isForFiles(variable)
      ? 'serversNoVariable'
      : (env[variable] ?? '') === ''
        ? 'serversEmptyVariable'
        : undefined;
    if (problem) return { ok: false, sentence: sanitizeForTerminal(command(problem, values)) };
  }
  return { ok: true, named: [...typed, ...fromFile] };
}

/** Returns the variables of a server's description that are no secret: what answers by it needs no other. */
export function nonSecretVariables({ variables, interface: described }: ResolvedEntry): readonly VariableReference[] {
  const read = described && described.text !== '' ? readDescription(described.text) : undefined;
  return variables.filter(({ name }) => read?.ok && read.description.variables[name]?.secret !== true);
}

/** The interface of a server with values out of the environment; undefined for Llavero's own. */
export function createInterfaceReference(
  { interface: described }: ResolvedEntry,
  named: readonly NamedVariable[],
  env: NodeJS.ProcessEnv,
): InterfaceReference | undefined {
  if (!described) return undefined;
  const values = Object.fromEntries(named.map(({ name, variable }) => [name, env[variable] ?? '']));
  return { from: described.from, text: described.text, values };
}
