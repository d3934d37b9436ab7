import type { InterfaceFault, InterfaceProblem } from '../../preload/contract/connection.ts';
import type { InterfaceCall, InterfaceDescription, OperationSecurity } from '../../preload/contract/interface.ts';
import { fieldsOfAccountCall, listAccountCalls } from './account-calls.ts';
import { headerNameProblem } from './header-name.ts';
import { listCalls } from './list-calls.ts';
import { outputsIn, publicOutputs } from './outputs.ts';
import { isRefreshName, renewalOutput } from './refresh-token.ts';
import { isSafePath } from './safe-path.ts';
import { fieldNames, placeholderNames, type PlainJson } from './template.ts';

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
/** What the form for a code, and that for a new password, have besides. */
const accountFields = ['code', 'newPassword'] as const;
/** Outputs of an enrollment that are always secret. */
const factorSecrets: ReadonlySet<string> = new Set(['secret', 'recoveryCode']);
/** Outputs that say where the reader finds a part, and that are sent nowhere. */
const readParts: ReadonlySet<string> = new Set(['user', 'message']);

const isAccountField = (name: string): boolean => accountFields.some((each) => each === name);

/** Which names each place of a description may use. */
function allowedNames(description: InterfaceDescription) {
  const { variables } = description;
  const open = Object.keys(variables).filter((name) => variables[name]!.secret !== true);
  const all = Object.keys(variables);
  const outputs = outputsIn(description).map(({ name }) => name);
  const given = ['token', ...outputs.filter((name) => !readParts.has(name) && !factorSecrets.has(name))];
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
    known: new Set<string>([...all, ...given, ...fieldNames, ...accountFields, 'secret', 'origin']),
  };
}

/** Says all that is wrong with a description that its schema accepts. */
export function faultsOf(description: InterfaceDescription): readonly InterfaceFault[] {
  const rules = new DescriptionRules(description);
  rules.checkCalls();
  rules.checkAccountCalls();
  rules.checkHeaders();
  rules.checkSecurity();
  rules.checkOutputsAndVariables();
  return rules.faults;
}

/** Collects the faults of a description, part by part. */
class DescriptionRules {
  readonly faults: InterfaceFault[] = [];
  readonly #description: InterfaceDescription;
  readonly #allowed: ReturnType<typeof allowedNames>;

  constructor(description: InterfaceDescription) {
    this.#description = description;
    this.#allowed = allowedNames(description);
  }

