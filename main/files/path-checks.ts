import { lstatSync } from 'node:fs';

/** The code of an error for a link in the way, as the system itself has it where a link must not be followed. */
const linkCode = 'ELOOP';
/** The code of an error for a path that leads to another computer. */
const networkCode = 'network-path';

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/**
 * Throws where one of these is a symbolic link, whether it leads anywhere or not: another program that can put one into
 * a folder would otherwise say which file is written. A missing file passes.
 */
export function assertNoSymlinks(...files: string[]): void {
  for (const file of files)
    if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink())
      throw failure(linkCode, `a link is in the way: ${file}`);
}

/**
 * Says whether a path leads to another computer (UNC), or past Windows' own reading of paths. Windows logs in there by
 * itself, so reading such a path gives a hash of the person's password away.
 */
export const isNetworkPath = (file: string, platform = process.platform): boolean =>
  platform === 'win32' ? /^\s*[\\/]{2}/.test(file) : /^\s*\\\\/.test(file);

/** Throws where a path leads to another computer. */
export function assertLocalPath(file: string): void {
  if (isNetworkPath(file)) throw failure(networkCode, `the path leads to another computer: ${file}`);
}
