import { createHash } from 'node:crypto';
import { longestDescription, type InterfaceFault, type InterfaceProblem } from '../../preload/contract/connection.ts';
import { InterfaceDescription, type OperationSecurity } from '../../preload/contract/interface.ts';
import { exceededJsonLimit } from '../files/json-limits.ts';
import { listCalls } from './list-calls.ts';
import { headerNameProblem } from './header-name.ts';
import { publicOutputs, outputsIn } from './outputs.ts';
import { isRefreshName, renewalOutput } from './refresh-token.ts';
import { isSafePath } from './safe-path.ts';
import { fieldNames, fillTextTemplate, placeholderNames, parseJson, type PlainJson } from './template.ts';

/** In members and levels of a body. */
const mostMembers = 50;
const deepestBody = 5;

/** Names that have a meaning of their own: no output and no variable may stand for a field. */
const ownNames: ReadonlySet<string> = new Set([
  ...fieldNames,
  'origin',
  // What every object inherits would be found as a value where none was given.
  ...Object.getOwnPropertyNames(Object.prototype),
]);
/** Outputs that say where the reader finds a part, and that are sent nowhere. */
const readParts: ReadonlySet<string> = new Set(['user', 'message']);

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

/** Which names each place of a description may use. */
function allowedNames(description: InterfaceDescription) {
  const { variables } = description;
  const open = Object.keys(variables).filter((name) => variables[name]!.secret !== true);
  const all = Object.keys(variables);
  const outputs = outputsIn(description).map(({ name }) => name);
  const given = ['token', ...outputs.filter((name) => !readParts.has(name))];
  return {
    path: new Set(open),
    /** Of a call that a session makes: what an answer gave, and is no secret, may stand in it. */
    heldPath: new Set([...open, ...publicOutputs(description)].filter((name) => !readParts.has(name))),
    header: new Set([...all, ...given, 'origin']),
    typed: new Set<string>([...all, ...fieldNames, 'origin']),
    /** Of an address: the fields of a log-in by GET, and no other secret. */
    query: new Set<string>([...open, ...fieldNames, 'origin']),
    held: new Set([...all, ...given, 'origin']),
    given: new Set(given),
    known: new Set<string>([...all, ...given, ...fieldNames, 'origin']),
  };
}

function faultsOf(description: InterfaceDescription): InterfaceFault[] {
  const { prefix, headers, csrf, variables } = description;
  const allowed = allowedNames(description);
  const faults: InterfaceFault[] = [];
  const add = (problem: InterfaceProblem, at: string, name?: string): void =>
    void faults.push({ problem, at, ...(name !== undefined && { name }) });
  function checkNames(template: PlainJson | undefined, may: ReadonlySet<string>, at: string): void {
    const name = placeholderNames(template).find((each) => !may.has(each));
    if (name !== undefined) add(allowed.known.has(name) ? 'placeholder-not-here' : 'unknown-placeholder', at, name);
  }
  function checkHeader(name: string, at: string, ownToo = false): void {
    if (ownToo && name.toLowerCase() === 'authorization') return;
    if (headerNameProblem(name) !== undefined) add('header-taken', at, name);
  }

  if (!isSafePath(prefix)) add('path-leads-away', 'prefix');
  checkNames(prefix, allowed.path, 'prefix');
  for (const { at, name, call } of listCalls(description)) {
    if (!isSafePath(call.path)) add('path-leads-away', `${at}.path`);
    const isTyped = name === 'register' || name === 'login';
    checkNames(call.path, isTyped ? allowed.path : allowed.heldPath, `${at}.path`);
    const isQuery = call.encoding === 'query';
    if (isQuery && (name !== 'login' || call.method !== 'GET')) add('query-not-here', `${at}.encoding`);
    if (call.body === undefined) continue;
    if (call.method === 'GET' && !isQuery) add('body-with-get', at);
    checkNames(call.body, isQuery ? allowed.query : isTyped ? allowed.typed : allowed.held, `${at}.body`);
    if (depthOf(call.body) > deepestBody || membersIn(call.body) > mostMembers) add('too-many', `${at}.body`);
    const isFlat = (call.encoding ?? description.encoding) !== 'json';
    const noText = isFlat && Object.entries(call.body).find(([, value]) => typeof value === 'object');
    if (noText) add('form-value', `${at}.body`, noText[0]);
  }
  if (Object.keys(headers).length > mostMembers) add('too-many', 'headers');
  for (const [name, value] of Object.entries(headers)) {
    checkHeader(name, 'headers');
    checkNames(value, allowed.header, `headers.${name}`);
  }
  for (const { at, way } of waysOf(description)) {
    if ('value' in way) checkNames(way.value, allowed.given, `${at}.value`);
    if (way.type !== 'apiKey') continue;
    if (way.in === 'header') checkHeader(way.name, `${at}.name`, true);
    else if (isTooWide(way.name)) add('cookie-too-wide', `${at}.name`, way.name);
    if (way.in === 'cookie' && 'value' in way) add('wrong-value', `${at}.value`);
  }
  if (csrf) {
    checkHeader(csrf.header, 'csrf.header');
    if (isTooWide(csrf.cookie)) add('cookie-too-wide', 'csrf.cookie', csrf.cookie);
    if (csrf.from !== undefined && !isSafePath(csrf.from)) add('path-leads-away', 'csrf.from');
    checkNames(csrf.from, allowed.path, 'csrf.from');
  }
  const outputs = outputsIn(description);
  const renewal = renewalOutput(description);
  for (const { at, name, isOpen } of outputs) {
    if (ownNames.has(name)) add('name-taken', at, name);
    if (isOpen && (name === 'token' || name === renewal || isRefreshName(name))) add('secret-output', at, name);
  }
  for (const [name, variable] of Object.entries(variables)) {
    if (ownNames.has(name) || name === 'token' || outputs.some((each) => each.name === name))
      add('name-taken', 'variables', name);
    if (variable.secret && variable.default !== undefined) add('secret-default', `variables.${name}`);
    checkNames(variable.default, new Set(['origin']), `variables.${name}.default`);
  }
  if (outputs.length > mostMembers) add('too-many', 'outputs');
  if (Object.keys(variables).length > mostMembers) add('too-many', 'variables');
  return faults;
}

/** Every way in which a credential may go, with its place: those of the session, and those of one call. */
function waysOf(description: InterfaceDescription): { at: string; way: OperationSecurity }[] {
  const { security, calls } = description;
  const places = [
    { at: 'security', ways: security },
    { at: 'calls.logout.security', ways: calls.logout?.security ?? [] },
    { at: 'calls.refresh.security', ways: calls.refresh?.security ?? [] },
  ];
  return places.flatMap(({ at, ways }): { at: string; way: OperationSecurity }[] =>
    Array.isArray(ways) ? ways.map((way, index) => ({ at: `${at}.${index}`, way })) : [{ at, way: ways }],
  );
}

/** A pattern that names nearly every cookie would keep what no call needs. */
const isTooWide = (pattern: string): boolean =>
  pattern.split('*').length > 2 || pattern.replace('*', '').length < 3 || /[\s;,="]/.test(pattern);

const depthOf = (value: PlainJson): number =>
  value === null || typeof value !== 'object' ? 0 : 1 + Math.max(0, ...Object.values(value).map(depthOf));

const membersIn = (value: PlainJson): number =>
  value === null || typeof value !== 'object'
    ? 0
    : Object.values(value).reduce<number>((count, each) => count + 1 + membersIn(each), 0);

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
  const paths = [prefix, ...listCalls(description).map(({ call }) => call.path), csrf?.from ?? ''];
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
