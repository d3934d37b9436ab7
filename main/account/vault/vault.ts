import type { FileNotice, VaultStatus } from '../../../preload/contract/models.ts';
import { removeQuarantined } from '../../files/quarantine.ts';
import type { Cipher, Protection } from './cipher.ts';
import { EntrySealer, applyPinLayer, removePinLayer, type PinLayeredSecret, type PinLayer } from './entry-sealer.ts';
import { SealedEntries, type SealedEntry } from './sealed-entries.ts';

/** Where a password is. `locked`: in the file, whose system store is locked. `unreadable`: the store is open and cannot decrypt it. */
export type EntryState = 'absent' | 'sealed' | 'memory' | 'locked' | 'unreadable';

/** Milliseconds until the application goes on without the system's secret store. */
export const probeTimeoutMs = 3_000;

/** The vault's service name for the secrets of a server. */
export const vaultService = (serverId: string): string => `app.llavero.desktop/${serverId}`;

type MemoryEntry = PinLayeredSecret & {
  service: string;
  account: string;
  mayPersist: boolean;
  /** Grows with each `setPassword`, to see after an `await` whether the entry was replaced. */
  order: number;
  /** Its own `setPassword` has not tried to seal it yet. */
  isNew: boolean;
};

type VaultOptions = {
  file: string;
  cipher: Cipher & { close?: () => void };
  onStatus?: (status: VaultStatus) => void;
  onFileNotice?: (notice: FileNotice) => void;
};

/**
 * Passwords and tokens by service and account, with the methods of keytar. The operating system seals them into `file`; if
 * it cannot, they stay in memory until the application ends. Nothing is written in clear, a failed read deletes nothing,
 * and an older entry goes only once the newer one was read back.
 */
export class Vault implements Disposable {
  readonly #file: string;
  readonly #cipher: VaultOptions['cipher'];
  readonly #onStatus: VaultOptions['onStatus'];
  readonly #sealer: EntrySealer;
  readonly #sealed: SealedEntries;
  readonly #memory = new Map<string, MemoryEntry>();
  readonly #states = new Map<string, EntryState>();
  #status: VaultStatus = { state: 'asking' };
  #protection: Protection = { protected: false, reason: 'locked' };
  #layer: PinLayer = { state: 'none' };
  #opening: Promise<unknown> | undefined;
  #lastOrder = 0;
  /** Results of earlier probes than the last are ignored. */
  #lastProbe = 0;
  /** Sealing and changes of the PIN run one after the other: what was sealed during a change would stay under a lost key. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor({ file, cipher, onStatus, onFileNotice }: VaultOptions) {
    this.#file = file;
    this.#cipher = cipher;
    this.#onStatus = onStatus;
    this.#sealer = new EntrySealer(cipher);
    this.#sealed = new SealedEntries(file, onFileNotice);
  }

  async getPassword(service: string, account: string): Promise<string | null> {
    const key = keyOf(service, account);
    await this.#open();
    const inMemory = this.#memory.get(key);
    if (inMemory) {
      this.#states.set(key, 'memory');
      return this.#layer.state === 'closed' && inMemory.pin ? null : removePinLayer(inMemory, this.#layer);
    }
    const entry = this.#sealed.find(service, account);
    if (!entry) {
      this.#states.set(key, 'absent');
      return null;
    }
    if (!this.#protection.protected || this.#layer.state === 'closed') {
      this.#states.set(
        key,
        this.#status.state === 'locked' || this.#layer.state === 'closed' ? 'locked' : 'unreadable',
      );
      return null;
    }
    try {
      const { wrapped, shouldReEncrypt } = await this.#sealer.open(entry);
      const password = removePinLayer(wrapped, this.#layer);
      this.#states.set(key, 'sealed');
      if (shouldReEncrypt) await this.setPassword(service, account, password);
      return password;
    } catch {
      this.#states.set(key, 'unreadable');
      return null;
    }
  }

  /**
   * Seals a password, and resolves once it is synced to the disk. It can be read at once. If the system cannot seal it, or
   * the file cannot be written, it stays in memory and the status says so: a login that the server accepted is never
   * dropped (desktop/desktop#5530). With `mayPersist: false` it is in memory only. Rejects while the PIN is not entered.
   */
  async setPassword(
    service: string,
    account: string,
    password: string,
    { mayPersist = true }: { mayPersist?: boolean } = {},
  ): Promise<void> {
    const key = keyOf(service, account);
    const order = ++this.#lastOrder;
    this.#memory.set(key, {
      ...applyPinLayer(password, this.#layer),
      service,
      account,
      mayPersist,
      order,
      isNew: true,
    });
    this.#states.set(key, 'memory');
    await (mayPersist ? this.#probeOnce() : this.#open());
    await this.#enqueue(() => this.#persist(key, order));
  }

