import type { Cipher } from './cipher.ts';
import { forgetArgument, type KeyringAnswer, type KeyringQuestion } from './keyring-process.ts';
import { encryptWithKey, decryptWithKey } from './sealed-box.ts';

export const secretServiceBackend = 'secret-service';

/** Milliseconds that a keyring may take to answer where nobody asked for its prompt. */
const answersWithinMs = 3_000;

/**
 * Asks the Secret Service of a Linux desktop directly, where safeStorage does not find it. It keeps one random key and
 * not the texts, so that it is asked once and never has to hold a long value. The texts are sealed with that key here.
 */
export function createSecretServiceCipher(ask: (args: readonly string[]) => KeyringQuestion) {
  let key: Buffer | undefined;
  let asking: KeyringQuestion | undefined;

  const known = (): Buffer => {
    if (!key) throw new Error('the Secret Service has not given the key');
    return key;
  };

  function take(answered: KeyringAnswer): boolean {
    if (answered.answer !== 'key') return false;
    key = Buffer.from(answered.key, 'base64');
    return true;
  }

  async function askBriefly(args: readonly string[]): Promise<boolean> {
    const question = ask(args);
    const timer = setTimeout(question.end, answersWithinMs);
    const answered = await question.answer;
    clearTimeout(timer);
    return take(answered);
  }

  return {
    /** Says whether the key is here, so that nothing is waited for. */
    hasKey: () => key !== undefined,

    async probe() {
      // A question that waits at a prompt is not waited for twice. To end it closes its prompt.
      asking?.end();
      const question = ask([]);
      asking = question;
      const answered = await question.answer;
      if (answered.answer === 'absent') return { protected: false, reason: 'no-keyring' };
      return take(answered)
        ? { protected: true, backend: secretServiceBackend }
        : { protected: false, reason: 'locked' };
    },
    neverPrompts: () => false,
    encrypt: async (text) => encryptWithKey(known(), text),
    decrypt: async (sealed) => ({ text: decryptWithKey(known(), sealed), shouldReEncrypt: false }),

    /** Removes the key, and with it all that it sealed. */
    async deleteKey(): Promise<void> {
      key = undefined;
      await askBriefly([forgetArgument]);
    },

    /** Ends a question that is still open. */
    close: () => asking?.end(),
  } satisfies Cipher & Record<string, unknown>;
}

export type SecretServiceCipher = ReturnType<typeof createSecretServiceCipher>;
