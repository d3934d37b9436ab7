import { readJsonWebToken } from '../client/reading/json-web-token.ts';
import { parseJson, type PlainJson } from '../interface/template.ts';
import type { RequestFields } from './test-accounts.ts';
import { publicPasswords } from './validation-probes.ts';

/** A part of an argument: a literal text, or a shell expansion. */
export type ShellFragment = string | { shell: string };

/** The random part of the emails of a check, in either case. */
const runIds = /(?<=llavero-)[0-9a-f]{16}/gi;

/** Only letters and digits, which JSON, forms, headers and cookies do not encode. No value of a check contains it. */
const markPattern = /LlvMark(\d+)End/;

/** The variable of an extra header. */
export const headerVariable = (name: string): string => `HEADER_${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`;

const maxBodyCharacters = 4_096;
export const isTooLong = (body: string): boolean => body.length > maxBodyCharacters;

/** Passwords that share this many characters are variants of each other, as for truncation, and so are their placeholders. */
const sharedPrefixLength = 8;
const passwordFilling = '-a-password-of-your-own-choice';

/** A placeholder with letters of both cases, digits and symbols. */
const placeholderPassword = (length: number, number: number): string =>
  `Ll${number % 10}.${passwordFilling.repeat(Math.ceil(length / passwordFilling.length))}`.slice(0, length);

function mergeTexts(pieces: readonly ShellFragment[]): ShellFragment[] {
  const all: ShellFragment[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') all.splice(-1, 1, last + piece);
    else all.push(piece);
  }
  return all;
}

