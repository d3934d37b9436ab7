import { readJsonWebToken } from '../client/reading/json-web-token.ts';
import { publicPasswords } from './trials.ts';

/** A part of an argument of a script: a text as it is, or what the shell puts there. */
export type Piece = string | { shell: string };

/** What stands between letters of ours in the addresses of a run, the same in either case. */
const ofRun = /(?<=llavero-)[0-9a-f]{16}/gi;

/** Private-use characters: JSON leaves them as they are, and nothing of ours has them. */
const [opening, closing] = ['\uE000', '\uE001'];
const marked = new RegExp(`${opening}(\\d+)${closing}`, 'g');

/** The variable with the value of a header that was added for the server. */
export const headerVariable = (name: string): string => `HEADER_${name.toUpperCase().replaceAll(/[^A-Z\d]/g, '_')}`;

const longestBody = 4_096;

/** Passwords that begin alike this far belong together, as one of which only the beginning is looked at. */
const alike = 8;
const filling = '-a-password-of-your-own-choice';

/** Makes a password of one's own, of this length, with letters of both cases, digits and a sign. */
const ownChoice = (length: number, number: number): string =>
  `Ll${number % 10}.${filling.repeat(Math.ceil(length / filling.length))}`.slice(0, length);

/** Puts neighbouring texts together. */
function joined(pieces: readonly Piece[]): Piece[] {
  const all: Piece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (typeof piece === 'string' && typeof last === 'string') all.splice(-1, 1, last + piece);
    else all.push(piece);
  }
  return all;
}

/** One argument of a POSIX shell. In single quotes only the quote itself means anything (POSIX, 2.2.2). */
export const quoted = (pieces: readonly Piece[]): string =>
  joined(pieces)
    .map((piece) => (typeof piece === 'string' ? `'${piece.replaceAll("'", `'\\''`)}'` : `"${piece.shell}"`))
    .join('') || "''";

/**
 * Makes what a script has in the place of what is secret, or must be new each time: the passwords, the tokens and the
 * addresses of a run.
 * @param given an account whose password only a person knows
 */
export function createShellValues(given: { email: string; password: string } | undefined) {
  const ids: string[] = [];
  const passwords: { value: string; choice: string; line: string }[] = [];
  const tokens: string[] = [];
  const headers = new Map<string, string>();

  const numbered = (name: string, index: number): string => (index === 0 ? name : `${name}_${index + 1}`);

  function password(value: string): Piece {
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
  function text(value: string): Piece[] {
    const pieces: Piece[] = [];
    let from = 0;
    for (const { 0: id, index } of value.matchAll(ofRun)) {
      const lower = id.toLowerCase();
      if (!ids.includes(lower)) ids.push(lower);
      pieces.push(value.slice(from, index), { shell: `\${RUN}${ids.indexOf(lower) + 1}` });
      from = index + id.length;
    }
    return [...pieces, value.slice(from)].filter((piece) => piece !== '');
  }

  return {
    text,

    /** A body, or nothing where it is too long for a command that anybody reads. */
    body: (value: string): Piece[] | undefined =>
      value.length > longestBody ? undefined : bodyOf(value, text, password),

    /** What stands for a token that an earlier call gave. */
    token(value: string): string {
      if (!tokens.includes(value)) tokens.push(value);
      return numbered('TOKEN', tokens.indexOf(value));
    },

    /** What stands for the value of a header that was added for the server. */
    header(name: string): Piece {
      const variable = headerVariable(name);
      headers.set(variable, `: "\${${variable}:?The value of the header ${name}}"`);
      return { shell: `$${variable}` };
    },

    /** The lines with which a script begins. */
    lines: (baseUrl: string): string[] => [
      `: "\${BASE:=${baseUrl}}"`,
      ...(ids.length > 0 ? ['RUN=$(date +%s)'] : []),
      ...passwords.map(({ line }) => line),
      ...headers.values(),
    ],
  };
}

/** Writes a body of JSON as pieces, with its passwords by the names of their fields. */
function bodyOf(value: string, text: (value: string) => Piece[], password: (value: string) => Piece): Piece[] {
  const parsed = parsedOrNothing(value);
  if (typeof parsed !== 'object' || parsed === null || JSON.stringify(parsed) !== value) return text(value);
  const held: Piece[] = [];
  const mark = (piece: Piece): string => `${opening}${held.push(piece) - 1}${closing}`;
  const written = JSON.stringify(parsed, (key, inner: unknown) => {
    if (typeof inner !== 'string') return inner;
    if (key === 'password' || key === 'cpassword') return inner === '' ? inner : mark(password(inner));
    return text(inner)
      .map((piece) => (typeof piece === 'string' ? piece : mark(piece)))
      .join('');
  });
  return written.split(marked).flatMap((part, at) => (at % 2 === 0 ? (part === '' ? [] : part) : held[Number(part)]!));
}

function parsedOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const unpadded = `base64 | tr -d '=\\n' | tr '/+' '_-'`;

/**
 * Returns what makes in the shell of one token what a run has made of it (`altered-tokens.ts`), with no part of either.
 * @param name of the variable with the token
 * @returns undefined where the one was not made of the other
 */
export function alteredInShell(name: string, token: string, altered: string): string | undefined {
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
