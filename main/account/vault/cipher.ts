import type { VaultStatus } from '../../../preload/contract/models.ts';

type Unprotected = Extract<VaultStatus, { state: 'memory-only' }>['reason'];

/** Whether the operating system protects secrets. `locked`: its keyring's prompt was dismissed, or is not answered. */
export type Protection =
  | { protected: true; backend: string }
  | { protected: false; reason: Exclude<Unprotected, 'file-unreadable'> | 'locked' };

/** A secret storage of the system, such as Electron's safeStorage. */
export type Cipher = {
  /**
   * Encrypts and decrypts a test value, since the name a system gives its backend proves nothing
   * (electron/electron#39789). May never resolve while a keyring is locked. Never rejects, and does
   * not cache.
   */
  probe: () => Promise<Protection>;
  /** True if {@link Cipher.probe} cannot show a prompt of a keyring. */
  neverPrompts: () => boolean;
  encrypt: (text: string) => Promise<Buffer>;
  /** Rejects if this system or user cannot decrypt what `backend` sealed. */
  decrypt: (sealed: Buffer, backend: string) => Promise<{ text: string; shouldReEncrypt: boolean }>;
};

const probeText = 'llavero';

export async function canRoundTrip(cipher: Pick<Cipher, 'encrypt' | 'decrypt'>, backend: string): Promise<boolean> {
  try {
    return (await cipher.decrypt(await cipher.encrypt(probeText), backend)).text === probeText;
  } catch {
    return false;
  }
}
