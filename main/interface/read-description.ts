import { createHash } from 'node:crypto';
import { longestDescription, type InterfaceFault, type InterfaceProblem } from '../../preload/contract/connection.ts';
import { InterfaceDescription } from '../../preload/contract/interface.ts';
import { exceededJsonLimit } from '../files/json-limits.ts';
import { listAccountCalls } from './account-calls.ts';
import { faultsOf } from './description-rules.ts';
import { listCalls } from './list-calls.ts';
import { isSafePath } from './safe-path.ts';
import { fillTextTemplate, placeholderNames, parseJson, type PlainJson } from './template.ts';

type ReadDescription =
  | { ok: true; description: InterfaceDescription }
  | { ok: false; faults: readonly InterfaceFault[] };

/**
 * Reads a description out of the text of a file, or says all that is wrong with it. What is accepted leads no call away
 * from the server's address, puts a password nowhere but into registering and logging in, and puts no secret into an
 * address but the password of a log-in by GET.
 */
export function readDescription(text: string): ReadDescription {
  if (text.length > longestDescription) return refused('too-large', '');
  const bare = text.replace(/^\uFEFF/, '');
  if (exceededJsonLimit(bare) !== undefined) return refused('too-many', '');
  const json = parseJson(bare);
  if (json === undefined) return refused('not-json', '');
  const forbidden = findForbiddenName(json);
  if (forbidden !== undefined) return refused('unknown-key', forbidden, '__proto__');
  const { data, error } = InterfaceDescription.safeParse(json, { reportInput: true });
  if (error) return { ok: false, faults: error.issues.map((issue) => faultOf(issue)) };
  const faults = faultsOf(data);
  return faults.length === 0 ? { ok: true, description: data } : { ok: false, faults };
}

/** By which two descriptions are told apart. */
export const descriptionDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

function refused(problem: InterfaceProblem, at: string, name?: string): ReadDescription {
  return { ok: false, faults: [{ problem, at, ...(name !== undefined && { name }) }] };
}

/** Finds where a member would become the prototype of an object that is made with it. */
export function findForbiddenName(json: PlainJson, at: readonly string[] = []): string | undefined {
  if (json === null || typeof json !== 'object') return undefined;
  for (const [name, value] of Object.entries(json)) {
    if (name === '__proto__') return at.join('.');
    const inner = findForbiddenName(value, [...at, name]);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

type Issue = {
  code: string;
  path: readonly PropertyKey[];
  input?: unknown;
  keys?: readonly string[];
  errors?: readonly (readonly Issue[])[];
};

/**
 * Says of a break of the schema what it is about, in the order of a reader: a name that is unknown before a value. Of forms
 * that may stand for each other, it is that which was nearly met.
 */
function faultOf(issue: Issue): InterfaceFault {
  const [nearest] = (issue.errors ?? []).toSorted((one, other) => one.length - other.length);
  const [inner] = nearest ?? [];
  if (inner) return faultOf({ ...inner, path: [...issue.path, ...inner.path] });
  const at = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') return { problem: 'unknown-key', at, name: issue.keys?.[0] };
  const isMissing = issue.code === 'invalid_type' && issue.input === undefined;
  return { problem: isMissing ? 'missing' : 'wrong-value', at };
}

/** The values of a description's variables: what a person gave, or what the description has for it. */
export function variableValues(
  { variables }: InterfaceDescription,
  given: Readonly<Record<string, string>>,
  origin: string,
): Record<string, string> {
  const values = Object.entries(variables).flatMap(([name, { default: usual }]) => {
    const value = given[name] ?? (usual && fillTextTemplate(usual, { origin }));
    return value === undefined || value === '' ? [] : [[name, value] as const];
  });
  return Object.fromEntries(values);
}

/** Says which values of variables cannot be used, or are missing. `values` are those of {@link variableValues}. */
export function variableFaults(
  description: InterfaceDescription,
  values: Readonly<Record<string, string>>,
): InterfaceFault[] {
  const { variables, prefix, headers, csrf } = description;
  const calls = [...listCalls(description), ...listAccountCalls(description)];
  const paths = [prefix, ...calls.map(({ call }) => call.path), csrf?.from ?? ''];
  return Object.keys(variables).flatMap((name): InterfaceFault[] => {
    const value = values[name];
    if (value === undefined) return [{ problem: 'missing', at: 'variables', name }];
    // A value could make a segment of dots with what stands around it.
    const leadsAway = paths
      .filter((path) => placeholderNames(path).includes(name))
      .some((path) => !isSafePath(fillTextTemplate(path, values, encodeURIComponent) ?? ''));
    if (leadsAway) return [{ problem: 'path-leads-away', at: 'variables', name }];
    const inHeader = Object.values(headers).some((text) => placeholderNames(text).includes(name));
    const cannotBeSent = inHeader ? /[^\t\u0020-\u007e\u0080-\u00ff]/ : /\p{Cc}/u;
    return cannotBeSent.test(value) ? [{ problem: 'wrong-value', at: 'variables', name }] : [];
  });
}
