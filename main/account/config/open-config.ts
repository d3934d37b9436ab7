import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeBackup, openRecoverableFile } from '../../files/recoverable-file.ts';
import { writeAtomically } from '../../files/write-atomically.ts';
import type { FileNotices } from '../../files/file-notices.ts';
import { Config } from './config.ts';
import { configVersion } from './default-config.ts';
import { createConfigStore, type ConfigStore, type KeyValueStore } from './config-store.ts';
import { validateConfig } from './validate-config.ts';

const name = 'config.json';

/**
 * Opens `config.json` in the user-data folder. A damaged one is restored first (`openRecoverableFile`). A file
 * that cannot be read or restored is not written.
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
  const content: unknown = JSON.parse(text ?? '{}');
  const writer = mayWrite ? createWriter(file, content, notices) : { set: () => false };
  const config = Config.parse(content);
  return createConfigStore({ config, isComplete: problem === undefined, ...writer }, (error) => {
    notices.add({ file: name, problem: 'not-written' });
    warn(`${name} could not be written`, error);
  });
}

/**
 * Writes asynchronously: electron-store, which did this before, syncs the file on main's thread. Values that another
 * program wrote into the file meanwhile stay, unless they are among the changes.
 */
function createWriter(
  file: string,
  found: unknown,
  notices: FileNotices,
): Omit<KeyValueStore, 'config' | 'isComplete'> {
  let lastContent = found;
  let backingUp = Promise.resolve();

  async function readCurrent(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(file, 'utf8'));
    } catch {
      return lastContent;
    }
  }

  return {
    async set(values) {
      // Two writes must not race for the backup.
      await backingUp;
      const before = await readCurrent();
      lastContent = { ...(typeof before === 'object' && before), ...values, version: configVersion };
      const text = JSON.stringify(lastContent, undefined, '\t');
      await writeAtomically(file, text);
      notices.clear(name, 'not-written');
      if (validateConfig(text) === 'whole') backingUp = writeBackup(file, text).catch(() => undefined);
    },
    settled: () => backingUp,
  };
}
