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

/** One sealed password. `backend` is the system store that sealed it, to tell a changed keyring from a broken entry. */
const SealedEntry = z.strictObject({
  service: z.string(),
  account: z.string(),
  backend: z.string(),
  /** The ciphertext, in base64. */
  sealed: z.base64(),
  /** Whether what the system seals is itself sealed with the key that only the PIN gives. */
  pin: z.boolean().default(false),
});
export type SealedEntry = z.infer<typeof SealedEntry>;

/** It is strict, so that a changed name is seen. Two entries of one name were never written here. */
const VaultFile = z
  .strictObject({
    version: z.literal(version),
    entries: z.array(SealedEntry),
    /** The checksum of the entries: some system stores open damaged bytes to another text without a word. */
    checksum: z.string(),
  })
  .refine(({ entries }) => new Set(entries.map(nameOf)).size === entries.length);

const nameOf = ({ service, account }: SealedEntry): string => JSON.stringify([service, account]);

const checksumOf = (entries: SealedEntry[]): string => hash('sha256', JSON.stringify(entries));

/**
 * Reads `vault.json`. A missing file is an empty vault; a damaged one is put back from its last good copy or set aside,
 * and told. It rejects when the file cannot be read at all.
 */
async function readVaultFile(
  file: string,
  tell: (notice: FileNotice) => void = () => undefined,
): Promise<SealedEntry[]> {
  const { text, problem, kept: quarantinedAs } = await openRecoverableFile(file, judge);
  if (problem) tell({ file: 'vault.json', problem, quarantinedAs });
  if (problem === 'unreadable') throw new Error(`vault.json is ${problem}`);
  return text === undefined ? [] : VaultFile.parse(JSON.parse(text)).entries;
}

const textOf = (entries: SealedEntry[]): string =>
  JSON.stringify({ version, entries, checksum: checksumOf(entries) } satisfies z.infer<typeof VaultFile>);

/** Where the copy cannot be made, the one that is there goes, since it could hold what was just removed. */
const renewCopy = (file: string, text: string): Promise<void> =>
  writeBackup(file, text).catch(() => rm(backupPathOf(file), { force: true }));

const judge = (text: string): FileValidity =>
  validateJson(text, version, (content) => {
    const { success, data } = VaultFile.safeParse(content);
    const isWhole = success && data.checksum === checksumOf(data.entries);
    return isWhole ? 'whole' : 'broken';
  });

/** The entries of `vault.json`, which is read once. A change is in the file before it counts, or rejects. */
export class SealedEntries {
  readonly #file: string;
  readonly #onFileNotice: ((notice: FileNotice) => void) | undefined;
  #entries: SealedEntry[] | undefined;
  /** Changes follow one another, so that two of them never race for the file. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(file: string, onFileNotice: ((notice: FileNotice) => void) | undefined) {
    this.#file = file;
    this.#onFileNotice = onFileNotice;
  }

  async read(): Promise<void> {
    if (this.#entries) return;
    const read = await readVaultFile(this.#file, this.#onFileNotice).catch(() => undefined);
    this.#entries ??= read;
  }

  /** Answers false for a file that is there and cannot be read, which must not be written over either. */
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

  /** Resolves once the entry outlives a power cut. The copy of the file is made after that. */
  async put(entry: SealedEntry): Promise<void> {
    const isOther = (each: SealedEntry): boolean => !isFor(entry.service, entry.account)(each);
    await this.#save((current) => [...current.filter(isOther), entry]).written;
  }

  async remove(service: string, account: string): Promise<void> {
    await this.#save((current) => current.filter((each) => !isFor(service, account)(each))).copied;
  }

  /** Puts other entries in the place of some; undefined removes one. */
  async replace(some: ReadonlyMap<SealedEntry, SealedEntry | undefined>): Promise<void> {
    if (some.size === 0) return;
    await this.#save((current) => current.flatMap((entry) => (some.has(entry) ? (some.get(entry) ?? []) : entry)))
      .copied;
  }

  /** Removes the file, even one that could not be read, and everything that was ever set aside of it. */
  async clear(): Promise<void> {
    await this.#inTurn(async () => {
      try {
        await removeWithBackup(this.#file);
        this.#entries = [];
      } catch (error) {
        // What is there instead of the file, such as a folder, holds nothing of ours.
        if (this.#entries) throw error;
      }
    });
  }

  /** Resolves once nothing is being written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const next = this.#writing.then(work);
    this.#writing = next.catch(() => undefined);
    return next;
  }

  #save(change: (current: SealedEntry[]) => SealedEntry[]): { written: Promise<void>; copied: Promise<void> } {
    let text = '';
    const written = this.#inTurn(async () => {
      const changed = change(this.#entries ?? []);
      text = textOf(changed);
      await writeAtomically(this.#file, text);
      this.#entries = changed;
    });
    const copied = this.#inTurn(async () => {
      await written;
      await renewCopy(this.#file, text);
    });
    // Who waits for the write alone is told by that.
    copied.catch(() => undefined);
    return { written, copied };
  }
}

const isFor = (service: string, account: string) => (entry: SealedEntry) =>
  entry.service === service && entry.account === account;