/** One argument of a POSIX shell. In single quotes only the quote itself is special (POSIX, 2.2.2). */
export const quoteForShell = (pieces: readonly ShellFragment[]): string =>
  mergeTexts(pieces)
    .map((piece) => (typeof piece === 'string' ? `'${piece.replaceAll("'", `'\\''`)}'` : `"${piece.shell}"`))
    .join('') || "''";

const numbered = (name: string, index: number): string => (index === 0 ? name : `${name}_${index + 1}`);

/**
 * Creates the variables of a script for what is secret or must be new each time: passwords, tokens and emails.
 * @param given an account whose password the user must enter
 */
export function createShellValues(given: { email: string; password: string } | undefined) {
  const runIdsInOrder: string[] = [];
  const passwords: { value: string; choice: string; line: string }[] = [];
  const tokens: string[] = [];
  const others = new Map<string, string>();

  function password(value: string): ShellFragment {
    const known = passwords.findIndex((each) => each.value === value);
    if (known >= 0) return { shell: `$${numbered('PASSWORD', known)}` };
    const name = numbered('PASSWORD', passwords.length);
    const similar = passwords.find(
      (each) => each.value.slice(0, sharedPrefixLength) === value.slice(0, sharedPrefixLength),
    );
    const length = similar ? Array.from(value).findIndex((character, at) => character !== similar.value[at]) : 0;
    const sharedPrefix = similar && length !== 0 ? similar.choice.slice(0, length < 0 ? value.length : length) : '';
    const choice = publicPasswords.has(value)
      ? value
      : sharedPrefix + placeholderPassword(value.length - sharedPrefix.length, passwords.length + 1);
    const line =
      value === given?.password ? `: "\${${name}:?The password of ${given.email}}"` : `: "\${${name}:=${choice}}"`;
    passwords.push({ value, choice, line });
    return { shell: `$${name}` };
  }

  /** A text with new emails in place of those of the check. */
  function text(value: string): ShellFragment[] {
    const pieces: ShellFragment[] = [];
    let from = 0;
    for (const { 0: id, index } of value.matchAll(runIds)) {
      const lower = id.toLowerCase();
      if (!runIdsInOrder.includes(lower)) runIdsInOrder.push(lower);
      pieces.push(value.slice(from, index), { shell: `\${RUN}${runIdsInOrder.indexOf(lower) + 1}` });
      from = index + id.length;
    }
    return [...pieces, value.slice(from)].filter((piece) => piece !== '');
  }

  /** A value that the user must enter. */
  function promptFor(variable: string, what: string): ShellFragment {
    others.set(variable, `: "\${${variable}:?The value of ${what}}"`);
    return { shell: `$${variable}` };
  }

  const { mark, replaceMarks, markedFields } = createMarks(text, password);

  return {
    /** Undefined if the body is too long for a readable command. */
    body(value: string): ShellFragment[] | undefined {
      if (isTooLong(value)) return undefined;
      const parsed = parseObject(value);
      if (parsed === undefined || JSON.stringify(parsed) !== value) return text(value);
      return replaceMarks(JSON.stringify(markedFields(parsed)));
    },

    /** The fields of a body with marks for passwords, which are known by their field names, and for emails. */
    fields: (sent: RequestFields): RequestFields =>
      Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, markedFields(value, name)])),

    mark,
    replaceMarks,

    /** The variable of a token from an earlier response. */
    tokenVariable(value: string): string {
      if (!tokens.includes(value)) tokens.push(value);
      return numbered('TOKEN', tokens.indexOf(value));
    },

    secret: (name: string): ShellFragment => promptFor(`VARIABLE_${name.toUpperCase()}`, name),

    header: (name: string): ShellFragment => promptFor(headerVariable(name), `the header ${name}`),

    /** The variables, at the start of the script. */
    lines: (baseUrl: string): string[] => [
      `: "\${BASE:=${baseUrl}}"`,
      ...(runIdsInOrder.length > 0 ? [createRunId] : []),
      ...passwords.map(({ line }) => line),
      ...others.values(),
    ],
  };
}

/** Random as well: two scripts that start in the same second would get equal emails from the time alone. */
const createRunId = String.raw`RUN=$(date +%s)$(od -An -N4 -tx1 /dev/urandom | tr -d ' \n')`;

/** Marks stand for shell expansions until a body is encoded, and are replaced afterwards. */
function createMarks(text: (value: string) => ShellFragment[], password: (value: string) => ShellFragment) {
  const fragments: ShellFragment[] = [];
  const mark = (piece: ShellFragment): string =>
    typeof piece === 'string' ? piece : `LlvMark${fragments.push(piece) - 1}End`;

  function markedFields<T extends PlainJson | undefined>(value: T, name?: string): T | PlainJson {
    if (typeof value === 'string') {
      if (value === '' || (name !== 'password' && name !== 'cpassword')) return text(value).map(mark).join('');
      return mark(password(value));
    }
    if (Array.isArray(value)) return value.map((each) => markedFields(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, markedFields(inner, key)]));
  }

  const replaceMarks = (written: string): ShellFragment[] =>
    written
      .split(markPattern)
      .flatMap((part, at) => (at % 2 === 0 ? (part === '' ? [] : part) : fragments[Number(part)]!));

  return { mark, replaceMarks, markedFields };
}

/** Undefined if the text is not a JSON object or array. */
function parseObject(text: string): PlainJson | undefined {
  const json = parseJson(text);
  return typeof json === 'object' && json !== null ? json : undefined;
}

const toBase64Url = `base64 | tr -d '=\\n' | tr '/+' '_-'`;

/**
 * A shell expansion that tampers with a token as the check did (`cases/tampered-token-cases.ts`), without any part of it.
 * @param name the variable of the token
 * @returns undefined if `altered` was not created from `token`
 */
export function tamperInShell(name: string, token: string, altered: string): string | undefined {
  const [was, is] = [readJsonWebToken(token), readJsonWebToken(altered)];
  if (!was) {
    const at = Array.from(token).findIndex((character, index) => character !== altered[index]);
    const isOneChanged = token.length === altered.length && token.slice(at + 1) === altered.slice(at + 1);
    return isOneChanged && at >= 0
      ? `$(printf %s "$${name}" | awk -v n=${at + 1} '{ c = substr($0, n, 1); print substr($0, 1, n - 1) (c ~ /[aA]/ ? "b" : "a") substr($0, n + 1) }')`
      : undefined;
  }
  const [header = '', payload = '', signature = ''] = altered.split('.');
  if (signature === '' && payload === was.payload)
    return header === was.header ? `\${${name}%.*}.` : `${header}.$(printf %s "$${name}" | cut -d . -f 2).`;
  if (header !== was.header || !is) return undefined;
  if (payload === was.payload) return `\${${name}%.*}.$(printf %s "\${${name}##*.}" | tr 'A-Za-z' 'B-ZAb-za')`;
  return signature === was.signature
    ? `\${${name}%%.*}.$(printf %s "$${name}" | cut -d . -f 2 | tr '_-' '/+' | base64 -d 2>/dev/null | sed 's/^{/{"llavero":true,/' | ${toBase64Url}).\${${name}##*.}`
    : undefined;
}
