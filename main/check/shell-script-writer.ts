import { isCookieNamed } from '../interface/cookies.ts';
import { headerIn, expressionPath } from '../interface/expression.ts';
import type { Credential } from '../interface/credential.ts';
import { outputsIn } from '../interface/outputs.ts';
import { cookieNamePatterns, sessionSchemes } from '../interface/security-schemes.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';
import type { Observation } from './observation.ts';
import { tamperInShell, isTooLong, quoteForShell, type createShellValues, type ShellFragment } from './shell-values.ts';

type Values = ReturnType<typeof createShellValues>;

/** A session of the script: the variable of its token, and what the run made of that for one call. */
export type ScriptSession = { name: string; token: string; tampered?: string | undefined };

/** The names of the cookies that a call sent. */
const cookieNamesIn = ({ call }: Observation): string[] =>
  (call?.request.headers ?? []).flatMap(([name, value]) =>
    name.toLowerCase() === 'cookie' ? value.split('; ').map((pair) => pair.split('=', 1)[0]!) : [],
  );

/** Outputs that no later call needs, and the token, which has its own variable. */
const beside: ReadonlySet<string> = new Set(['token', 'user', 'message']);

const named = (word: string): string => word.toUpperCase().replaceAll(/[^A-Z\d]/g, '_');

/** A cookie's value may be encoded, and its header is not. These are the signs of Base64, and the bar. */
const decoded = `sed 's/%3[Dd]/=/g; s/%2[Ff]/\\//g; s/%2[Bb]/+/g; s/%7[Cc]/|/g'`;

/** Writes the calls of a script as the interface of a server has them, and what takes their answers apart. */
export class ShellScriptWriter {
  readonly #adapter: ApiAdapter;
  readonly #values: Values;
  /** It has marks in the place of values that are secret. */
  readonly #marked: ApiAdapter;

  constructor(adapter: ApiAdapter, values: Values) {
    this.#adapter = adapter;
    this.#values = values;
    this.#marked = adapter.withoutSecrets((name) => values.mark(values.secret(name)));
  }

