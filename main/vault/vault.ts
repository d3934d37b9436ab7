import type { FileNotice, VaultStatus } from '../../preload/contract/models.ts';
import { removeAside } from '../files/set-aside.ts';
import type { Cipher, Protection } from './cipher.ts';
import { createEntrySealer, hold, reveal, type Held, type PinLayer } from './sealed-entry.ts';
import { createRestingEntries } from './resting-entries.ts';
import type { SealedEntry } from './vault-file.ts';

/**
 * Where one password is: `locked` means that it rests in the file and is there once the system's store opens, `unreadable`
 * that the store is open and does not give it.
 */
export type EntryState = 'absent' | 'sealed' | 'memory' | 'locked' | 'unreadable';

/** Milliseconds that the system's store is waited for before the application goes on without it. */
export const patienceMs = 3_000;

/** Returns the service under which the vault keeps what belongs to one server. */
export const vaultService = (serverId: string): string => `app.llavero.desktop/${serverId}`;

export type Vault = ReturnType<typeof createVault>;

type MemoryEntry = Held & { service: string; account: string; mayRest: boolean };

/**
 * Passwords and tokens by service and account, with keytar's four verbs. Sealed by the operating system into `file`;
 * where the system protects nothing they stay in memory and are gone when the application ends. Nothing is ever written
 * in clear, a failed read deletes nothing, and an older copy goes only when the newer one has been read back.
 */
