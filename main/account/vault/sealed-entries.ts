import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { FileNotice } from '../../../preload/contract/models.ts';
import {
  validateJson,
  writeBackup,
  backupPathOf,
  openRecoverableFile,
  removeWithBackup,
  type FileValidity,
} from '../../files/recoverable-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';

const version = 1;

/** A sealed password. `backend` is the system store that sealed it, which tells a changed keyring from a damaged entry. */
const SealedEntry = z.strictObject({
  service: z.string(),
  account: z.string(),
  backend: z.string(),
  /** The ciphertext, in base64. */
  sealed: z.base64(),
  /** Whether the password is sealed with the key of the PIN before the system seals it. */
  pin: z.boolean().default(false),
});
export type SealedEntry = z.infer<typeof SealedEntry>;

/** Strict, so that damage to a name is detected. No two entries have the same name. */
const VaultFile = z
  .strictObject({
    version: z.literal(version),
    entries: z.array(SealedEntry),
    /** Of the entries: some system stores decrypt damaged bytes to another text without an error. */
    checksum: z.string(),
  })
  .refine(({ entries }) => new Set(entries.map(nameOf)).size === entries.length);

const nameOf = ({ service, account }: SealedEntry): string => JSON.stringify([service, account]);

const checksumOf = (entries: SealedEntry[]): string => hash('sha256', JSON.stringify(entries));

/** Reads `vault.json`. A damaged one is restored from its backup or quarantined, with a notice. Rejects if it cannot be read. */
async function readVaultFile(
  file: string,
  onNotice: (notice: FileNotice) => void = () => undefined,
): Promise<SealedEntry[]> {
  const { text, problem, kept: quarantinedAs } = await openRecoverableFile(file, validate);
  if (problem) onNotice({ file: 'vault.json', problem, quarantinedAs });
  if (problem === 'unreadable') throw new Error(`vault.json is ${problem}`);
  return text === undefined ? [] : VaultFile.parse(JSON.parse(text)).entries;
}

const serialize = (entries: SealedEntry[]): string =>
  JSON.stringify({ version, entries, checksum: checksumOf(entries) } satisfies z.infer<typeof VaultFile>);

/** If the backup cannot be written, the old one is removed, since it could have an entry that was just deleted. */
const updateBackup = (file: string, text: string): Promise<void> =>
  writeBackup(file, text).catch(() => rm(backupPathOf(file), { force: true }));

const validate = (text: string): FileValidity =>
  validateJson(text, version, (content) => {
    const { success, data } = VaultFile.safeParse(content);
    const isWhole = success && data.checksum === checksumOf(data.entries);
    return isWhole ? 'whole' : 'broken';
  });

/** The entries of `vault.json`, which is read once. A change rejects unless it is in the file. */
export class SealedEntries {
  readonly #file: string;
  readonly #onFileNotice: ((notice: FileNotice) => void) | undefined;
  #entries: SealedEntry[] | undefined;
  /** Writes run one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(file: string, onFileNotice: ((notice: FileNotice) => void) | undefined) {
    this.#file = file;
    this.#onFileNotice = onFileNotice;
  }

  async read(): Promise<void> {
    if (this.#entries) return;
    const read = await readVaultFile(this.#file, this.#onFileNotice).catch(() => undefined);
    this.#entries ??= read;
  }

  /** False if the file exists and cannot be read: it must not be overwritten. */
  isRead(): boolean {
    return this.#entries !== undefined;
  }

  isEmpty(): boolean {
    return this.#entries?.length === 0;
  }

  list(): readonly SealedEntry[] {
    return this.#entries ?? [];
  }

  find(service: string, account: string): SealedEntry | undefined {
    return this.#entries?.find(isFor(service, account));
  }

  /** Resolves once the entry is synced to the disk. The backup is written after that. */
  async put(entry: SealedEntry): Promise<void> {
    const isOther = (each: SealedEntry): boolean => !isFor(entry.service, entry.account)(each);
    await this.#save((current) => [...current.filter(isOther), entry]).written;
  }

  async remove(service: string, account: string): Promise<void> {
    await this.#save((current) => current.filter((each) => !isFor(service, account)(each))).backedUp;
  }

  /** Replaces entries; undefined removes one. */
  async replace(some: ReadonlyMap<SealedEntry, SealedEntry | undefined>): Promise<void> {
    if (some.size === 0) return;
    await this.#save((current) => current.flatMap((entry) => (some.has(entry) ? (some.get(entry) ?? []) : entry)))
      .backedUp;
  }

  /** Removes the file, even an unreadable one, its backup and all quarantined versions. */
  async clear(): Promise<void> {
    await this.#enqueue(async () => {
      try {
        await removeWithBackup(this.#file);
        this.#entries = [];
      } catch (error) {
        // A folder of that name, for example, has no entries to remove.
        if (this.#entries) throw error;
      }
    });
  }

  /** Resolves once nothing is being written. */
  async settled(): Promise<void> {
    await this.#queue;
  }

  #enqueue(work: () => Promise<void>): Promise<void> {
    const next = this.#queue.then(work);
    this.#queue = next.catch(() => undefined);
    return next;
  }

  #save(change: (current: SealedEntry[]) => SealedEntry[]): { written: Promise<void>; backedUp: Promise<void> } {
    let text = '';
    const written = this.#enqueue(async () => {
      const changed = change(this.#entries ?? []);
      text = serialize(changed);
      await writeAtomically(this.#file, text);
      this.#entries = changed;
    });
    const backedUp = this.#enqueue(async () => {
      await written;
      await updateBackup(this.#file, text);
    });
    // A caller that awaits `written` alone gets its rejection there.
    backedUp.catch(() => undefined);
    return { written, backedUp };
  }
}

const isFor = (service: string, account: string) => (entry: SealedEntry) =>
  entry.service === service && entry.account === account;
