import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { setAside } from '../files/set-aside.ts';
import { writeAtomically } from '../files/write-atomically.ts';

/** One sealed password. `backend` is the system store that sealed it, to tell a changed keyring from a broken entry. */
const SealedEntry = z.object({
  service: z.string(),
  account: z.string(),
  backend: z.string(),
  /** Ciphertext, base64. */
  sealed: z.base64(),
  /** What the system seals is itself sealed with the key that only the PIN gives. */
  pin: z.boolean().default(false),
});
export type SealedEntry = z.infer<typeof SealedEntry>;

const VaultFile = z.object({ version: z.literal(1), entries: z.array(SealedEntry) });

/**
 * Reads `vault.json`. A missing file is an empty vault. One that cannot be parsed is set aside, never overwritten, and
 * `brokenFile` names where it lies now. Rejects when the file exists and cannot be read at all.
 */
export async function readVaultFile(file: string): Promise<{ entries: SealedEntry[]; brokenFile?: string }> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { entries: [] };
    throw error;
  }
  const parsed = VaultFile.safeParse(parseJson(text));
  return parsed.success ? { entries: parsed.data.entries } : { entries: [], brokenFile: await setAside(file) };
}

export async function writeVaultFile(file: string, entries: SealedEntry[]): Promise<void> {
  await writeAtomically(file, JSON.stringify({ version: 1, entries } satisfies z.input<typeof VaultFile>));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
