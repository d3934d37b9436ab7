import { createScanner, type JSONPath, visit } from 'jsonc-parser';
import type { RedactedText } from '../../preload/contract/calls.ts';
import { isTooDeep, withPlaceholders } from './redacted-text.ts';

export function splitLines(text: RedactedText): RedactedText[] {
  const lines: RedactedText[] = [[]];
  for (const part of text) {
    const [first = '', ...others] = typeof part === 'string' ? part.split(/\r?\n/) : [part];
    lines.at(-1)?.push(first);
    for (const each of others) lines.push([each]);
  }
  return lines;
}

/** Formats a path as main does: `data.user[0].email`, `body` for the root, `body[0]` in a root array. */
function placeOf([first, ...others]: JSONPath): string {
  const start = first === undefined ? 'body' : typeof first === 'number' ? `body[${first}]` : first;
  return others.reduce<string>((path, key) => path + (typeof key === 'number' ? `[${key}]` : `.${key}`), start);
}

/** For each line of formatted JSON, the path of the value that begins there. Closing brackets have none. */
export function placesOfLines(lines: readonly RedactedText[]): (string | undefined)[] {
  const { plain } = withPlaceholders(lines.flatMap((line) => [...line, '\n']));
  const places: (string | undefined)[] = lines.map(() => undefined);
  if (isTooDeep(plain)) return places;
  const begin = (line: number, path: () => JSONPath): void => {
    places[line] ??= placeOf(path());
  };
  visit(plain, {
    onObjectBegin: (_offset, _length, line, _column, path) => begin(line, path),
    onArrayBegin: (_offset, _length, line, _column, path) => begin(line, path),
    onLiteralValue: (_value, _offset, _length, line, _column, path) => begin(line, path),
  });
  return places;
}

/** Decides the highlight colour. `true`, `false` and `null` count as numbers. */
type TokenKind = 'key' | 'string' | 'number' | 'sign';

export interface Token {
  kind: TokenKind;
  text: RedactedText;
}

/** Splits one line of formatted JSON for highlighting. */
export function tokenize(line: RedactedText): Token[] {
  const { plain, restore } = withPlaceholders(line);
  const scanner = createScanner(plain);
  const tokens: { kind: TokenKind; text: string }[] = [];
  while (scanner.getPosition() < plain.length) {
    scanner.scan();
    const text = plain.slice(scanner.getTokenOffset(), scanner.getPosition());
    const last = tokens.at(-1);
    if (text === ':' && last?.kind === 'string') last.kind = 'key';
    const kind = kindOf(text);
    if (kind === 'sign' && last?.kind === 'sign') last.text += text;
    else tokens.push({ kind, text });
  }
  return tokens.map(({ kind, text }) => ({ kind, text: restore(text) }));
}

function kindOf(token: string): TokenKind {
  if (token.startsWith('"')) return 'string';
  return /^[\w-]/.test(token) ? 'number' : 'sign';
}
