import type { VaultStatus } from '../../../preload/contract/models.ts';

type Unprotected = Extract<VaultStatus, { state: 'memory-only' }>['reason'];

/**
 * How the operating system answers when asked to protect a text. `locked` is a keyring that is there and does not open:
 * its prompt was dismissed, or nobody answers it.
 */
export type Protection =
  | { protected: true; backend: string }
  | { protected: false; reason: Exclude<Unprotected, 'file-unreadable'> | 'locked' };

/** What the vault needs of a system's secret storage. Electron's safeStorage is one, and tests bring others. */
export type Cipher = {
  /**
   * Encrypts and decrypts a test value, since the name a system gives its backend proves nothing
   * (electron/electron#39789). It may take for ever while a keyring is locked. It never rejects, and looks
   * again each time.
   */
  probe: () => Promise<Protection>;
  /** Says that no keyring stands behind {@link Cipher.probe}, so that it answers without anybody noticing. */
  neverPrompts: () => boolean;
  encrypt: (text: string) => Promise<Buffer>;
  /** Rejects when this system or user cannot open the bytes, which `backend` sealed. */
  decrypt: (sealed: Buffer, backend: string) => Promise<{ text: string; shouldReEncrypt: boolean }>;
};

const probeText = 'llavero';

/** Says whether what a cipher seals comes back. */
export async function canRoundTrip(cipher: Pick<Cipher, 'encrypt' | 'decrypt'>, backend: string): Promise<boolean> {
  try {
    return (await cipher.decrypt(await cipher.encrypt(probeText), backend)).text === probeText;
  } catch {
    return false;
  }
}
