import path from 'node:path';
import type { FileNotice } from '../../preload/contract/models.ts';
import { sqliteFileProblem } from './sqlite-file.ts';
import { quarantineSqliteFile } from './quarantine.ts';

/**
 * A database of the profile that is opened on first use; undefined if it cannot be used.
 * @param options.name its name in notices
 * @param options.open opens the store in the file
 */
export function createLazyDatabase<Store extends { close: () => void }>(options: {
  file: string;
  name: FileNotice['file'];
  open: (file: string) => Store;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
}) {
  const { file, name, open, onFileNotice, warn } = options;
  let store: Store | undefined;
  let broken = false;

  function get(): Store | undefined {
    if (store || broken) return store;
    try {
      store = open(file);
    } catch (error) {
      store = recover(error);
    }
    broken = !store;
    return store;
  }

  /** Quarantines a damaged file or one of another version, and opens a new one. An unreadable file stays as it is. */
  function recover(error: unknown): Store | undefined {
    warn(`${name} could not be used as it was`, error);
    const problem = sqliteFileProblem(error);
    if (problem === 'unreadable') {
      onFileNotice({ file: name, problem });
      return undefined;
    }
    try {
      const moved = quarantineSqliteFile(file);
      const created = open(file);
      onFileNotice({
        file: name,
        problem: problem === 'broken' ? 'set-aside' : problem,
        quarantinedAs: path.basename(moved),
      });
      return created;
    } catch (cause) {
      onFileNotice({ file: name, problem: 'unreadable' });
      warn(`nothing can be kept in ${name}`, cause);
      return undefined;
    }
  }

  return {
    opened: get,
    close: (): void => {
      store?.close();
      store = undefined;
      broken = true;
    },
  };
}
