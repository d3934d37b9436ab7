import type { Cipher } from './cipher.ts';
import { forgetArgument } from './keyring-answer.ts';
import type { KeyringQuestion } from './keyring-process.ts';
import { seal, unseal } from './sealed-box.ts';

export const secretServiceBackend = 'secret-service';

const forgetWithinMs = 3_000;

/**
 * The Secret Service of a Linux desktop, asked directly where safeStorage does not find it. It keeps one random key and
 * not the texts, so that it is asked once and never has to hold a long value; the texts are sealed with that key here.
 */
export function createSecretServiceCipher(ask: (args: readonly string[]) => KeyringQuestion) {
  let key: Buffer | undefined;
  let asking: KeyringQuestion | undefined;

  const known = (): Buffer => {
    if (!key) throw new Error('the Secret Service has not given the key');
    return key;
  };

  return {
    /** Whether the key is here, so that nothing is waited for. */
    opened: () => key !== undefined,

    async probe() {
      // One that waits at a prompt is not waited for twice: ending it closes its prompt.
      asking?.end();
      const question = ask([]);
      asking = question;
      const answered = await question.answer;
      if (answered.answer === 'absent') return { protected: false, reason: 'no-keyring' };
      if (answered.answer !== 'key') return { protected: false, reason: 'locked' };
      key = Buffer.from(answered.key, 'base64');
      return { protected: true, backend: secretServiceBackend };
    },
    encrypt: async (text) => seal(known(), text),
    decrypt: async (sealed) => ({ text: unseal(known(), sealed), shouldReEncrypt: false }),

    /** Removes the key, and with it all that it sealed; a keyring that does not answer is not waited for for long. */
    async forget(): Promise<void> {
      key = undefined;
      const question = ask([forgetArgument]);
      const timer = setTimeout(question.end, forgetWithinMs);
      await question.answer;
      clearTimeout(timer);
    },

    /** Ends a question that is still open. */
    close: () => asking?.end(),
  } satisfies Cipher & Record<string, unknown>;
}

export type SecretServiceCipher = ReturnType<typeof createSecretServiceCipher>;
