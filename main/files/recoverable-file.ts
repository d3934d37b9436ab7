import { constants, readdirSync, readFileSync } from 'node:fs';
import { copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FileNotice } from '../../preload/contract/models.ts';
import { errorCodeOf } from './error-code.ts';
import { quarantinePath, removeQuarantined, quarantineFile } from './quarantine.ts';
import { writeAtomically } from './write-atomically.ts';

/** What the content of a file is worth. `partly` can be used in part. */
export type FileValidity = 'whole' | 'partly' | 'broken' | 'other-version';
export type ValidateFile = (text: string) => FileValidity;

export type RecoverableFile = {
  /** It is absent when there is nothing to begin with. */
  text?: string;
  problem?: FileNotice['problem'];
  /** The name of the file that holds what was found, when it was not used as it was. */
  kept?: string;
  /** It is false when the file must stay as it is, since it cannot be read or put right. */
  mayWrite: boolean;
};

/** Judges a JSON text. One with another `version` than ours is not looked into; `judge` sees the rest. */
export function validateJson(text: string, version: number, judge: (content: unknown) => FileValidity): FileValidity {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return 'broken';
  }
  const written = typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;
  return written !== undefined && written !== version ? 'other-version' : judge(content);
}

/** Returns the file that has the last content that was whole. It is never made of anything else. */
export const backupPathOf = (file: string): string => `${file}.last-good`;

/**
 * Reads a file that must not be lost. A whole one renews its last good copy. One that is damaged or gone is put back
 * from that copy, and what was found is set aside beside it. Without a good copy the readable part is used, and a
 * damaged copy is set aside too, so that nothing is ever written over it. So is a file of another version.
 * Left-over temporary files are removed, so the caller must be the only one who writes. It never rejects.
 *
 * It reads synchronously, since the window waits for it, and nothing else hands over what was read before Electron is
 * ready.
 * @param staysOfOtherVersion whether a file of another version stays in its place, and nothing is written
 */
export async function openRecoverableFile(
  file: string,
  judge: ValidateFile,
  staysOfOtherVersion = false,
): Promise<RecoverableFile> {
  await removeLeftovers(file).catch(() => undefined);
  const found = look(file, judge);
  if (found.state === 'unreadable') return { problem: found.state, mayWrite: false };
  if (found.state === 'other-version' && staysOfOtherVersion) return { problem: found.state, mayWrite: false };
  if (found.state === 'whole') {
    await writeBackup(file, found.text).catch(() => undefined);
    return { text: found.text, mayWrite: true };
  }
  const copy = look(backupPathOf(file), judge);
  if (found.state === 'absent' && copy.state === 'absent') return { mayWrite: true };

  const text = copy.state === 'whole' ? copy.text : found.state === 'partly' ? found.text : undefined;
  const problem = problemOf(found.state, copy.state);
  const usable: Pick<RecoverableFile, 'text' | 'problem'> = { ...(text !== undefined && { text }), problem };
  try {
    let kept: string | undefined;
    if (copy.state !== 'whole' && copy.state !== 'absent' && copy.state !== 'unreadable')
      kept = await quarantineFile(backupPathOf(file));
    if (problem === 'partly-read') {
      kept = quarantinePath(file);
      await copyFile(file, kept, constants.COPYFILE_EXCL);
    } else if (found.state !== 'absent') kept = await quarantineFile(file);
    if (problem === 'restored' && text !== undefined) await writeAtomically(file, text);
    return { ...usable, ...(kept !== undefined && { kept: path.basename(kept) }), mayWrite: true };
  } catch {
    // With a full or read-only disk this run uses what can be read, and leaves the files as they are.
    return { ...usable, mayWrite: false };
  }
}

function problemOf(found: Found['state'], copy: Found['state']): NonNullable<RecoverableFile['problem']> {
  if (copy === 'whole') return 'restored';
  if (found === 'partly') return 'partly-read';
  return found === 'other-version' ? found : 'set-aside';
}

/** Makes this text, which must be whole, the last good copy. It does nothing when it is that already. */
export async function writeBackup(file: string, text: string): Promise<void> {
  const copy = backupPathOf(file);
  if ((await readFile(copy, 'utf8').catch(() => undefined)) !== text) await writeAtomically(copy, text);
}

/** Removes a file for good, with its copy and everything that was ever set aside of both. */
export async function removeWithBackup(file: string): Promise<void> {
  // The copy goes first, since a copy alone would be put back at the next start.
  await rm(backupPathOf(file), { force: true });
  await rm(file, { force: true });
  await removeQuarantined(file);
}

type Found = { state: 'absent' | 'unreadable' } | { state: FileValidity; text: string };

function look(file: string, judge: ValidateFile): Found {
  try {
    const bytes = readFileSync(file);
    // Bytes that are no UTF-8 would be replaced silently.
    const text = bytes.toString('utf8');
    return { state: Buffer.from(text).equals(bytes) ? judge(text) : 'broken', text };
  } catch (error) {
    return { state: errorCodeOf(error) === 'ENOENT' ? 'absent' : 'unreadable' };
  }
}

/** Removes what a kill leaves of `writeAtomically`, and of electron-store, with which earlier versions wrote. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = path.dirname(file);
  const ending = /^(\.last-good)?\.([0-9a-f]+\.tmp|tmp-[0-9a-f]+)$/;
  for (const name of readdirSync(folder)) {
    const isOurs = name.startsWith(path.basename(file)) && ending.test(name.slice(path.basename(file).length));
    if (isOurs) await rm(path.join(folder, name), { force: true });
  }
}
