import { hash } from 'node:crypto';
import { z } from 'zod';
import type { FileNotice } from '../../preload/contract/models.ts';
import { judgeJson, keepLastGood, openKept, type Judgement } from '../files/kept-file.ts';
import { writeAtomically } from '../files/write-atomically.ts';

const version = 1;

/** One sealed password. `backend` is the system store that sealed it, to tell a changed keyring from a broken entry. */
const SealedEntry = z.strictObject({
  service: z.string(),
  account: z.string(),
  backend: z.string(),
  /** Ciphertext, base64. */
  sealed: z.base64(),
  /** What the system seals is itself sealed with the key that only the PIN gives. */
  pin: z.boolean().default(false),
});
export type SealedEntry = z.infer<typeof SealedEntry>;

/** Strict, so that a changed name is seen. Files of before the checksum lack it. */
const VaultFile = z.strictObject({
  version: z.literal(version),
  entries: z.array(SealedEntry),
  /** Of the entries: some system stores open damaged bytes to another text without a word. */
  checksum: z.string().optional(),
});

const checksumOf = (entries: SealedEntry[]): string => hash('sha256', JSON.stringify(entries));

/**
 * Reads `vault.json`. A missing file is an empty vault; a damaged one is put back from its last good copy or set aside,
 * and told. Rejects when the file must stay as it is: it cannot be read at all, or is of a newer version.
 */
export async function readVaultFile(
  file: string,
  tell: (notice: FileNotice) => void = () => undefined,
): Promise<SealedEntry[]> {
  const { text, problem, kept } = await openKept(file, judge);
  if (problem) tell({ file: 'vault.json', problem, kept });
  if (problem === 'newer' || problem === 'unreadable') throw new Error(`vault.json is ${problem}`);
  return text === undefined ? [] : VaultFile.parse(JSON.parse(text)).entries;
}

export async function writeVaultFile(file: string, entries: SealedEntry[]): Promise<void> {
  const content: z.input<typeof VaultFile> = { version, entries, checksum: checksumOf(entries) };
  const text = JSON.stringify(content);
  await writeAtomically(file, text);
  // Saved is saved: an older copy is renewed at the next start.
  await keepLastGood(file, text).catch(() => undefined);
}

const judge = (text: string): Judgement =>
  judgeJson(text, version, (content) => {
    const { success, data } = VaultFile.safeParse(content);
    const isWhole = success && (data.checksum === undefined || data.checksum === checksumOf(data.entries));
    return isWhole ? 'whole' : 'broken';
  });
