import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeBackup, openRecoverableFile } from '../../files/recoverable-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { FileNotices } from '../../files/file-notices.ts';
import { configVersion, createConfigStore, type ConfigStore, type KeyValueStore } from './config.ts';
import { validateConfig } from './validate-config.ts';

const name = 'config.json';

/**
 * Opens `config.json` in the user-data folder. A damaged one is put right first (`openKept`). A file that must stay as it
 * is, as one that cannot be read, is not written in this run.
 * @param warn logs what could not be written
 */
export async function openConfig(
  folder: string,
  notices: FileNotices,
  warn: (what: string, error?: unknown) => void,
): Promise<ConfigStore> {
  const file = path.join(folder, name);
  const { text, problem, kept: quarantinedAs, mayWrite } = await openRecoverableFile(file, validateConfig);
  if (problem) {
    notices.add({ file: name, problem, quarantinedAs });
    warn(
      `${name} could not be used as it was: ${problem}${quarantinedAs === undefined ? '' : `, kept as ${quarantinedAs}`}`,
    );
  }
  const store: unknown = JSON.parse(text ?? '{}');
  const writer = mayWrite ? writerOf(file, store, notices) : { set: () => false };
  return createConfigStore({ store, isComplete: problem === undefined, ...writer }, (error) => {
    notices.add({ file: name, problem: 'not-written' });
    warn(`${name} could not be written`, error);
  });
}

/**
 * Writes off main's thread, which draws: electron-store, which did this before, syncs the file on it, and what was put off
 * for that was lost by a kill. What another program wrote in between stays, but for the values that change.
 */
function writerOf(file: string, found: unknown, notices: FileNotices): Omit<KeyValueStore, 'store' | 'isComplete'> {
  let known = found;
  let copying = Promise.resolve();

  async function readNow(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(file, 'utf8'));
    } catch {
      return known;
    }
  }

  return {
    async set(values) {
      // Two writes never race for the copy.
      await copying;
      const before = await readNow();
      known = { ...(typeof before === 'object' && before), ...values, version: configVersion };
      const text = JSON.stringify(known, undefined, '\t');
      await writeAtomically(file, text);
      notices.clear(name, 'not-written');
      if (validateConfig(text) === 'whole') copying = writeBackup(file, text).catch(() => undefined);
    },
    settled: () => copying,
  };
}
