import path from 'node:path';
import type { FileNotice } from '../../preload/contract/models.ts';
import { setDatabaseAside } from '../files/set-aside.ts';
import { problemOf } from './call-database.ts';
import { openCallStore, type CallStore } from './call-store.ts';

/** Keeps the file of calls: it is opened when it is first asked for, and undefined where it cannot be used. */
export function createCallFile({
  file,
  onFileNotice,
  warn,
}: {
  file: string;
  onFileNotice: (notice: FileNotice) => void;
  warn: (what: string, error: unknown) => void;
}) {
  let store: CallStore | undefined;
  let broken = false;

  /** The file is opened by the first call or the first look, and not at the start. */
  function opened(): CallStore | undefined {
    if (store || broken) return store;
    try {
      store = openCallStore(file);
    } catch (error) {
      store = openAfter(error);
    }
    broken = !store;
    return store;
  }

  /** A damaged file is kept beside a new one. One that is newer, or cannot be read now, stays in its place. */
  function openAfter(error: unknown): CallStore | undefined {
    warn('exchanges.sqlite could not be used as it was', error);
    const problem = problemOf(error);
    if (problem !== 'broken') {
      onFileNotice({ file: 'exchanges.sqlite', problem });
      return undefined;
    }
    try {
      const kept = setDatabaseAside(file);
      const anew = openCallStore(file);
      onFileNotice({ file: 'exchanges.sqlite', problem: 'set-aside', kept: path.basename(kept) });
      return anew;
    } catch (cause) {
      onFileNotice({ file: 'exchanges.sqlite', problem: 'unreadable' });
      warn('calls cannot be recorded', cause);
      return undefined;
    }
  }

  return {
    opened,
    close: (): void => store?.close(),
  };
}