  checkCalls(): void {
    const { prefix } = this.#description;
    const allowed = this.#allowed;
    if (!isSafePath(prefix)) this.#add('path-leads-away', 'prefix');
    this.#checkNames(prefix, allowed.path, 'prefix');
    for (const { at, name, call } of listCalls(this.#description)) {
      const isTyped = name === 'register' || name === 'login';
      const query = name === 'login' && call.method === 'GET';
      const body = call.encoding === 'query' ? allowed.query : isTyped ? allowed.typed : allowed.held;
      this.#checkCall({ at, call }, { path: isTyped ? allowed.path : allowed.heldPath, body, query });
    }
  }

  checkAccountCalls(): void {
    const { heldPath, held } = this.#allowed;
    for (const { at, name, call } of listAccountCalls(this.#description)) {
      const fields = fieldsOfAccountCall(name);
      this.#checkCall({ at, call }, { path: heldPath, body: new Set([...held, ...fields]), query: false });
      const needed = fields.find((each) => isAccountField(each));
      if (needed !== undefined && !placeholderNames(call.body).includes(needed))
        this.#add('missing', `${at}.body`, needed);
    }
    for (const cookie of this.#description.secondFactor?.cookies ?? [])
      if (isTooWide(cookie)) this.#add('cookie-too-wide', 'secondFactor.cookies', cookie);
  }

  checkHeaders(): void {
    const { headers } = this.#description;
    if (Object.keys(headers).length > mostMembers) this.#add('too-many', 'headers');
    for (const [name, value] of Object.entries(headers)) {
      this.#checkHeader(name, 'headers');
      this.#checkNames(value, this.#allowed.header, `headers.${name}`);
    }
  }

  checkSecurity(): void {
    const { csrf } = this.#description;
    for (const { at, scheme } of listSchemes(this.#description)) {
      if ('value' in scheme) this.#checkNames(scheme.value, this.#allowed.given, `${at}.value`);
      if (scheme.type !== 'apiKey') continue;
      if (scheme.in === 'header') this.#checkHeader(scheme.name, `${at}.name`, true);
      else if (isTooWide(scheme.name)) this.#add('cookie-too-wide', `${at}.name`, scheme.name);
      if (scheme.in === 'cookie' && 'value' in scheme) this.#add('wrong-value', `${at}.value`);
    }
    if (!csrf) return;
    this.#checkHeader(csrf.header, 'csrf.header');
    if (isTooWide(csrf.cookie)) this.#add('cookie-too-wide', 'csrf.cookie', csrf.cookie);
    if (csrf.from !== undefined && !isSafePath(csrf.from)) this.#add('path-leads-away', 'csrf.from');
    this.#checkNames(csrf.from, this.#allowed.path, 'csrf.from');
  }

  checkOutputsAndVariables(): void {
    const { variables } = this.#description;
    const outputs = outputsIn(this.#description);
    const renewal = renewalOutput(this.#description);
    const hasAccountCalls = listAccountCalls(this.#description).length > 0;
    const isField = (name: string): boolean => ownNames.has(name) || (hasAccountCalls && isAccountField(name));
    const isSecret = (name: string): boolean =>
      factorSecrets.has(name) || name === 'token' || name === renewal || isRefreshName(name);
    for (const { at, name, isOpen } of outputs) {
      if (isField(name)) this.#add('name-taken', at, name);
      if (isOpen && isSecret(name)) this.#add('secret-output', at, name);
    }
    for (const [name, variable] of Object.entries(variables)) {
      const isOutput = name === 'token' || outputs.some((each) => each.name === name);
      if (isField(name) || isOutput || (hasAccountCalls && factorSecrets.has(name)))
        this.#add('name-taken', 'variables', name);
      if (variable.secret && variable.default !== undefined) this.#add('secret-default', `variables.${name}`);
      this.#checkNames(variable.default, new Set(['origin']), `variables.${name}.default`);
    }
    if (outputs.length > mostMembers) this.#add('too-many', 'outputs');
    if (Object.keys(variables).length > mostMembers) this.#add('too-many', 'variables');
  }

  #add(problem: InterfaceProblem, at: string, name?: string): void {
    this.faults.push({ problem, at, ...(name !== undefined && { name }) });
  }

  #checkNames(template: PlainJson | undefined, may: ReadonlySet<string>, at: string): void {
    const name = placeholderNames(template).find((each) => !may.has(each));
    if (name === undefined) return;
    this.#add(this.#allowed.known.has(name) ? 'placeholder-not-here' : 'unknown-placeholder', at, name);
  }

  #checkHeader(name: string, at: string, ownToo = false): void {
    if (ownToo && name.toLowerCase() === 'authorization') return;
    if (headerNameProblem(name) !== undefined) this.#add('header-taken', at, name);
  }

  /**
   * @param may.path the names that its path may have
   * @param may.query whether its fields may be in the query
   */
  #checkCall(
    { at, call }: { at: string; call: InterfaceCall },
    may: { path: ReadonlySet<string>; body: ReadonlySet<string>; query: boolean },
  ): void {
    if (!isSafePath(call.path)) this.#add('path-leads-away', `${at}.path`);
    this.#checkNames(call.path, may.path, `${at}.path`);
    const isQuery = call.encoding === 'query';
    if (isQuery && !may.query) this.#add('query-not-here', `${at}.encoding`);
    if (call.body === undefined) return;
    if (call.method === 'GET' && !isQuery) this.#add('body-with-get', at);
    this.#checkNames(call.body, may.body, `${at}.body`);
    if (depthOf(call.body) > deepestBody || membersIn(call.body) > mostMembers) this.#add('too-many', `${at}.body`);
    const isFlat = (call.encoding ?? this.#description.encoding) !== 'json';
    const noText = isFlat && Object.entries(call.body).find(([, value]) => typeof value === 'object');
    if (noText) this.#add('form-value', `${at}.body`, noText[0]);
  }
}

/** The security schemes of the session and of single calls, each with its path in the description. */
function listSchemes(description: InterfaceDescription): { at: string; scheme: OperationSecurity }[] {
  const { security, calls } = description;
  const places = [
    { at: 'security', schemes: security },
    { at: 'calls.logout.security', schemes: calls.logout?.security ?? [] },
    { at: 'calls.refresh.security', schemes: calls.refresh?.security ?? [] },
  ];
  return places.flatMap(({ at, schemes }): { at: string; scheme: OperationSecurity }[] =>
    Array.isArray(schemes)
      ? schemes.map((scheme, index) => ({ at: `${at}.${index}`, scheme }))
      : [{ at, scheme: schemes }],
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
