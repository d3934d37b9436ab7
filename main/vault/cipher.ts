import type { VaultStatus } from '../../preload/contract/models.ts';

/** How the operating system answers when asked to protect a text. */
export type Protection =
  | { protected: true; backend: string }
  | { protected: false; reason: Extract<VaultStatus, { state: 'memory-only' }>['reason'] };

/** What the vault needs of a system's secret storage; Electron's safeStorage is one, tests bring others. */
export type Cipher = {
  /**
   * Encrypts and decrypts a test value, since the name a system gives its backend proves nothing
   * (electron/electron#39789). May take long while a keyring is locked. Never rejects.
   */
  probe: () => Promise<Protection>;
  encrypt: (text: string) => Promise<Buffer>;
  /** Rejects when this system or user cannot open the bytes. */
  decrypt: (sealed: Buffer) => Promise<{ text: string; shouldReEncrypt: boolean }>;
};
