import { isCookieNamed } from '../interface/cookies.ts';
import { headerIn } from '../interface/expression.ts';
import type { Credential } from '../interface/credential.ts';
import { outputsIn } from '../interface/outputs.ts';
import { cookieNamePatterns, sessionSchemes } from '../interface/security-schemes.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import { AccountScript } from './account-script.ts';
import type { Observation } from './observation.ts';
import { extractCookie, extractOutput, extractRenewedToken, promptStart, toVariableName } from './shell-extraction.ts';
import { createPendingRequest, missingInPath } from './test-request.ts';
import { tamperInShell, isTooLong, quoteForShell, type createShellValues, type ShellFragment } from './shell-values.ts';

type Values = ReturnType<typeof createShellValues>;

/** A session of the script: the variable of its token, and the tampered token of one request. */
type ScriptSession = { name: string; token: string; tampered?: string | undefined };

const cookieNamesIn = ({ call }: Observation): string[] =>
  (call?.request.headers ?? []).flatMap(([name, value]) =>
    name.toLowerCase() === 'cookie' ? value.split('; ').map((pair) => pair.split('=', 1)[0]!) : [],
  );

/** Outputs that no later request needs, and the token, which has its own variable. */
const ignoredOutputs: ReadonlySet<string> = new Set(['token', 'user', 'message']);

/** A cookie may be percent-encoded, and the CSRF header is not. These are the characters of Base64, and the bar. */
const decodeCookie = `sed 's/%3[Dd]/=/g; s/%2[Ff]/\\//g; s/%2[Bb]/+/g; s/%7[Cc]/|/g'`;

/** Writes the requests of a script for an API type, and extracts values from their responses. */
export class ShellScriptWriter {
  readonly #adapter: ApiAdapter;
  readonly #values: Values;
  /** Has marks instead of secret values. */
  readonly #marked: ApiAdapter;
  readonly account: AccountScript;

  constructor(adapter: ApiAdapter, values: Values) {
    this.#adapter = adapter;
    this.#values = values;
    this.#marked = adapter.withoutSecrets((name) => values.mark(values.secret(name)));
    this.account = new AccountScript(adapter, values);
  }

