import type { CommandForm, RecordedCall, RedactedText, SecretReference } from '../../../preload/contract/calls.ts';
import type { CommandProblem } from '../../../preload/contract/result.ts';
import { percentEncodeAll } from '../../interface/safe-path.ts';
import { isHeaderName, isHttpAddress, isMethod } from './http-names.ts';

/** An environment variable that a command reads a secret from. */
type Variable = { name: string; reference: SecretReference };

type Command = { text: string; variables: Variable[] };

type Request = RecordedCall['request'];
export type RedactedHeader = { name: string; value: RedactedText };

/** How one shell or language writes a text in which some parts are read from variables. */
type Writing = {
  literal: (text: string) => string;
  variable: (name: string) => string;
  /** The same within an address; absent where nothing short encodes it there. */
  encodedVariable?: (name: string) => string;
  /** The text between two parts of one argument. */
  join: string;
};

/**
 * A terminal may act on these before the shell sees them, as when a command is pasted: Ctrl-C, the end of a paste, a
 * tab that completes the name of a file. A line feed within quotes is harmless.
 */
const control = /[^\P{Cc}\n]/u;

/** In single quotes only the quote itself means anything (POSIX shell, 2.2.2). In $'…' each byte has a number. */
const bash: Writing = {
  literal: (text) =>
    control.test(text)
      ? `$'${text.replaceAll(/[^\P{Cc}]|[\\']/gu, (each) => Array.from(Buffer.from(each), octal).join(''))}'`
      : `'${text.replaceAll("'", `'\\''`)}'`,
  variable: (name) => `"$${name}"`,
  join: '',
};

const octal = (byte: number): string => `\\${byte.toString(8).padStart(3, '0')}`;

/** PowerShell 7.3 and later hand an argument on as it is. Within single quotes only the quote is doubled. */
const powershell: Writing = {
  literal: (text) =>
    text
      .split(/([^\P{Cc}\n])/u)
      .map((part) =>
        control.test(part)
          ? `[char]${part.charCodeAt(0)}`
          : `'${part.replaceAll(/['\u2018\u2019\u201a\u201b]/g, '$&$&')}'`,
      )
      .join(' + '),
  variable: (name) => `$env:${name}`,
  encodedVariable: (name) => `[uri]::EscapeDataString($env:${name})`,
  join: ' + ',
};

const script: Writing = {
  // Within a script element or a string two of these end a line. A terminal may act on the others.
  literal: (text) =>
    JSON.stringify(text).replaceAll(
      /[\u2028\u2029\u007f-\u009f]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  variable: (name) => `process.env.${name}`,
  encodedVariable: (name) => `encodeURIComponent(process.env.${name})`,
  join: ' + ',
};

/** HTTP sets these itself, from the address and the body. */
export const framing: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'connection',
  'transfer-encoding',
  'proxy-authorization',
]);

const variableNames: Record<SecretReference['secret'], string> = {
  token: 'TOKEN',
  password: 'PASSWORD',
  hash: 'HASH',
  cookie: 'COOKIE',
  'proxy-credential': 'PROXY_CREDENTIAL',
  other: 'SECRET',
};

type ValueOf = (reference: SecretReference) => string | undefined;

/** Returns a text with those of its secrets that are known, each as `spelled` writes it. */
export function restoreSecrets(
  text: RedactedText,
  valueOf: ValueOf,
  spelled: (value: string) => string = (value) => value,
): RedactedText {
  return text.map((part) => {
    const value = typeof part === 'string' ? undefined : valueOf(part);
    return value === undefined ? part : spelled(value);
  });
}

/**
 * Does the same for a body. A secret of JSON was cut out between its quotes, as JSON writes it, and one of a form as a
 * form writes it.
 */
