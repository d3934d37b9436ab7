import { lstatSync } from 'node:fs';

/** The first that is a symbolic link, by which another program could choose the file that is written. */
export const findSymlink = (...files: string[]): string | undefined =>
  files.find((file) => lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink());

/** A database with the files that SQLite writes beside it. */
export const withSideFiles = (file: string): string[] => ['', '-wal', '-shm', '-journal'].map((part) => file + part);
