import { safeStorage } from 'electron';
import type { Cipher } from './cipher.ts';

/** Backends that encrypt with a password everybody knows, which protects nothing (electron's safeStorage page). */
const weakBackends: ReadonlySet<string> = new Set(['basic_text', 'unknown']);

const probeText = 'llavero';

/**
 * Electron's safeStorage. The synchronous calls are removed in Electron 46 (electron/electron#53662); the asynchronous
 * ones answer wrongly or crash before 43 (electron/electron#51924). What one kind sealed the other opens.
 */
export function createSafeStorageCipher(electronVersion = process.versions.electron): Cipher {
  const asynchronous = Number.parseInt(electronVersion ?? '0', 10) >= 43;

  const encrypt: Cipher['encrypt'] = async (text) =>
    asynchronous ? safeStorage.encryptStringAsync(text) : safeStorage.encryptString(text);

  const decrypt: Cipher['decrypt'] = async (sealed) => {
    if (!asynchronous) return { text: safeStorage.decryptString(sealed), shouldReEncrypt: false };
    const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(sealed);
    return { text: result, shouldReEncrypt };
  };

  return {
    encrypt,
    decrypt,
    async probe() {
      try {
        const available = asynchronous
          ? await safeStorage.isAsyncEncryptionAvailable()
          : safeStorage.isEncryptionAvailable();
        if (!available) return { protected: false, reason: 'no-keyring' };
        const backend = backendName();
        if (weakBackends.has(backend)) return { protected: false, reason: 'weak-keyring' };
        const { text } = await decrypt(await encrypt(probeText));
        return text === probeText ? { protected: true, backend } : { protected: false, reason: 'keyring-failed' };
      } catch {
        return { protected: false, reason: 'keyring-failed' };
      }
    },
  };
}

function backendName(): string {
  if (process.platform === 'darwin') return 'keychain';
  return process.platform === 'win32' ? 'dpapi' : safeStorage.getSelectedStorageBackend();
}
