import { readJsonWebToken } from '../client/reading/json-web-token.ts';
import { parseJson, type PlainJson } from '../interface/template.ts';
import type { RequestFields } from './test-accounts.ts';
import { publicPasswords } from './validation-probes.ts';

/** A part of an argument of a script: a text as it is, or what the shell puts there. */
export type ShellFragment = string | { shell: string };

/** What stands between letters of ours in the addresses of a run, the same in either case. */
const ofRun = /(?<=llavero-)[0-9a-f]{16}/gi;

/** Letters and digits alone, which JSON, forms, headers and cookies leave as they are. Nothing of ours has them. */
const marked = /LlvMark(\d+)End/;

/** The variable with the value of a header that was added for the server. */
export const headerVariable = (name: string): string => `HEADER_${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`;

const longestBody = 4_096;
export const isTooLong = (body: string): boolean => body.length > longestBody;

/** Passwords that begin alike this far belong together, as one of which only the beginning is looked at. */
const alike = 8;
const filling = '-a-password-of-your-own-choice';

/** Makes a password of one's own, of this length, with letters of both cases, digits and a sign. */
const ownChoice = (length: number, number: number): string =>
  `Ll${number % 10}.${filling.repeat(Math.ceil(length / filling.length))}`.slice(0, length);

/** Puts neighbouring texts together. */
function joined(pieces: readonly ShellFragment[]): ShellFragment[] {
  const all: ShellFragment[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') all.splice(-1, 1, last + piece);
    else all.push(piece);
  }
  return all;
}

