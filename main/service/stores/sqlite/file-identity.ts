import { statSync, type BigIntStats } from 'node:fs';
import { createStoreUnavailableError } from '../account-store.ts';

export type FileIdentity = {
  /**
   * Throws once the database or its log is no longer the file that was opened: on Unix a deleted or replaced file can
   * still be written to, and all of it would be gone with this process. A file that was moved may come back.
   */
  verify(): void;
  /** Takes the files as they are now for those that were opened, after this process itself replaced its log. */
  renew(): void;
};

/** A database in memory has no place. */
export const inMemoryIdentity: FileIdentity = { verify: () => {}, renew: () => {} };

export function createFileIdentity(file: string): FileIdentity {
  const look = (path: string): BigIntStats | undefined => statSync(path, { bigint: true, throwIfNoEntry: false });
  const lookAtAll = () => [file, `${file}-wal`].map((path) => ({ path, stats: look(path) }));
  let opened = lookAtAll();
  return {
    verify() {
      for (const { path, stats } of opened) {
        const found = look(path);
        if (found?.ino !== stats?.ino || found?.dev !== stats?.dev)
          throw createStoreUnavailableError(
            'failing',
            new Error('The database was moved, replaced or deleted while it was open'),
          );
      }
    },
    renew: () => void (opened = lookAtAll()),
  };
}
