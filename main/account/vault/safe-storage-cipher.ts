import type { SafeStorage } from 'electron';
import { canRoundTrip, type Cipher } from './cipher.ts';

/** These backends encrypt with a password that everybody knows, which protects nothing (electron's safeStorage). */
const weakBackends: ReadonlySet<string> = new Set(['basic_text', 'unknown']);

/** What is sealed with the password that is in Chromium's sources begins so on Linux (posix_key_provider.cc). */
const publicTag = 'v10';

/** The calls of Electron's safeStorage that are used here, as 45.4.1 types them. */
export type SystemStorage = Pick<
  SafeStorage,
  | 'isEncryptionAvailable'
  | 'encryptString'
  | 'decryptString'
  | 'isAsyncEncryptionAvailable'
  | 'encryptStringAsync'
  | 'decryptStringAsync'
  | 'getSelectedStorageBackend'
>;

export type SafeStorageCipher = Cipher & {
  /** Returns the name of the backend, without asking it; undefined for one that protects nothing. */
  backend: () => string | undefined;
};

/**
 * Makes a cipher of Electron's safeStorage. The synchronous calls are removed in Electron 46 (electron/electron#53662);
 * the asynchronous ones answer wrongly or crash before 43 (electron/electron#51924). What one kind sealed the other
 * opens.
 */
export function createSafeStorageCipher(
  storage: () => SystemStorage,
  electronVersion = process.versions.electron,
  platform: NodeJS.Platform = process.platform,
): SafeStorageCipher {
  const asynchronous = Number.parseInt(electronVersion ?? '0', 10) >= 43;

  /** Chromium opens such bytes on Linux whatever keyring there is; without a keyring, the asynchronous calls seal so. */
  const refusePublic = (sealed: Buffer): Buffer => {
    if (platform === 'linux' && (sealed.length < publicTag.length || sealed.toString().startsWith(publicTag)))
      throw new Error('a password that everybody knows protects nothing');
    return sealed;
  };

  const encrypt: Cipher['encrypt'] = async (text) =>
    refusePublic(asynchronous ? await storage().encryptStringAsync(text) : storage().encryptString(text));

  const decrypt: Cipher['decrypt'] = async (sealed) => {
    refusePublic(sealed);
    if (!asynchronous) return { text: storage().decryptString(sealed), shouldReEncrypt: false };
    const { result, shouldReEncrypt } = await storage().decryptStringAsync(sealed);
    return { text: result, shouldReEncrypt };
  };

  function backend(): string | undefined {
    if (platform === 'darwin') return 'keychain';
    if (platform === 'win32') return 'dpapi';
    const name = storage().getSelectedStorageBackend();
    return weakBackends.has(name) ? undefined : name;
  }

  return {
    backend,
    encrypt,
    decrypt,
    neverPrompts: () => platform === 'win32',
    async probe() {
      try {
        const name = backend();
        if (name === undefined) return { protected: false, reason: 'no-keyring' };
        const available = asynchronous
          ? await storage().isAsyncEncryptionAvailable()
          : storage().isEncryptionAvailable();
        if (!available) return { protected: false, reason: 'no-keyring' };
        return (await canRoundTrip({ encrypt, decrypt }, name))
          ? { protected: true, backend: name }
          : { protected: false, reason: 'keyring-failed' };
      } catch {
        return { protected: false, reason: 'keyring-failed' };
      }
    },
  };
}
