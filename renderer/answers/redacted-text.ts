import { createScanner, format } from 'jsonc-parser';
import type { RedactedText, SecretReference } from '../../preload/contract/calls.ts';

/** In characters. Formatting a longer text would block the window. */
const longestFormatted = 2_000_000;
/** A body of nothing but nested brackets would grow quadratically when it is indented. */
const deepestFormatted = 40;

export const lengthOf = (text: RedactedText): number =>
  text.reduce((length, part) => length + (typeof part === 'string' ? part.length : 1), 0);

/** Returns the first characters. A secret reference counts as one. */
export function beginningOf(text: RedactedText, length: number): RedactedText {
  let left = length;
  return text.flatMap((part) => {
    if (left <= 0) return [];
    const taken = typeof part === 'string' ? part.slice(0, left) : part;
    left -= typeof part === 'string' ? part.length : 1;
    return [taken];
  });
}

/** Replaces CRLF by LF in a message head, and trims its end. */
export function withPlainLines(text: RedactedText): RedactedText {
  const parts = text.map((part) => (typeof part === 'string' ? part.replaceAll('\r\n', '\n') : part));
  const last = parts.at(-1);
  return typeof last === 'string' ? [...parts.slice(0, -1), last.trimEnd()] : parts;
}

export function headerNameOf([start]: RedactedText): string {
  return typeof start === 'string' ? start.slice(0, Math.max(0, start.indexOf(':'))) : '';
}

/** Digits that do not occur in the text. Only the first is a 7, so digits before them cannot be part of a match. */
function unusedDigits(text: string): string {
  const used = new Set(text.match(/7[0-6]{8}/g));
  for (let number = 0; ; number += 1) {
    const digits = `7${number.toString(7).padStart(8, '0')}`;
    if (!used.has(digits)) return digits;
  }
}

/**
 * Replaces secrets by digits, which are valid JSON within quotes and as a number. `restore` puts the secrets back into
 * a part of the text.
 */
export function withPlaceholders(text: RedactedText): { plain: string; restore: (part: string) => RedactedText } {
  const secrets = text.filter((part) => typeof part !== 'string');
  const mark = unusedDigits(text.map((part) => (typeof part === 'string' ? part : ' ')).join(''));
  let count = 0;
  const placeholder = () => mark + String(count++).padStart(6, '0');
  const placeholders = new RegExp(`${mark}(\\d{6})`);
  return {
    plain: text.map((part) => (typeof part === 'string' ? part : placeholder())).join(''),
    restore: (part) =>
      part
        .split(placeholders)
        .map((piece, index) => (index % 2 === 0 ? piece : (secrets[Number(piece)] ?? piece)))
        .filter((piece) => piece !== ''),
  };
}

/** Undefined if the text is no JSON object or array. Only whitespace changes, so that numbers keep their digits. */
export function formatJson(text: RedactedText): RedactedText | undefined {
  if (lengthOf(text) > longestFormatted) return undefined;
  const { plain, restore } = withPlaceholders(text);
  const json = plain.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  if (!isObjectOrList(json) || isTooDeep(json)) return undefined;
  // The library's own `applyEdits` copies the text for each edit.
  const parts: string[] = [];
  let at = 0;
  for (const { offset, length, content } of format(json, undefined, { tabSize: 2, insertSpaces: true, eol: '\n' })) {
    parts.push(json.slice(at, offset), content);
    at = offset + length;
  }
  return restore(parts.join('') + json.slice(at));
}

function isObjectOrList(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}

/** True if the JSON is nested so deep that a visit of all levels would take too long or never end. */
export function isTooDeep(json: string): boolean {
  const scanner = createScanner(json, true);
  let depth = 0;
  while (scanner.getPosition() < json.length && depth <= deepestFormatted) {
    scanner.scan();
    const first = json[scanner.getTokenOffset()];
    if (first === '{' || first === '[') depth += 1;
    if (first === '}' || first === ']') depth -= 1;
  }
  return depth > deepestFormatted;
}

/** Equal secrets get the same number, so that the user can follow a token from one message to another. */
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
