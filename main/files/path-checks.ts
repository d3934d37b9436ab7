import { lstatSync } from 'node:fs';

/** The system's own code where a link must not be followed. */
const linkCode = 'ELOOP';
const networkCode = 'network-path';

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/**
 * Throws if one of these is a symbolic link, dangling or not: another program that can create one in a folder would
 * otherwise decide which file is written. A missing file passes.
 */
export function assertNoSymlinks(...files: string[]): void {
  for (const file of files)
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
      throw failure(linkCode, `a link is in the way: ${file}`);
}

/**
 * True for a UNC path and for one that bypasses Windows' path parsing. Windows logs in to the other computer by itself, so
 * reading such a path reveals a hash of the user's password.
 */
export const isNetworkPath = (file: string, platform = process.platform): boolean =>
  platform === 'win32' ? /^\s*[\\/]{2}/.test(file) : /^\s*\\\\/.test(file);

/** Throws for a path to another computer, see {@link isNetworkPath}. */
export function assertLocalPath(file: string): void {
  if (isNetworkPath(file)) throw failure(networkCode, `the path leads to another computer: ${file}`);
}
