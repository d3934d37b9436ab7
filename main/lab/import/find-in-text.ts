import type { InterfaceFinding } from '../../../preload/contract/interface.ts';
import type { Shipped } from './fitting-descriptions.ts';
import { findCalls } from './find-calls.ts';
import { NotThatFormat } from './not-that-format.ts';
import { readText } from './read-text.ts';
import { RefusedCommand } from './shell-words.ts';

/** Looks for the five calls in a text of any format. Whatever else is thrown is a bug, and no fact about the text. */
export async function findInText(
  bytes: Uint8Array,
  shipped: Shipped,
  onLoaded: () => void = () => undefined,
): Promise<InterfaceFinding> {
  try {
    const read = await readText(bytes, onLoaded);
    if (typeof read === 'string') return { kind: read };
    return findCalls(read.format, read.requests, shipped);
  } catch (error) {
    if (error instanceof RefusedCommand) return { kind: 'curl-refused', why: error.why };
    if (error instanceof NotThatFormat) return { kind: 'unknown-format' };
    // A text of many levels fills the stack, and a YAML of many aliases is refused by its reader.
    const isTooHard = error instanceof RangeError || (error instanceof ReferenceError && /alias/i.test(error.message));
    if (!isTooHard) throw error;
    return { kind: 'too-hard' };
  }
}
