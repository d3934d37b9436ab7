import type ElectronStore from 'electron-store';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { keepLastGood, openKept } from '../../files/kept-file.ts';
import { refuseLinks } from '../../files/path-checks.ts';
import { syncFolder } from '../../files/write-atomically.ts';
import type { FileNotices } from '../../files/file-notices.ts';
import { configVersion, createConfig, type ConfigStore, type KeyValueStore } from './config.ts';
import { judgeConfig } from './judge-config.ts';

const name = 'config.json';

/**
 * Opens `config.json` in the user-data folder. A damaged one is put right first (`openKept`), since electron-store would
 * refuse to start on it. That library is read with `open`, since no first screen needs what it brings along. A file
 * that must stay as it is, as one that cannot be read, is not written in this run.
 * @param warn logs what could not be written
 */
export async function openConfig(
  folder: string,
  notices: FileNotices,
  warn: (what: string, error?: unknown) => void,
): Promise<ConfigStore> {
  const file = path.join(folder, name);
  const { text, problem, kept, mayWrite } = await openKept(file, judgeConfig);
  if (problem) {
    notices.tell({ file: name, problem, kept });
    warn(`${name} could not be used as it was: ${problem}${kept === undefined ? '' : `, kept as ${kept}`}`);
  }
  const store: unknown = JSON.parse(text ?? '{}');
  const writer = mayWrite ? writerOf(folder, file, notices) : { set: () => undefined };
  return createConfig({ store, ...writer }, (error) => {
    notices.tell({ file: name, problem: 'not-written' });
    warn(`${name} could not be written`, error);
  });
}

/** electron-store writes to a temporary file, syncs and renames it. The folder and the last good copy are ours. */
function writerOf(folder: string, file: string, notices: FileNotices): Omit<KeyValueStore, 'store'> {
  let store: ElectronStore | undefined;

  async function renewLastGood(): Promise<void> {
    const written = await readFile(file, 'utf8');
    // Another program may have written in between.
    if (judgeConfig(written) === 'whole') await keepLastGood(file, written);
  }

  return {
    async open() {
      const { default: Store } = await import('electron-store');
      store ??= new Store({ cwd: folder, name: path.basename(name, '.json'), configFileMode: 0o600 });
    },
    async set(values) {
      // The library would write to where a link leads.
      refuseLinks(file);
      store?.set({ ...values, version: configVersion });
      await syncFolder(folder);
      notices.clear(name, 'not-written');
      await renewLastGood().catch(() => undefined);
    },
  };
}