  /** A function that writes the curl command of a request; undefined if curl cannot send it. */
  createCommand(observation: Observation, session: ScriptSession | undefined, prefix: string) {
    const { call, sent } = observation;
    if (!call || !sent) return undefined;
    const { method, url: whole, headers, body, secretsInUrl } = this.#requestOf(observation, session, prefix);
    // The fields of a query are variables, which curl encodes.
    const at = secretsInUrl
      ? (this.#adapter.baseUrl + (sent.path ?? this.#adapter.path(observation.operation))).length
      : whole.length;
    const url = whole.slice(0, at);
    const query = whole.slice(at + 1);
    if (query !== '' && isTooLong(call.request.url)) return undefined;
    const bodies =
      query !== ''
        ? ['--get', ...this.#encodedArguments(query)]
        : body === undefined
          ? []
          : this.#bodyArguments(observation, body);
    if (!bodies) return undefined;
    const added = (call.request.added ?? []).filter((name) => !headers.some(([own]) => own === name));
    const hasAgent = headers.some(([name]) => name.toLowerCase() === 'user-agent');
    return this.#command(method, url, [
      ...headers.map(([name, value]) => headerArgument(name, this.#headerPieces(name, value))),
      ...added.map((name) => headerArgument(name, [this.#values.header(name)])),
      ...bodies,
      ...(hasAgent ? [] : [`--header 'user-agent:'`]),
    ]);
  }

  /** A request with marks for what is secret or new each time. */
  #requestOf(observation: Observation, session: ScriptSession | undefined, prefix: string) {
    const { operation, sent = {} } = observation;
    const { account, pending } = sent;
    const credential = pending ? this.account.credential(pending) : this.#credentialOf(observation, session, prefix);
    if (account)
      return this.#marked.accountRequest(account.call, { fields: this.account.fields(observation), credential });
    if (pending) return createPendingRequest(operation, sent, credential, this.#marked);
    const fields = typeof sent.body === 'object' ? this.#values.fields(sent.body) : sent.body;
    return this.#marked.request(operation, { ...sent, fields, credential });
  }

  /** The request for the CSRF cookie, if a request without a session needs it. */
  csrfRequestLines(observation: Observation, session: ScriptSession | undefined, prefix: string): string[] {
    const operation = observation.sent?.account ? 'login' : observation.operation;
    const request = session ? undefined : this.#marked.csrfRequestIfNeeded(operation, {});
    if (!request) return [];
    const parts = request.headers.map(([name, value]) => headerArgument(name, this.#headerPieces(name, value)));
    const command = this.#command(request.method, request.url, [...parts, `--header 'user-agent:'`]);
    const extraction = cookieNamesIn(observation).map((name) =>
      extractCookie(this.#cookieVariable(prefix, name), name),
    );
    return [...captureAnswer(command('curl --silent --show-error --include', '')), ...extraction, ''];
  }

  /** Extracts the credential from the response to a login. */
  credentialLines(observation: Observation, name: string): string[] {
    const outputs = this.#adapter.expressionsOf(observation.operation);
    const given = credentialFrom(this.#adapter, observation);
    const token = outputs['token'] ?? observation.reading.trace.token?.path ?? '';
    return [
      ...(this.#adapter.authenticator.sessionCookie(given.cookies) === undefined ? [extractOutput(name, token)] : []),
      ...Object.keys(given.outputs ?? {}).map((each) =>
        extractOutput(`${name}_${toVariableName(each)}`, outputs[each] ?? '', this.#adapter.publicOutputs.has(each)),
      ),
      ...Object.keys(given.cookies ?? {}).map((each) => extractCookie(this.#cookieVariable(name, each), each)),
    ];
  }

  /** The lines that print the status and the token of an answer, or all of one whose token a shell cannot find. */
  printTokenLines(observation: Observation, name: string): string[] {
    const extraction = this.credentialLines(observation, name);
    if (extraction.some((line) => line.startsWith(promptStart))) return [`printf '%s\\n' "$answer"`];
    // A cookie that is not set again is not the token of this answer.
    return [`${name}=`, ...extraction, `printf '%s\\n' "$answer" | sed 1q`, `printf 'token: %s\\n' "$${name}"`];
  }

  /** The output in the path of a request that only the profile of its session gives. */
  valueFromProfile = ({ sent, operation }: Observation): string | undefined => {
    const missing = sent?.token === undefined ? undefined : missingInPath(this.#adapter, { ...sent, operation }, {});
    return missing?.isInProfile ? missing.output : undefined;
  };

  /**
   * The lines that take what a later answer renewed or first gave.
   * @param later the requests of the session after it
   */
  refreshLines(observation: Observation, name: string, later: readonly Observation[]): string[] {
    const needed = new Set(observation.operation === 'profile' ? later.map(this.valueFromProfile) : []);
    const outputs = this.#adapter.expressionsOf(observation.operation);
    const { cookies = {}, token, ...given } = credentialFrom(this.#adapter, observation);
    const all = {
      ...given.outputs,
      ...(this.#adapter.authenticator.sessionCookie(cookies) === undefined && token !== undefined && { token }),
    };
    const inHeaders = Object.keys(all).flatMap((each) => {
      const header = headerIn(outputs[each] ?? '');
      return header === undefined
        ? []
        : [extractRenewedToken(each === 'token' ? name : `${name}_${toVariableName(each)}`, header)];
    });
    const inBody = Object.keys(all)
      .filter((each) => needed.has(each))
      .map((each) => extractOutput(`${name}_${toVariableName(each)}`, outputs[each] ?? '', true));
    return [
      ...inHeaders,
      ...inBody,
      ...Object.keys(cookies).map((each) => extractCookie(this.#cookieVariable(name, each), each)),
    ];
  }

  /** The variable of a session for a cookie. That of the session itself has the token's. */
  #cookieVariable(prefix: string, cookie: string): string {
    const isSession = cookieNamePatterns(sessionSchemes(this.#adapter.description)).some((each) =>
      isCookieNamed(cookie, each),
    );
    return isSession ? prefix : `${prefix}_${toVariableName(cookie)}`;
  }

  /** What goes along with a call, as marks. What no answer gave is ours, and stands as it is. */
  #credentialOf(observation: Observation, session: ScriptSession | undefined, prefix: string): Credential {
    const mark = (shell: string): string => this.#values.mark({ shell });
    const cookies = Object.fromEntries(
      cookieNamesIn(observation).map((name) => [name, mark(`$${this.#cookieVariable(prefix, name)}`)]),
    );
    const { token } = observation.sent ?? {};
    if (token === undefined) return { cookies };
    if (!session) return this.#adapter.authenticator.withToken({ cookies }, token, { cookies });
    const { name, tampered } = session;
    const inShell = tampered === undefined ? undefined : tamperInShell(name, session.token, tampered);
    const all = outputsIn(this.#adapter.description).map((each) => each.name);
    const others = [...new Set(all)].filter((each) => !ignoredOutputs.has(each));
    const outputs = Object.fromEntries(others.map((each) => [each, mark(`$${name}_${toVariableName(each)}`)]));
    return this.#adapter.authenticator.withToken({ cookies, outputs }, mark(inShell ?? `$${name}`), { cookies });
  }

  /** The CSRF header is the decoded cookie. */
  #headerPieces(name: string, value: string): ShellFragment[] {
    // A server that requires an origin gets its own address.
    if (value === this.#adapter.baseUrl) return [{ shell: '$BASE' }];
    const pieces = this.#values.replaceMarks(value);
    if (name.toLowerCase() !== this.#adapter.description.csrf?.header.toLowerCase()) return pieces;
    return pieces.map((piece) =>
      typeof piece === 'string' ? piece : { shell: `$(printf %s "${piece.shell}" | ${decodeCookie})` },
    );
  }

  /** Undefined if the body is too long for a command. */
  #bodyArguments({ sent, operation, call }: Observation, body: string): string[] | undefined {
    const values = this.#values;
    if (typeof sent?.body === 'string') {
      const pieces = values.body(sent.body);
      return pieces && [`--data-raw ${quoteForShell(pieces)}`];
    }
    if (isTooLong(call?.request.body ?? '')) return undefined;
    const isForm = sent?.account
      ? this.#adapter.takesFormAt(sent.account.call)
      : (sent?.encoding ?? this.#adapter.encodingOf(operation)) === 'form';
    if (!isForm) return [`--data-raw ${quoteForShell(values.replaceMarks(body))}`];
    return this.#encodedArguments(body);
  }

  /** The fields of a form or a query, which curl encodes. */
  #encodedArguments(fields: string): string[] {
    return [...new URLSearchParams(fields)].map(
      ([name, value]) =>
        `--data-urlencode ${quoteForShell([`${encodeURIComponent(name)}=`, ...this.#values.replaceMarks(value)])}`,
    );
  }

  #command(method: string, url: string, parts: readonly string[]) {
    const { baseUrl } = this.#adapter;
    const isAtBase = url.startsWith(baseUrl);
    const rest = this.#values.replaceMarks(isAtBase ? url.slice(baseUrl.length) : url);
    const address = quoteForShell(isAtBase ? [{ shell: '$BASE' }, ...rest] : rest);
    return (curl: string, indent: string): string[] =>
      [`${curl} --globoff --request ${method} --url ${address}`, ...parts.map((part) => `${indent}  ${part}`)].map(
        (line, at, lines) => (at < lines.length - 1 ? `${line} \\` : line),
      );
  }
}

const headerArgument = (name: string, value: readonly ShellFragment[]): string =>
  `--header ${quoteForShell([`${name}: `, ...value])}`;

/** Stores the response of a command in `$answer`. */
export const captureAnswer = (lines: readonly string[]): string[] =>
  lines.map((line, at) => `${at === 0 ? 'answer=$(' : ''}${line}${at === lines.length - 1 ? ')' : ''}`);

function credentialFrom(adapter: ApiAdapter, { operation, call, reading }: Observation): Credential {
  const given = call?.response ? adapter.credentialAfter(operation, call.response, {}) : {};
  return adapter.authenticator.withDetectedToken(given, reading.summary.token, reading.trace.token?.path);
}
