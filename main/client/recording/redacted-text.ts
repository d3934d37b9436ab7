import type { RedactedText } from '../../../preload/contract/calls.ts';

/** The first `most` characters of a redacted text; a reference counts as one. */
export function truncateRedacted(text: RedactedText, most: number): RedactedText {
  const parts: RedactedText = [];
  let left = most;
  for (const part of text) {
    if (left <= 0) break;
    const shown = typeof part === 'string' ? part.slice(0, left) : part;
    left -= typeof shown === 'string' ? shown.length : 1;
    parts.push(shown);
  }
  return parts;
}

/** Joins adjacent texts. */
export function joined(text: RedactedText): RedactedText {
  const parts: RedactedText = [];
  for (const part of text) {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else parts.push(part);
  }
  return parts;
}
