import type { FileNotice } from '../../preload/contract/models.ts';
import { removeKept } from '../files/kept-file.ts';
import { readVaultFile, writeVaultFile, type SealedEntry } from './vault-file.ts';

/** Keeps the entries of `vault.json`, which is read once. A change is in the file before it counts, or rejects. */
export function createRestingEntries(file: string, onFileNotice: ((notice: FileNotice) => void) | undefined) {
  let entries: SealedEntry[] | undefined;
  /** Changes follow one another, so that two of them never race for the file. */
  let writing: Promise<unknown> = Promise.resolve();

  function inTurn(work: () => Promise<void>): Promise<void> {
    const next = writing.then(work);
    writing = next.catch(() => undefined);
    return next;
  }

  const save = (change: (current: SealedEntry[]) => SealedEntry[]): Promise<void> =>
    inTurn(async () => {
      const changed = change(entries ?? []);
      await writeVaultFile(file, changed);
      entries = changed;
    });

  const isFor = (service: string, account: string) => (entry: SealedEntry) =>
    entry.service === service && entry.account === account;

  return {
    async read(): Promise<void> {
      if (entries) return;
      const read = await readVaultFile(file, onFileNotice).catch(() => undefined);
      entries ??= read;
    },
    /** Answers false for a file that is there and cannot be read, which must not be written over either. */
    isRead: () => entries !== undefined,
    holdsNothing: () => entries?.length === 0,
    list: (): readonly SealedEntry[] => entries ?? [],
    find: (service: string, account: string) => entries?.find(isFor(service, account)),

    put: (entry: SealedEntry) =>
      save((current) => [...current.filter((each) => !isFor(entry.service, entry.account)(each)), entry]),
    remove: (service: string, account: string) =>
      save((current) => current.filter((each) => !isFor(service, account)(each))),
    /** Puts other entries in the place of some; undefined removes one. */
    async replace(some: ReadonlyMap<SealedEntry, SealedEntry | undefined>): Promise<void> {
      if (some.size === 0) return;
      await save((current) => current.flatMap((entry) => (some.has(entry) ? (some.get(entry) ?? []) : entry)));
    },
    /** Removes the file, even one that could not be read, and everything that was ever set aside of it. */
    clear: () =>
      inTurn(async () => {
        try {
          await removeKept(file);
          entries = [];
        } catch (error) {
          // What is there instead of the file, such as a folder, holds nothing of ours.
          if (entries) throw error;
        }
      }),
  };
}
