import { hash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { z } from 'zod';
import type { FileNotice } from '../../preload/contract/models.ts';
import { judgeJson, keepLastGood, lastGoodOf, openKept, type Judgement } from '../files/kept-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

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
export async function readVaultFile(
  file: string,
  tell: (notice: FileNotice) => void = () => undefined,
): Promise<SealedEntry[]> {
  const { text, problem, kept } = await openKept(file, judge);
  if (problem) tell({ file: 'vault.json', problem, kept });
  if (problem === 'unreadable') throw new Error(`vault.json is ${problem}`);
  return text === undefined ? [] : VaultFile.parse(JSON.parse(text)).entries;
}

/** Rejects when it cannot be written. A last good copy of before then goes too, which could hold what was just removed. */
export async function writeVaultFile(file: string, entries: SealedEntry[]): Promise<void> {
  const content: z.infer<typeof VaultFile> = { version, entries, checksum: checksumOf(entries) };
  const text = JSON.stringify(content);
  await writeAtomically(file, text);
  await keepLastGood(file, text).catch(() => rm(lastGoodOf(file), { force: true }));
}

const judge = (text: string): Judgement =>
  judgeJson(text, version, (content) => {
    const { success, data } = VaultFile.safeParse(content);
    const isWhole = success && data.checksum === checksumOf(data.entries);
    return isWhole ? 'whole' : 'broken';
  });
