import { createHmac, randomBytes } from 'node:crypto';

/** What main sees of a press of a key or of the mouse, before the page gets it. */
export type Press =
  | { by: 'mouse' }
  /** `key` is as DOM's `KeyboardEvent.key`. `command` says that Control, Alt or Meta was held. */
  | { by: 'key'; key: string; command: boolean };

const mostTexts = 50;
const longestText = 2_000;
const ends: ReadonlySet<string> = new Set(['Tab', 'Enter']);
const modifiers: ReadonlySet<string> = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'Meta',
  'CapsLock',
  'NumLock',
  'Fn',
]);

/**
 * Knows whether a person typed a text key by key, from its first character to its last. A text begins and ends with a
 * press of the mouse, Tab or Enter, or begins where everything was selected; whatever else happens in between (an arrow
 * key, something pasted, a composed character) makes it unknown. It is not known into which field a text was typed,
 * nor what the page said of that field.
 *
 * Passwords are typed as well: only a hash of each text is kept, under a key of this run, and the last 50 of them.
 */
export function createTypedTexts() {
  const key = randomBytes(32);
  const hashOf = (text: string): string => createHmac('sha256', key).update(text).digest('base64');
  let hashes: string[] = [];
  /** Undefined once something happened to it that main cannot follow. */
  let typing: string | undefined = '';

  function begin(): void {
    const text = typing?.trim();
    if (text !== undefined && text !== '') hashes = [...hashes, hashOf(text)].slice(-mostTexts);
    typing = '';
  }

  return {
    pressed(press: Press): void {
      if (press.by === 'mouse' || ends.has(press.key)) return begin();
      if (modifiers.has(press.key)) return;
      if (press.command) {
        if (press.key.toLowerCase() === 'a') begin();
        else typing = undefined;
      } else if (typing !== undefined) typing = edited(typing, press.key);
    },

    /**
     * Whether the person typed exactly this as an address, spaces around it aside. A single word may be a name or a
     * password that was typed elsewhere, so it is no address, but for `localhost`.
     */
    hasAddress(text: string): boolean {
      const wanted = text.trim();
      if (!/[.:/]/.test(wanted) && wanted !== 'localhost') return false;
      return typing?.trim() === wanted || hashes.includes(hashOf(wanted));
    },

    forget(): void {
      hashes = [];
      typing = '';
    },
  };
}

/** A text after one more key. */
function edited(text: string, key: string): string | undefined {
  // A host has no characters of two units, so that one which lost a half is none.
  if (key === 'Backspace') return text.slice(0, -1);
  return key.length === 1 && text.length < longestText ? text + key : undefined;
}