export function restoreSecretsInBody(
  { headers, body = [] }: { headers: readonly RedactedHeader[]; body?: RedactedText },
  valueOf: ValueOf,
): RedactedText {
  const isJson = typeof body[0] === 'string' && /^\s*[[{]/.test(body[0]);
  const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value[0];
  const isForm = typeof type === 'string' && /^application\/x-www-form-urlencoded\b/i.test(type);
  const spelled = isJson ? inJson : isForm ? inForm : undefined;
  return restoreSecrets(body, valueOf, spelled);
}

const inJson = (value: string): string => JSON.stringify(value).slice(1, -1);
const inForm = (value: string): string => new URLSearchParams({ value }).toString().slice('value='.length);

/**
 * Writes a recorded request as a command that sends the same again. Where secrets were, it reads variables that are
 * named for them, so that it can be handed on and still runs. `valueOf` puts in the secrets themselves where it knows
 * them.
 */
export function formatCommand(
  request: Request,
  form: CommandForm,
  valueOf: ValueOf = () => undefined,
): { ok: true; command: Command } | { ok: false; problem: CommandProblem } {
  if (request.body?.form === 'described') return { ok: false, problem: 'body-not-kept' };
  const headers = parseHeaders(request.head.text).filter(({ name }) => !framing.has(name.toLowerCase()));
  const address = request.url.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  // A program would take such a text of somebody else for an option, a file or another host.
  if (!isMethod(request.method) || !isHttpAddress(address) || !headers.every(({ name }) => isHeaderName(name)))
    return { ok: false, problem: 'not-http' };
  const variables: Variable[] = [];
  const addedNames = namesOfAdded(request, headers);
  const resolved = (text: RedactedText, inAddress = text === request.url): RedactedText =>
    request.body?.form === 'text' && text === request.body.text
      ? restoreSecretsInBody({ headers, body: text }, valueOf)
      : restoreSecrets(text, valueOf, inAddress ? percentEncodeAll : undefined);
  const all = [request.url, ...headers.map(({ value }) => value), ...(request.body ? [request.body.text] : [])]
    .flatMap((text) => resolved(text))
    .filter((part) => typeof part === 'string');
  // No argument of a program can hold a null character.
  if (all.some((part) => part.includes('\0'))) return { ok: false, problem: 'null-character' };

  function nameOf(reference: SecretReference): string {
    const known = variables.find((each) => each.reference.id === reference.id);
    if (known) return known.name;
    const base = addedNames.get(reference.id) ?? variableNames[reference.secret];
    const number = variables.filter(({ name }) => name === base || name.startsWith(`${base}_`)).length + 1;
    const name = number === 1 ? base : `${base}_${number}`;
    variables.push({ name, reference });
    return name;
  }

  /** Joins neighbouring texts, and writes an empty text as an empty argument. */
  function written(text: RedactedText, writing: Writing, inAddress = false): string {
    const { literal, variable, encodedVariable = variable, join } = writing;
    const read = inAddress ? encodedVariable : variable;
    const parts: RedactedText = [];
    for (const part of resolved(text, inAddress)) {
      const last = parts.at(-1);
      if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
      else parts.push(part);
    }
    if (parts.length === 0) return literal('');
    return parts.map((part) => (typeof part === 'string' ? literal(part) : read(nameOf(part)))).join(join);
  }

  const text = writers[form]({ ...request, headers }, written);
  return { ok: true, command: { text, variables } };
}

/** The variables for headers that were added for the server, by the ids of their values: they are named like them. */
function namesOfAdded({ added = [] }: Request, headers: readonly RedactedHeader[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const { name, value } of headers) {
    const variable = `HEADER_${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`;
    if (!added.includes(name)) continue;
    for (const part of value) if (typeof part !== 'string') names.set(part.id, variable);
  }
  return names;
}

type Written = (text: RedactedText, writing: Writing, inAddress?: boolean) => string;
type Writer = (request: Request & { headers: RedactedHeader[] }, written: Written) => string;

const writers: Record<CommandForm, Writer> = {
  'curl-bash': (request, written) => curl('curl', bash, ' \\\n  ', request, written),
  // An expression needs parentheses to be an argument.
  'curl-powershell': (request, written) =>
    curl('curl.exe', powershell, ' `\n  ', request, (text, writing, inAddress) => {
      const expression = written(text, writing, inAddress);
      return expression.includes('$env:') || expression.includes('[char]') ? `(${expression})` : expression;
    }),
  fetch(request, written) {
    const lines = request.headers.map(({ name, value }) => `    [${script.literal(name)}, ${written(value, script)}],`);
    return [
      `const response = await fetch(${written(request.url, script, true)}, {`,
      `  method: ${script.literal(request.method)},`,
      '  headers: [',
      ...lines,
      '  ],',
      ...(request.body?.form === 'text' ? [`  body: ${written(request.body.text, script)},`] : []),
      `  redirect: 'manual',`,
      '});',
      'console.log(response.status, await response.text());',
    ].join('\n');
  },
};

/** Lists the headers that curl would add by itself. */
function unwantedByCurl(request: Request & { headers: RedactedHeader[] }): string[] {
  const added = ['accept', 'user-agent', ...(request.body ? ['content-type'] : [])];
  return added.filter((name) => !has(request.headers, name));
}

function curl(
  program: string,
  writing: Writing,
  next: string,
  request: Request & { headers: RedactedHeader[] },
  written: Written,
): string {
  const { url, fields } = request.body ? { url: request.url, fields: [] } : withoutSecretFields(request.url);
  return [
    // Without --globoff curl would read brackets and braces of an address.
    `${program} --globoff --request ${writing.literal(request.method)} --url ${written(url, writing, true)}`,
    ...(fields.length > 0 ? ['--get'] : []),
    ...fields.map((field) => `--data-urlencode ${written(field, writing)}`),
    ...request.headers.map(
      ({ name, value }) =>
        `--header ${isEmpty(value) ? writing.literal(`${name};`) : written([`${name}: `, ...value], writing)}`,
    ),
    ...unwantedByCurl(request).map((name) => `--header ${writing.literal(`${name}:`)}`),
    ...(request.body?.form === 'text' ? [`--data-raw ${written(request.body.text, writing)}`] : []),
  ].join(next);
}

/** An address without the members of its query whose whole value is a secret, and these, which curl encodes itself. */
function withoutSecretFields(address: RedactedText): { url: RedactedText; fields: RedactedText[] } {
  const members: RedactedText[] = [[]];
  const parts = address.flatMap((each): RedactedText => (typeof each === 'string' ? each.split(/(?=[?&])/) : [each]));
  for (const part of parts) {
    if (typeof part === 'string' && /^[?&]/.test(part)) members.push([]);
    members.at(-1)?.push(part);
  }
  const isSecret = ([name = '', value = '', ...more]: RedactedText): boolean =>
    typeof name === 'string' && /^[?&][^=]+=$/.test(name) && typeof value !== 'string' && more.length === 0;
  const fields = members.filter(isSecret).map((member) => withStart(member, ''));
  if (fields.length === 0) return { url: address, fields };
  const others = members.filter((member) => !isSecret(member));
  return {
    url: others.flatMap((member, at) => (at === 1 ? withStart(member, '?') : member)),
    fields,
  };
}

/** A member of a query with another character before it. */
const withStart = ([name = '', ...value]: RedactedText, start: string): RedactedText =>
  typeof name === 'string' ? [start + name.slice(1), ...value] : [name, ...value];

const has = (headers: readonly RedactedHeader[], wanted: string): boolean =>
  headers.some(({ name }) => name.toLowerCase() === wanted);

const isEmpty = (value: RedactedText): boolean => value.every((part) => part === '');

/** Returns the headers of a head as written, in their order. */
export function parseHeaders(head: RedactedText): RedactedHeader[] {
  const lines: RedactedText[] = [[]];
  for (const part of head) {
    const [first = '', ...others] = typeof part === 'string' ? part.split('\r\n') : [part];
    lines.at(-1)?.push(first);
    for (const line of others) lines.push([line]);
  }
  return lines.slice(1).flatMap((line): RedactedHeader[] => {
    const [start = '', ...rest] = line;
    const colon = typeof start === 'string' ? start.indexOf(':') : -1;
    if (typeof start !== 'string' || colon < 0) return [];
    const beginning = start.slice(colon + 1).replace(/^[ \t]+/, '');
    return [{ name: start.slice(0, colon), value: [beginning, ...rest].filter((part) => part !== '') }];
  });
}
