import type { Cipher, Protection } from '../../main/account/vault/cipher.ts';

/** A system store that seals by writing the letters backwards, and can be told to fail. */
export function createFakeCipher(
  options: {
    protection?: Protection;
    failsAtCall?: number;
    /** Whether it asks for everything to be sealed again, until it is. */
    shouldReEncrypt?: boolean;
    /** The name that its entries get, and the name of the entries that it opens. */
    backend?: string;
    opens?: readonly string[];
    /** It is asked instead of `protection`, and may never resolve. */
    probe?: () => Promise<Protection>;
    /** What it gives back instead of what it sealed. */
    returns?: string;
    neverPrompts?: boolean;
  } = {},
): Cipher & { calls: () => number } {
  const { neverPrompts = false } = options;
  const { backend = 'fake', opens = [backend], failsAtCall, shouldReEncrypt = false, returns } = options;
  const { protection = { protected: true, backend }, probe = async () => protection } = options;
  const fresh = new Set<string>();
  let calls = 0;
  const counted = (): void => {
    calls += 1;
    if (calls === failsAtCall) throw new Error('the fake keyring failed');
  };
  const reversed = (text: string): string => Array.from(text).toReversed().join('');
  return {
    calls: () => calls,
    probe,
    neverPrompts: () => neverPrompts,
    async encrypt(text) {
      counted();
      fresh.add(text);
      return Buffer.from(reversed(text));
    },
    async decrypt(sealed, sealedBy) {
      counted();
      if (!opens.includes(sealedBy)) throw new Error(`the fake keyring has no key of ${sealedBy}`);
      const text = returns ?? reversed(sealed.toString());
      return { text, shouldReEncrypt: shouldReEncrypt && !fresh.has(text) };
    },
  };
}
