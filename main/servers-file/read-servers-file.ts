import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { z } from 'zod';
import { longestDescription } from '../../preload/contract/connection.ts';
import type { InterfaceDescription } from '../../preload/contract/interface.ts';
import type { ServersFileFault, ServersFileProblem } from '../../preload/contract/servers-file.ts';
import { parseBaseUrl } from '../client/base-url.ts';
import { sameName } from '../client/extra-headers.ts';
import { looksLikeToken } from '../client/secrets/secret-forms.ts';
import { isSecretByName } from '../client/secrets/is-secret.ts';
import { classifyName } from '../client/secrets/secret-names.ts';
import { exceededJsonLimit } from '../files/json-limits.ts';
import { errorCodeOf } from '../files/error-code.ts';
import { readLimited } from '../files/read-limited.ts';
import { headerNameProblem } from '../interface/header-name.ts';
import { findForbiddenName, readDescription } from '../interface/read-description.ts';
import { shippedText } from '../interface/shipped.ts';
import { shippedNames } from '../interface/shipped-files.ts';
import { isRecord, parseJson } from '../interface/template.ts';
import {
  ServersFile,
  environmentVariablePattern,
  serversFileVersion,
  type ServersFileEntry,
} from './servers-file-schema.ts';

/** A team has far fewer servers than fit into it. */
export const maxServersFileBytes = 1024 * 1024;

/** A value by the name of the environment variable that holds it. No value is ever in the file. */
export type VariableReference = { name: string; variable: string };

/** A server as the file names it; what it does not name is absent. */
export type ResolvedEntry = Omit<ServersFileEntry, 'address' | 'interface' | 'variables' | 'headers'> & {
  /** A value of `parseBaseUrl`. */
  baseUrl: string;
  headers?: readonly VariableReference[];
  variables: readonly VariableReference[];
  /** `from` is how the file names it. The text is empty for Llavero's own. */
  interface?: { from: string; text: string };
};

type ServersFileResult = { ok: true; servers: ResolvedEntry[] } | { ok: false; fault: ServersFileFault };

/** A fault on its way out of the reader. */
class Refused extends Error {
  readonly fault: ServersFileFault;

  constructor(fault: ServersFileFault) {
    super(fault.problem);
    this.fault = fault;
  }
}

/** In characters. What a file names may be far longer than a sentence should be. */
const longestQuoted = 100;

function refuse(problem: ServersFileProblem, at = '', more: Omit<ServersFileFault, 'problem' | 'at'> = {}): never {
  const { name, ...rest } = more;
  const quoted = name === undefined ? {} : { name: name.slice(0, longestQuoted) };
  throw new Refused({ problem, at: at.slice(0, 3 * longestQuoted), ...rest, ...quoted });
}

/**
 * Reads a file of servers, or says the first thing that is wrong with it. It comes from somebody else's repository: its
 * size and depth come first, its keys are a closed set, and a description beside it is read from its own folder alone.
 */
export async function readServersFile(file: string): Promise<ServersFileResult> {
  try {
    const read = await readLimited(file, maxServersFileBytes);
    if (!read.ok) refuse(read.reason, '', read.code === undefined ? {} : { name: read.code });
    if (byteOrder16.has(read.content.toString('hex', 0, 2))) refuse('utf-16');
    const entries = entriesIn(read.content.toString('utf8'));
    const servers: ResolvedEntry[] = [];
    for (const [index, entry] of entries.entries()) {
      const at = `servers.${index}`;
      if (servers.some(({ name }) => name === entry.name)) refuse('name-twice', `${at}.name`, { name: entry.name });
      servers.push(await readServer(entry, at, path.dirname(file)));
    }
    return { ok: true, servers };
  } catch (error) {
    if (error instanceof Refused) return { ok: false, fault: error.fault };
    throw error;
  }
}

function entriesIn(text: string): readonly ServersFileEntry[] {
  const bare = text.replace(/^\uFEFF/, '');
  if (exceededJsonLimit(bare) !== undefined) refuse('too-many');
  const json = parseJson(bare);
  if (json === undefined) refuseJson(bare);
  if (json === null || typeof json !== 'object' || Array.isArray(json) || !Object.hasOwn(json, 'servers'))
    refuse('not-servers');
  const forbidden = findForbiddenName(json);
  if (forbidden !== undefined) refuse('unknown-key', forbidden, { name: '__proto__' });
  if (Object.hasOwn(json, 'version') && json['version'] !== serversFileVersion) refuse('other-version');
  const { data, error } = ServersFile.safeParse(json, { reportInput: true });
  if (data) return data.servers;
  return refuseIssue(error.issues[0]!);
}

/** The marks at the start of a file in UTF-16 (Unicode 16.0, 23.8). */
const byteOrder16: ReadonlySet<string> = new Set(['fffe', 'feff']);

/** Refuses a text that is no JSON at the first place that shows it. */
function refuseJson(text: string): never {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [first] = errors.toSorted((one, other) => one.offset - other.offset);
  if (!first) return refuse('not-json');
  const isComment = printParseErrorCode(first.error) === 'InvalidCommentToken';
  const before = text.slice(0, first.offset).trimEnd();
  // A comma too many is shown where it stands, and not at the bracket behind it.
  const isComma = before.endsWith(',') && /^[\]}]/.test(text.slice(first.offset, first.offset + 1));
  const lines = (isComma ? before.slice(0, -1) : text.slice(0, first.offset)).split(/\r\n|\r|\n/);
  const place = { line: lines.length, column: (lines.at(-1) ?? '').length + 1 };
  return refuse(isComment ? 'json-comment' : isComma ? 'json-comma' : 'not-json', '', place);
}

