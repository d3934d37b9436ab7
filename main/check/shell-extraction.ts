import { expressionPath } from '../interface/expression.ts';

export const toVariableName = (word: string): string => word.toUpperCase().replaceAll(/[^A-Z\d]/g, '_');

const printAnswer = `printf '%s\\n' "$answer" | tr -d '\\r'`;
const escapePattern = (text: string): string => text.replaceAll(/[.[\]*^$/\\]/g, '\\$&').replaceAll("'", `'\\''`);
/** The head of a response ends at its first empty line. */
const matchInHead = (pattern: string): string => `${printAnswer} | sed -n '/^$/q; ${pattern}' | tail -n 1`;

/** A cookie that is not set again keeps its value. */
export const extractCookie = (variable: string, name: string): string =>
  `new=$(${matchInHead(`s/^set-cookie: *${escapePattern(name)}=\\([^;]*\\).*/\\1/Ip`)}); ${variable}=\${new:-$${variable}}`;

const extractHeader = (header: string): string =>
  matchInHead(`s/^${escapePattern(header)}: *\\([Bb]earer \\)\\{0,1\\}//Ip`);

/** A blank value renews nothing. */
export const extractRenewedToken = (variable: string, header: string): string =>
  `new=$(${extractHeader(header)} | tr -d ' '); ${variable}=\${new:-$${variable}}`;

/** The start of a line with which a shell requires a value from the user. */
export const promptStart = ': "';

/**
 * Extracts a value from `$answer`, which has head and body. The user enters what a shell cannot find.
 * @param path an expression of an API description, or the path where the value was found
 * @param mayBeNumber as an id may be, and no token is
 */
export function extractOutput(variable: string, path: string, mayBeNumber = false): string {
  const within = path.startsWith('$') ? expressionPath(path) : path;
  const [, name] = /^headers\.([\w-]{1,60})$/.exec(within) ?? [];
  if (name !== undefined) return `${variable}=$(${extractHeader(name)})`;
  const [, list] = /(?:^|\.)([A-Za-z_][\w-]{0,60})\[0\]$/.exec(within) ?? [];
  if (list !== undefined)
    return `${variable}=$(printf '%s\\n' "$answer" | sed -n 's/.*"${list}"[[:space:]]*:[[:space:]]*\\["\\([^"]*\\)".*/\\1/p')`;
  if (within === 'body') return `${variable}=$(${printAnswer} | sed '1,/^$/d; s/^"//; s/"$//')`;
  const [, field] = /(?:^|\.)([A-Za-z_][\w-]{0,60})$/.exec(within) ?? [];
  if (field === undefined) return `${promptStart}\${${variable}:?The token of this answer}"`;
  const member = `s/.*"${field}"[[:space:]]*:[[:space:]]*`;
  const number = mayBeNumber ? `; t; ${member}\\([0-9][0-9]*\\).*/\\1/p` : '';
  const extraction = `sed -n '${member}"\\([^"]*\\)".*/\\1/p${number}'`;
  return `${variable}=$(printf '%s\\n' "$answer" | ${extraction} | sed 's/^[Bb]earer //; s#\\\\/#/#g')`;
}
