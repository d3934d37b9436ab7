import { lstatSync } from 'node:fs';

/** Returns the first of these that is a symbolic link, by which another program would say which file is written. */
export const findSymlink = (...files: string[]): string | undefined =>
  files.find((file) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink());

/** Returns a database with all that SQLite writes beside it. */
export const withSideFiles = (file: string): string[] => ['', '-wal', '-shm', '-journal'].map((part) => file + part);
