import { isDeepStrictEqual } from 'node:util';
import type { Config } from './config.ts';

export type KeyValueStore = {
  readonly config: Config;
  /** False if `config` is only a part of the file. */
  isComplete?: boolean;
  /** May return a promise that resolves once the values are synced to the disk, or to false if nothing is ever written. */
  set: (values: Record<string, unknown>) => unknown;
  /** Resolves once the backup is written. */
  settled?: () => Promise<void>;
};

export type ConfigStore = ReturnType<typeof createConfigStore>;

/**
 * Typed access to `config.json`. A part that does not parse has its default, and stays in the file until it is changed.
 * Each change is written at once; changes of one tick, and those during a write, are one write.
 */
export function createConfigStore(store: KeyValueStore, onFailure: (error: unknown) => void) {
  let pending: Record<string, unknown> = {};
  let writing = Promise.resolve();
  let listener = (): void => undefined;
  const hasPending = (): boolean => Object.keys(pending).length > 0;

  async function writePending(): Promise<void> {
    if (!hasPending()) return;
    const values = pending;
    pending = {};
    try {
      if ((await store.set(values)) === false) return;
      onDisk = { ...onDisk, ...values };
      listener();
    } catch (error) {
      // On a full or read-only disk the values stay in memory, and the next write includes them.
      pending = { ...values, ...pending };
      onFailure(error);
    }
  }

  /** Writes run one after the other. */
  function write(): Promise<void> {
    writing = writing.then(writePending);
    return writing;
  }

  let current = store.config;
  let onDisk = current;
  return {
    get: (): Config => current,
    /** What is synced to the disk. */
    persisted: (): Config => onDisk,
    /** Whether the whole file was read: only then may what refers to something that is not in it be removed. */
    isComplete: store.isComplete ?? true,
    /** Writes nothing if no value changed, unless an earlier write failed. */
    change(patch: Partial<Config>): void {
      const next = { ...current, ...patch };
      if (!isDeepStrictEqual(next, current)) {
        current = next;
        pending = { ...pending, ...patch };
        listener();
      }
      if (hasPending()) void write();
    },
    /** Resolves once all changes are on the disk, or could not be written. */
    flush: (): Promise<void> => write(),
    /** As `flush`, and the backup is written, too. */
    async flushWithBackup(): Promise<void> {
      await write();
      await store.settled?.();
    },

    onChange: (next: () => void): void => void (listener = next),
  };
}
