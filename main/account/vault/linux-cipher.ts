import type { Cipher, Protection } from './cipher.ts';
import type { SafeStorageCipher } from './safe-storage-cipher.ts';
import { secretServiceBackend, type SecretServiceCipher } from './secret-service-cipher.ts';

/** These of safeStorage's backends need no Secret Service. */
const withoutSecretService: ReadonlySet<string> = new Set(['kwallet', 'kwallet5', 'kwallet6']);

/**
 * Makes what protects on Linux: safeStorage with a real keyring, else the Secret Service reached directly (desktops
 * that Electron does not know: electron/electron#39789), else nothing. The Secret Service is asked first, in a process of
 * its own, and safeStorage only once that has opened: the synchronous calls hold up the main process until then, and the
 * asynchronous ones would take a password that everybody knows, for as long as this process lives.
 */
export function createLinuxCipher(options: {
  safeStorage: SafeStorageCipher;
  secretService: SecretServiceCipher;
  /** Says whether there is a session bus. Without one there is nobody to ask. */
  hasBus: () => boolean;
}): Cipher {
  const { safeStorage, secretService, hasBus } = options;
  let chosen: Cipher = secretService;

  function choose(cipher: Cipher, protection: Protection): Protection {
    chosen = cipher;
    return protection;
  }

  return {
    async probe() {
      if (!hasBus()) return { protected: false, reason: 'no-keyring' };
      const name = safeStorage.backend();
      const direct = await secretService.probe();
      const mayAsk = direct.protected || (direct.reason === 'no-keyring' && withoutSecretService.has(name ?? ''));
      if (name !== undefined && mayAsk) {
        const own = await safeStorage.probe();
        if (own.protected) return choose(safeStorage, own);
      }
      return choose(secretService, direct);
    },

    neverPrompts: () => !hasBus(),

    encrypt: (text) => chosen.encrypt(text),

    /** What another backend sealed is opened as long as that one is there too. */
    async decrypt(sealed, backend) {
      if (backend !== secretServiceBackend) {
        if (chosen !== safeStorage) throw new Error(`${backend} does not answer`);
        return safeStorage.decrypt(sealed, backend);
      }
      if (!secretService.hasKey()) await secretService.probe();
      return secretService.decrypt(sealed);
    },
  };
}