// oxlint-disable-next-line eslint/max-lines-per-function -- What is held, the store and the PIN change each other: the vault is left as it was proved.
export function createVault(options: {
  file: string;
  cipher: Cipher;
  onStatus?: (status: VaultStatus) => void;
  onFileNotice?: (notice: FileNotice) => void;
}) {
  const { file, cipher, onStatus, onFileNotice } = options;
  const { sealed, unsealed, isOutOfPlace } = createEntrySealer(cipher);
  const resting = createRestingEntries(file, onFileNotice);
  const memory = new Map<string, MemoryEntry>();
  const states = new Map<string, EntryState>();
  let status: VaultStatus = { state: 'asking' };
  let protection: Protection = { protected: false, reason: 'locked' };
  let layer: PinLayer = { state: 'none' };
  let opening: Promise<unknown> | undefined;
  /** An answer to an earlier question than the last one counts no more. */
  let question = 0;
  /** What seals under the PIN's layer, or changes it, follows one another: what is sealed meanwhile would be left under a lost key. */
  let sealing: Promise<unknown> = Promise.resolve();

  const keyOf = (service: string, account: string): string => JSON.stringify([service, account]);

  function tell(next: VaultStatus): void {
    if (JSON.stringify(next) === JSON.stringify(status)) return;
    status = next;
    onStatus?.(next);
  }

  /** `work` must not wait for {@link open}, which may itself wait for its turn here. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = sealing.then(work);
    sealing = next.catch(() => undefined);
    return next;
  }

  /** Asks the system once, and waits no longer than {@link patienceMs}. A later answer still counts. */
  function prove(): Promise<unknown> {
    opening ??= ask();
    return opening;
  }

  /**
   * Asks the system when something rests, or when nobody would notice. A keyring may want a password of the person, or a
   * new one, so it is left alone until there is something to keep (electron/electron#51981).
   */
  async function open(): Promise<unknown> {
    await resting.read();
    if (opening || !resting.holdsNothing() || cipher.asksNobody()) return prove();
    return tell({ state: 'not-asked' });
  }

  async function ask(): Promise<void> {
    const own = ++question;
    if (status.state === 'not-asked') tell({ state: 'asking' });
    const probing = cipher.probe();
    // However long the store is waited for: nobody may take an entry that was not read yet for absent.
    await resting.read();
    const settled = probing.then((found) => (own === question ? settle(found) : undefined));
    const waited = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      if (own === question && status.state === 'asking') tell({ state: 'locked' });
      waited.resolve();
    }, patienceMs);
    await Promise.race([settled, waited.promise]);
    clearTimeout(timer);
  }

  async function settle(found: Protection): Promise<void> {
    protection = resting.isRead() ? found : { protected: false, reason: 'keyring-failed' };
    if (!resting.isRead()) {
      tell({ state: 'memory-only', reason: 'file-unreadable' });
    } else if (found.protected) {
      await inTurn(async () => {
        await renewEntries(found.backend);
        await restMemory();
      });
      tellProtected(found.backend);
    } else {
      tell(found.reason === 'locked' ? { state: 'locked' } : { state: 'memory-only', reason: found.reason });
    }
  }

  function tellProtected(backend: string): void {
    const lost = resting.list().filter(({ service, account }) => stateOf(service, account) === 'unreadable');
    const before = [...new Set(lost.map((entry) => entry.backend))].filter((each) => each !== backend);
    tell({ state: 'protected', backend, unreadable: lost.length, before });
  }

  const stateOf = (service: string, account: string): EntryState => states.get(keyOf(service, account)) ?? 'absent';

  /** Reads every entry once, to know those that are lost, and seals anew what another store, or no PIN, sealed. */
  async function renewEntries(backend: string): Promise<void> {
    const renewed = new Map<SealedEntry, SealedEntry>();
    for (const entry of resting.list()) {
      const { service, account } = entry;
      try {
        const { held, shouldReEncrypt } = await unsealed(entry);
        const password = layer.state === 'closed' ? undefined : reveal(held, layer);
        states.set(keyOf(service, account), 'sealed');
        if (password === undefined) continue;
        if (shouldReEncrypt || entry.backend !== backend || entry.pin !== (layer.state === 'open'))
          renewed.set(entry, await sealed(service, account, backend, hold(password, layer)));
      } catch {
        // An entry that could be read and not be sealed anew stayed as it was, too.
        if (stateOf(service, account) !== 'sealed') states.set(keyOf(service, account), 'unreadable');
      }
    }
    await resting.replace(renewed).catch(() => undefined);
  }

  /** Puts what was held because the store was not there where it belongs. */
  async function restMemory(): Promise<void> {
    for (const [key, { service, account, mayRest, pin, content }] of memory) {
      if (!protection.protected || !mayRest) continue;
      try {
        const entry = await sealed(service, account, protection.backend, { pin, content });
        await resting.put(entry);
        memory.delete(key);
        states.set(key, 'sealed');
      } catch {
        return;
      }
    }
  }

  async function getPassword(service: string, account: string): Promise<string | null> {
    const key = keyOf(service, account);
    await open();
    const inMemory = memory.get(key);
    if (inMemory) {
      states.set(key, 'memory');
      return layer.state === 'closed' && inMemory.pin ? null : reveal(inMemory, layer);
    }
    const entry = resting.find(service, account);
    if (!entry) {
      states.set(key, 'absent');
      return null;
    }
    if (!protection.protected || layer.state === 'closed') {
      states.set(key, status.state === 'locked' || layer.state === 'closed' ? 'locked' : 'unreadable');
      return null;
    }
    try {
      const { held, shouldReEncrypt } = await unsealed(entry);
      const password = reveal(held, layer);
      states.set(key, 'sealed');
      if (shouldReEncrypt) await setPassword(service, account, password);
      return password;
    } catch {
      states.set(key, 'unreadable');
      return null;
    }
  }

  /**
   * Seals and keeps a password. When the system cannot seal it, or the file cannot be written, it is held in memory
   * and the status says so: a login that the server accepted is never thrown away (desktop/desktop#5530). With
   * `mayRest: false` it is in memory only, whatever the system offers. Rejects while the PIN's key is not here.
   */
  async function setPassword(
    service: string,
    account: string,
    password: string,
    { mayRest = true }: { mayRest?: boolean } = {},
  ): Promise<void> {
    await (mayRest ? prove() : open());
    await inTurn(() => keep(service, account, password, mayRest));
  }

  async function keep(service: string, account: string, password: string, mayRest: boolean): Promise<void> {
    const key = keyOf(service, account);
    const held = hold(password, layer);
    if (protection.protected && mayRest) {
      const { backend } = protection;
      try {
        const entry = await sealed(service, account, backend, held);
        await resting.put(entry);
        memory.delete(key);
        states.set(key, 'sealed');
        if (status.state === 'memory-only') {
          await restMemory();
          tellProtected(backend);
        }
        return;
      } catch {
        tell({ state: 'memory-only', reason: 'keyring-failed' });
      }
    }
    memory.set(key, { ...held, service, account, mayRest });
    states.set(key, 'memory');
    if (!mayRest && resting.find(service, account)) await resting.remove(service, account);
  }

  /** Removes a password, and answers whether there was one. It needs no key, since it opens nothing. */
  async function deletePassword(service: string, account: string): Promise<boolean> {
    const key = keyOf(service, account);
    await open();
    const held = memory.delete(key);
    states.delete(key);
    if (!resting.find(service, account)) return held;
    await resting.remove(service, account);
    if (status.state === 'protected') tellProtected(status.backend);
    return true;
  }

  /** Returns every readable entry of a service. The unreadable ones stay where they are. */
  async function findCredentials(service: string): Promise<{ account: string; password: string }[]> {
    await open();
    const accounts = new Set(
      resting
        .list()
        .filter((entry) => entry.service === service)
        .map(({ account }) => account),
    );
    for (const held of memory.values()) if (held.service === service) accounts.add(held.account);
    const found: { account: string; password: string }[] = [];
    for (const account of accounts) {
      const password = await getPassword(service, account);
      if (password !== null) found.push({ account, password });
    }
    return found;
  }

  /**
   * Puts everything that can be read under another layer: all of the file at once, or nothing of it. It rejects when
   * the system's store fails meanwhile, and the entries are then as they were. When it is closed meanwhile it stays
   * closed: a new PIN covers everything all the same, and the removal of one rejects.
   */
  async function renewLayer(next: PinLayer): Promise<void> {
    const begun = layer;
    const renewed = new Map<SealedEntry, SealedEntry | undefined>();
    if (!protection.protected && resting.list().some(({ pin }) => pin))
      throw new Error('entries under the PIN cannot be read now, and would be lost with its key');
    if (protection.protected) {
      for (const entry of resting.list()) {
        const { service, account } = entry;
        if (stateOf(service, account) === 'unreadable') {
          // One that is never used must not be what can be read without the PIN.
          if (next.state === 'open' && (await isOutOfPlace(entry))) renewed.set(entry, undefined);
          continue;
        }
        const { held } = await unsealed(entry);
        renewed.set(entry, await sealed(service, account, protection.backend, hold(reveal(held, layer), next)));
      }
    }
    await resting.replace(renewed);
    if (layer !== begun && next.state !== 'open') {
      const before = new Map(Array.from(renewed).flatMap(([old, made]) => (made ? [[made, old] as const] : [])));
      await resting.replace(before);
      throw new Error('the vault was closed meanwhile');
    }
    for (const [key, entry] of memory) memory.set(key, { ...entry, ...hold(reveal(entry, layer), next) });
    if (layer === begun) layer = next;
  }

  return {
    getPassword,
    setPassword,
    deletePassword,
    findCredentials,
    /** Says what the last call for this entry found, which tells `absent` from `unreadable` after a null. */
    entryState: stateOf,
    status: () => status,
    /** Looks whether something rests, and asks the system if so: the badge tells the truth before the first login. */
    open: async () => {
      await open();
      return status;
    },
    /** Asks the system again: a keyring may have been unlocked meanwhile. */
    async retry(): Promise<VaultStatus> {
      tell({ state: 'asking' });
      opening = ask();
      await opening;
      return status;
    },
    /** Removes everything, readable or not, with every copy of the file and what was ever set aside of it. */
    async clear(): Promise<void> {
      await resting.read();
      memory.clear();
      states.clear();
      await resting.clear();
      if (status.state === 'protected') tellProtected(status.backend);
    },
    /** This is a second seal within that of the system, with a key that only a PIN gives. */
    pin: {
      isClosed: () => layer.state === 'closed',
      /** Forgets the key: from now on nothing that is under it can be read or added. */
      close(): void {
        if (layer.state === 'open') layer.key.fill(0);
        layer = { state: 'closed' };
      },
      /** Opens the layer. What an interrupted change of the PIN left is put under it now, too. */
      async open(key: Buffer): Promise<void> {
        layer = { state: 'open', key };
        await inTurn(async () => (protection.protected ? renewEntries(protection.backend) : undefined));
      },
      /** Begins or, without a key, ends that every entry is under a PIN. Nothing may be closed meanwhile. */
      async set(key: Buffer | undefined): Promise<void> {
        await open();
        // What was set aside is damaged, and in it are entries that no PIN would cover.
        if (key) await removeAside(file);
        await inTurn(() => renewLayer(key ? { state: 'open', key } : { state: 'none' }));
      },
      /** Takes note that the key is lost for good, and with it what is under it. */
      drop(): void {
        layer = { state: 'none' };
      },
    },
  };
}
