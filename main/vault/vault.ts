import type { FileNotice, VaultStatus } from '../../preload/contract/models.ts';
import type { Cipher, Protection } from './cipher.ts';
import { readVaultFile, writeVaultFile, type SealedEntry } from './vault-file.ts';

/** Where one password is: `unreadable` means it rests in the file and the system does not open it now. */
export type EntryState = 'absent' | 'sealed' | 'memory' | 'unreadable';

/** The vault's service of what belongs to one environment. */
export const vaultService = (environmentId: string): string => `app.llavero.desktop/${environmentId}`;

export type Vault = ReturnType<typeof createVault>;

/**
 * Passwords and tokens by service and account, with keytar's four verbs. Sealed by the operating system into `file`;
 * where the system protects nothing they stay in memory and are gone when the application ends. Nothing is ever written
 * in clear, and a failed read deletes nothing.
 */
export function createVault(options: {
  file: string;
  cipher: Cipher;
  onStatus?: (status: VaultStatus) => void;
  onFileNotice?: (notice: FileNotice) => void;
}) {
  const { file, cipher, onStatus, onFileNotice } = options;
  const memory = new Map<string, { service: string; account: string; password: string }>();
  const states = new Map<string, EntryState>();
  let status: VaultStatus = { state: 'asking' };
  let entries: SealedEntry[] | undefined;
  let opening: Promise<Protection> | undefined;
  /** Writes follow one another, so that two of them never race for the file. */
  let writing: Promise<unknown> = Promise.resolve();

  const keyOf = (service: string, account: string): string => JSON.stringify([service, account]);

  function tell(next: VaultStatus): void {
    status = next;
    onStatus?.(next);
  }

  /** Asks the system once, on first use: the question can block for as long as a keyring is locked. */
  function open(): Promise<Protection> {
    opening ??= (async () => {
      const [probed, content] = await Promise.all([
        cipher.probe(),
        readVaultFile(file, onFileNotice).catch(() => undefined),
      ]);
      entries = content;
      // A file that is there and cannot be read must not be written over either.
      const protection: Protection = content ? probed : { protected: false, reason: 'file-unreadable' };
      tell(
        protection.protected
          ? { state: 'protected', backend: protection.backend }
          : { state: 'memory-only', reason: protection.reason },
      );
      return protection;
    })();
    return opening;
  }

  function find(service: string, account: string): SealedEntry | undefined {
    return entries?.find((entry) => entry.service === service && entry.account === account);
  }

  function save(change: (current: SealedEntry[]) => SealedEntry[]): Promise<void> {
    const next = writing.then(async () => {
      const changed = change(entries ?? []);
      await writeVaultFile(file, changed);
      entries = changed;
    });
    writing = next.catch(() => undefined);
    return next;
  }

  const others = (service: string, account: string) => (entry: SealedEntry) =>
    entry.service !== service || entry.account !== account;

  async function getPassword(service: string, account: string): Promise<string | null> {
    const key = keyOf(service, account);
    const protection = await open();
    const held = memory.get(key);
    if (held !== undefined) {
      states.set(key, 'memory');
      return held.password;
    }
    const entry = find(service, account);
    if (!entry) {
      states.set(key, 'absent');
      return null;
    }
    if (!protection.protected) {
      states.set(key, 'unreadable');
      return null;
    }
    try {
      const { text, shouldReEncrypt } = await cipher.decrypt(Buffer.from(entry.sealed, 'base64'));
      states.set(key, 'sealed');
      if (shouldReEncrypt) await setPassword(service, account, text);
      return text;
    } catch {
      states.set(key, 'unreadable');
      return null;
    }
  }

  /**
   * Seals and keeps a password. When the system cannot seal it, or the file cannot be written, it is held in memory
   * and the status says so: a login that the server accepted is never thrown away (desktop/desktop#5530).
   */
  async function setPassword(service: string, account: string, password: string): Promise<void> {
    const key = keyOf(service, account);
    const protection = await open();
    if (protection.protected) {
      try {
        const sealed = await cipher.encrypt(password);
        // Read back before an older copy goes: a keyring may take a value and return another.
        const { text } = await cipher.decrypt(sealed);
        if (text !== password) throw new Error('the system store returned another value');
        const entry = { service, account, backend: protection.backend, sealed: sealed.toString('base64') };
        await save((current) => [...current.filter(others(service, account)), entry]);
        memory.delete(key);
        states.set(key, 'sealed');
        return;
      } catch {
        tell({ state: 'memory-only', reason: 'keyring-failed' });
      }
    }
    memory.set(key, { service, account, password });
    states.set(key, 'memory');
  }

  /** Answers whether there was one. */
  async function deletePassword(service: string, account: string): Promise<boolean> {
    const key = keyOf(service, account);
    await open();
    const held = memory.delete(key);
    states.delete(key);
    if (!find(service, account)) return held;
    await save((current) => current.filter(others(service, account)));
    return true;
  }

  /** Every readable entry of a service; the unreadable ones stay where they are. */
  async function findCredentials(service: string): Promise<{ account: string; password: string }[]> {
    await open();
    const accounts = new Set(
      (entries ?? []).filter((entry) => entry.service === service).map(({ account }) => account),
    );
    for (const held of memory.values()) if (held.service === service) accounts.add(held.account);
    const found: { account: string; password: string }[] = [];
    for (const account of accounts) {
      const password = await getPassword(service, account);
      if (password !== null) found.push({ account, password });
    }
    return found;
  }

  return {
    getPassword,
    setPassword,
    deletePassword,
    findCredentials,
    /** What the last call for this entry found; tells `absent` from `unreadable` after a null. */
    entryState: (service: string, account: string): EntryState => states.get(keyOf(service, account)) ?? 'absent',
    status: () => status,
    /** Asks the system without reading anything, so that the badge tells the truth before the first login. */
    open: async () => {
      await open();
      return status;
    },
  };
}
