import { constants, existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { FileNotice } from '../../preload/contract/models.ts';
import { errorCodeOf } from './error-code.ts';
import { quarantinePath, removeQuarantined, quarantineFile } from './quarantine.ts';
import { writeAtomically } from './write-atomically.ts';

/** Whether the content of a file is valid. `partly` can be used in part. */
export type FileValidity = 'whole' | 'partly' | 'broken' | 'other-version';
type ValidateFile = (text: string) => FileValidity;

type RecoverableFile = {
  /** Absent if there is no usable content. */
  text?: string;
  problem?: FileNotice['problem'];
  /** The name of the quarantined file, if the content was not used as it was. */
  kept?: string;
  /** False if the file must not be changed, since it cannot be read or restored. */
  mayWrite: boolean;
};

/** Validates a JSON text with `judge`, unless its `version` is another one. */
export function validateJson(text: string, version: number, judge: (content: unknown) => FileValidity): FileValidity {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return 'broken';
  }
  const found = typeof content === 'object' && content !== null && 'version' in content ? content.version : undefined;
  return found !== undefined && found !== version ? 'other-version' : judge(content);
}

/** The backup of a file: its last content that was whole. */
export const backupPathOf = (file: string): string => `${file}.last-good`;

/**
 * Reads a file that must not be lost. A whole one renews its backup. A damaged or missing one is restored from the backup,
 * and the damaged one quarantined. Without a valid backup the readable part is used. A damaged backup and a file of another
 * version are quarantined too, so that nothing is overwritten. Left-over temporary files are deleted, so the caller must be
 * the only writer. It never rejects.
 *
 * It reads synchronously, since the window waits for it, and nothing asynchronous finishes before Electron is ready.
 * @param staysOfOtherVersion whether a file of another version stays in place, and nothing is written
 */
export async function openRecoverableFile(
  file: string,
  judge: ValidateFile,
  staysOfOtherVersion = false,
): Promise<RecoverableFile> {
  await removeLeftovers(file).catch(() => undefined);
  const found = inspect(file, judge);
  if (found.state === 'unreadable') return { problem: found.state, mayWrite: false };
  if (found.state === 'other-version' && staysOfOtherVersion) return { problem: found.state, mayWrite: false };
  if (found.state === 'whole') {
    await writeBackup(file, found.text).catch(() => undefined);
    return { text: found.text, mayWrite: true };
  }
  const copy = inspect(backupPathOf(file), judge);
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
    // On a full or read-only disk this run uses what can be read, and does not change the files.
    return { ...usable, mayWrite: false };
  }
}

function problemOf(found: Found['state'], copy: Found['state']): NonNullable<RecoverableFile['problem']> {
  if (copy === 'whole') return 'restored';
  if (found === 'partly') return 'partly-read';
  return found === 'other-version' ? found : 'set-aside';
}

/** Makes a whole text the backup, unless it is that already. */
export async function writeBackup(file: string, text: string): Promise<void> {
  const copy = backupPathOf(file);
  if ((await readFile(copy, 'utf8').catch(() => undefined)) !== text) await writeAtomically(copy, text);
}

/**
 * Reads a file that equals its backup, so that it was whole when it was validated.
 * @returns no text if both are absent; undefined if they differ or cannot be read
 */
export function readIfUnchanged(file: string): { text?: string } | undefined {
  try {
    const [found, copy] = [file, backupPathOf(file)].map((each) =>
      existsSync(each) ? readFileSync(each, 'utf8') : undefined,
    );
    return found === copy ? (found === undefined ? {} : { text: found }) : undefined;
  } catch {
    return undefined;
  }
}

/** Deletes a file, its backup, and all quarantined versions of both. */
export async function removeWithBackup(file: string): Promise<void> {
  // The backup first: a backup alone would be restored at the next start.
  await rm(backupPathOf(file), { force: true });
  await rm(file, { force: true });
  await removeQuarantined(file);
}

type Found = { state: 'absent' | 'unreadable' } | { state: FileValidity; text: string };

function inspect(file: string, judge: ValidateFile): Found {
  try {
    const bytes = readFileSync(file);
    // Invalid UTF-8 would be replaced silently.
    const text = bytes.toString('utf8');
    return { state: Buffer.from(text).equals(bytes) ? judge(text) : 'broken', text };
  } catch (error) {
    return { state: errorCodeOf(error) === 'ENOENT' ? 'absent' : 'unreadable' };
  }
}

/** Deletes the temporary files that a kill leaves of `writeAtomically`, and of electron-store, which earlier versions used. */
async function removeLeftovers(file: string): Promise<void> {
  const folder = path.dirname(file);
  const ending = /^(\.last-good)?\.([0-9a-f]+\.tmp|tmp-[0-9a-f]+)$/;
  for (const name of readdirSync(folder)) {
    const isOurs = name.startsWith(path.basename(file)) && ending.test(name.slice(path.basename(file).length));
    if (isOurs) await rm(path.join(folder, name), { force: true });
  }
}
