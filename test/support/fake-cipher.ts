import type { Cipher, Protection } from '../../main/vault/cipher.ts';

/** A system store that seals by writing the letters backwards, and can be told to fail. */
export function createFakeCipher(
  options: {
    protection?: Protection;
    failsAtCall?: number;
    shouldReEncrypt?: boolean;
    /** What it gives back instead of what it sealed. */
    returns?: string;
  } = {},
): Cipher & { calls: () => number } {
  const { protection = { protected: true, backend: 'fake' }, failsAtCall, shouldReEncrypt = false, returns } = options;
  let calls = 0;
  const counted = (): void => {
    calls += 1;
    if (calls === failsAtCall) throw new Error('the fake keyring failed');
  };
  const reversed = (text: string): string => Array.from(text).toReversed().join('');
  return {
    calls: () => calls,
    probe: async () => protection,
    async encrypt(text) {
      counted();
      return Buffer.from(reversed(text));
    },
    async decrypt(sealed) {
      counted();
      return { text: returns ?? reversed(sealed.toString()), shouldReEncrypt };
    },
  };
}