/** One argument of a POSIX shell. In single quotes only the quote itself means anything (POSIX, 2.2.2). */
export const quoteForShell = (pieces: readonly ShellFragment[]): string =>
  joined(pieces)
    .map((piece) => (typeof piece === 'string' ? `'${piece.replaceAll("'", `'\\''`)}'` : `"${piece.shell}"`))
    .join('') || "''";

const numbered = (name: string, index: number): string => (index === 0 ? name : `${name}_${index + 1}`);

/**
 * Makes what a script has in the place of what is secret, or must be new each time: the passwords, the tokens and the
 * addresses of a run.
 * @param given an account whose password only a person knows
 */
export function createShellValues(given: { email: string; password: string } | undefined) {
  const ids: string[] = [];
  const passwords: { value: string; choice: string; line: string }[] = [];
  const tokens: string[] = [];
  const others = new Map<string, string>();

  function password(value: string): ShellFragment {
    const known = passwords.findIndex((each) => each.value === value);
    if (known >= 0) return { shell: `$${numbered('PASSWORD', known)}` };
    const name = numbered('PASSWORD', passwords.length);
    const like = passwords.find((each) => each.value.slice(0, alike) === value.slice(0, alike));
    const length = like ? Array.from(value).findIndex((sign, at) => sign !== like.value[at]) : 0;
    const begun = like && length !== 0 ? like.choice.slice(0, length < 0 ? value.length : length) : '';
    const choice = publicPasswords.has(value)
      ? value
      : begun + ownChoice(value.length - begun.length, passwords.length + 1);
    const line =
      value === given?.password ? `: "\${${name}:?The password of ${given.email}}"` : `: "\${${name}:=${choice}}"`;
    passwords.push({ value, choice, line });
    return { shell: `$${name}` };
  }

  /** A text of ours, with the addresses of this run made new. */
  function text(value: string): ShellFragment[] {
    const pieces: ShellFragment[] = [];
    let from = 0;
    for (const { 0: id, index } of value.matchAll(ofRun)) {
      const lower = id.toLowerCase();
      if (!ids.includes(lower)) ids.push(lower);
      pieces.push(value.slice(from, index), { shell: `\${RUN}${ids.indexOf(lower) + 1}` });
      from = index + id.length;
    }
    return [...pieces, value.slice(from)].filter((piece) => piece !== '');
  }

  /** A value that only a person has. */
  function asked(variable: string, what: string): ShellFragment {
    others.set(variable, `: "\${${variable}:?The value of ${what}}"`);
    return { shell: `$${variable}` };
  }

  const { mark, unmarked: replaceMarks, markedFields } = createMarks(text, password);

  return {
    /** A body as it is, or nothing where it is too long for a command that anybody reads. */
    body(value: string): ShellFragment[] | undefined {
      if (isTooLong(value)) return undefined;
      const parsed = parsedOrNothing(value);
      if (parsed === undefined || JSON.stringify(parsed) !== value) return text(value);
      return replaceMarks(JSON.stringify(markedFields(parsed)));
    },

    /** The fields of a body with marks in the place of passwords, which stand under their names, and of what is new each time. */
    fields: (sent: RequestFields): RequestFields =>
      Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, markedFields(value, name)])),

    mark,
    unmarked: replaceMarks,

    /** What stands for a token that an earlier call gave. */
    tokenVariable(value: string): string {
      if (!tokens.includes(value)) tokens.push(value);
      return numbered('TOKEN', tokens.indexOf(value));
    },

    /** What stands for the value of a variable that is secret. */
    secret: (name: string): ShellFragment => asked(`VARIABLE_${name.toUpperCase()}`, name),

    /** What stands for the value of a header that was added for the server. */
    header: (name: string): ShellFragment => asked(headerVariable(name), `the header ${name}`),

    /** The lines with which a script begins. */
    lines: (baseUrl: string): string[] => [
      `: "\${BASE:=${baseUrl}}"`,
      ...(ids.length > 0 ? [newRun] : []),
      ...passwords.map(({ line }) => line),
      ...others.values(),
    ],
  };
}

/** Makes what addresses have in them. Two scripts that begin in the same second would make the same out of the time alone. */
const newRun = String.raw`RUN=$(date +%s)$(od -An -N4 -tx1 /dev/urandom | tr -d ' \n')`;

/** Puts marks in the place of what a script has otherwise, and takes them out again once a body is written. */
function createMarks(text: (value: string) => ShellFragment[], password: (value: string) => ShellFragment) {
  const held: ShellFragment[] = [];
  const mark = (piece: ShellFragment): string =>
    typeof piece === 'string' ? piece : `LlvMark${held.push(piece) - 1}End`;

  function markedFields<T extends PlainJson | undefined>(value: T, name?: string): T | PlainJson {
    if (typeof value === 'string') {
      if (value === '' || (name !== 'password' && name !== 'cpassword')) return text(value).map(mark).join('');
      return mark(password(value));
    }
    if (Array.isArray(value)) return value.map((each) => markedFields(each));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, markedFields(inner, key)]));
  }

  /** A text in which marks stand, as pieces. */
  const unmarked = (written: string): ShellFragment[] =>
    written.split(marked).flatMap((part, at) => (at % 2 === 0 ? (part === '' ? [] : part) : held[Number(part)]!));

  return { mark, unmarked, markedFields };
}

/** Undefined if the text is no object of JSON. */
function parsedOrNothing(text: string): PlainJson | undefined {
  const json = parseJson(text);
  return typeof json === 'object' && json !== null ? json : undefined;
}

const unpadded = `base64 | tr -d '=\\n' | tr '/+' '_-'`;

/**
 * Returns what makes in the shell of one token what a run has made of it (`cases/tampered-token-cases.ts`), with no part of either.
 * @param name of the variable with the token
 * @returns undefined where the one was not made of the other
 */
export function tamperInShell(name: string, token: string, altered: string): string | undefined {
  const [was, is] = [readJsonWebToken(token), readJsonWebToken(altered)];
  if (!was) {
    const at = Array.from(token).findIndex((sign, index) => sign !== altered[index]);
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
    ? `\${${name}%%.*}.$(printf %s "$${name}" | cut -d . -f 2 | tr '_-' '/+' | base64 -d 2>/dev/null | sed 's/^{/{"llavero":true,/' | ${unpadded}).\${${name}##*.}`
    : undefined;
}