function refuseIssue(issue: z.core.$ZodIssue): never {
  const at = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return refuse('unknown-key', at, { name: issue.keys[0] ?? '' });
  if (issue.code === 'too_big' && issue.origin === 'array') return refuse('too-many', at);
  return refuse(issue.code === 'invalid_type' && issue.input === undefined ? 'missing' : 'wrong-value', at);
}

async function readServer(entry: ServersFileEntry, at: string, folder: string): Promise<ResolvedEntry> {
  const { address, interface: given, headers, variables = {}, ...details } = entry;
  const described = given === undefined ? undefined : await readInterface(given, `${at}.interface`, folder);
  const known = Object.keys(described?.description?.variables ?? {});
  const unknown = Object.keys(variables).find((name) => !known.includes(name));
  if (unknown !== undefined) refuse('variable-unknown', `${at}.variables`, { name: unknown });
  return {
    ...details,
    baseUrl: baseUrlOf(address, `${at}.address`),
    variables: byVariable(variables, `${at}.variables`),
    ...(headers && { headers: headersOf(headers, `${at}.headers`) }),
    ...(described && { interface: { from: described.from, text: withoutDefaults(described, Object.keys(variables)) } }),
  };
}

/** An address counts as it stands there: nothing is guessed, and nothing is cut off. */
function baseUrlOf(address: string, at: string): string {
  const parsed = /^https?:\/\//i.test(address) ? parseBaseUrl(address, []) : undefined;
  if (parsed?.ok) return parsed.value;
  return refuse(parsed?.problem === 'credentials' ? 'address-credentials' : 'address', at);
}

function byVariable(named: Readonly<Record<string, string>>, at: string): VariableReference[] {
  return Object.entries(named).map(([name, variable]) => {
    if (variable.length > 200 || !environmentVariablePattern.test(variable)) refuse('not-a-variable', at, { name });
    return { name, variable };
  });
}

function headersOf(headers: Readonly<Record<string, string>>, at: string): VariableReference[] {
  const named = byVariable(headers, at);
  for (const [index, { name }] of named.entries()) {
    if (headerNameProblem(name) !== undefined) refuse('header-taken', at, { name });
    if (named.slice(0, index).some((other) => sameName(other.name, name))) refuse('name-twice', at, { name });
  }
  return named;
}

type Described = { from: string; text: string; description: InterfaceDescription | undefined };

async function readInterface(
  given: Exclude<ServersFileEntry['interface'], undefined>,
  at: string,
  folder: string,
): Promise<Described> {
  if (typeof given !== 'string') return described(nameOf(given), `${JSON.stringify(given, undefined, 2)}\n`, at);
  if (shippedNames.includes(given)) return described(given, await shippedText(given), at);
  // A path that leads out of the folder is not one that lacks its beginning.
  if (/^(?:\.\.|[\\/~]|[A-Za-z]:)/.test(given)) refuse('interface-outside', at, { name: given });
  if (!given.startsWith('./')) refuse('interface-unknown', at, { name: given });
  return described(given, await textBeside(given, at, folder), at);
}

const nameOf = ({ name }: { name?: unknown }): string => (typeof name === 'string' ? name : '');

function described(from: string, text: string, at: string): Described {
  if (text === '') return { from, text, description: undefined };
  const read = readDescription(text);
  if (!read.ok) return refuse('interface', at, { name: from, inner: read.faults[0]! });
  const { headers } = read.description;
  const literal = Object.entries(headers).find(
    ([name, value]) => !value.includes('{{') && (isKey(name, value) || looksLikeToken(value)),
  );
  if (literal) refuse('literal-secret', at, { name: literal[0] });
  return { from, text, description: read.description };
}

/** A variable that has its value elsewhere has no other until then: what the description has for it does not count. */
function withoutDefaults({ text, description }: Described, names: readonly string[]): string {
  const replaced = names.filter((name) => description?.variables[name]?.default !== undefined);
  const json = replaced.length > 0 ? parseJson(text) : undefined;
  if (!isRecord(json) || !isRecord(json['variables'])) return text;
  const variables = Object.fromEntries(
    Object.entries(json['variables']).map(([name, variable]) => {
      if (!replaced.includes(name) || !isRecord(variable)) return [name, variable];
      const { default: _default, ...others } = variable;
      return [name, others];
    }),
  );
  return `${JSON.stringify({ ...json, variables }, undefined, 2)}\n`;
}

/** Whether a header is named as those that hold a credential are. */
const isKey = (name: string, value: string): boolean => isSecretByName(value, classifyName(name)) || /key$/i.test(name);

/** A name of a file that means the same on every system, below the folder that it is beside. */
const fileBelow = /^\.\/(?:[\w-][\w.-]*\/)*[\w-][\w.-]*$/;

/** Reads a file of the same folder or below it, and follows no link out of it. */
async function textBeside(given: string, at: string, folder: string): Promise<string> {
  if (!fileBelow.test(given)) refuse('interface-outside', at, { name: given });
  let file: string;
  try {
    const root = await realpath(folder);
    file = await realpath(path.join(root, given));
    if (!file.startsWith(root.endsWith(path.sep) ? root : root + path.sep))
      refuse('interface-outside', at, { name: given });
  } catch (error) {
    if (error instanceof Refused) throw error;
    return refuse('interface-unreadable', at, { name: `${given} (${errorCodeOf(error) ?? ''})` });
  }
  // A character of it has at most four bytes.
  const read = await readLimited(file, 4 * longestDescription);
  if (read.ok) return read.content.toString('utf8');
  return refuse('interface-unreadable', at, { name: `${given} (${read.code ?? read.reason})` });
}
