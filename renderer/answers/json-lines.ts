import type { RedactedText } from '../../preload/contract/calls.ts';

/** Parts a text at its line ends. */
export function linesOf(text: RedactedText): RedactedText[] {
  const lines: RedactedText[] = [[]];
  for (const part of text) {
    const [first = '', ...others] = typeof part === 'string' ? part.split(/\r?\n/) : [part];
    lines.at(-1)?.push(first);
    for (const each of others) lines.push([each]);
  }
  return lines;
}

/** Main names the whole of a body so. */
const wholeBody = 'body';

interface Opened {
  path: string;
  /** The next index of a list; undefined in an object. */
  next: number | undefined;
}

/** Returns a line without its blanks and its comma. A character stands where a secret was. */
const plainOf = (line: RedactedText): string =>
  line
    .map((part) => (typeof part === 'string' ? part : '*'))
    .join('')
    .trim()
    .replace(/,$/, '');

const keyPattern = /^"((?:[^"\\]|\\.)*)": /;

/** Reads a key as main does, which names a place by it. */
function keyOf(line: string): string | undefined {
  const written = keyPattern.exec(line)?.[1];
  if (written === undefined) return undefined;
  try {
    const key: unknown = JSON.parse(`"${written}"`);
    return typeof key === 'string' ? key : undefined;
  } catch {
    return undefined;
  }
}

function pathIn(parent: Opened | undefined, line: string): string {
  if (!parent) return wholeBody;
  if (parent.next !== undefined) {
    const index = parent.next;
    parent.next += 1;
    return `${parent.path}[${index}]`;
  }
  const key = keyOf(line) ?? '';
  return parent.path === wholeBody ? key : `${parent.path}.${key}`;
}

/**
 * Says of each line of JSON, as `prettyJson` writes it, which place begins there. Places are written as main writes
 * them: `data.user[0].email`, or `body` for the whole. A line that closes a bracket begins none.
 */
export function placesOfLines(lines: readonly RedactedText[]): (string | undefined)[] {
  const opened: Opened[] = [];
  return lines.map((each) => {
    const line = plainOf(each);
    if (line === '}' || line === ']') {
      opened.pop();
      return undefined;
    }
    const path = pathIn(opened.at(-1), line);
    const value = line.replace(keyPattern, '');
    if (value === '{' || value === '[') opened.push({ path, next: value === '[' ? 0 : undefined });
    return path;
  });
}

/** What a part of a line is, by which it has its colour. */
type Ink = 'key' | 'string' | 'number' | 'sign';

export interface Token {
  ink: Ink;
  text: RedactedText;
}

/** Parts one line of JSON into its blanks, key, value and signs. */
export function tokenize(line: RedactedText): Token[] {
  const [first = '', ...others] = line;
  if (typeof first !== 'string') return [{ ink: 'string', text: line }];
  const [whole = '', blanks = '', key = '', colon = ''] = /^(\s*)(?:("(?:[^"\\]|\\.)*")(: ))?/.exec(first) ?? [];
  const value = [first.slice(whole.length), ...others];
  const last = value.at(-1);
  const comma = typeof last === 'string' && last.endsWith(',') ? ',' : '';
  if (comma !== '' && typeof last === 'string') value[value.length - 1] = last.slice(0, -1);
  const inked: Token[] = [
    { ink: 'sign', text: [blanks] },
    { ink: 'key', text: [key] },
    { ink: 'sign', text: [colon] },
    { ink: inkOf(value[0] ?? '', value.length > 1), text: value },
    { ink: 'sign', text: [comma] },
  ];
  return inked.filter(({ text }) => text.some((part) => part !== ''));
}

function inkOf(value: RedactedText[number], goesOn: boolean): Ink {
  if (typeof value !== 'string' || value.startsWith('"')) return 'string';
  if (value === '' && goesOn) return 'number';
  return /^[[\]{}]/.test(value) ? 'sign' : 'number';
}
