/** A text only looked like its format: a library cannot read it. */
export class NotThatFormat extends Error {}

/** What a library reads. How it says that it cannot is its own affair; a text that fills the stack is another one. */
export function readBy<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError || error instanceof ReferenceError) throw error;
    throw new NotThatFormat('', { cause: error });
  }
}
