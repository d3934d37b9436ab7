import type { RedactedBody } from '../../preload/contract/calls.ts';

const bytesInLine = 8;
const shownBytes = 256;

/** Writes the first bytes of a body in lines: where they stand, in hexadecimal, and as text where they are ASCII. */
export function hexLines(base64: string): string[] {
  // Four characters of Base64 are three bytes, so no more is decoded than is shown.
  const bytes = atob(base64.slice(0, Math.ceil(shownBytes / 3) * 4)).slice(0, shownBytes);
  return Array.from({ length: Math.ceil(bytes.length / bytesInLine) }, (_, line) => {
    const from = line * bytesInLine;
    const part = bytes.slice(from, from + bytesInLine);
    const hex = Array.from(part, (each) => each.charCodeAt(0).toString(16).padStart(2, '0')).join(' ');
    const text = part.replaceAll(/[^ -~]/g, '·');
    return `${from.toString(16).padStart(4, '0')}  ${hex.padEnd(bytesInLine * 3 - 1)}  ${text}`;
  });
}

/** What is known of a body that is no text: its hash, or of an older call its first bytes. */
export const binaryLines = ({ sha256, base64 }: Extract<RedactedBody, { form: 'binary' }>): string[] =>
  sha256 === undefined ? hexLines(base64) : [`SHA-256 ${sha256}`];