  /** Removes a password, and resolves to whether there was one. Works while the PIN is not entered. */
  async deletePassword(service: string, account: string): Promise<boolean> {
    const key = keyOf(service, account);
    await this.#open();
    const wasInMemory = this.#memory.delete(key);
    this.#states.delete(key);
    if (!this.#sealed.find(service, account)) return wasInMemory;
    await this.#sealed.remove(service, account);
    if (this.#status.state === 'protected') this.#setProtected(this.#status.backend);
    return true;
  }

  /** Removes sealed entries, without decrypting any or asking a keyring. */
  async removeAll(isGone: (service: string, account: string) => boolean): Promise<void> {
    await this.#sealed.read();
    const gone = this.#sealed.list().filter(({ service, account }) => isGone(service, account));
    await this.#sealed.replace(new Map(gone.map((entry) => [entry, undefined])));
  }

  /** Returns the readable entries of a service. */
  async findCredentials(service: string): Promise<{ account: string; password: string }[]> {
    await this.#open();
    const accounts = new Set(
      this.#sealed
        .list()
        .filter((entry) => entry.service === service)
        .map(({ account }) => account),
    );
    for (const entry of this.#memory.values()) if (entry.service === service) accounts.add(entry.account);
    const found: { account: string; password: string }[] = [];
    for (const account of accounts) {
      const password = await this.getPassword(service, account);
      if (password !== null) found.push({ account, password });
    }
    return found;
  }

  /** What the last call found for an entry: `getPassword` returns null for `absent` and for `unreadable`. */
  entryState(service: string, account: string): EntryState {
    return this.#states.get(keyOf(service, account)) ?? 'absent';
  }

  status(): VaultStatus {
    return this.#status;
  }

  /** Probes the system store if there are entries, so that the status is right before the first login. */
  async open(): Promise<VaultStatus> {
    await this.#open();
    return this.#status;
  }

  /** Probes the system store again: a keyring may have been unlocked. */
  async retry(): Promise<VaultStatus> {
    this.#setStatus({ state: 'asking' });
    this.#opening = this.#probe();
    await this.#opening;
    return this.#status;
  }

  /** Removes everything, readable or not, with the backup and all quarantined files. */
  async clear(): Promise<void> {
    await this.#sealed.read();
    this.#memory.clear();
    this.#states.clear();
    await this.#sealed.clear();
    if (this.#status.state === 'protected') this.#setProtected(this.#status.backend);
  }

  /** Whether a PIN is set and not entered. Entries are sealed with its key, and then by the system. */
  isPinClosed(): boolean {
    return this.#layer.state === 'closed';
  }

  /** Zeroes the PIN's key: nothing sealed with it can be read or added. */
  closePin(): void {
    if (this.#layer.state === 'open') this.#layer.key.fill(0);
    this.#layer = { state: 'closed' };
  }

  /** Takes the PIN's key, and seals with it what an interrupted change of the PIN left. */
  async openPin(key: Buffer): Promise<void> {
    this.#layer = { state: 'open', key };
    await this.#enqueue(async () =>
      this.#protection.protected ? this.#resealEntries(this.#protection.backend) : undefined,
    );
  }

  /** Seals every entry with the key of a PIN, or without one. The removal rejects if the vault is closed meanwhile. */
  async setPin(key: Buffer | undefined): Promise<void> {
    await this.#open();
    // Entries in quarantined files are not sealed with the PIN.
    if (key) await removeQuarantined(this.#file);
    await this.#enqueue(() => this.#changeLayer(key ? { state: 'open', key } : { state: 'none' }));
  }

  /** The PIN's key is lost, and what is sealed with it. */
  dropPin(): void {
    this.#layer = { state: 'none' };
  }

  /** Resolves once the file and its backup are written. */
  settled(): Promise<void> {
    return this.#sealed.settled();
  }

  /** Ends a pending call of the system store. */
  [Symbol.dispose](): void {
    this.#cipher.close?.();
  }

  #setStatus(next: VaultStatus): void {
    if (JSON.stringify(next) === JSON.stringify(this.#status)) return;
    this.#status = next;
    this.#onStatus?.(next);
  }

  /** `work` must not await {@link #open}, which may itself be waiting in this queue. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  /** Probes the system store once, for at most {@link probeTimeoutMs}. A later result still counts. */
  #probeOnce(): Promise<unknown> {
    this.#opening ??= this.#probe();
    return this.#opening;
  }

  /**
   * Probes the system store if there are entries, or if it never prompts. A keyring may ask the user for a password, so it
   * is left alone until there is something to seal (electron/electron#51981).
   */
  async #open(): Promise<unknown> {
    await this.#sealed.read();
    if (this.#opening || !this.#sealed.isEmpty() || this.#cipher.neverPrompts()) return this.#probeOnce();
    return this.#setStatus({ state: 'not-asked' });
  }

  async #probe(): Promise<void> {
    const probe = ++this.#lastProbe;
    if (this.#status.state === 'not-asked') this.#setStatus({ state: 'asking' });
    const probing = this.#cipher.probe();
    // Before the timeout below: an entry that was not read yet must not count as absent.
    await this.#sealed.read();
    const settled = probing.then((found) => (probe === this.#lastProbe ? this.#applyProbe(found) : undefined));
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      if (probe === this.#lastProbe && this.#status.state === 'asking') this.#setStatus({ state: 'locked' });
      waited.resolve();
    }, probeTimeoutMs);
    await Promise.race([settled, waited.promise]);
    clearTimeout(timer);
  }

  async #applyProbe(found: Protection): Promise<void> {
    this.#protection = this.#sealed.isRead() ? found : { protected: false, reason: 'keyring-failed' };
    if (!this.#sealed.isRead()) {
      this.#setStatus({ state: 'memory-only', reason: 'file-unreadable' });
    } else if (found.protected) {
      await this.#enqueue(async () => {
        await this.#resealEntries(found.backend);
        await this.#sealMemory();
      });
      this.#setProtected(found.backend);
    } else {
      this.#setStatus(found.reason === 'locked' ? { state: 'locked' } : { state: 'memory-only', reason: found.reason });
    }
  }

  #setProtected(backend: string): void {
    const lost = this.#sealed
      .list()
      .filter(({ service, account }) => this.entryState(service, account) === 'unreadable');
    const before = [...new Set(lost.map((entry) => entry.backend))].filter((each) => each !== backend);
    this.#setStatus({ state: 'protected', backend, unreadable: lost.length, before });
  }

  /** Decrypts every entry, to count the unreadable ones, and seals again what another store, or no PIN, sealed. */
  async #resealEntries(backend: string): Promise<void> {
    const renewed = new Map<SealedEntry, SealedEntry>();
    for (const entry of this.#sealed.list()) {
      const { service, account } = entry;
      try {
        const { wrapped, shouldReEncrypt } = await this.#sealer.open(entry);
        const password = this.#layer.state === 'closed' ? undefined : removePinLayer(wrapped, this.#layer);
        this.#states.set(keyOf(service, account), 'sealed');
        if (password === undefined) continue;
        if (shouldReEncrypt || entry.backend !== backend || entry.pin !== (this.#layer.state === 'open'))
          renewed.set(entry, await this.#sealer.seal(service, account, backend, applyPinLayer(password, this.#layer)));
      } catch {
        // One that was decrypted and could not be sealed again stays as it is.
        if (this.entryState(service, account) !== 'sealed') this.#states.set(keyOf(service, account), 'unreadable');
      }
    }
    await this.#sealed.replace(renewed).catch(() => undefined);
  }

  /** Seals the entries that are in memory since the store was not available. */
  async #sealMemory(): Promise<void> {
    for (const [key, entry] of this.#memory) {
      if (!this.#protection.protected || !entry.mayPersist || entry.isNew) continue;
      try {
        await this.#sealEntry(key, entry, this.#protection.backend);
      } catch {
        return;
      }
    }
  }

  /** Seals an entry of the memory, and removes it there once it is in the file, unless it was replaced or removed meanwhile. */
  async #sealEntry(
    key: string,
    { service, account, pin, content, order }: MemoryEntry,
    backend: string,
  ): Promise<void> {
    const sealed = await this.#sealer.seal(service, account, backend, { pin, content });
    if (this.#memory.get(key)?.order !== order) return;
    await this.#sealed.put(sealed);
    const now = this.#memory.get(key);
    if (now?.order === order) {
      this.#memory.delete(key);
      this.#states.set(key, 'sealed');
    } else if (!now) await this.#sealed.remove(service, account);
  }

  async #persist(key: string, order: number): Promise<void> {
    const entry = this.#memory.get(key);
    // It was removed, replaced, or sealed already.
    if (entry?.order !== order) return;
    const { service, account, mayPersist } = entry;
    this.#memory.set(key, { ...entry, isNew: false });
    if (this.#layer.state === 'closed') {
      this.#memory.delete(key);
      this.#states.delete(key);
      throw new Error('the vault was closed meanwhile: nothing can be stored in it');
    }
    if (this.#protection.protected && mayPersist) {
      const { backend } = this.#protection;
      try {
        await this.#sealEntry(key, entry, backend);
        if (this.#status.state === 'memory-only') {
          await this.#sealMemory();
          this.#setProtected(backend);
        }
        return;
      } catch {
        this.#setStatus({ state: 'memory-only', reason: 'keyring-failed' });
      }
    }
    if (!mayPersist && this.#sealed.find(service, account)) await this.#sealed.remove(service, account);
  }

  /**
   * Seals everything that can be read under another layer, in one write. Rejects if the system store fails, and the entries
   * are then as they were. If the vault is closed meanwhile it stays closed: a new PIN counts all the same, and the removal
   * of one rejects.
   */
  async #changeLayer(next: PinLayer): Promise<void> {
    const begun = this.#layer;
    const renewed = new Map<SealedEntry, SealedEntry | undefined>();
    if (!this.#protection.protected && this.#sealed.list().some(({ pin }) => pin))
      throw new Error('entries under the PIN cannot be read now, and would be lost with its key');
    if (this.#protection.protected) {
      for (const entry of this.#sealed.list()) {
        const { service, account } = entry;
        if (this.entryState(service, account) === 'unreadable') {
          // Bound to another entry, so never used: it must not stay readable without the PIN.
          if (next.state === 'open' && (await this.#sealer.hasWrongBinding(entry))) renewed.set(entry, undefined);
          continue;
        }
        const { wrapped } = await this.#sealer.open(entry);
        renewed.set(
          entry,
          await this.#sealer.seal(
            service,
            account,
            this.#protection.backend,
            applyPinLayer(removePinLayer(wrapped, this.#layer), next),
          ),
        );
      }
    }
    await this.#sealed.replace(renewed);
    if (this.#layer !== begun && next.state !== 'open') {
      const before = new Map(Array.from(renewed).flatMap(([old, made]) => (made ? [[made, old] as const] : [])));
      await this.#sealed.replace(before);
      throw new Error('the vault was closed meanwhile');
    }
    for (const [key, entry] of this.#memory)
      this.#memory.set(key, { ...entry, ...applyPinLayer(removePinLayer(entry, this.#layer), next) });
    if (this.#layer === begun) this.#layer = next;
  }
}

const keyOf = (service: string, account: string): string => JSON.stringify([service, account]);
