import { createReportFormatter } from '../../preload/contract/locales/report-formatter.ts';
import { readDescription } from '../interface/read-description.ts';
import { readServersFile, type VariableReference, type ResolvedEntry } from '../servers-file/read-servers-file.ts';
import type { InterfaceReference, NamedVariable } from './interface-arguments.ts';
import { sanitizeForTerminal } from './option-parser.ts';
import type { ServerReference } from './servers-file-arguments.ts';

/** Llavero's own secrets, which a file that others may change never gets. */
const reservedVariables = /^LLAVERO_(?:CHECK_\w+|PROXY_PASSWORD|DATABASE_URL)$/;

/** Whether an environment variable may be read because a file names it, without the command line allowing it. */
const isAllowedInFiles = (variable: string): boolean =>
  variable.startsWith('LLAVERO_') && !reservedVariables.test(variable);

type ServerSearch = { ok: true; server: ResolvedEntry } | { ok: false; sentence: string };

/** Reads the file, and finds the server in it. */
export async function findServer({ file, name }: ServerReference, language: string): Promise<ServerSearch> {
  const formatter = createReportFormatter(language);
  const command = formatter.texts('command');
  const refuse = (sentence: string): ServerSearch => ({ ok: false, sentence: sanitizeForTerminal(sentence) });
  const read = await readServersFile(file);
  if (!read.ok) return refuse(formatter.serversFault(file, read.fault));
  const listed = read.servers.map((each) => `“${each.name}”`).slice(0, mostListed);
  if (listed.length < read.servers.length) listed.push('…');
  const names = new Intl.ListFormat(language, { type: 'conjunction' }).format(listed);
  if (listed.length === 0) return refuse(command('serversNone', { file }));
  if (name === undefined) return refuse(command('serversChoose', { file, names }));
  const server = read.servers.find((each) => each.name === name);
  return server ? { ok: true, server } : refuse(command('serversUnknown', { file, name, names }));
}

/** In a sentence. */
const mostListed = 20;

/** `typed` are the variables of the command line, which override those of the file. */
type VariableContext = {
  file: string;
  server: string;
  option: 'header' | 'var';
  typed: readonly NamedVariable[];
  language: string;
};

type ResolvedVariables = { ok: true; named: NamedVariable[] } | { ok: false; sentence: string };

/**
 * Returns the environment variable of each value. No variable is read that a file may not name, not even to see whether it
 * is set: a changed file could name any.
 */
export function resolveVariables(
  references: readonly VariableReference[],
  { file, server, option, typed, language }: VariableContext,
  env: NodeJS.ProcessEnv,
): ResolvedVariables {
  const command = createReportFormatter(language).texts('command');
  const isTyped = ({ name }: VariableReference): boolean =>
    typed.some((each) => (option === 'header' ? each.name.toLowerCase() === name.toLowerCase() : each.name === name));
  const fromFile = references.filter((each) => !isTyped(each));
  for (const { name, variable } of fromFile) {
    const values = { file, server, name, variable, option: `--${option} ${name}=${variable}` };
    const problem = !isAllowedInFiles(variable)
      ? 'serversNoVariable'
      : (env[variable] ?? '') === ''
        ? 'serversEmptyVariable'
        : undefined;
    if (problem) return { ok: false, sentence: sanitizeForTerminal(command(problem, values)) };
  }
  return { ok: true, named: [...typed, ...fromFile] };
}

/** The variables of a server's description that are not secret: a service needs no others. */
export function nonSecretVariables({ variables, interface: described }: ResolvedEntry): readonly VariableReference[] {
  const read = described && described.text !== '' ? readDescription(described.text) : undefined;
  return variables.filter(({ name }) => read?.ok && read.description.variables[name]?.secret !== true);
}

/** The API type of a server, with values from the environment; undefined for Llavero's default. */
export function createInterfaceReference(
  { interface: described }: ResolvedEntry,
  named: readonly NamedVariable[],
  env: NodeJS.ProcessEnv,
): InterfaceReference | undefined {
  if (!described) return undefined;
  const values = Object.fromEntries(named.map(({ name, variable }) => [name, env[variable] ?? '']));
  return { from: described.from, text: described.text, values };
}
