import type { FileNotice, VaultStatus } from '../../../preload/contract/models.ts';
import { removeQuarantined } from '../../files/quarantine.ts';
import type { Cipher, Protection } from './cipher.ts';
import { EntrySealer, wrapPassword, unwrapPassword, type WrappedPassword, type PinLayer } from './entry-sealer.ts';
import { SealedEntries, type SealedEntry } from './sealed-entries.ts';

/**
 * Where one password is: `locked` means that it rests in the file and is there once the system's store opens, `unreadable`
 * that the store is open and does not give it.
 */
export type EntryState = 'absent' | 'sealed' | 'memory' | 'locked' | 'unreadable';

/** Milliseconds that the system's store is waited for before the application goes on without it. */
export const probeTimeoutMs = 3_000;

/** Returns the service under which the vault keeps what belongs to one server. */
export const vaultService = (serverId: string): string => `app.llavero.desktop/${serverId}`;

type MemoryEntry = WrappedPassword & {
  service: string;
  account: string;
  mayPersist: boolean;
  /** Tells whether it is still what was given, after a wait. */
  order: number;
  /** It is true until its turn to be sealed has come. */
  isNew: boolean;
};

type VaultOptions = {
  file: string;
  cipher: Cipher & { close?: () => void };
  onStatus?: (status: VaultStatus) => void;
  onFileNotice?: (notice: FileNotice) => void;
};

/**
 * Passwords and tokens by service and account, with keytar's four verbs. Sealed by the operating system into `file`;
 * where the system protects nothing they stay in memory and are gone when the application ends. Nothing is ever written
 * in clear, a failed read deletes nothing, and an older copy goes only when the newer one has been read back.
 */
export class Vault implements Disposable {
  readonly #file: string;
  readonly #cipher: VaultOptions['cipher'];
  readonly #onStatus: VaultOptions['onStatus'];
  readonly #sealer: EntrySealer;
  readonly #resting: SealedEntries;
  readonly #memory = new Map<string, MemoryEntry>();
  readonly #states = new Map<string, EntryState>();
  #status: VaultStatus = { state: 'asking' };
  #protection: Protection = { protected: false, reason: 'locked' };
  #layer: PinLayer = { state: 'none' };
  #opening: Promise<unknown> | undefined;
  #given = 0;
  /** An answer to an earlier question than the last one counts no more. */
  #question = 0;
  /** What seals under the PIN's layer, or changes it, follows one another: what is sealed meanwhile would be left under a lost key. */
  #sealing: Promise<unknown> = Promise.resolve();

  constructor({ file, cipher, onStatus, onFileNotice }: VaultOptions) {
    this.#file = file;
    this.#cipher = cipher;
    this.#onStatus = onStatus;
    this.#sealer = new EntrySealer(cipher);
    this.#resting = new SealedEntries(file, onFileNotice);
  }

  async getPassword(service: string, account: string): Promise<string | null> {
    const key = keyOf(service, account);
    await this.#open();
    const inMemory = this.#memory.get(key);
    if (inMemory) {
      this.#states.set(key, 'memory');
      return this.#layer.state === 'closed' && inMemory.pin ? null : unwrapPassword(inMemory, this.#layer);
    }
    const entry = this.#resting.find(service, account);
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
      const { held, shouldReEncrypt } = await this.#sealer.open(entry);
      const password = unwrapPassword(held, this.#layer);
      this.#states.set(key, 'sealed');
      if (shouldReEncrypt) await this.setPassword(service, account, password);
      return password;
    } catch {
      this.#states.set(key, 'unreadable');
      return null;
    }
  }