  /** What writes the command of a call as lines, or nothing where a command cannot say it. */
  createCommand(seen: Observation, session: ScriptSession | undefined, prefix: string) {
    const { call, sent } = seen;
    if (!call || !sent) return undefined;
    const fields = typeof sent.body === 'object' ? this.#values.fields(sent.body) : sent.body;
    const credential = this.#credentialOf(seen, session, prefix);
    const {
      method,
      url: whole,
      headers,
      body,
      secretsInUrl,
    } = this.#marked.request(seen.operation, {
      ...sent,
      fields,
      credential,
    });
    // The fields of an address come from variables, which curl encodes.
    const at = secretsInUrl
      ? (this.#adapter.baseUrl + (sent.path ?? this.#adapter.path(seen.operation))).length
      : whole.length;
    const url = whole.slice(0, at);
    const query = whole.slice(at + 1);
    if (query !== '' && isTooLong(call.request.url)) return undefined;
    const bodies =
      query !== ''
        ? ['--get', ...this.#encodedArguments(query)]
        : body === undefined
          ? []
          : this.#bodyArguments(seen, body);
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

  /** The lines that ask for the cookie against forged requests, where a call was made by nobody and needs it. */
  csrfRequestLines(seen: Observation, session: ScriptSession | undefined, prefix: string): string[] {
    const request = session ? undefined : this.#marked.csrfRequestIfNeeded(seen.operation, {});
    if (!request) return [];
    const parts = request.headers.map(([name, value]) => headerArgument(name, this.#headerPieces(name, value)));
    const command = this.#command(request.method, request.url, [...parts, `--header 'user-agent:'`]);
    const taken = cookieNamesIn(seen).map((name) => takingCookie(this.#cookieVariable(prefix, name), name));
    return [...captureAnswer(command('curl --silent --show-error --include', '')), ...taken, ''];
  }

  /** The lines that take what a session is kept by out of the answer that began it. */
  credentialLines(seen: Observation, name: string): string[] {
    const outputs = this.#adapter.expressionsOf(seen.operation);
    const given = givenBy(this.#adapter, seen);
    const token = outputs['token'] ?? seen.reading.trace.token?.path ?? '';
    return [
      ...(this.#adapter.authenticator.sessionCookie(given.cookies) === undefined ? [takingOutput(name, token)] : []),
      ...Object.keys(given.outputs ?? {}).map((each) =>
        takingOutput(`${name}_${named(each)}`, outputs[each] ?? '', this.#adapter.publicOutputs.has(each)),
      ),
      ...Object.keys(given.cookies ?? {}).map((each) => takingCookie(this.#cookieVariable(name, each), each)),
    ];
  }

  /** The lines that print the status and the token of an answer, or all of one whose token a shell cannot find. */
  printTokenLines(seen: Observation, name: string): string[] {
    const taken = this.credentialLines(seen, name);
    if (taken.some((line) => line.startsWith(asked))) return [`printf '%s\\n' "$answer"`];
    // A cookie that is not set again is not the token of this answer.
    return [`${name}=`, ...taken, `printf '%s\\n' "$answer" | sed 1q`, `printf 'token: %s\\n' "$${name}"`];
  }

  /** The lines that take what a later answer renewed. */
  refreshLines(seen: Observation, name: string): string[] {
    const outputs = this.#adapter.expressionsOf(seen.operation);
    const { cookies = {}, token, ...given } = givenBy(this.#adapter, seen);
    const all = {
      ...given.outputs,
      ...(this.#adapter.authenticator.sessionCookie(cookies) === undefined && token !== undefined && { token }),
    };
    const inHeaders = Object.keys(all).flatMap((each) => {
      const header = headerIn(outputs[each] ?? '');
      return header === undefined ? [] : [takingAgain(each === 'token' ? name : `${name}_${named(each)}`, header)];
    });
    return [...inHeaders, ...Object.keys(cookies).map((each) => takingCookie(this.#cookieVariable(name, each), each))];
  }

  /** The variable of a session for a cookie. That of the session itself has the token's. */
  #cookieVariable(prefix: string, cookie: string): string {
    const isSession = cookieNamePatterns(sessionSchemes(this.#adapter.description)).some((each) =>
      isCookieNamed(cookie, each),
    );
    return isSession ? prefix : `${prefix}_${named(cookie)}`;
  }

  /** What goes along with a call, as marks. What no answer gave is ours, and stands as it is. */
  #credentialOf(seen: Observation, session: ScriptSession | undefined, prefix: string): Credential {
    const mark = (shell: string): string => this.#values.mark({ shell });
    const cookies = Object.fromEntries(
      cookieNamesIn(seen).map((name) => [name, mark(`$${this.#cookieVariable(prefix, name)}`)]),
    );
    const { token } = seen.sent ?? {};
    if (token === undefined) return { cookies };
    if (!session) return this.#adapter.authenticator.withToken({ cookies }, token, { cookies });
    const { name, tampered } = session;
    const inShell = tampered === undefined ? undefined : tamperInShell(name, session.token, tampered);
    const all = outputsIn(this.#adapter.description).map((each) => each.name);
    const others = [...new Set(all)].filter((each) => !beside.has(each));
    const outputs = Object.fromEntries(others.map((each) => [each, mark(`$${name}_${named(each)}`)]));
    return this.#adapter.authenticator.withToken({ cookies, outputs }, mark(inShell ?? `$${name}`), { cookies });
  }

  /** The value of a header, as pieces. That against forged requests is the cookie's, decoded. */
  #headerPieces(name: string, value: string): ShellFragment[] {
    // The origin that a server asks for is its own, where that is.
    if (value === this.#adapter.baseUrl) return [{ shell: '$BASE' }];
    const pieces = this.#values.unmarked(value);
    if (name.toLowerCase() !== this.#adapter.description.csrf?.header.toLowerCase()) return pieces;
    return pieces.map((piece) =>
      typeof piece === 'string' ? piece : { shell: `$(printf %s "${piece.shell}" | ${decoded})` },
    );
  }

  /** The arguments of a body, or nothing where a command cannot say it. */
  #bodyArguments({ sent, operation, call }: Observation, body: string): string[] | undefined {
    const values = this.#values;
    if (typeof sent?.body === 'string') {
      const pieces = values.body(sent.body);
      return pieces && [`--data-raw ${quoteForShell(pieces)}`];
    }
    if (isTooLong(call?.request.body ?? '')) return undefined;
    const isForm = (sent?.encoding ?? this.#adapter.encodingOf(operation)) === 'form';
    if (!isForm) return [`--data-raw ${quoteForShell(values.unmarked(body))}`];
    return this.#encodedArguments(body);
  }

  /** The arguments for the fields of a form or a query, which curl encodes. */
  #encodedArguments(fields: string): string[] {
    return [...new URLSearchParams(fields)].map(
      ([name, value]) =>
        `--data-urlencode ${quoteForShell([`${encodeURIComponent(name)}=`, ...this.#values.unmarked(value)])}`,
    );
  }

  #command(method: string, url: string, parts: readonly string[]) {
    const { baseUrl } = this.#adapter;
    const isAtBase = url.startsWith(baseUrl);
    const rest = this.#values.unmarked(isAtBase ? url.slice(baseUrl.length) : url);
    const address = quoteForShell(isAtBase ? [{ shell: '$BASE' }, ...rest] : rest);
    return (curl: string, indent: string): string[] =>
      [`${curl} --globoff --request ${method} --url ${address}`, ...parts.map((part) => `${indent}  ${part}`)].map(
        (line, at, lines) => (at < lines.length - 1 ? `${line} \\` : line),
      );
  }
}

const headerArgument = (name: string, value: readonly ShellFragment[]): string =>
  `--header ${quoteForShell([`${name}: `, ...value])}`;

/** Lines of a command as those whose answer is kept. */
export const captureAnswer = (lines: readonly string[]): string[] =>
  lines.map((line, at) => `${at === 0 ? 'answer=$(' : ''}${line}${at === lines.length - 1 ? ')' : ''}`);

/** What an answer gave or renewed. */
function givenBy(adapter: ApiAdapter, { operation, call, reading }: Observation): Credential {
  const given = call?.response ? adapter.credentialAfter(operation, call.response, {}) : {};
  return adapter.authenticator.withDetectedToken(given, reading.summary.token, reading.trace.token?.path);
}

const inAnswer = `printf '%s\\n' "$answer" | tr -d '\\r'`;
const inPattern = (text: string): string => text.replaceAll(/[.[\]*^$/\\]/g, '\\$&').replaceAll("'", `'\\''`);
/** The head of an answer ends at its first empty line. */
const firstOfHead = (pattern: string): string => `${inAnswer} | sed -n '/^$/q; ${pattern}' | tail -n 1`;

/** A cookie that is not set again stays what it was. */
const takingCookie = (variable: string, name: string): string =>
  `new=$(${firstOfHead(`s/^set-cookie: *${inPattern(name)}=\\([^;]*\\).*/\\1/Ip`)}); ${variable}=\${new:-$${variable}}`;

const bearer = (header: string): string => firstOfHead(`s/^${inPattern(header)}: *\\([Bb]earer \\)\\{0,1\\}//Ip`);

/** A blank value renews nothing. */
const takingAgain = (variable: string, header: string): string =>
  `new=$(${bearer(header)} | tr -d ' '); ${variable}=\${new:-$${variable}}`;

/** Begins a line by which a shell asks a person for a value. */
const asked = ': "';

/**
 * Takes a value out of `$answer`, which has the head and the body. What a shell cannot find a person puts in.
 * @param place an expression of a description, or where the reader found it
 * @param mayBeNumber as an id may be, and no token is
 */
function takingOutput(variable: string, place: string, mayBeNumber = false): string {
  const within = place.startsWith('$') ? expressionPath(place) : place;
  const [, name] = /^headers\.([\w-]{1,60})$/.exec(within) ?? [];
  if (name !== undefined) return `${variable}=$(${bearer(name)})`;
  if (within === 'body') return `${variable}=$(${inAnswer} | sed '1,/^$/d; s/^"//; s/"$//')`;
  const [, field] = /(?:^|\.)([A-Za-z_][\w-]{0,60})$/.exec(within) ?? [];
  if (field === undefined) return `${asked}\${${variable}:?The token of this answer}"`;
  const member = `s/.*"${field}"[[:space:]]*:[[:space:]]*`;
  const number = mayBeNumber ? `; t; ${member}\\([0-9][0-9]*\\).*/\\1/p` : '';
  const taken = `sed -n '${member}"\\([^"]*\\)".*/\\1/p${number}'`;
  return `${variable}=$(printf '%s\\n' "$answer" | ${taken} | sed 's/^[Bb]earer //; s#\\\\/#/#g')`;
}
