import type { RedactedText, SecretReference } from '../../preload/contract/calls.ts';

/** A longer text is not put into lines, since that would hold up the window. */
const longestPretty = 2_000_000;
/** Deeper levels are not indented further, since a body may be nothing but brackets. */
const deepestIndent = 40;

export const lengthOf = (text: RedactedText): number =>
  text.reduce((length, part) => length + (typeof part === 'string' ? part.length : 1), 0);

/** Returns the beginning of a text. A reference counts as one character. */
export function beginningOf(text: RedactedText, length: number): RedactedText {
  let left = length;
  return text.flatMap((part) => {
    if (left <= 0) return [];
    const taken = typeof part === 'string' ? part.slice(0, left) : part;
    left -= typeof part === 'string' ? part.length : 1;
    return [taken];
  });
}

/** Returns the head of a message with plain line ends: the carriage returns are left out. */
export function withPlainLines(text: RedactedText): RedactedText {
  const parts = text.map((part) => (typeof part === 'string' ? part.replaceAll('\r\n', '\n') : part));
  const last = parts.at(-1);
  return typeof last === 'string' ? [...parts.slice(0, -1), last.trimEnd()] : parts;
}

export function headerNameOf([start]: RedactedText): string {
  return typeof start === 'string' ? start.slice(0, Math.max(0, start.indexOf(':'))) : '';
}

/**
 * Puts JSON into lines; undefined when the text is no JSON. Only blanks between values change: numbers keep their
 * digits, equal names stay twice, and a reference stays where its secret was. `JSON.stringify` and formatters of plain
 * text would break one of these.
 */
export function prettyJson(text: RedactedText): RedactedText | undefined {
  if (lengthOf(text) > longestPretty || !isJson(text)) return undefined;
  const parts: RedactedText = [];
  let written = '';
  let depth = 0;
  let inString = false;
  let escaped = false;
  /** This is true after a bracket until something stands in it. */
  let opened = false;

  const newLine = (): void => {
    written += `\n${'  '.repeat(Math.min(depth, deepestIndent))}`;
  };
  const begin = (): void => {
    if (opened) newLine();
    opened = false;
  };
  const flush = (): void => {
    if (written !== '') parts.push(written);
    written = '';
  };

  function take(character: string): void {
    if (inString) {
      written += character;
      inString = escaped || character !== '"';
      escaped = !escaped && character === '\\';
      return;
    }
    if (/\s|\uFEFF/.test(character)) return;
    if (character === '}' || character === ']') {
      depth -= 1;
      if (!opened) newLine();
      opened = false;
    } else begin();
    written += character === ':' ? ': ' : character;
    if (character === ',') newLine();
    if (character === '"') inString = true;
    if (character === '{' || character === '[') {
      depth += 1;
      opened = true;
    }
  }

  for (const part of text) {
    if (typeof part === 'string') for (const character of part) take(character);
    else {
      if (!inString) begin();
      escaped = false;
      flush();
      parts.push(part);
    }
  }
  flush();
  return parts;
}

/** Says whether a text is an object or a list in JSON. A reference is any text in a string, and else a number. */
function isJson(text: RedactedText): boolean {
  let inString = false;
  const plain = text.map((part) => {
    if (typeof part !== 'string') return inString ? '' : '0';
    const quotes = part.match(/\\.|"/gs)?.filter((each) => each === '"').length ?? 0;
    if (quotes % 2 === 1) inString = !inString;
    return part;
  });
  try {
    const value: unknown = JSON.parse(plain.join('').replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** Numbers secrets, equal ones alike, so that a person sees where a token comes from and where it goes. */
export function createSecretNumbers() {
  const numbers = new Map<string, number>();
  const counts = new Map<SecretReference['secret'], number>();
  return {
    of({ secret, id }: SecretReference): number {
      const known = numbers.get(id);
      if (known !== undefined) return known;
      const number = (counts.get(secret) ?? 0) + 1;
      counts.set(secret, number);
      numbers.set(id, number);
      return number;
    },
  };
}