  /**
   * Seals and keeps a password, and resolves once it outlives a power cut. It can be read at once. When the system cannot seal it, or the file cannot be written, it is held in memory
   * and the status says so: a login that the server accepted is never thrown away (desktop/desktop#5530). With
   * `mayPersist: false` it is in memory only, whatever the system offers. Rejects while the PIN's key is not here.
   */
  async setPassword(
    service: string,
    account: string,
    password: string,
    { mayPersist = true }: { mayPersist?: boolean } = {},
  ): Promise<void> {
    const key = keyOf(service, account);
    const order = ++this.#given;
    this.#memory.set(key, { ...wrapPassword(password, this.#layer), service, account, mayPersist, order, isNew: true });
    this.#states.set(key, 'memory');
    await (mayPersist ? this.#prove() : this.#open());
    await this.#inTurn(() => this.#keep(key, order));
  }

  /** Removes a password, and answers whether there was one. It needs no key, since it opens nothing. */
  async deletePassword(service: string, account: string): Promise<boolean> {
    const key = keyOf(service, account);
    await this.#open();
    const held = this.#memory.delete(key);
    this.#states.delete(key);
    if (!this.#resting.find(service, account)) return held;
    await this.#resting.remove(service, account);
    if (this.#status.state === 'protected') this.#tellProtected(this.#status.backend);
    return true;
  }

  /** Removes what rests under these names. It opens nothing, and asks no keyring. */
  async removeAll(isGone: (service: string, account: string) => boolean): Promise<void> {
    await this.#resting.read();
    const gone = this.#resting.list().filter(({ service, account }) => isGone(service, account));
    await this.#resting.replace(new Map(gone.map((entry) => [entry, undefined])));
  }

  /** Returns every readable entry of a service. The unreadable ones stay where they are. */
  async findCredentials(service: string): Promise<{ account: string; password: string }[]> {
    await this.#open();
    const accounts = new Set(
      this.#resting
        .list()
        .filter((entry) => entry.service === service)
        .map(({ account }) => account),
    );
    for (const held of this.#memory.values()) if (held.service === service) accounts.add(held.account);
    const found: { account: string; password: string }[] = [];
    for (const account of accounts) {
      const password = await this.getPassword(service, account);
      if (password !== null) found.push({ account, password });
    }
    return found;
  }

  /** Says what the last call for this entry found, which tells `absent` from `unreadable` after a null. */
  entryState(service: string, account: string): EntryState {
    return this.#states.get(keyOf(service, account)) ?? 'absent';
  }

  status(): VaultStatus {
    return this.#status;
  }

  /** Looks whether something rests, and asks the system if so: the badge tells the truth before the first login. */
  async open(): Promise<VaultStatus> {
    await this.#open();
    return this.#status;
  }

  /** Asks the system again: a keyring may have been unlocked meanwhile. */
  async retry(): Promise<VaultStatus> {
    this.#tell({ state: 'asking' });
    this.#opening = this.#ask();
    await this.#opening;
    return this.#status;
  }

  /** Removes everything, readable or not, with every copy of the file and what was ever set aside of it. */
  async clear(): Promise<void> {
    await this.#resting.read();
    this.#memory.clear();
    this.#states.clear();
    await this.#resting.clear();
    if (this.#status.state === 'protected') this.#tellProtected(this.#status.backend);
  }

  /** Whether a PIN is set and was not typed yet. It seals each entry before the system does. */
  isPinClosed(): boolean {
    return this.#layer.state === 'closed';
  }

  /** Forgets the PIN's key: from now on nothing that is under it can be read or added. */
  closePin(): void {
    if (this.#layer.state === 'open') this.#layer.key.fill(0);
    this.#layer = { state: 'closed' };
  }

  /** Opens what is under the PIN. What an interrupted change of the PIN left is put under it now, too. */
  async openPin(key: Buffer): Promise<void> {
    this.#layer = { state: 'open', key };
    await this.#inTurn(async () =>
      this.#protection.protected ? this.#renewEntries(this.#protection.backend) : undefined,
    );
  }

  /** Begins or, without a key, ends that every entry is under a PIN. Nothing may be closed meanwhile. */
  async setPin(key: Buffer | undefined): Promise<void> {
    await this.#open();
    // What was set aside is damaged, and in it are entries that no PIN would cover.
    if (key) await removeQuarantined(this.#file);
    await this.#inTurn(() => this.#renewLayer(key ? { state: 'open', key } : { state: 'none' }));
  }

  /** Takes note that the PIN's key is lost for good, and with it what is under it. */
  dropPin(): void {
    this.#layer = { state: 'none' };
  }

  /** Resolves once the copy of the file is made, too. */
  settled(): Promise<void> {
    return this.#resting.settled();
  }

  /** Ends a question to the system that is still open. */
  [Symbol.dispose](): void {
    this.#cipher.close?.();
  }

  #tell(next: VaultStatus): void {
    if (JSON.stringify(next) === JSON.stringify(this.#status)) return;
    this.#status = next;
    this.#onStatus?.(next);
  }

  /** `work` must not wait for {@link #open}, which may itself wait for its turn here. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#sealing.then(work);
    this.#sealing = next.catch(() => undefined);
    return next;
  }

  /** Asks the system once, and waits no longer than {@link probeTimeoutMs}. A later answer still counts. */
  #prove(): Promise<unknown> {
    this.#opening ??= this.#ask();
    return this.#opening;
  }

  /**
   * Asks the system when something rests, or when nobody would notice. A keyring may want a password of the person, or a
   * new one, so it is left alone until there is something to keep (electron/electron#51981).
   */
  async #open(): Promise<unknown> {
    await this.#resting.read();
    if (this.#opening || !this.#resting.isEmpty() || this.#cipher.neverPrompts()) return this.#prove();
    return this.#tell({ state: 'not-asked' });
  }

  async #ask(): Promise<void> {
    const own = ++this.#question;
    if (this.#status.state === 'not-asked') this.#tell({ state: 'asking' });
    const probing = this.#cipher.probe();
    // However long the store is waited for: nobody may take an entry that was not read yet for absent.
    await this.#resting.read();
    const settled = probing.then((found) => (own === this.#question ? this.#settle(found) : undefined));
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      if (own === this.#question && this.#status.state === 'asking') this.#tell({ state: 'locked' });
      waited.resolve();
    }, probeTimeoutMs);
    await Promise.race([settled, waited.promise]);
    clearTimeout(timer);
  }

  async #settle(found: Protection): Promise<void> {
    this.#protection = this.#resting.isRead() ? found : { protected: false, reason: 'keyring-failed' };
    if (!this.#resting.isRead()) {
      this.#tell({ state: 'memory-only', reason: 'file-unreadable' });
    } else if (found.protected) {
      await this.#inTurn(async () => {
        await this.#renewEntries(found.backend);
        await this.#restMemory();
      });
      this.#tellProtected(found.backend);
    } else {
      this.#tell(found.reason === 'locked' ? { state: 'locked' } : { state: 'memory-only', reason: found.reason });
    }
  }

  #tellProtected(backend: string): void {
    const lost = this.#resting
      .list()
      .filter(({ service, account }) => this.entryState(service, account) === 'unreadable');
    const before = [...new Set(lost.map((entry) => entry.backend))].filter((each) => each !== backend);
    this.#tell({ state: 'protected', backend, unreadable: lost.length, before });
  }

  /** Reads every entry once, to know those that are lost, and seals again what another store, or no PIN, sealed. */
  async #renewEntries(backend: string): Promise<void> {
    const renewed = new Map<SealedEntry, SealedEntry>();
    for (const entry of this.#resting.list()) {
      const { service, account } = entry;
      try {
        const { held, shouldReEncrypt } = await this.#sealer.open(entry);
        const password = this.#layer.state === 'closed' ? undefined : unwrapPassword(held, this.#layer);
        this.#states.set(keyOf(service, account), 'sealed');
        if (password === undefined) continue;
        if (shouldReEncrypt || entry.backend !== backend || entry.pin !== (this.#layer.state === 'open'))
          renewed.set(entry, await this.#sealer.seal(service, account, backend, wrapPassword(password, this.#layer)));
      } catch {
        // An entry that could be read and not be sealed again stayed as it was, too.
        if (this.entryState(service, account) !== 'sealed') this.#states.set(keyOf(service, account), 'unreadable');
      }
    }
    await this.#resting.replace(renewed).catch(() => undefined);
  }

  /** Puts what was held because the store was not there where it belongs. */
  async #restMemory(): Promise<void> {
    for (const [key, entry] of this.#memory) {
      if (!this.#protection.protected || !entry.mayPersist || entry.isNew) continue;
      try {
        await this.#rest(key, entry, this.#protection.backend);
      } catch {
        return;
      }
    }
  }

  /** Seals what is in memory, which it leaves once it rests. What is removed meanwhile does not rest. */
  async #rest(key: string, { service, account, pin, content, order }: MemoryEntry, backend: string): Promise<void> {
    const sealed = await this.#sealer.seal(service, account, backend, { pin, content });
    if (this.#memory.get(key)?.order !== order) return;
    await this.#resting.put(sealed);
    const now = this.#memory.get(key);
    if (now?.order === order) {
      this.#memory.delete(key);
      this.#states.set(key, 'sealed');
    } else if (!now) await this.#resting.remove(service, account);
  }

  async #keep(key: string, order: number): Promise<void> {
    const entry = this.#memory.get(key);
    // It was removed, or replaced, or rests already.
    if (entry?.order !== order) return;
    const { service, account, mayPersist } = entry;
    this.#memory.set(key, { ...entry, isNew: false });
    if (this.#layer.state === 'closed') {
      this.#memory.delete(key);
      this.#states.delete(key);
      throw new Error('the vault was closed meanwhile: nothing can be kept in it');
    }
    if (this.#protection.protected && mayPersist) {
      const { backend } = this.#protection;
      try {
        await this.#rest(key, entry, backend);
        if (this.#status.state === 'memory-only') {
          await this.#restMemory();
          this.#tellProtected(backend);
        }
        return;
      } catch {
        this.#tell({ state: 'memory-only', reason: 'keyring-failed' });
      }
    }
    if (!mayPersist && this.#resting.find(service, account)) await this.#resting.remove(service, account);
  }

  /**
   * Puts everything that can be read under another layer: all of the file at once, or nothing of it. It rejects when
   * the system's store fails meanwhile, and the entries are then as they were. When it is closed meanwhile it stays
   * closed: a new PIN covers everything all the same, and the removal of one rejects.
   */
  async #renewLayer(next: PinLayer): Promise<void> {
    const begun = this.#layer;
    const renewed = new Map<SealedEntry, SealedEntry | undefined>();
    if (!this.#protection.protected && this.#resting.list().some(({ pin }) => pin))
      throw new Error('entries under the PIN cannot be read now, and would be lost with its key');
    if (this.#protection.protected) {
      for (const entry of this.#resting.list()) {
        const { service, account } = entry;
        if (this.entryState(service, account) === 'unreadable') {
          // One that is never used must not be what can be read without the PIN.
          if (next.state === 'open' && (await this.#sealer.hasWrongBinding(entry))) renewed.set(entry, undefined);
          continue;
        }
        const { held } = await this.#sealer.open(entry);
        renewed.set(
          entry,
          await this.#sealer.seal(
            service,
            account,
            this.#protection.backend,
            wrapPassword(unwrapPassword(held, this.#layer), next),
          ),
        );
      }
    }
    await this.#resting.replace(renewed);
    if (this.#layer !== begun && next.state !== 'open') {
      const before = new Map(Array.from(renewed).flatMap(([old, made]) => (made ? [[made, old] as const] : [])));
      await this.#resting.replace(before);
      throw new Error('the vault was closed meanwhile');
    }
    for (const [key, entry] of this.#memory)
      this.#memory.set(key, { ...entry, ...wrapPassword(unwrapPassword(entry, this.#layer), next) });
    if (this.#layer === begun) this.#layer = next;
  }
}

const keyOf = (service: string, account: string): string => JSON.stringify([service, account]);
