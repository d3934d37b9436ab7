import path from 'node:path';
import type { FileNotice } from '../../preload/contract/models.ts';
import { sqliteFileProblem } from './sqlite-file.ts';
import { quarantineSqliteFile } from './quarantine.ts';

/**
 * Keeps a database of the profile: it is opened when it is first asked for, and undefined where it cannot be used.
 * @param options.name its name among the notices
 * @param options.open opens what is kept in it
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

  /** The file is opened by the first use or the first look, and not at the start. */
  function get(): Store | undefined {
    if (store || broken) return store;
    try {
      store = open(file);
    } catch (error) {
      store = openAfter(error);
    }
    broken = !store;
    return store;
  }

  /** A file that is damaged or of another version is kept beside a new one. One that cannot be read now stays. */
  function openAfter(error: unknown): Store | undefined {
    warn(`${name} could not be used as it was`, error);
    const problem = sqliteFileProblem(error);
    if (problem === 'unreadable') {
      onFileNotice({ file: name, problem });
      return undefined;
    }
    try {
      const kept = quarantineSqliteFile(file);
      const anew = open(file);
      onFileNotice({
        file: name,
        problem: problem === 'broken' ? 'set-aside' : problem,
        quarantinedAs: path.basename(kept),
      });
      return anew;
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
